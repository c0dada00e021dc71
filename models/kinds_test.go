package models

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/corpus"
	"github.com/pgdeid/pgdeid/ensemble/crf"
	"github.com/pgdeid/pgdeid/ensemble/merge"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/stacking"
	"github.com/pgdeid/pgdeid/ensemble/synth"
	"github.com/pgdeid/pgdeid/ensemble/tbed"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
)

// hospital returns notes of a small made-up hospital.
func hospital(t *testing.T, notes int) func(func(corpus.Labelled, error) bool) {
	t.Helper()
	h, err := synth.NewHospital(3, synth.Options{Notes: notes, Patients: 10})
	if err != nil {
		t.Fatal(err)
	}
	return h.Labelled(true)
}

// publish writes the folder of a model.
func publish(t *testing.T, folder, kind string, files map[string][]byte, err error) string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if err := Publish(folder, files, Card{Name: kind, Version: 1, Kind: kind}); err != nil {
		t.Fatal(err)
	}
	return folder
}

// makeRules makes a model of one rule.
func makeRules(t *testing.T, folder string) string {
	t.Helper()
	rules, err := tbed.ReadRules(strings.NewReader(`O -> B-CITY if lower[0] is "quillburg"`))
	if err != nil {
		t.Fatal(err)
	}
	files, err := tbed.Learned{Rules: rules}.Files()
	return publish(t, folder, "rules", files, err)
}

// makeCRF trains a model on a few notes.
func makeCRF(t *testing.T, folder string) string {
	t.Helper()
	m, _, err := crf.Train(t.Context(), hospital(t, 15), crf.TrainOptions{Epochs: 1, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	files, err := m.Files()
	return publish(t, folder, "crf", files, err)
}

// partly takes the marks of every tenth note away, so that members are wrong there.
func partly(notes func(func(corpus.Labelled, error) bool)) func(func(corpus.Labelled, error) bool) {
	return func(yield func(corpus.Labelled, error) bool) {
		n := 0
		for l, err := range notes {
			if n++; n%10 == 0 {
				l.Tags = slices.Repeat([]string{corpus.Outside}, len(l.Tags))
			}
			if !yield(l, err) {
				return
			}
		}
	}
}

// makeStacker trains a model over some members.
func makeStacker(t *testing.T, folder string, set *Set) string {
	t.Helper()
	e, err := set.Ensemble(0)
	if err != nil {
		t.Fatal(err)
	}
	l := stacking.NewLearner(e.Names(e.Members()))
	if err := l.Gather(t.Context(), e, partly(hospital(t, 250)), nil); err != nil {
		t.Fatal(err)
	}
	m, err := l.Train(t.Context(), stacking.TrainOptions{Boost: stacking.BoostOptions{Trees: 8}, Folds: 2, RecallFloor: 0.9})
	if err != nil {
		t.Fatal(err)
	}
	files, err := m.Files()
	return publish(t, folder, "stacking", files, err)
}

// openSpec opens what a flag --models names.
func openSpec(t *testing.T, spec string, names []string) *Set {
	t.Helper()
	defs, err := ReadSpec(spec)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := NewPlan(defs, names)
	if err != nil {
		t.Fatal(err)
	}
	set, err := plan.Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := set.Close(); err != nil {
			t.Error(err)
		}
	})
	return set
}

// Models that are no networks need no native code and no ONNX Runtime.
func TestKindsAreMembers(t *testing.T) {
	t.Setenv("PGDEID_ONNXRUNTIME", filepath.Join(t.TempDir(), "absent"))
	dir := t.TempDir()
	makeRules(t, filepath.Join(dir, "rules"))
	makeCRF(t, filepath.Join(dir, "crf"))
	write(t, filepath.Join(dir, MembersFile), []byte(`models:
- {folder: rules, members: [{name: learned, types: [CITY]}]}
- {folder: crf, members: [{name: chain, recall_bias: 1}]}
`))
	set := openSpec(t, dir, nil)
	e, err := set.Ensemble(0)
	if err != nil {
		t.Fatal(err)
	}
	const text = "Lives in quillburg."
	spans, err := e.Detect(t.Context(), &ensemble.Note{Text: text})
	if err != nil || len(spans) != 1 || text[spans[0].Start:spans[0].End] != "quillburg" || !slices.Contains(e.Names(spans[0].By), "learned") {
		t.Errorf("%v, %v", spans, err)
	}
	seen, err := set.Verify(t.Context())
	if err != nil || len(seen) != 2 || seen[0].Parity {
		t.Fatalf("%+v, %v", seen, err)
	}
	for i := range seen {
		if r := seen[i].Remark(); !strings.Contains(r, "loads, knows") || strings.Contains(r, "parity") {
			t.Errorf("%s", r)
		}
	}
	if stats := set.Stats(); len(stats) != 2 || stats[0].Sentences != 0 {
		t.Errorf("%+v", stats)
	}
	versions, err := Scan(dir)
	if err != nil || len(versions) != 2 || versions[0].Problem != "" || MainFile(versions[0].Sums) != "crf.bin" || versions[0].Bytes == 0 {
		t.Errorf("%+v, %v", versions, err)
	}
}

