package score

import (
	"math/rand/v2"
	"slices"
)

// Draws is the number of bootstrap samples.
const Draws = 500

// limits are the bounds of 95% intervals by bootstrap over documents.
type limits struct{ precision, recall, f1 [2]float64 }

// column holds the contributions to one score of the documents that contribute.
type column struct {
	at     []int32 // numbers of documents, ascending
	counts []counts32
}

func (c *column) add(doc int, n Counts) {
	if n == (Counts{}) {
		return
	}
	if last := len(c.at) - 1; last >= 0 && c.at[last] == int32(doc) {
		sum := c.counts[last].wide()
		sum.Add(n)
		c.counts[last] = narrow(sum)
		return
	}
	c.at, c.counts = append(c.at, int32(doc)), append(c.counts, narrow(n))
}

// sum adds up the column, with each document as often as it was drawn.
func (c *column) sum(times []int32) Counts {
	var gold, found, predicted, wrong int64
	for i, doc := range c.at {
		n, times := &c.counts[i], int64(times[doc])
		gold += times * int64(n.gold)
		found += times * int64(n.found)
		predicted += times * int64(n.predicted)
		wrong += times * int64(n.wrong)
	}
	return Counts{int(gold), int(found), int(predicted), int(wrong)}
}

// bootstrap returns the intervals of columns over docs documents. Documents are drawn with
// replacement from a fixed seed, the same ones for all columns, so that a report is reproducible.
// It takes time draws × (documents + entries of the columns).
func bootstrap(docs int, columns []*column) []limits {
	out := make([]limits, len(columns))
	samples := make([][3][]float64, len(columns))
	rng := rand.New(rand.NewPCG(2014, 1))
	times := make([]int32, docs)
	for range Draws {
		clear(times)
		for range times {
			times[rng.IntN(docs)]++
		}
		for i, c := range columns {
			n := c.sum(times)
			for j, rate := range [3]float64{n.Precision(), n.Recall(), n.F1()} {
				samples[i][j] = append(samples[i][j], rate)
			}
		}
	}
	for i := range samples {
		out[i] = limits{Interval(samples[i][0]), Interval(samples[i][1]), Interval(samples[i][2])}
	}
	return out
}

// Interval returns the bounds of the middle 95% of samples; it sorts them.
func Interval(xs []float64) [2]float64 {
	slices.Sort(xs)
	return [2]float64{xs[len(xs)*25/1000], xs[len(xs)*975/1000]}
}
