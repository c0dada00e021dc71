//go:build native

package models

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/onnx"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
)

// haveRuntime points at the library of "make native".
func haveRuntime(t testing.TB) {
	t.Helper()
	if _, err := onnx.FindLibrary(); err == nil {
		return
	}
	path, err := filepath.Abs(filepath.Join("..", "build", "native", onnx.LibraryName()))
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(onnx.LibraryEnv, path)
}

// open opens models of which the test takes care no further.
func open(t *testing.T, defs []config.Model, names []string) *Set {
	t.Helper()
	haveRuntime(t)
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
			t.Errorf("Close: %v", err)
		}
	})
	return set
}

// twoModels returns definitions of two models that disagree about a word.
func twoModels(t *testing.T) []config.Model {
	t.Helper()
	dir := t.TempDir()
	makeModel(t, filepath.Join(dir, "people"), map[string]string{"moss": "PATIENT", "quillburg": "DOCTOR"})
	makeModel(t, filepath.Join(dir, "towns"), map[string]string{"quillburg": "CITY", "ninetyish": "AGE"})
	write(t, filepath.Join(dir, "members.yaml"), []byte(`models:
- folder: towns
  members: [{name: towns, types: [CITY]}, {name: ages, types: [AGE]}]
- folder: people
  members: [{name: capitals, normalize: true, types: [PATIENT, DOCTOR]}, {name: people, types: [PATIENT, DOCTOR]}]
`))
	defs, err := ReadSpec(dir)
	if err != nil {
		t.Fatal(err)
	}
	return defs
}

