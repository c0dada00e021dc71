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
	var rows [][]float64
	var gold []bool
	for range 20000 {
		row := []float64{rng.NormFloat64() * 3, rng.NormFloat64() * 3}
		rows = append(rows, row)
		gold = append(gold, rng.Float64() < merge.Probability(logit(want, row)))
	}
	r := regression{prior: []float64{0.5, 0.5}, l2: 1}
	w, bias := r.fit(rows, gold)
	for i, got := range append(w, bias) {
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
	var rows [][]float64
	var gold []bool
	for range 4000 {
		x := rng.NormFloat64()
		rows = append(rows, []float64{x, -x + rng.NormFloat64(), 0})
		gold = append(gold, rng.Float64() < merge.Probability(2*x))
	}
	r := regression{prior: []float64{1, 1, 0.7}, l2: 1}
	w, _ := r.fit(rows, gold)
	if w[1] < 0 || w[0] < 1.5 || math.Abs(w[2]-0.7) > 1e-6 {
		t.Errorf("weights %v", w)
	}
}

// What fit returns has the least loss: no small change of a weight lowers it.
func TestRegressionIsTheLowest(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 6))
	var rows [][]float64
	var gold []bool
	for range 3000 {
		x := 4 * rng.NormFloat64()
		row := []float64{x + rng.NormFloat64()/2, x + rng.NormFloat64()/2, -float64(rng.IntN(2))} // two models that say nearly the same
		rows, gold = append(rows, row), append(gold, rng.Float64() < merge.Probability(x-1))
	}
	r := regression{prior: []float64{0.5, 0.5, 1}, l2: 1}
	weights, bias := r.fit(rows, gold)
	w := append(weights, bias)
	least := r.loss(w, rows, gold)
	for k := range w {
		for _, change := range []float64{-0.01, 0.01} {
			other := slices.Clone(w)
			other[k] += change
			if r.loss(other, rows, gold) < least && (k == len(weights) || other[k] >= 0) {
				t.Errorf("weight %d: the loss falls at %v of %v", k, other[k], w)
			}
		}
	}
}

// loss is what fit minimises.
func (r *regression) loss(w []float64, rows [][]float64, gold []bool) float64 {
	sum := 0.0
	for k, p := range r.prior {
		sum += r.l2 / 2 * (w[k] - p) * (w[k] - p)
	}
	for i, row := range rows {
		z := logit(w, row)
		if gold[i] {
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
			examples = append(examples, example{features: []float64{merge.LogOdds(p)}, class: class, gold: i < gold})
		}
	}
	add(phi.ClassName, 0.9, 200, 10)
	add(phi.ClassName, 0.32, 50, 90) // worth it at 2 a word
	add(phi.ClassName, 0.12, 5, 100)
	add(phi.ClassDate, 0.9, 200, 10)
	add(phi.ClassDate, 0.32, 20, 90) // not worth it
	add(phi.ClassAge, 0.9, 20, 1)    // too few
	examples = append(examples, example{features: []float64{merge.LogOdds(0.01)}, class: phi.ClassName, gold: true, exact: true})
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
	bins, err := f.Reliability(s)
	if err != nil {
		t.Fatal(err)
	}
	tokens := 0
	for _, b := range bins {
		tokens += b.Tokens
		if b.Tokens > 0 && math.Abs(b.Said-b.True) > 0.03 {
			t.Errorf("%v to %v: said %v, true %v", b.Low, b.High, b.Said, b.True)
		}
	}
	if tokens != 400 {
		t.Errorf("%d tokens", tokens)
	}
	checkReports(t, f, s, bins)
	if _, err := f.Fit(Options{Stages: [][]string{{"other"}}, L2: 1, Worth: 2}); err == nil || !strings.Contains(err.Error(),
		`no model "other"`) {
		t.Errorf("%v", err)
	}
}

func checkReports(t *testing.T, f *Fitter, s *merge.Settings, bins []Bin) {
	t.Helper()
	curve, err := f.Curve(s)
	if err != nil {
		t.Fatal(err)
	}
	for i := 1; i < len(curve); i++ {
		if curve[i].Groups["C"].Recall < curve[i-1].Groups["C"].Recall {
			t.Errorf("recall falls from bias %s to %s", curve[i-1].Name, curve[i].Name)
		}
	}
	gates, err := f.Gates(s)
	if err != nil {
		t.Fatal(err)
	}
	if off, on := gates[0], gates[1]; off.Read[1] != 1 || !(on.Read[1] > 0 && on.Read[1] < 0.5) ||
		on.Groups["C"].Recall != off.Groups["C"].Recall {
		t.Errorf("off %+v, on %+v", off.Read, on.Read)
	}
	var out strings.Builder
	for _, err := range []error{WriteReliability(&out, bins), WriteCurve(&out, curve), WriteGates(&out, gates)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{"| probability", "| recall_bias", "NAME", "recall lost", "read in stage 2"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
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
