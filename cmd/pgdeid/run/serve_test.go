package run

import (
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/internal/scram"
)

func TestServePasswd(t *testing.T) {
	out, _, err := runWords(t, "a secret word or three\n", "serve", "passwd", "staging")
	name, verifier, ok := strings.Cut(strings.TrimSpace(out), ":")
	if err != nil || !ok || name != "staging" || strings.Contains(out, "secret") {
		t.Fatalf("%q, %v", out, err)
	}
	if _, err := scram.Parse(verifier); err != nil {
		t.Error(err)
	}
	out, _, err = runWords(t, "a secret word or three\n", "serve", "passwd", "auditor", "--tables", "detect,note_deid", "--steward",
		"--limits", "notes=0,spans=50")
	if err != nil || !strings.HasSuffix(out, " tables=detect,note_deid steward notes=0 spans=50\n") {
		t.Errorf("%q, %v", out, err)
	}
	for _, c := range []struct {
		in    string
		words []string
		code  int
	}{
		{"x\n", []string{"serve", "passwd", "a:b"}, command.ExitUsage},
		{"\n", []string{"serve", "passwd", "a"}, command.ExitFailure},
		{"fourteen chars\n", []string{"serve", "passwd", "a"}, command.ExitFailure},
		{"fifteen letters\n", []string{"serve", "passwd", "a", "--tables", "secrets"}, command.ExitUsage},
		{"fifteen letters\n", []string{"serve", "passwd", "a", "--limits", "notes=many"}, command.ExitUsage},
		{"Ä and fourteen others\n", []string{"serve", "passwd", "a"}, command.ExitFailure},
		{"x\n", []string{"serve", "passwd"}, command.ExitFailure},
	} {
		if out, _, err := runWords(t, c.in, c.words...); command.ExitCode(err) != c.code || out != "" {
			t.Errorf("%v: %q, %v", c.words, out, err)
		}
	}
}
