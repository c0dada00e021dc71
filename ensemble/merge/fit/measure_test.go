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

// Every probability falls into the bin whose borders are around it.
func TestEdges(t *testing.T) {
	t.Parallel()
	for i := 1; i < len(edges); i++ {
		for _, p := range []float64{edges[i-1], (edges[i-1] + edges[i]) / 2} {
			if at := binOf(p); at != i-1 {
				t.Errorf("%v is in bin %d, want %d", p, at, i-1)
			}
		}
	}
	if binOf(1) != len(edges)-2 || binOf(-1) != 0 {
		t.Errorf("1 is in bin %d, -1 in bin %d", binOf(1), binOf(-1))
	}
}

// Without examples the weights are what they were thought to be before.
func TestRegressionWithoutExamples(t *testing.T) {
	t.Parallel()
	r := regression{prior: []float64{0.4, 1}, l2: 2}
	if w := r.fit(nil); math.Abs(w[0]-0.4) > 1e-9 || math.Abs(w[1]-1) > 1e-9 || math.Abs(w[2]) > 1e-6 {
		t.Errorf("%v", w)
	}
}

// The stronger the pull, the nearer the weights stay to what they were thought to be.
func TestRegressionIsPulled(t *testing.T) {
	t.Parallel()
	var examples []example
	for i := range 200 {
		x := float64(i%2)*4 - 2
		examples = append(examples, example{features: []float64{x, 1}, gold: (x > 0) != (i%20 == 0)})
	}
	last := math.Inf(1)
	for _, l2 := range []float64{0.01, 1, 100, 1e4, 1e6} {
		r := regression{prior: []float64{0.2}, l2: l2}
		off := math.Abs(r.fit(examples)[0] - 0.2)
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
	notes := len(f.notes)
	err := f.Gather(t.Context(), func(yield func(score.Document, error) bool) { yield(score.Document{}, broken) }, func() { t.Error("a tick") })
	if !errors.Is(err, broken) || len(f.notes) != notes {
		t.Errorf("%v, %d notes", err, len(f.notes))
	}
	err = f.Gather(t.Context(), func(yield func(score.Document, error) bool) { yield(score.Document{ID: "n7", Text: "a\x00b"}, nil) }, func() {})
	if err == nil || !strings.Contains(err.Error(), "n7") {
		t.Errorf("a note with a NUL: %v", err)
	}
	s, err := f.Fit(Options{Stages: [][]string{{"cheap"}, {"cheap", "dear"}}, L2: 1, Worth: 2})
	if err != nil {
		t.Fatal(err)
	}
	if err := f.WriteReport(failing{broken}, s); !errors.Is(err, broken) {
		t.Errorf("a report that can't be written: %v", err)
	}
}

// failing is a writer that does not write.
type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }
