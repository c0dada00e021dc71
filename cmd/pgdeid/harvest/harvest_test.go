package harvest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/ensemble/harvest"
)

// callHarvest runs the program and returns what it printed, its error among that, and its exit code.
func callHarvest(t *testing.T, stdin string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	stdout, stderr, err := runWords(t, stdin, args...)
	if err != nil {
		stderr += err.Error()
	}
	return stdout, stderr, command.ExitCode(err)
}

// From notes in a file to a list that detection uses, without any database.
func TestHarvestOfFiles(t *testing.T) {
	dir := t.TempDir()
	notes, proposals, list := filepath.Join(dir, "notes.jsonl"), filepath.Join(dir, "p.jsonl"), filepath.Join(dir, "list.jsonl")
	var lines strings.Builder
	for i := range 40 {
		author, patient := string(rune('a'+i%8)), string(rune('a'+i%20))
		lines.WriteString(`{"text":"Mr. Coffee machine was used.\nNo fever.\nSeen by Dr. Jane Moss.","patient_id":"` + patient + `","author":"` +
			author + "\"}\n")
	}
	if err := os.WriteFile(notes, []byte(lines.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"harvest", "sentences", "--from", notes, "--models", "fast", "-o", proposals, "--suspects"}
	if _, warn, code := callHarvest(t, "", args...); code != 0 || !strings.Contains(warn, "3 proposals") || strings.Contains(warn, "Coffee") {
		t.Fatalf("exit %d: %s", code, warn)
	}
	if _, warn, code := callHarvest(t, "", args...); code != command.ExitUsage || !strings.Contains(warn, "--force") {
		t.Errorf("over a file: exit %d: %s", code, warn)
	}
	out, warn, code := callHarvest(t, "yyn", "harvest", "review", proposals, "--reviewer", "jlee")
	if code != 0 || !strings.Contains(warn, "2 yes, 1 no, 0 skipped, 0 left") || !strings.Contains(out, "Mr. Coffee machine was used.") {
		t.Errorf("exit %d: %s\n%s", code, out, warn)
	}
	if out, warn, code := callHarvest(t, "", "harvest", "import", proposals, "-o", list); code != 0 || out != "2 on the list\n" {
		t.Errorf("exit %d: %s%s", code, out, warn)
	}
	entries, err := harvest.ReadList(list)
	if err != nil || len(entries) != 2 || entries[0].Reviewer != "jlee" {
		t.Fatalf("%d entries, %v", len(entries), err)
	}
	const note = `{"id":1,"text":"Mr. Coffee machine was used."}`
	before, _, _ := callHarvest(t, note, "detect", "--models", "fast")
	after, warn, code := callHarvest(t, note, "detect", "--models", "fast", "--inclusion", list)
	if !strings.Contains(before, "PATIENT") || !strings.Contains(after, `"spans":[]`) || code != 0 {
		t.Errorf("before %s, after %s, exit %d: %s", before, after, code, warn)
	}
}

// Sentences of the error loop that a person has corrected join the list.
func TestHarvestImportsCorrectedErrors(t *testing.T) {
	dir := t.TempDir()
	errorsFile, list := filepath.Join(dir, "errors.jsonl"), filepath.Join(dir, "list.jsonl")
	const corrected = `{"id":"1@0","text":"Mr. Coffee machine was used.","spans":[],"found":[],"missed":[],"false":[],"note":"1","offset":0}
{"id":"1@9","text":"Jane Moss came.","spans":[{"start":0,"end":9,"type":"PATIENT"}],"found":[],"missed":[],"false":[],"note":"1","offset":9}
`
	if err := os.WriteFile(errorsFile, []byte(corrected), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, warn, code := callHarvest(t, "", "harvest", "import", "--marked", "--reviewer", "jlee", "-o", list, errorsFile); code != 0 ||
		out != "1 on the list\n" {
		t.Fatalf("exit %d: %s%s", code, out, warn)
	}
	entries, err := harvest.ReadList(list)
	if err != nil || len(entries) != 1 || entries[0].Text != "Mr. Coffee machine was used." || entries[0].Origin != harvest.Marked {
		t.Errorf("%d entries, %v", len(entries), err)
	}
}

func TestHarvestRefuses(t *testing.T) {
	for _, args := range [][]string{
		{"harvest"},
		{"harvest", "sentences"},
		{"harvest", "sentences", "-o", "x", "--notes", "0"},
		{"harvest", "sentences", "-o", "x", "--patients", "-1"},
		{"harvest", "sentences", "-o", "x", "--from", "-"},
		{"harvest", "review"},
		{"harvest", "review", "a", "--export", "b", "--import", "c"},
		{"harvest", "import"},
		{"harvest", "export"},
		{"detect", "--models", "fast", "--inclusion", "/nowhere/list"},
	} {
		if _, warn, code := callHarvest(t, "", args...); code != command.ExitUsage || warn == "" {
			t.Errorf("%q: exit %d: %s", args, code, warn)
		}
	}
}
