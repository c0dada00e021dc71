package onnx

import (
	"errors"
	"math"
	"slices"
)

// scores are what a network says of a segment, in a form small enough to be kept: the
// probabilities of the types, in 65535ths, of the few units that may be PHI.
type scores struct {
	units []uint16 // numbers of units in the segment, ascending
	first []bool   // by entry of units: an entity begins with it
	probs []uint16 // by entry of units, one for each type of the model
	// path has, by entry of units, the type that the best sequence of labels gives it, or
	// outside. It is nil for networks that label each word on its own.
	path []int16
}

// onPath returns the type of entry k in the best sequence of labels, or outside.
func (s *scores) onPath(k int) int { return pathAt(s.path, k) }

func pathAt(path []int16, i int) int {
	if len(path) == 0 {
		return outside
	}
	return int(path[i])
}

// minScore is the least probability of PHI that is kept. Thresholds end well above.
const minScore = 1.0 / 1024

// bytes is about how much memory the scores take.
func (s *scores) bytes() int { return 96 + 3*len(s.units) + 2*len(s.probs) + 2*len(s.path) }

var errNotFinite = errors.New("the network's output is not finite")

// tally adds up what a network says of the units of one segment.
type tally struct {
	labels *labelSet
	probs  []float32 // units x types
	first  []float32 // by unit: probability of labels that begin an entity, less that of others
	known  []bool    // by unit: first is set
	path   []int16   // by unit: type in the best sequence, or outside; empty without one
	row    []float32 // types, of one position
}

// reset makes place for a number of units.
func (t *tally) reset(labels *labelSet, units int) {
	t.labels = labels
	t.probs = zeroed(t.probs, units*len(labels.types))
	t.first = zeroed(t.first, units)
	t.known = zeroed(t.known, units)
	t.path = t.path[:0]
	t.row = zeroed(t.row, len(labels.types))
}

func zeroed[T any](s []T, n int) []T {
	s = slices.Grow(s[:0], n)[:n]
	clear(s)
	return s
}

// read turns the logits of one position into probabilities: row has those of the
// types, each the sum over the type's labels.
func (t *tally) read(logits []float32) (first float32, err error) {
	top := slices.Max(logits)
	sum := 0.0
	for _, x := range logits {
		sum += math.Exp(float64(x - top))
	}
	if math.IsNaN(sum) || math.IsInf(sum, 0) {
		return 0, errNotFinite
	}
	return t.gather(func(label int) float32 { return float32(math.Exp(float64(logits[label]-top)) / sum) }), nil
}

// gather leaves in row what the probabilities of the labels say of the types.
func (t *tally) gather(probability func(label int) float32) (first float32) {
	clear(t.row)
	for i, class := range t.labels.class {
		if class == outside {
			continue
		}
		p := probability(i)
		t.row[class] += p
		if t.labels.first[i] {
			first += p
		} else {
			first -= p
		}
	}
	return first
}

// readChain takes the logits of all units, of a network that scores sequences of labels.
// Where the best sequence has PHI, it says where an entity begins.
func (t *tally) readChain(c *chain, logits []float32, s *chainScratch) error {
	marginals, path, err := c.decode(logits, s)
	if err != nil {
		return err
	}
	t.path = zeroed(t.path, len(path))
	for u, label := range path {
		row := marginals[u*c.labels : (u+1)*c.labels]
		first := t.gather(func(i int) float32 { return float32(row[i]) })
		class := t.labels.class[label]
		if class != outside {
			first = -1
			if t.labels.first[label] {
				first = 1
			}
		}
		t.add(u, u+1, first)
		t.path[u] = int16(class) // #nosec G115 -- a type's number
	}
	return nil
}

// add counts one position for units [from, to). Where several wordpieces lie in a
// unit the highest probability of each type counts, because a name of which one piece
// gives it away is a name: the mean would let the rare pieces of an unusual surname
// outvote that one.
func (t *tally) add(from, to int, first float32) {
	types := len(t.row)
	for u := from; u < to; u++ {
		if !t.known[u] {
			t.first[u], t.known[u] = first, true
		}
		have := t.probs[u*types : (u+1)*types]
		for i, p := range t.row {
			have[i] = max(have[i], p)
		}
	}
}

// onPath returns the type of a unit in the best sequence of labels, or outside.
func (t *tally) onPath(u int) int { return pathAt(t.path, u) }

// scores keeps the units that may be PHI.
func (t *tally) scores() *scores {
	types, out := len(t.row), &scores{}
	for u := range t.first {
		probs := t.probs[u*types : (u+1)*types]
		total := float32(0)
		for _, p := range probs {
			total += p
		}
		if total < minScore && t.onPath(u) == outside {
			continue
		}
		if len(t.path) > 0 {
			out.path = append(out.path, t.path[u])
		}
		out.units = append(out.units, uint16(u)) // #nosec G115 -- a segment has maxWindow units at most
		out.first = append(out.first, t.first[u] > 0)
		for _, p := range probs {
			out.probs = append(out.probs, uint16(min(p, 1)*math.MaxUint16+0.5)) // #nosec G115 -- 0 to 65535
		}
	}
	return out
}

// joinWindows joins the scores of several windows of one segment. Only wordpiece networks
// have more than one, and those have no path.
func joinWindows(parts []*scores, types int) *scores {
	if len(parts) == 1 {
		return parts[0]
	}
	out := &scores{}
	next := make([]int, len(parts))
	for {
		u, found := 0, false
		for i, p := range parts {
			if next[i] < len(p.units) && (!found || int(p.units[next[i]]) < u) {
				u, found = int(p.units[next[i]]), true
			}
		}
		if !found {
			return out
		}
		out.units = append(out.units, uint16(u)) // #nosec G115 -- it came from one
		out.first = append(out.first, false)
		out.probs = append(out.probs, make([]uint16, types)...)
		row := out.probs[len(out.probs)-types:]
		set := false
		for i, p := range parts {
			k := next[i]
			if k == len(p.units) || int(p.units[k]) != u {
				continue
			}
			next[i]++
			if !set {
				out.first[len(out.first)-1], set = p.first[k], true
			}
			for c, v := range p.probs[k*types : (k+1)*types] {
				row[c] = max(row[c], v)
			}
		}
	}
}
