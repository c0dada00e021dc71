package eval

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/commandtest"
)

func TestEvalPredictions(t *testing.T) {
	dir := t.TempDir()
	file := func(name, content string) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	gold := file("gold.jsonl", commandtest.Gold)
	spans := file("spans.jsonl", `{"id":"a","spans":[{"start":12,"end":23,"label":"PERSON"}]}`)
	redacted := file("redacted.jsonl", `{"id":"a","text":"Seen by Dr. [NAME] on [DATE], MRN 1234567."}`)
	other := file("other.jsonl", `{"id":"b","spans":[]}`)
	for name, tt := range map[string]struct {
		args []string
		code int
		want string
	}{
		"spans":      {[]string{"--predictions", spans, gold}, command.ExitOK, "0.3333"},
		"redacted":   {[]string{"--predictions", redacted, gold}, command.ExitOK, "1 documents came as redacted text"},
		"missing":    {[]string{"--predictions", other, gold}, command.ExitFailure, "document a has no prediction"},
		"ablation":   {[]string{"--predictions", spans, "--ablation", gold}, command.ExitUsage, "no members"},
		"no file":    {[]string{"--predictions", dir + "/none.jsonl", gold}, command.ExitUsage, "none.jsonl"},
		"no gold":    {[]string{"--predictions", spans}, command.ExitUsage, "want files of gold"},
		"partial":    {[]string{"--partial", gold}, command.ExitUsage, "--predictions"},
		"over-scrub": {[]string{"--over-scrub", gold}, command.ExitUsage, "its own sentences"},
		"half":       {[]string{"--over-scrub=some"}, command.ExitUsage, "want all, dev or test"},
	} {
		t.Run(name, func(t *testing.T) {
			out, code, err := call(t, "", append([]string{"eval", "--models", "none"}, tt.args...)...)
			text := out
			if err != nil {
				text = err.Error()
			}
			if code != tt.code || !strings.Contains(text, tt.want) || strings.Contains(text, "Quisenberry") {
				t.Errorf("exit %d, want %d with %q:\n%s", code, tt.code, tt.want, text)
			}
		})
	}
}

func TestEvalOverScrub(t *testing.T) {
	page := filepath.Join(t.TempDir(), "terms.html")
	out, code, err := call(t, "", "eval", "--models", "none", "--over-scrub", "--html", page)
	if code != command.ExitOK || !strings.Contains(out, "services and roles") || strings.Contains(out, "  test ") == false {
		t.Fatalf("exit %d, %v:\n%s", code, err, out)
	}
	for line := range strings.SplitSeq(out, "\n") {
		if strings.Contains(line, " of 5  test ") {
			t.Errorf("a term of the half for figures is listed: %s", line)
		}
	}
	if raw, err := os.ReadFile(page); err != nil || !strings.Contains(string(raw), "</html>") {
		t.Errorf("%v", err)
	}
}

func TestEvalCompareWithCases(t *testing.T) {
	dir := t.TempDir()
	save := func(name string, words ...string) string {
		t.Helper()
		out, code, err := call(t, "", append([]string{"eval", "--models", "none", "--json", "--synthetic", "20"}, words...)...)
		if err != nil || code != command.ExitOK {
			t.Fatal(err)
		}
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(out), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	less, all, bare := save("less.json", "--detectors", "patterns", "--show", "1"), save("all.json", "--show", "1"), save("bare.json")
	page := filepath.Join(dir, "page.html")
	out, _, _ := call(t, "", "eval", "--compare", "--tolerance", "100", "--show", "2", "--html", page, less, all)
	raw, err := os.ReadFile(page)
	if err != nil || !strings.Contains(string(raw), "Found now, missed before") || !strings.Contains(out, "found now, missed before:") {
		t.Errorf("%v:\n%s", err, out)
	}
	if _, code, err := call(t, "", "eval", "--compare", "--tolerance", "100", "--show", "2", bare, all); code != command.ExitUsage ||
		!strings.Contains(err.Error(), "--json --show 1") {
		t.Errorf("exit %d, %v", code, err)
	}
}
