//go:build native

package models

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/commandtest"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/preflight"
	"github.com/pgdeid/pgdeid/ensemble/onnx"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/models"
	"github.com/pgdeid/pgdeid/models/modelstest"
	"github.com/pgdeid/pgdeid/sql/finding"
)

// haveRuntime points at the library of "make native".
func haveRuntime(t *testing.T) {
	t.Helper()
	if _, err := onnx.FindLibrary(); err == nil {
		return
	}
	path, err := filepath.Abs(filepath.Join("..", "..", "..", "build", "native", onnx.LibraryName()))
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(onnx.LibraryEnv, path)
}

func TestDetectWithAModelsFolder(t *testing.T) {
	haveRuntime(t)
	dir := filepath.Join(t.TempDir(), "ward")
	modelstest.Make(t, dir, map[string]string{"wibbleton": "PATIENT"})
	in := `{"id":1,"text":"Spoke with wibbleton today."}` + "\n"
	out, errs, err := runWords(t, in, "detect", "--models", dir)
	if want := `{"id":1,"spans":[{"start":11,"end":20,"type":"PATIENT","by":["ward"]}]}` + "\n"; err != nil || out != want {
		t.Errorf("got %q, %q, %v; want %q", out, errs, err, want)
	}
	if out, _, err = runWords(t, in, "detect", "--models", dir, "--detectors", "patterns"); err != nil || strings.Contains(out, "PATIENT") {
		t.Errorf("a member that was not named votes: %q, %v", out, err)
	}
	out, _, err = runWords(t, `{"id":1,"text":"Spoke with wibbleton today."}`, "deid", "--key-file", commandtest.Key(t), "--models", dir)
	if err != nil || strings.Contains(out, "wibbleton") || !strings.Contains(out, "Spoke with") {
		t.Errorf("deid: %q, %v", out, err)
	}
	gold := `{"id":"a","text":"Spoke with wibbleton today.","spans":[{"start":11,"end":20,"type":"PATIENT"}]}` + "\n"
	if out, _, err = runWords(t, gold, "eval", "--models", dir, "--detectors", "ward", "-"); err != nil ||
		!strings.Contains(out, "1 documents") {
		t.Errorf("eval: %q, %v", out, err)
	}
}

func TestModelsVerify(t *testing.T) {
	haveRuntime(t)
	dir := filepath.Join(t.TempDir(), "ward")
	modelstest.Make(t, dir, map[string]string{"smith": "PATIENT", "springfield": "CITY"})
	out, _, err := runWords(t, "", "models", "verify", dir)
	if err != nil || !strings.Contains(out, `# ward loads, knows`) || !strings.Contains(out, `CITY "Springfield" by ward`) {
		t.Fatalf("%v\n%s", err, out)
	}
	file := filepath.Join(t.TempDir(), "models.yaml")
	if err := os.WriteFile(file, []byte(out), 0o600); err != nil {
		t.Fatal(err)
	}
	if defs, err := config.ParseModels([]byte(out), false); err != nil || defs[0].Folder != dir || len(defs[0].Sums) != 4 {
		t.Errorf("what is printed can't be pasted: %v", err)
	}
	if out, _, err = runWords(t, "", "models", "verify", "--json", file); err != nil {
		t.Fatal(err)
	}
	var seen []models.Verified
	if err := json.Unmarshal([]byte(out), &seen); err != nil || len(seen) != 1 || !seen[0].Parity || len(seen[0].Found) != 2 {
		t.Errorf("%v, %+v", err, seen)
	}
	if err := os.Remove(filepath.Join(dir, "config.json")); err != nil {
		t.Fatal(err)
	}
	if _, _, err = runWords(t, "", "models", "verify", file); command.ExitCode(err) != command.ExitFailure ||
		!strings.Contains(err.Error(), "config.json") {
		t.Errorf("a file is missing: %v", err)
	}
}

func TestCheckLoadsModels(t *testing.T) {
	haveRuntime(t)
	dir := filepath.Join(t.TempDir(), "ward")
	modelstest.Make(t, dir, map[string]string{"smith": "PATIENT"})
	defs, err := models.ReadSpec(dir)
	if err != nil {
		t.Fatal(err)
	}
	cfg := &config.Config{Detect: config.Detect{Models: defs}}
	if fs := preflight.OfModels(t.Context(), "dev", cfg); len(fs) != 1 || fs[0].Level != finding.OK || !strings.Contains(fs[0].Text, "votes as ward") {
		t.Errorf("%+v", fs)
	}
	cfg.Detect.Detectors = []string{"patterns"}
	if fs := preflight.OfModels(t.Context(), "dev", cfg); len(fs) != 1 || fs[0].Level != finding.Warning || !strings.Contains(fs[0].Text, "ward") {
		t.Errorf("a member that is left out: %+v", fs)
	}
	cfg.Detect.Detectors = nil
	if err := os.Truncate(filepath.Join(dir, "model.onnx"), 10); err != nil {
		t.Fatal(err)
	}
	if fs := preflight.OfModels(t.Context(), "dev", cfg); len(fs) != 1 || fs[0].Level != finding.Problem || fs[0].Remedy == "" ||
		!strings.Contains(fs[0].Text, "model.onnx") {
		t.Errorf("a changed model: %+v", fs)
	}
	cfg.Detect.Models, cfg.Detect.Threshold = []config.Model{}, 9
	if fs := preflight.OfModels(t.Context(), "dev", cfg); len(fs) != 2 || fs[0].Level != finding.Note || fs[1].Level != finding.Problem {
		t.Errorf("no models, too many votes: %+v", fs)
	}
}
