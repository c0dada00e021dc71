package harvest

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/commandtest"
	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/eval/score"
	"github.com/pgdeid/pgdeid/ensemble/harvest"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/synth"
	"github.com/pgdeid/pgdeid/ensemble/template"
)

// hospitalLines writes the notes of a made-up hospital as lines that can be harvested.
func hospitalLines(t *testing.T, h *synth.Hospital, path string) {
	t.Helper()
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	enc := json.NewEncoder(file)
	for d := range h.Notes() {
		line := map[string]any{
			"id": d.ID, "text": d.Text, "patient_id": fmt.Sprint(d.Patient.ID), "author": fmt.Sprint(d.Author.ID),
			"patient": d.Patient.Record(),
		}
		if err := enc.Encode(line); err != nil {
			t.Fatal(err)
		}
	}
}

// goldReviewer says yes to the templates that tag nothing but PHI in the hospital's
// notes, and writes that as a table: it knows what a person would have to judge.
func goldReviewer(t *testing.T, h *synth.Hospital, proposals, table string) (yes int) {
	t.Helper()
	list, err := harvest.ReadProposals(proposals)
	if err != nil {
		t.Fatal(err)
	}
	wrong := map[string]int{}
	for d := range h.Notes() {
		note := &ensemble.Note{Text: d.Text}
		for _, p := range list {
			tm, err := template.Parse(p.Text)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(d.Text, tm.Literals()[0]) {
				continue
			}
			spans, err := ensemble.NewTemplates(template.NewSet([]*template.Template{tm})).Detect(t.Context(), note, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range spans {
				if s.Type != phi.Time && !slices.ContainsFunc(d.Spans, s.Overlaps) {
					wrong[p.ID]++
				}
			}
		}
	}
	file, err := os.Create(table)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	out := csv.NewWriter(file)
	rows := [][]string{{"id", "decision"}}
	for _, p := range list {
		decision := "yes"
		if wrong[p.ID] > 0 {
			decision = "no"
		} else {
			yes++
		}
		rows = append(rows, []string{p.ID, decision})
	}
	if err := out.WriteAll(rows); err != nil {
		t.Fatal(err)
	}
	return yes
}

// ablated returns, by name, how many words the trials of an evaluation find in the
// classes of group C, and how many of them wrongly.
func ablated(t *testing.T, args ...string) map[string]score.Counts {
	t.Helper()
	out, warn, code := callHarvest(t, "", append([]string{"eval", "--models", "none", "--ablation", "--json"}, args...)...)
	var res struct {
		Ablation []struct {
			Name   string                  `json:"name"`
			Groups map[string]score.Counts `json:"groups"`
		} `json:"ablation"`
	}
	if err := json.Unmarshal([]byte(out), &res); err != nil || code != 0 || len(res.Ablation) == 0 {
		t.Fatalf("exit %d, %v: %s", code, err, warn)
	}
	trials := map[string]score.Counts{}
	for _, trial := range res.Ablation {
		trials[trial.Name] = trial.Groups["C"]
	}
	return trials
}

// From a made-up hospital's notes to templates that find in another one's what the other
// members miss.
func TestHarvestOfTemplates(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	h, err := synth.NewHospital(801, synth.Options{Notes: 500, Patients: 120})
	if err != nil {
		t.Fatal(err)
	}
	hospitalLines(t, h, at("notes.jsonl"))
	args := []string{
		"harvest", "templates", "--from", at("notes.jsonl"), "--models", "fast", "-o", at("p.jsonl"), "--notes", "6",
		"--patients", "4", "--authors", "3", "--json",
	}
	out, warn, code := callHarvest(t, "", args...)
	var sum harvest.Summary
	if err := json.Unmarshal([]byte(out), &sum); err != nil || code != 0 || sum.Proposed < 30 {
		t.Fatalf("exit %d, %v: %s%s", code, err, out, warn)
	}
	if info, err := os.Stat(at("p.jsonl")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("proposals: %v, %v", info, err)
	}
	yes := goldReviewer(t, h, at("p.jsonl"), at("t.csv"))
	if _, warn, code := callHarvest(t, "", "harvest", "review", at("p.jsonl"), "--import", at("t.csv"), "--reviewer", "jlee"); code != 0 {
		t.Fatalf("exit %d: %s", code, warn)
	}
	if out, warn, code := callHarvest(t, "", "harvest", "import", at("p.jsonl"), "-o", at("list.jsonl")); code != 0 ||
		out != fmt.Sprintf("%d on the list\n", yes) {
		t.Fatalf("exit %d: %s%s", code, out, warn)
	}
	trials := ablated(t, "--synthetic", "150", "--seed", "1801", "--templates", at("list.jsonl"))
	all, without, only := trials["all"], trials["without templates"], trials["only templates"]
	if only.Found == 0 || all.Found < without.Found || all.False > without.False+(all.Found-without.Found) {
		t.Errorf("all %+v, without templates %+v, only these %+v", all, without, only)
	}
	off := ablated(t, "--synthetic", "10", "--seed", "1801", "--templates", at("list.jsonl"), "--detectors", "-templates")
	none := ablated(t, "--synthetic", "10", "--seed", "1801")
	for name, trials := range map[string]map[string]score.Counts{"switched off": off, "not there": none} {
		if _, there := trials["only templates"]; there || trials["all"] != none["all"] {
			t.Errorf("templates that are %s: %+v", name, trials)
		}
	}
}

// A verified template finds a name of another shape where no other member is asked.
func TestTemplatesOfAFile(t *testing.T) {
	const made, other = "Electronically signed by: SMITH, JOHN C on 01/02/1980 at 12:12 PM CST",
		"Electronically signed by: DEWEY, JONES K on 11/12/1990 at 1:12 PM CST"
	tm := template.Of(made, phi.Range{End: len(made)}, []phi.Span{
		{Start: 26, End: 39, Type: phi.Doctor}, {Start: 43, End: 53, Type: phi.Date}, {Start: 57, End: 69, Type: phi.Time},
	})
	list := filepath.Join(t.TempDir(), "list.jsonl")
	entry := harvest.Verified{
		Kind: harvest.Template, Text: tm.String(), Reviewer: "jlee", At: time.Unix(1e9, 0).UTC(),
		Origin: harvest.Harvested,
	}
	if err := harvest.WriteList(list, harvest.NewList([]harvest.Verified{entry})); err != nil {
		t.Fatal(err)
	}
	const want = `"spans":[{"start":26,"end":40,"type":"DOCTOR","by":["templates"]},{"start":44,"end":54,"type":"DATE","by":["templates"]}`
	note := `{"id":1,"text":"` + other + `"}`
	args := []string{"detect", "--models", "fast", "--detectors", "templates", "--templates", list}
	if out, warn, code := callHarvest(t, note, args...); code != 0 || !strings.Contains(out, want) {
		t.Errorf("exit %d: %s%s", code, out, warn)
	}
	out, warn, code := callHarvest(t, note, "deid", "--models", "fast", "--detectors", "templates", "--templates", list, "--key-file",
		commandtest.Key(t))
	if code != 0 || strings.Contains(out, "DEWEY") {
		t.Errorf("exit %d: %s%s", code, out, warn)
	}
	if _, warn, code := callHarvest(t, "", "detect", "--models", "fast", "--templates", "/nowhere/list"); code != command.ExitUsage ||
		!strings.Contains(warn, "--templates") {
		t.Errorf("exit %d: %s", code, warn)
	}
}