func TestKindsRefuse(t *testing.T) {
	dir := t.TempDir()
	rules, chain := makeRules(t, filepath.Join(dir, "rules")), makeCRF(t, filepath.Join(dir, "crf"))
	for _, tt := range []struct {
		name, folder string
		spoil        func(m *config.Model)
		says         string
	}{
		{"changed rules", rules, func(m *config.Model) { m.Sums["rules.txt"] = strings.Repeat("0", 64) }, "rules.txt"},
		{"rules without hash", rules, func(m *config.Model) { delete(m.Sums, "rules.txt") }, "rules.txt"},
		{"changed chain", chain, func(m *config.Model) { m.Sums["crf.bin"] = strings.Repeat("0", 64) }, "crf.bin"},
		{"config without hash", chain, func(m *config.Model) { delete(m.Sums, "config.json") }, "config.json"},
		{"labels", chain, func(m *config.Model) { m.Labels = map[string]phi.Type{} }, "labels are for networks"},
		{"normalize", chain, func(m *config.Model) { m.Members[0].Normalize = true }, "normalize is for networks"},
		{"alone", rules, func(m *config.Model) { m.Members[0].Alone = 0.9 }, "alone is for networks"},
	} {
		defs, err := ReadSpec(tt.folder)
		if err != nil {
			t.Fatal(err)
		}
		tt.spoil(&defs[0])
		plan, err := NewPlan(defs, nil)
		if err != nil {
			t.Fatal(err)
		}
		if set, err := plan.Open(); set != nil || err == nil || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

func TestStackingDecides(t *testing.T) {
	dir := t.TempDir()
	folder := makeStacker(t, filepath.Join(dir, "judge"), openSpec(t, makeRules(t, filepath.Join(dir, "rules")), nil))
	a, err := StackingOf(folder)
	if err != nil {
		t.Fatal(err)
	}
	defs, err := ReadSpec(filepath.Join(dir, "rules"))
	if err != nil {
		t.Fatal(err)
	}
	open := func(d config.Detect) (*ensemble.Ensemble, string, error) {
		plan, err := PlanOf(&d)
		if err != nil {
			return nil, "", err
		}
		set, err := plan.Open()
		if err != nil {
			return nil, "", err
		}
		e, err := set.Ensemble(0)
		return e, plan.Digest(), err
	}
	e, stacked, err := open(config.Detect{Models: defs, Aggregation: a})
	if err != nil {
		t.Fatal(err)
	}
	const text = "Seen on 03/02/2021 and on 03/05/2021."
	if spans, err := e.Detect(t.Context(), &ensemble.Note{Text: text}); err != nil || len(spans) < 2 {
		t.Errorf("%v, %v", spans, err)
	}
	_, voted, err := open(config.Detect{Models: defs})
	if err != nil || stacked == voted {
		t.Errorf("who decides does not change the digest: %v", err)
	}
	if _, united, err := open(config.Detect{Models: defs, Aggregation: config.Aggregation{By: merge.ByUnion}}); err != nil || united == voted {
		t.Errorf("the way does not change the digest: %v", err)
	}
	if _, _, err := open(config.Detect{Aggregation: a}); err == nil || !strings.Contains(err.Error(), "rules") {
		t.Errorf("a member that it was trained over is absent: %v", err)
	}
	if _, _, err := open(config.Detect{Aggregation: config.Aggregation{By: merge.ByStacking}}); err == nil ||
		!strings.Contains(fault.Hint(err), "--stacking") {
		t.Errorf("no folder: %v", err)
	}
	asMember, err := ReadSpec(folder)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := open(config.Detect{Models: asMember}); err == nil || !strings.Contains(fault.Hint(err), "detect.aggregation") {
		t.Errorf("a stacking model as a member: %v", err)
	}
	seen, err := VerifyStacking(a)
	if err != nil || !strings.Contains(seen.Remark(), "rules") {
		t.Errorf("%+v, %v", seen, err)
	}
	var out bytes.Buffer
	if err := WriteAggregation(&out, a); err != nil || !strings.Contains(out.String(), "  by: stacking\n") ||
		!strings.Contains(out.String(), "stacking.json: ") {
		t.Errorf("%v\n%s", err, out.String())
	}
	if err := os.WriteFile(filepath.Join(folder, "stacking.json"), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := VerifyStacking(a); err == nil || !strings.Contains(err.Error(), "stacking.json") {
		t.Errorf("a changed model: %v", err)
	}
	if _, err := StackingOf(filepath.Join(dir, "rules")); err == nil || !strings.Contains(err.Error(), "model_type") {
		t.Errorf("rules that decide: %v", err)
	}
}

// One list switches every member on and off, built-in or not.
func TestOneListOfMembers(t *testing.T) {
	defs := []config.Model{defined("/a/x", "a1", "a2"), defined("/b/x", "b")}
	for _, tt := range []struct {
		names   []string
		builtin string
		learned string
	}{
		{[]string{"-directory", "-a1"}, "patterns record templates", "a2 b"},
		{[]string{"-a1", "-a2", "-b"}, "patterns record directory templates", ""},
		{[]string{"b", "record"}, "record", "b"},
		{[]string{"-patterns", "-record", "-directory", "-templates"}, "", "a1 a2 b"},
	} {
		plan, err := NewPlan(defs, tt.names)
		if err != nil {
			t.Fatal(err)
		}
		var learned []string
		for _, m := range plan.Models() {
			learned = append(learned, m.Members...)
		}
		if got := strings.Join(plan.builtin, " "); got != tt.builtin || strings.Join(learned, " ") != tt.learned {
			t.Errorf("%v: %s; %v", tt.names, got, learned)
		}
	}
	for want, names := range map[string][]string{
		`unknown detector "oracle" (known: patterns,`: {"-oracle"}, "leaves out a detector": {"record", "-a1"},
	} {
		if _, err := NewPlan(defs, names); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v", names, err)
		}
	}
}
