package fit

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/eval/score"
)

func TestRound(t *testing.T) {
	t.Parallel()
	for x, want := range map[float64]float64{0: 0, 1: 1, 0.33333: 0.3333, 0.66666: 0.6667, -0.66666: -0.6667, -0.00001: 0, 2.00005: 2.0001} {
		if got := round(x); math.Abs(got-want) > 1e-12 {
			t.Errorf("%v: %v, want %v", x, got, want)
		}
	}
}

func TestNearest(t *testing.T) {
	t.Parallel()
	for p, want := range map[float64]float64{0: 0.05, 0.05: 0.05, 0.33: 0.35, 0.5: 0.5, 0.61: 0.6, 0.9: 0.9, 1: 0.9} {
		if got := grid[nearest(p)]; math.Abs(got-want) > 1e-12 {
			t.Errorf("%v: %v, want %v", p, got, want)
		}
	}
}

// Every probability falls into the bin whose borders are around it.
func TestEdges(t *testing.T) {
	t.Parallel()
	for i := 1; i < len(edges); i++ {
		for _, p := range []float64{edges[i-1], (edges[i-1] + edges[i]) / 2} {
			if at := len(edges) - 1 - countAbove(p); at != i-1 {
				t.Errorf("%v is in bin %d, want %d", p, at, i-1)
			}
		}
	}
	if countAbove(1) != 0 || countAbove(-1) != len(edges) {
		t.Errorf("%d edges above 1, %d above -1", countAbove(1), countAbove(-1))
	}
}

// The intercept is the last weight, and what it is multiplied by is one.
func TestLogit(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		w, row []float64
		want   float64
	}{
		{[]float64{0.5}, nil, 0.5},
		{[]float64{2, -1}, []float64{3}, 5},
		{[]float64{1, 2, 3}, []float64{10, 100}, 213},
	} {
		if got := logit(tt.w, tt.row); got != tt.want {
			t.Errorf("%v of %v: %v, want %v", tt.w, tt.row, got, tt.want)
		}
	}
}

// Without examples the weights are what they were thought to be before.
func TestRegressionWithoutExamples(t *testing.T) {
	t.Parallel()
	r := regression{prior: []float64{0.4, 1}, l2: 2}
	if w, bias := r.fit(nil, nil); math.Abs(w[0]-0.4) > 1e-9 || math.Abs(w[1]-1) > 1e-9 || math.Abs(bias) > 1e-6 {
		t.Errorf("%v, %v", w, bias)
	}
}

// The stronger the pull, the nearer the weights stay to what they were thought to be.
func TestRegressionIsPulled(t *testing.T) {
	t.Parallel()
	var rows [][]float64
	var gold []bool
	for i := range 200 {
		x := float64(i%2)*4 - 2
		rows, gold = append(rows, []float64{x}), append(gold, (x > 0) != (i%20 == 0))
	}
	last := math.Inf(1)
	for _, l2 := range []float64{0.01, 1, 100, 1e4, 1e6} {
		r := regression{prior: []float64{0.2}, l2: l2}
		w, _ := r.fit(rows, gold)
		off := math.Abs(w[0] - 0.2)
		if off > last+1e-9 {
			t.Errorf("l2 of %v: %v from the prior, %v before", l2, off, last)
		}
		last = off
	}
	if last > 0.01 {
		t.Errorf("%v from the prior", last)
	}
}

// A note that can't be read ends the gathering, and tables say when they can't be written.
func TestErrorsAreReturned(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	f := fitter(t)
	notes := f.Notes()
	err := f.Gather(t.Context(), func(yield func(score.Document, error) bool) { yield(score.Document{}, broken) }, func() { t.Error("a tick") })
	if !errors.Is(err, broken) || f.Notes() != notes {
		t.Errorf("%v, %d notes", err, f.Notes())
	}
	err = f.Gather(t.Context(), func(yield func(score.Document, error) bool) { yield(score.Document{ID: "n7", Text: "a\x00b"}, nil) }, func() {})
	if err == nil || !strings.Contains(err.Error(), "n7") {
		t.Errorf("a note with a NUL: %v", err)
	}
	point := Point{Name: "off", Read: []float64{1, 0.5}, Groups: map[string]score.Rates{"C": {}}, Classes: map[string]score.Rates{"NAME": {}}}
	for name, write := range map[string]func() error{
		"probabilities": func() error { return WriteReliability(failing{broken}, []Bin{{Low: 0, High: 1}}) },
		"biases":        func() error { return WriteCurve(failing{broken}, []Point{point}) },
		"gates":         func() error { return WriteGates(failing{broken}, []Point{point}) },
	} {
		if err := write(); !errors.Is(err, broken) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// failing is a writer that does not write.
type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// Classes without gold have no column.
func TestClassesOf(t *testing.T) {
	t.Parallel()
	points := []Point{{Classes: map[string]score.Rates{"NAME": {}, "DATE": {}, "AGE": {}}}}
	if got := classesOf(points); len(got) != 0 {
		t.Errorf("%v", got)
	}
	with := points[0].Classes["NAME"]
	with.Gold = 3
	points[0].Classes["NAME"], points[0].Classes["DATE"] = with, with
	if got := classesOf(points); strings.Join(got, " ") != "DATE NAME" {
		t.Errorf("%v", got)
	}
}
