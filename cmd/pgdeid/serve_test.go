package main

import (
	"strings"
	"testing"

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
		{"x\n", []string{"serve", "passwd", "a:b"}, exitUsage},
		{"\n", []string{"serve", "passwd", "a"}, exitFailure},
		{"fourteen chars\n", []string{"serve", "passwd", "a"}, exitFailure},
		{"fifteen letters\n", []string{"serve", "passwd", "a", "--tables", "secrets"}, exitUsage},
		{"fifteen letters\n", []string{"serve", "passwd", "a", "--limits", "notes=many"}, exitUsage},
		{"Ä and fourteen others\n", []string{"serve", "passwd", "a"}, exitFailure},
		{"x\n", []string{"serve", "passwd"}, exitFailure},
	} {
		if out, _, err := runWords(t, c.in, c.words...); exitCodeOf(err) != c.code || out != "" {
			t.Errorf("%v: %q, %v", c.words, out, err)
		}
	}
}
