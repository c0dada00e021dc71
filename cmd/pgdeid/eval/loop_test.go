package eval

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/commandtest"
)

func TestEvalErrorsWarnsAndDoesNotWriteOver(t *testing.T) {
	path := filepath.Join(t.TempDir(), "errors.jsonl")
	const missed = `{"id":"a","text":"Talked to quisenberry.","spans":[{"start":10,"end":21,"type":"DOCTOR"}]}` + "\n"
	words := []string{"eval", "--models", "none", "--errors", path, "-"}
	out, errs, err := runWords(t, missed, words...)
	if err != nil || !strings.Contains(errs, "1 sentence in "+path) || !strings.Contains(errs, "identified text") ||
		strings.Contains(out+errs, "quisenberry") {
		t.Errorf("%v, %q", err, errs)
	}
	raw, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(raw), `"missed":[{"start":10,"end":21,"type":"DOCTOR","text":"quisenberry"}]`) {
		t.Errorf("%v %s", err, raw)
	}
	if _, _, err := runWords(t, missed, words...); command.ExitCode(err) != command.ExitUsage || !strings.Contains(err.Error(), "--force") {
		t.Errorf("the second time: %v", err)
	}
	if _, _, err := runWords(t, missed, append(words, "--force")...); err != nil {
		t.Error(err)
	}
}

func TestEvalCompare(t *testing.T) {
	dir := t.TempDir()
	save := func(name string, words ...string) string {
		t.Helper()
		out, code, err := call(t, "", append([]string{"eval", "--models", "none", "--json", "--synthetic", "60"}, words...)...)
		if err != nil || code != 0 {
			t.Fatal(err)
		}
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(out), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	less, all, other := save("less.json", "--detectors", "patterns"), save("all.json"), save("other.json", "--seed", "2")
	out, code, err := call(t, "", "eval", "--compare", less, all)
	if !strings.Contains(out, "rose: recall of group C") || strings.Contains(out, "recall of class NAME\nfell") {
		t.Errorf("exit %d, %v:\n%s", code, err, out)
	}
	if _, code, err = call(t, "", "eval", "--compare", all, less); code != command.ExitAttention || !strings.Contains(err.Error(),
		"fell, for one recall of group C") {
		t.Errorf("exit %d, %v", code, err)
	}
	if out, code, err = call(t, "", "eval", "--compare", all, all); code != command.ExitOK || !strings.Contains(out, "fell: nothing") {
		t.Errorf("exit %d, %v", code, err)
	}
	if _, code, err = call(t, "", "eval", "--compare", "--tolerance", "100", all, less); code != command.ExitOK {
		t.Errorf("exit %d, %v", code, err)
	}
	for want, words := range map[string][]string{
		"want two files": {all}, "--tolerance": {"--tolerance", "-1", all, all}, "different documents": {all, other},
		"no such file": {all, "/no/such/file"},
	} {
		if _, code, err := call(t, "", append([]string{"eval", "--compare"}, words...)...); code == command.ExitOK ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%v: exit %d, %v", words, code, err)
		}
	}
}

func TestEvalAblation(t *testing.T) {
	out, code, err := call(t, commandtest.Gold, "eval", "--ablation", "--detectors", "patterns,record", "-")
	if err != nil || code != command.ExitOK || !strings.Contains(out, "only patterns") || !strings.Contains(out, "without record") {
		t.Errorf("exit %d, %v:\n%s", code, err, out)
	}
}
