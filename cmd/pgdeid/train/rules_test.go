package train

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/ensemble/tbed"
	"github.com/pgdeid/pgdeid/models"
)

func TestTrainRules(t *testing.T) {
	dir := t.TempDir()
	folder, gold := filepath.Join(dir, "models", "rules-v3"), filepath.Join(dir, "gold.jsonl")
	line := `{"text":"Seen by Dr. Quisenberry on ` +
		`3/5/2031.","spans":[{"start":12,"end":23,"type":"DOCTOR"},{"start":27,"end":35,"type":"DATE"}]}` + "\n"
	if err := os.WriteFile(gold, []byte(line), 0o600); err != nil {
		t.Fatal(err)
	}
	out, _, err := runWords(t, "", "train", "rules", "-o", folder, "--model-version", "3", "--min-gain", "3", "--sample", "20", "--synthetic",
		"30", "--held-out", gold, gold)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"gold: entities", "DATE", "wrong tags of", folder} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing in\n%s", want, out)
		}
	}
	card, err := models.ReadCard(os.DirFS(folder))
	if err != nil || card.Version != 3 || card.Kind != "rules" || len(card.Figures) == 0 || card.Data[0].Sentences != 20 {
		t.Fatalf("card %+v, error %v", card, err)
	}
	model, err := tbed.Load("rules", os.DirFS(folder), card.Sums)
	if err != nil || len(model.Rules()) < 20 {
		t.Errorf("%v rules, error %v", model, err)
	}
	if _, err := os.Stat(filepath.Join(folder, models.SumsFile)); err != nil {
		t.Error(err)
	}
}

func TestTrainRulesRefuses(t *testing.T) {
	dir := t.TempDir()
	for name, tt := range map[string]struct {
		words []string
		want  string
	}{
		"nowhere":    {[]string{"--synthetic", "3"}, "-o FOLDER"},
		"no data":    {[]string{"-o", filepath.Join(dir, "new")}, "--synthetic n"},
		"there":      {[]string{"-o", dir, "--synthetic", "3"}, "exists"},
		"no gain":    {[]string{"-o", filepath.Join(dir, "new"), "--synthetic", "3", "--min-gain", "0"}, "--min-gain"},
		"no version": {[]string{"-o", filepath.Join(dir, "new"), "--synthetic", "3", "--model-version", "0"}, "--model-version"},
	} {
		_, _, err := runWords(t, "", append([]string{"train", "rules"}, tt.words...)...)
		if command.ExitCode(err) != command.ExitUsage || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %q", name, err, tt.want)
		}
	}
}
