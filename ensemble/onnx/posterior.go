package onnx

import (
	"math"

	"github.com/pgdeid/pgdeid/ensemble/merge"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// leastScore is the least sum of the probabilities of a posterior's row, in 65535ths.
const leastScore = (math.MaxUint16 + 1) * merge.Least

// recorder writes what a network says of the words that are asked into a posterior. Words
// come in the order of the text.
type recorder struct {
	dst   *merge.Posterior
	known int   // types of the model
	takes []int // of these, those that the member reports
	asked asker
}

// take writes what a network says of the units of a chunk that count.
func (r *recorder) take(c *chunk, results []*scores) {
	for i, found := range results {
		s := c.segments[i]
		for k, u := range found.units {
			at := s.start + int(u)
			if at < s.from || at >= s.to {
				continue
			}
			if token := c.units[at].token; r.asked.any(token, token+1) {
				r.add(token, found.probs[k*r.known:(k+1)*r.known], found.first[k])
			}
		}
	}
}

// add writes the row of a token. Of the parts of a very long one the highest probability
// of each type counts, as it does for the wordpieces of a word.
func (r *recorder) add(token int, probs []uint16, first bool) {
	sum := 0
	for _, column := range r.takes {
		sum += int(probs[column])
	}
	if sum < leastScore {
		return
	}
	var row []float32
	if n := r.dst.Len(); n > 0 && int(r.dst.Tokens[n-1]) == token {
		row = r.dst.Row(n - 1)
	} else {
		row = r.dst.Add(int32(token), first) // #nosec G115 -- a note has fewer than 2^31 tokens
	}
	total := float32(0)
	for i, column := range r.takes {
		row[i] = max(row[i], float32(probs[column])/math.MaxUint16)
		total += row[i]
	}
	if total > 1 { // the highest of several pieces, each of another type
		for i := range row {
			row[i] /= total
		}
	}
}

// columnsOf returns which of the model's types a member reports, and which these are.
func (d *decider) columnsOf() (takes []int, types []phi.Type) {
	for i, t := range d.types {
		if d.group[i] != outside {
			takes, types = append(takes, i), append(types, t)
		}
	}
	return takes, types
}