func TestOpenFindsWithEveryMember(t *testing.T) {
	set := open(t, twoModels(t), []string{"people", "towns", "ages", "capitals"})
	ens, err := set.Ensemble(0)
	if err != nil {
		t.Fatal(err)
	}
	const text = "with moss in quillburg , ninetyish . MOSS again ."
	spans, err := ens.Detect(t.Context(), &ensemble.Note{Text: text})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range spans {
		got = append(got, s.Type.String()+" "+text[s.Start:s.End]+" "+strings.Join(ens.Names(s.By), "+"))
	}
	// In the order of Supplementary Table 1: name, normalised name, location, age.
	want := []string{"PATIENT moss people+capitals", "DOCTOR quillburg people+capitals", "AGE ninetyish ages", "PATIENT MOSS people+capitals"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestOpenLoadsNothingThatIsNotChosen(t *testing.T) {
	t.Setenv(onnx.LibraryEnv, filepath.Join(t.TempDir(), "absent"))
	plan, err := NewPlan(twoModels(t), []string{"directory"})
	if err != nil {
		t.Fatal(err)
	}
	set, err := plan.Open()
	if err != nil {
		t.Fatal(err)
	}
	ens, err := set.Ensemble(0)
	if err != nil || !slices.Equal(ens.Names(3), []string{"directory"}) || set.Close() != nil {
		t.Errorf("%v, %v", ens.Names(3), err)
	}
}

// A model that is not as it was, or not there, ends the program: see what it says.
func TestOpenRefuses(t *testing.T) {
	haveRuntime(t)
	for _, tt := range []struct {
		name  string
		spoil func(m *config.Model)
		says  string
	}{
		{"changed", func(m *config.Model) { write(t, filepath.Join(m.Folder, "words.txt"), []byte("other\n")) }, "words.txt"},
		{"missing", func(m *config.Model) { _ = os.Remove(filepath.Join(m.Folder, "model.onnx")) }, "model.onnx"},
		{"hash left out", func(m *config.Model) { delete(m.Sums, "config.json") }, "config.json"},
		{"labels", func(m *config.Model) { m.Labels = map[string]phi.Type{"PER": phi.Patient} }, "not in labels"},
		{"types", func(m *config.Model) { m.Members[0].Types = []phi.Type{phi.Vehicle} }, "VEHICLE"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			defs := twoModels(t)
			tt.spoil(&defs[0])
			plan, err := NewPlan(defs, nil)
			if err != nil {
				t.Fatal(err)
			}
			set, err := plan.Open()
			if set != nil || err == nil || !strings.Contains(err.Error(), tt.says) || !strings.Contains(err.Error(), "towns") ||
				fault.Hint(err) == "" {
				t.Errorf("%v (hint %q)", err, fault.Hint(err))
			}
		})
	}
	t.Setenv(onnx.LibraryEnv, filepath.Join(t.TempDir(), "absent"))
	plan, err := NewPlan(twoModels(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := plan.Open(); !errors.Is(err, onnx.ErrNotFound) || !strings.Contains(fault.Hint(err), "models: none") {
		t.Errorf("no library: %v (hint %q)", err, fault.Hint(err))
	}
}

func TestVerify(t *testing.T) {
	dir := t.TempDir()
	makeModel(t, dir, map[string]string{"smith": "PATIENT", "springfield": "CITY"})
	defs, err := ReadSpec(dir)
	if err != nil {
		t.Fatal(err)
	}
	seen, err := open(t, defs, nil).Verify(t.Context())
	if err != nil || len(seen) != 1 {
		t.Fatalf("%v, %v", seen, err)
	}
	remark := seen[0].Remark()
	for _, want := range []string{"PATIENT", `CITY "Springfield"`, "gives the labels of its parity.json"} {
		if !strings.Contains(remark, want) {
			t.Errorf("%q lacks %q", remark, want)
		}
	}
}

// What is shipped loads, gives the labels that it was exported with, and finds something.
func TestDefaultRuns(t *testing.T) {
	set := open(t, []config.Model{{Default: true}}, nil)
	seen, err := set.Verify(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	networks := 0
	for _, v := range seen {
		if len(v.Found) == 0 {
			t.Errorf("%s: %s", v.Name, v.Remark())
		}
		if v.Parity {
			networks++
		}
	}
	if networks != 2 {
		t.Errorf("%d networks give the labels of their parity.json, want 2", networks)
	}
	if _, err := set.Ensemble(0); err != nil {
		t.Error(err)
	}
}

func TestVerifyComparesWithTraining(t *testing.T) {
	dir := t.TempDir()
	makeModel(t, dir, map[string]string{"smith": "PATIENT"})
	write(t, filepath.Join(dir, parityFile), []byte(`[{"words":["smith"],"gaps":[2],"labels":[0]}]`))
	defs, err := ReadSpec(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := open(t, defs, nil).Verify(t.Context()); err == nil || !strings.Contains(err.Error(), parityFile) {
		t.Errorf("another network passed: %v", err)
	}
}

func TestCollector(t *testing.T) {
	set := open(t, twoModels(t), []string{"people", "ages"})
	ens, err := set.Ensemble(0)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if _, err := ens.Detect(t.Context(), &ensemble.Note{Text: "Seen by moss ."}); err != nil {
			t.Fatal(err)
		}
	}
	registry := prometheus.NewRegistry()
	registry.MustRegister(set.Collector())
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]float64{}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			name := f.GetName() + " " + m.GetLabel()[0].GetValue()
			got[name] = m.GetCounter().GetValue() + m.GetGauge().GetValue()
		}
	}
	for name, want := range map[string]float64{
		"pgdeid_model_sentences_total people": 3, "pgdeid_model_cache_hits_total people": 2, "pgdeid_model_batches_total people": 1,
		"pgdeid_model_sentences_total towns": 3, "pgdeid_model_cached_sentences people": 1,
	} {
		if got[name] != want {
			t.Errorf("%s is %v, want %v", name, got[name], want)
		}
	}
}

// A plan says how many sentences networks remember that do not say it themselves.
func TestRemember(t *testing.T) {
	haveRuntime(t)
	for _, c := range []struct{ remember, own, least, most int }{
		{0, 0, 60, 60}, {1, 0, 1, 16}, {1, 1000, 60, 60}, // each of 16 shards of a cache keeps one at least
	} {
		defs := twoModels(t)
		for i := range defs {
			defs[i].Cache = c.own
		}
		plan, err := NewPlan(defs, []string{"people"})
		if err != nil {
			t.Fatal(err)
		}
		plan.Remember(c.remember)
		set, err := plan.Open()
		if err != nil {
			t.Fatal(err)
		}
		ens, err := set.Ensemble(0)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 60 {
			if _, err := ens.Detect(t.Context(), &ensemble.Note{Text: strings.Repeat("Seen ", i) + "by moss ."}); err != nil {
				t.Fatal(err)
			}
		}
		if n := set.Stats()[0].Cached; n < c.least || n > c.most {
			t.Errorf("%+v: %d sentences are remembered", c, n)
		}
		if err := set.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
