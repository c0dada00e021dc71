package eval

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/commandtest"
	"github.com/pgdeid/pgdeid/ensemble/eval"
)

// call runs the program with arguments and returns what it printed and its exit code.
func call(t *testing.T, stdin string, args ...string) (out string, code int, err error) {
	t.Helper()
	out, _, err = runWords(t, stdin, args...)
	return out, command.ExitCode(err), err
}

func TestEvalJSON(t *testing.T) {
	out, code, err := call(t, commandtest.Gold, "eval", "--json", "-")
	if err != nil || code != 0 {
		t.Fatalf("exit %d: %v", code, err)
	}
	var res eval.Result
	if err := json.Unmarshal([]byte(out), &res); err != nil {
		t.Fatal(err)
	}
	if res.Docs != 1 || res.Groups["C"].Gold != 3 || res.Groups["C"].Found < 2 {
		t.Errorf("%d documents, %+v", res.Docs, res.Groups["C"].Counts)
	}
	if strings.Contains(out, "Quisenberry") {
		t.Error("the report quotes the text")
	}
}

func TestEvalSynthetic(t *testing.T) {
	out, code, err := call(t, "", "eval", "--synthetic", "60", "--seed", "9")
	if err != nil || code != 0 {
		t.Fatalf("exit %d: %v", code, err)
	}
	for _, want := range []string{"60 documents", "names of", "PATIENT", "strict entities"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in the table", want)
		}
	}
	if strings.Contains(out, "⟦") {
		t.Error("cases are shown without --show")
	}
}

func TestEvalRefusals(t *testing.T) {
	bad := filepath.Join(t.TempDir(), "labels")
	if err := os.WriteFile(bad, []byte("X = NOBODY\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		args []string
		code int
		want string
	}{
		"nothing":     {[]string{"eval"}, command.ExitUsage, "want files"},
		"both":        {[]string{"eval", "--synthetic", "5", "x"}, command.ExitUsage, "either"},
		"detector":    {[]string{"eval", "--detectors", "oracle", "-"}, command.ExitUsage, "oracle"},
		"threshold":   {[]string{"eval", "--threshold", "0", "-"}, command.ExitUsage, "threshold"},
		"labels":      {[]string{"eval", "--labels", bad, "-"}, command.ExitUsage, "line 1"},
		"no file":     {[]string{"eval", "/no/such/file"}, command.ExitFailure, "/no/such/file"},
		"broken gold": {[]string{"eval", "-"}, command.ExitFailure, "line 1"},
	} {
		t.Run(name, func(t *testing.T) {
			_, code, err := call(t, "{", tt.args...)
			if code != tt.code || err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("exit %d, %v; want exit %d and %q", code, err, tt.code, tt.want)
			}
		})
	}
}

func TestWriteCorpusCanBeScored(t *testing.T) {
	path := filepath.Join(t.TempDir(), "notes.jsonl")
	if _, code, err := call(t, "", "demo", "--write-corpus", path, "--notes", "25", "--patients", "10"); err != nil || code != 0 {
		t.Fatalf("exit %d: %v", code, err)
	}
	out, code, err := call(t, "", "eval", path)
	if err != nil || code != 0 || !strings.Contains(out, "25 documents") {
		t.Errorf("exit %d, %v:\n%.200s", code, err, out)
	}
}
