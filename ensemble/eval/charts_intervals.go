package eval

import (
	"math/rand/v2"

	"github.com/pgdeid/pgdeid/ensemble/eval/score"
)

// rowIntervals are the 95% intervals of a type, by bootstrap over notes.
type rowIntervals struct{ precision, recall [2]float64 }

// intervalsOf bootstraps a result's notes from a fixed seed, the same ones for all types. It
// returns nil for a result that was saved without its notes.
func intervalsOf(notes []score.Note) map[string]rowIntervals {
	type part struct {
		note int
		score.Counts
	}
	parts := map[string][]part{}
	for i, n := range notes {
		for name, counts := range n.Types {
			parts[name] = append(parts[name], part{i, score.Counts(counts)})
		}
	}
	rng := rand.New(rand.NewPCG(2014, 3))
	precision, recall := map[string][]float64{}, map[string][]float64{}
	times := make([]int, len(notes))
	for range score.Draws {
		clear(times)
		for range times {
			times[rng.IntN(len(times))]++
		}
		for name, list := range parts {
			var sum score.Counts
			for _, p := range list {
				sum.AddTimes(p.Counts, times[p.note])
			}
			precision[name] = append(precision[name], sum.Precision())
			recall[name] = append(recall[name], sum.Recall())
		}
	}
	out := make(map[string]rowIntervals, len(parts))
	for name := range parts {
		out[name] = rowIntervals{score.Interval(precision[name]), score.Interval(recall[name])}
	}
	return out
}
