package train

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/preflight"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/models"
)

// trainStacker trains a model over the rules, on notes of a made-up hospital.
func trainStacker(t *testing.T, words ...string) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "judge")
	words = append([]string{
		"train", "stacking", "--models", "fast", "--synthetic", "500", "--trees", "8", "--folds", "2", "--keep", "0.9", "-o", folder,
	}, words...)
	out, _, err := runWords(t, "", words...)
	if err != nil || !strings.Contains(out, "learned from") || !strings.Contains(out, "PHI kept") {
		t.Fatalf("%v\n%s", err, out)
	}
	return folder
}

func TestTrainStacking(t *testing.T) {
	folder := trainStacker(t)
	const note = `{"id":1,"text":"Seen by Dr. Jane Roe in Flint, MI on 03/05/2021."}` + "\n"
	voted, _, err := runWords(t, note, "detect", "--models", "fast")
	if err != nil {
		t.Fatal(err)
	}
	for _, words := range [][]string{
		{"--stacking", folder},
		{"--aggregation", "stacking", "--stacking", folder, "--recall-floor", "1"},
		{"--aggregation", "union"},
		{"--aggregation", "vote"},
	} {
		out, _, err := runWords(t, note, append([]string{"detect", "--models", "fast"}, words...)...)
		if err != nil || out != voted {
			t.Errorf("%v: %v\n%swant %s", words, err, out, voted)
		}
	}
	if out, _, err := runWords(t, "", "eval", "--models", "fast", "--stacking", folder, "--synthetic", "5"); err != nil ||
		!strings.Contains(out, "5 documents") {
		t.Errorf("eval: %v\n%s", err, out)
	}
	out, _, err := runWords(t, "", "models", "verify", folder)
	if err != nil || !strings.Contains(out, "aggregation:\n  by: stacking\n") ||
		!strings.Contains(out, "decides for an ensemble with patterns") {
		t.Errorf("verify: %v\n%s", err, out)
	}
	if out, _, err = runWords(t, "", "models", "verify", "--json", folder); err != nil || !strings.Contains(out, `"threshold"`) {
		t.Errorf("verify --json: %v\n%s", err, out)
	}
	if out, _, err = runWords(t, "", "models", "list", filepath.Dir(folder)); err != nil || !strings.Contains(out, "stacking v1") ||
		!strings.Contains(out, "stacking.json ") {
		t.Errorf("list: %v\n%s", err, out)
	}
	for want, words := range map[string][]string{
		"do not vote here":           {"detect", "--models", "fast", "--detectors", "-patterns", "--stacking", folder},
		"vote, union, stacking":      {"detect", "--aggregation", "majority"},
		"which model decides":        {"detect", "--aggregation", "stacking"},
		"--aggregation stacking":     {"detect", "--aggregation", "union", "--stacking", folder},
		"want 0.5 to 1":              {"detect", "--stacking", folder, "--recall-floor", "0.2"},
		"exists":                     {"train", "stacking", "--synthetic", "5", "-o", folder},
		"want files":                 {"train", "stacking", "-o", folder + "2"},
		"for the model that will be": {"train", "stacking", "--synthetic", "5", "--aggregation", "union", "-o", folder + "2"},
		"counts no votes":            {"detect", "--models", "fast", "--aggregation", "union", "--threshold", "2"},
		"leaves out a detector":      {"detect", "--models", "fast", "--detectors", "patterns,-record"},
	} {
		_, _, err := runWords(t, "", words...)
		if err == nil || !strings.Contains(err.Error(), want) || command.ExitCode(err) != command.ExitUsage {
			t.Errorf("%v: %v, want %q", words, err, want)
		}
	}
}

// A configuration that names a stacking model is checked as a run would check it.
func TestCheckLoadsTheStacker(t *testing.T) {
	folder := trainStacker(t)
	a, err := models.StackingOf(folder)
	if err != nil {
		t.Fatal(err)
	}
	cfg := &config.Config{Detect: config.Detect{Aggregation: a, Models: []config.Model{{Default: true, Fast: true}}}}
	if fs := preflight.OfModels(t.Context(), "dev", cfg); len(fs) != 1 || fs[0].Remedy != "" {
		t.Errorf("%+v", fs)
	}
	cfg.Detect.Detectors = []string{"patterns"}
	if fs := preflight.OfModels(t.Context(), "dev", cfg); len(fs) != 2 || !strings.Contains(fs[1].Text, "do not vote here") {
		t.Errorf("members that are absent: %+v", fs)
	}
	if err := os.WriteFile(filepath.Join(folder, "stacking.json"), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if fs := preflight.OfModels(t.Context(), "dev", cfg); len(fs) != 1 || !strings.Contains(fs[0].Text, "stacking.json") || fs[0].Remedy == "" {
		t.Errorf("a changed model: %+v", fs)
	}
}
