package train

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/commandtest"
	"github.com/pgdeid/pgdeid/ensemble/merge"
)

func TestTrainMerge(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	notes, out := filepath.Join(dir, "notes.jsonl"), filepath.Join(dir, "merge.json")
	var lines strings.Builder
	for range 30 {
		lines.WriteString(commandtest.Gold)
	}
	if err := os.WriteFile(notes, []byte(lines.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	report, _, err := runWords(t, "", "train", "merge", "--models", "fast", "-o", out, notes)
	if err != nil || !strings.Contains(report, "recall_bias") || !strings.Contains(report, "recall lost") {
		t.Fatalf("%v\n%s", err, report)
	}
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	s, err := merge.Parse(data)
	if err != nil || len(s.Stages) != 1 || s.Stages[0].Models[0] != "crf" {
		t.Errorf("%+v, %v", s, err)
	}
	if _, _, err := runWords(t, commandtest.Gold, "eval", "--models", "fast", "--weights", out, "--recall-bias", "1", "--recall-biases", "DATE=-1",
		"--gate", "off", "-"); err != nil {
		t.Error(err)
	}
	for want, words := range map[string][]string{
		"-o FILE":                {"train", "merge", notes},
		"want more than 0":       {"train", "merge", "-o", out, "--worth", "0", notes},
		"no member gives":        {"train", "merge", "--models", "none", "-o", out, notes},
		"other ways":             {"train", "merge", "-o", out, "--aggregation", "vote", notes},
		"--gate: want on or off": {"eval", "--gate", "ajar", notes},
		"--recall-bias: want":    {"eval", "--recall-bias", "99", notes},
		"unknown PHI type":       {"eval", "--recall-biases", "NOUN=1", notes},
		"AGE: want a number":     {"eval", "--recall-biases", "AGE=x", notes},
		"weights of the models":  {"eval", "--models", "fast", "--weights", notes, notes},
		"vocabulary":             {"eval", "--models", "fast", "--vocabulary", "/nowhere/words.txt", notes},
	} {
		if _, _, err := runWords(t, "", words...); command.ExitCode(err) != command.ExitUsage || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", words, err, want)
		}
	}
}
