package fit

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/eval/score"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/corpus"
	"github.com/pgdeid/pgdeid/ensemble/merge"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// Examples drawn from known weights give these weights back.
func TestRegressionFindsTheWeights(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	want := []float64{0.8, 0.3, -0.5} // the last is the intercept
	var examples []example
	for range 20000 {
		row := []float64{rng.NormFloat64() * 3, rng.NormFloat64() * 3, 1}
		examples = append(examples, example{features: row, gold: rng.Float64() < merge.Probability(dot(want, row))})
	}
	r := regression{prior: []float64{0.5, 0.5}, l2: 1}
	for i, got := range r.fit(examples) {
		if math.Abs(got-want[i]) > 0.05 {
			t.Errorf("weight %d is %v, want %v", i, got, want[i])
		}
	}
}

// A feature that speaks against what it should speak for weighs nothing, and one that is
// always the same keeps its prior.
func TestRegressionBounds(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 4))
	var examples []example
	for range 4000 {
		x := rng.NormFloat64()
		examples = append(examples, example{
			features: []float64{x, -x + rng.NormFloat64(), 0, 1}, gold: rng.Float64() < merge.Probability(2*x),
		})
	}
	r := regression{prior: []float64{1, 1, 0.7}, l2: 1}
	w := r.fit(examples)
	if w[1] < 0 || w[0] < 1.5 || math.Abs(w[2]-0.7) > 1e-6 {
		t.Errorf("weights %v", w)
	}
}

// What fit returns has the least loss: no small change of a weight lowers it.
func TestRegressionIsTheLowest(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 6))
	var examples []example
	for range 3000 {
		x := 4 * rng.NormFloat64()
		row := []float64{x + rng.NormFloat64()/2, x + rng.NormFloat64()/2, -float64(rng.IntN(2)), 1} // two models that say nearly the same
		examples = append(examples, example{features: row, gold: rng.Float64() < merge.Probability(x-1)})
	}
	r := regression{prior: []float64{0.5, 0.5, 1}, l2: 1}
	w := r.fit(examples)
	least := r.loss(w, examples)
	for k := range w {
		for _, change := range []float64{-0.01, 0.01} {
			other := slices.Clone(w)
			other[k] += change
			if r.loss(other, examples) < least && (k == len(r.prior) || other[k] >= 0) {
				t.Errorf("weight %d: the loss falls at %v of %v", k, other[k], w)
			}
		}
	}
}

// loss is what fit minimises.
func (r *regression) loss(w []float64, examples []example) float64 {
	sum := 0.0
	for k, p := range r.prior {
		sum += r.l2 / 2 * (w[k] - p) * (w[k] - p)
	}
	for _, e := range examples {
		z := dot(w, e.features)
		if e.gold {
			z = -z
		}
		sum += math.Log1p(math.Exp(z))
	}
	return sum
}

func TestThresholds(t *testing.T) {
	t.Parallel()
	var examples []example
	add := func(class phi.Class, p float64, gold, other int) {
		for i := range gold + other {
			examples = append(examples, example{features: []float64{merge.LogOdds(p), 1}, class: class, gold: i < gold})
		}
	}
	add(phi.ClassName, 0.9, 200, 10)
	add(phi.ClassName, 0.32, 50, 90) // worth it at 2 a word
	add(phi.ClassName, 0.12, 5, 100)
	add(phi.ClassDate, 0.9, 200, 10)
	add(phi.ClassDate, 0.32, 20, 90) // not worth it
	add(phi.ClassAge, 0.9, 20, 1)    // too few
	examples = append(examples, example{features: []float64{merge.LogOdds(0.01), 1}, class: phi.ClassName, gold: true, exact: true})
	got := thresholds(examples, []float64{1, 0}, 1.0/3, 2)
	if p := got["NAME"]; !(p > 0.12 && p <= 0.32) {
		t.Errorf("names from %v", p)
	}
	if p := got["DATE"]; !(p > 0.32 && p <= 0.9) {
		t.Errorf("dates from %v", p)
	}
	if _, own := got["AGE"]; own {
		t.Error("a threshold of twenty tokens")
	}
}

// oracle is a model that says of capitalised words that they are names, with a
// probability that depends on the word.
type oracle struct {
	name string
	says map[string]float32
}

func (o oracle) Name() string      { return o.name }
func (o oracle) Types() []phi.Type { return []phi.Type{phi.Patient} }

func (o oracle) Detect(_ context.Context, _ *ensemble.Note, dst []phi.Span) ([]phi.Span, error) {
	return dst, nil
}

