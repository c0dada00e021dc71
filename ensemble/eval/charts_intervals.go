package eval

import "math/rand/v2"

// rowIntervals are the 95% intervals of a type, by bootstrap over notes.
type rowIntervals struct{ precision, recall [2]float64 }

// intervalsOf bootstraps a result's notes from a fixed seed, the same ones for all types. It
// returns nil for a result that was saved without its notes.
func intervalsOf(notes []Note) map[string]rowIntervals {
	type part struct {
		note int
		Counts
	}
	parts := map[string][]part{}
	for i, n := range notes {
		for name, counts := range n.Types {
			parts[name] = append(parts[name], part{i, Counts(counts)})
		}
	}
	rng := rand.New(rand.NewPCG(2014, 3))
	precision, recall := map[string][]float64{}, map[string][]float64{}
	times := make([]int, len(notes))
	for range draws {
		clear(times)
		for range times {
			times[rng.IntN(len(times))]++
		}
		for name, list := range parts {
			var sum Counts
			for _, p := range list {
				sum.addTimes(p.Counts, times[p.note])
			}
			precision[name] = append(precision[name], sum.Precision())
			recall[name] = append(recall[name], sum.Recall())
		}
	}
	out := make(map[string]rowIntervals, len(parts))
	for name := range parts {
		out[name] = rowIntervals{interval(precision[name]), interval(recall[name])}
	}
	return out
}
