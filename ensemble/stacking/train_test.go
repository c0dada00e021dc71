package stacking

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/corpus"
	"github.com/pgdeid/pgdeid/ensemble/ensembletest"
	"github.com/pgdeid/pgdeid/ensemble/merge"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/synth"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// eager proposes every capitalised word as a name, unsure of each.
type eager struct{ name string }

func (e eager) Name() string { return e.name }

func (eager) Detect(_ context.Context, note *ensemble.Note, dst []phi.Span) ([]phi.Span, error) {
	for _, t := range note.View().Tokens {
		if t.Kind == text.Word && t.Case == text.Title {
			dst = append(dst, phi.Span{Start: t.Start, End: t.End, Type: phi.Patient, Tentative: true, Score: 0.5})
		}
	}
	return dst, nil
}

// eagerEnsemble has rules and a member that would scrub every note.
func eagerEnsemble(t testing.TB, by merge.Stacker) *ensemble.Ensemble {
	t.Helper()
	opts := ensemble.Options{Members: []ensemble.Member{{Detector: eager{"eager"}}}}
	if by != nil {
		opts.Aggregation, opts.Stacker = merge.ByStacking, by
	}
	e, err := ensemble.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// hospital returns marked notes of a seed.
func hospital(t testing.TB, seed uint64, n int) func(func(corpus.Labelled, error) bool) {
	t.Helper()
	h, err := synth.NewHospital(seed, synth.Options{Notes: n, Patients: 50})
	if err != nil {
		t.Fatal(err)
	}
	return h.Labelled(true)
}

func trained(t testing.TB, trees int) (*Model, *ensemble.Ensemble) {
	t.Helper()
	e := eagerEnsemble(t, nil)
	l := NewLearner(e.Names(e.Members()))
	if err := l.Gather(t.Context(), e, hospital(t, 11, 60), nil); err != nil {
		t.Fatal(err)
	}
	opts := TrainOptions{Boost: BoostOptions{Trees: trees, Leaves: 8, Rate: 0.25}, Folds: 2, RecallFloor: 0.99, Admit: 0.5}
	ticks := 0
	opts.Tick = func() { ticks++ }
	m, err := l.Train(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	if ticks != opts.Steps() {
		t.Errorf("%d ticks, want %d", ticks, opts.Steps())
	}
	return m, e
}

// counts are words of candidates.
type counts struct{ phi, found, false int }

// score counts the words that an ensemble finds in notes.
func score(t *testing.T, e *ensemble.Ensemble, notes func(func(corpus.Labelled, error) bool)) (c counts) {
	t.Helper()
	for l, err := range notes {
		if err != nil {
			t.Fatal(err)
		}
		spans, err := e.Detect(t.Context(), l.Note)
		if err != nil {
			t.Fatal(err)
		}
		for i, tok := range l.Note.View().Tokens {
			found := slices.ContainsFunc(spans, func(s phi.Span) bool { return s.Start < tok.End && s.End > tok.Start })
			switch {
			case tok.Kind == text.Punct:
			case l.Tags[i] != corpus.Outside && found:
				c.phi, c.found = c.phi+1, c.found+1
			case l.Tags[i] != corpus.Outside:
				c.phi++
			case found:
				c.false++
			}
		}
	}
	return c
}

// The proposals of an over-eager member are classified on notes of another hospital.
func TestStackingGivesPrecisionBack(t *testing.T) {
	m, e := trained(t, 30)
	union, err := ensemble.New(ensemble.Options{Members: []ensemble.Member{{Detector: eager{"eager"}}}, Aggregation: merge.ByUnion})
	if err != nil {
		t.Fatal(err)
	}
	stacker, err := m.Stacker(e.Names(e.Members()), 0)
	if err != nil {
		t.Fatal(err)
	}
	before := score(t, union, hospital(t, 12, 40))
	after := score(t, eagerEnsemble(t, stacker), hospital(t, 12, 40))
	t.Logf("union: %+v, stacking: %+v", before, after)
	if after.false*5 > before.false {
		t.Errorf("%d false alarms of %d are left", after.false, before.false)
	}
	if float64(after.found) < 0.9*float64(before.found) {
		t.Errorf("%d of %d words with PHI are left", after.found, before.found)
	}
}

func TestTrainingIsDeterministic(t *testing.T) {
	a, _ := trained(t, 4)
	b, _ := trained(t, 4)
	x, err := a.Files()
	if err != nil {
		t.Fatal(err)
	}
	y, err := b.Files()
	if err != nil || !bytes.Equal(x[ModelFile], y[ModelFile]) {
		t.Errorf("two trainings, two models (%v)", err)
	}
}

// A model that was written and read again decides alike.
func TestModelAsFiles(t *testing.T) {
	m, e := trained(t, 6)
	files, err := m.Files()
	if err != nil {
		t.Fatal(err)
	}
	folder, sums := fstest.MapFS{}, map[string]string{}
	for name, data := range files {
		folder[name] = &fstest.MapFile{Data: data}
		sums[name] = sumOf(data)
	}
	again, err := Load("ward", folder, sums)
	if err != nil {
		t.Fatal(err)
	}
	names := e.Names(e.Members())
	for _, text := range ensembletest.Texts() {
		b, err := e.Vote(t.Context(), ensembletest.Note(text.Text))
		if err != nil {
			t.Fatal(err)
		}
		c := b.Candidates()
		one, err1 := m.Stacker(names, 0.95)
		two, err2 := again.Stacker(names, 0.95)
		if err1 != nil || err2 != nil || !slices.Equal(one.Keep(c), two.Keep(c)) {
			t.Fatalf("%s: another decision (%v, %v)", text.Name, err1, err2)
		}
		for i, r := range one.Keep(c) {
			if r != (phi.Range{}) && (r.Start < c.Spans[i].Start || r.End > c.Spans[i].End || r.Start >= r.End) {
				t.Errorf("%s: part %v of %v", text.Name, r, c.Spans[i])
			}
		}
	}
	for want, spoil := range map[string]func(){
		"not listed":      func() { delete(sums, ConfigFile) },
		"not the one":     func() { sums[ConfigFile] = strings.Repeat("0", 64) },
		"file does not e": func() { sums["parity.json"] = strings.Repeat("0", 64) },
	} {
		kept := map[string]string{}
		for k, v := range sums {
			kept[k] = v
		}
		spoil()
		if _, err := Load("ward", folder, sums); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
		sums = kept
	}
}

// The absence of a member must not be taken for a no, nor an unmeasured vote for nothing.
func TestStackerAsksForItsMembers(t *testing.T) {
	m, e := trained(t, 6)
	names := e.Names(e.Members())
	if _, err := m.Stacker(names[:3], 0); err == nil || !strings.Contains(err.Error(), "eager") {
		t.Errorf("members that are absent: %v", err)
	}
	if _, err := m.Stacker(names, 1.1); err == nil || !strings.Contains(err.Error(), "recall_floor") {
		t.Errorf("a floor beyond the curve: %v", err)
	}
	stacker, err := m.Stacker(append(names, "stranger"), 0)
	if err != nil {
		t.Fatal(err)
	}
	const text = "The Abdomen was soft and the Plan was Rest."
	members := []ensemble.Member{{Detector: eager{"eager"}}, {Detector: stranger{}}}
	with, err := ensemble.New(ensemble.Options{Members: members, Aggregation: merge.ByStacking, Stacker: stacker})
	if err != nil {
		t.Fatal(err)
	}
	spans, err := with.Detect(t.Context(), &ensemble.Note{Text: text})
	if err != nil || !slices.ContainsFunc(spans, func(s phi.Span) bool { return text[s.Start:s.End] == "soft" }) {
		t.Errorf("what a stranger finds is dropped: %v, %v", spans, err)
	}
}

// stranger finds the word soft.
type stranger struct{}

func (stranger) Name() string { return "stranger" }

func (stranger) Detect(_ context.Context, note *ensemble.Note, dst []phi.Span) ([]phi.Span, error) {
	if at := strings.Index(note.Text, "soft"); at >= 0 {
		dst = append(dst, phi.Span{Start: at, End: at + 4, Type: phi.Patient})
	}
	return dst, nil
}

func TestTooLittleToLearnFrom(t *testing.T) {
	l := NewLearner([]string{"patterns"})
	if _, err := l.Train(t.Context(), TrainOptions{}); err == nil || !strings.Contains(err.Error(), "too few") {
		t.Errorf("%v", err)
	}
	e := eagerEnsemble(t, nil)
	b, err := e.Vote(t.Context(), &ensemble.Note{Text: "Ann"})
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Add(b.Candidates(), &corpus.Labelled{}); err == nil || !strings.Contains(err.Error(), "another ensemble") {
		t.Errorf("%v", err)
	}
}
