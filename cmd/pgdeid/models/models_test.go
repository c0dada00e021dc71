package models

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/models"
	"github.com/pgdeid/pgdeid/models/modelstest"
)

// newVersions makes a folder with three versions of made-up models and their cards.
func newVersions(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for folder, card := range map[string]models.Card{
		"names/v1": {
			Name: "names", Version: 1, Kind: "lstm",
			Figures: []models.Figure{{Set: "heldout-a", Class: "NAME", Recall: 0.9, Precision: 0.97, Gold: 4000}},
		},
		"names/v2": {Name: "names", Version: 2, Kind: "lstm", Figures: []models.Figure{
			{Set: "heldout-a", Class: "NAME", Recall: 0.95, Precision: 0.96, Gold: 4000}, {
				Set: "heldout-a", Class: "NAME", Group: "native",
				Recall: 0.94, Precision: 0.96, Gold: 40,
			},
		}},
		"chars/v1": {
			Name: "chars", Version: 1, Kind: "transformer",
			Figures: []models.Figure{{Set: "heldout-a", Class: "NAME", Recall: 0.92, Precision: 0.99, Gold: 4000}},
			Data:    []models.Data{{Source: "templates", Sentences: 1200}}, Speed: map[string]float64{"1 core": 4100},
		},
	} {
		path := filepath.Join(dir, folder)
		modelstest.Make(t, path, map[string]string{"moss": "PATIENT"})
		var err error
		if card.Sums, err = models.HashFolder(os.DirFS(path)); err != nil {
			t.Fatal(err)
		}
		card.Created = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
		data, err := json.Marshal(card)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(path, models.CardFile), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestModelsList(t *testing.T) {
	dir := newVersions(t)
	out, _, err := runWords(t, "", "models", "list", dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"names v2", "2026-03-01", "0.950 (0.94", "1200 sentences of templates", "4100 sentences/s (1 core)",
		"heldout-a",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if strings.Contains(out, "native") {
		t.Error("groups are listed without --all")
	}
	if out, _, err = runWords(t, "", "models", "list", "--all", "--set", "heldout-a", dir); err != nil ||
		!strings.Contains(out, "NAME, native") {
		t.Errorf("--all: %v\n%s", err, out)
	}
	if err := os.Remove(filepath.Join(dir, "chars/v1/words.txt")); err != nil {
		t.Fatal(err)
	}
	out, _, err = runWords(t, "", "models", "list", "--json", dir)
	var versions []models.Version
	if jsonErr := json.Unmarshal([]byte(out), &versions); jsonErr != nil || command.ExitCode(err) != command.ExitAttention || len(versions) != 3 ||
		versions[0].Problem == "" {
		t.Errorf("a spoiled version: %v, %v, %+v", err, jsonErr, versions)
	}
}

func TestModelsCompare(t *testing.T) {
	dir := newVersions(t)
	words := []string{"models", "compare", filepath.Join(dir, "names/v1"), filepath.Join(dir, "names/v2")}
	out, _, err := runWords(t, "", words...)
	if err != nil || !strings.Contains(out, "better") || !strings.Contains(out, "names v2") {
		t.Errorf("%v\n%s", err, out)
	}
	out, _, err = runWords(t, "", append(words, "--json")...)
	var changes []models.Change
	if jsonErr := json.Unmarshal([]byte(out), &changes); err != nil || jsonErr != nil || len(changes) != 2 ||
		changes[0].RecallVerdict != models.Better || changes[0].Set != "heldout-a" {
		t.Errorf("%v, %v, %+v", err, jsonErr, changes)
	}
}

func TestModelsSelect(t *testing.T) {
	dir := newVersions(t)
	out, errs, err := runWords(t, "", "models", "select", dir)
	if command.ExitCode(err) != command.ExitAttention || !strings.Contains(errs, "name: names v2 (lstm), recall 0.950") ||
		!strings.Contains(errs, "attention: location:") {
		t.Errorf("%v\n%s", err, errs)
	}
	defs, err := config.ParseModels([]byte(out), false)
	if err != nil || len(defs) != 2 || defs[0].Folder != filepath.Join(dir, "names/v2") || defs[1].Folder != filepath.Join(dir, "chars/v1") {
		t.Errorf("%v\n%s", err, out)
	}
	if out, _, _ = runWords(t, "", "models", "select", "--relative", "--floor", "0.98", dir); !strings.Contains(out, "folder: chars/v1\n") ||
		strings.Contains(out, "names/") {
		t.Errorf("relative, above 0.98:\n%s", out)
	}
	out, _, _ = runWords(t, "", "models", "select", "--json", dir)
	var picked models.Selection
	if err := json.Unmarshal([]byte(out), &picked); err != nil || len(picked.Choices) != 4 || picked.Floor != 0.95 {
		t.Errorf("%v, %+v", err, picked)
	}
}

func TestModelsUsage(t *testing.T) {
	dir := t.TempDir()
	for want, words := range map[string][]string{
		"list, compare": {"models"}, "models list FOLDER": {"models", "list"}, "FOLDER FOLDER": {"models", "compare", "a"},
		"models select FOLDER": {"models", "select"}, "--floor": {"models", "select", "--floor", "2", dir},
		"models verify FOLDER": {"models", "verify"},
		"neither":              {"models", "verify", dir}, "want default": {"detect", "--models", filepath.Join(dir, "nowhere")},
		`"oracle" (known: patterns`: {"detect", "--detectors", "oracle"},
	} {
		if _, _, err := runWords(t, "", words...); command.ExitCode(err) != command.ExitUsage || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v", words, err)
		}
	}
	if _, _, err := runWords(t, "", "models", "select", dir); command.ExitCode(err) != command.ExitFailure ||
		!strings.Contains(err.Error(), "no version") {
		t.Errorf("an empty folder: %v", err)
	}
}