func (o oracle) Score(_ context.Context, note *ensemble.Note, ask []phi.Range, dst *merge.Posterior) error {
	dst.Reset(o.Types())
	for i, t := range note.View().Tokens {
		if ask != nil && !slices.ContainsFunc(ask, func(r phi.Range) bool { return r.Start <= i && i < r.End }) {
			continue
		}
		if p := o.says[note.Text[t.Start:t.End]]; p > 0 {
			dst.Add(int32(i), true)[0] = p
		}
	}
	return nil
}

// documents are notes in which Moss is a name in nine of ten.
func documents(yield func(score.Document, error) bool) {
	for i := range 200 {
		doc := score.Document{ID: fmt.Sprint(i), Text: "Seen Moss today.\n\nNothing Foley.\n\nNothing else at all."}
		if i%10 > 0 {
			types := corpus.Meaning{}
			types.Types, types.Main = corpus.SetOf(phi.Patient), phi.Patient
			doc.Spans = []score.GoldSpan{{Start: 5, End: 9, Label: "PATIENT", Meaning: types}}
		}
		if !yield(doc, nil) {
			return
		}
	}
}

func fitter(t *testing.T) *Fitter {
	t.Helper()
	ens, err := ensemble.New(ensemble.Options{Detectors: []string{}, Members: []ensemble.Member{
		{Detector: oracle{"cheap", map[string]float32{"Moss": 0.6, "Foley": 0.3}}, Model: "cheap"},
		{Detector: oracle{"dear", map[string]float32{"Moss": 0.8, "Foley": 0.1}}, Model: "dear"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	f, err := New(ens)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Gather(t.Context(), documents, func() {}); err != nil {
		t.Fatal(err)
	}
	return f
}

func TestFit(t *testing.T) {
	t.Parallel()
	f := fitter(t)
	opts := Options{Stages: [][]string{{"cheap"}, {"cheap", "dear"}}, L2: 0.1, Worth: 2, Gate: merge.Gate{
		Low: 0.2, AgainLow: 0.02,
		AgainHigh: 0.98,
	}}
	s, err := f.Fit(opts)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := f.Fit(opts); err != nil || fmt.Sprint(again) != fmt.Sprint(s) {
		t.Errorf("another fit, other settings: %v, %v, %v", s, again, err)
	}
	bins, err := f.bins(s)
	if err != nil {
		t.Fatal(err)
	}
	tokens := 0.0
	for i, b := range bins {
		tokens += b.tokens
		if b.tokens > 0 && math.Abs(b.said-b.true) > 0.03*b.tokens {
			t.Errorf("from %v: said %v, true %v of %v", edges[i], b.said, b.true, b.tokens)
		}
	}
	if tokens != 400 {
		t.Errorf("%v tokens", tokens)
	}
	checkReport(t, f, s)
	if _, err := f.Fit(Options{Stages: [][]string{{"other"}}, L2: 1, Worth: 2}); err == nil || !strings.Contains(err.Error(),
		`no model "other"`) {
		t.Errorf("%v", err)
	}
}

func checkReport(t *testing.T, f *Fitter, s *merge.Settings) {
	t.Helper()
	last := 0.0
	for _, bias := range biases {
		r, _, err := f.measure(s, bias, true)
		if err != nil || r.Groups["C"].Recall < last {
			t.Errorf("recall falls to %v at bias %v, error %v", r.Groups["C"].Recall, bias, err)
		}
		last = r.Groups["C"].Recall
	}
	off, all, err := f.measure(s, 0, true)
	if err != nil {
		t.Fatal(err)
	}
	on, some, err := f.measure(s, 0, false)
	if err != nil || all[1] != 1 || !(some[1] > 0 && some[1] < 0.5) || on.Groups["C"].Recall != off.Groups["C"].Recall {
		t.Errorf("off %v, on %v, error %v", all, some, err)
	}
	var out strings.Builder
	if err := f.WriteReport(&out, s); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"200 notes:\n\n| probability ", "| recall_bias ", "NAME", "| off ", "0.2 to 0, 0.02 to 0.98", "recall lost", "read in stage 2"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	if strings.Contains(out.String(), "DATE") {
		t.Errorf("a column of a class without gold in\n%s", out.String())
	}
}

func TestNothingToFit(t *testing.T) {
	t.Parallel()
	rules, err := ensemble.New(ensemble.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := New(rules); err == nil {
		t.Error("rules give no probabilities")
	}
}
