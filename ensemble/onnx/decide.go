package onnx

import (
	"fmt"
	"math"
	"slices"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// Thresholds below this one could ask for words that [minScore] has left out.
const lowestThreshold = 4 * minScore

// decider makes types of a model's probabilities, as a member's options say.
type decider struct {
	types  []phi.Type // of the model
	group  []int      // by type: index in groups, or outside if the member leaves it
	groups []group
	pool   float64 // threshold of the groups without one of their own, together
	alone  float64 // below this probability a span is tentative
}

// group are types that are distinguished only after it is decided that a word is PHI.
type group struct {
	key       phi.Type // the first of its types
	threshold float64  // its own, or 0
}

// groupOf returns the type that represents a group: a patient and a doctor are a name,
// a hospital and any other organisation are an organisation.
func groupOf(t phi.Type) phi.Type {
	switch t {
	case phi.Doctor:
		return phi.Patient
	case phi.Organization:
		return phi.Hospital
	default:
		return t
	}
}

func newDecider(known []phi.Type, opts MemberOptions) (*decider, error) {
	wanted := opts.Types
	if len(wanted) == 0 {
		wanted = known
	}
	for _, t := range wanted {
		if !slices.Contains(known, t) {
			return nil, fmt.Errorf("the model does not know type %s (it knows %v)", t, known)
		}
	}
	pool, err := effective(opts.Threshold, opts.Bias)
	if err != nil {
		return nil, err
	}
	d := &decider{types: known, pool: pool, group: make([]int, len(known))}
	for i, t := range known {
		d.group[i] = outside
		if slices.Contains(wanted, t) {
			d.group[i] = d.addGroup(groupOf(t))
		}
	}
	if opts.Alone > 0 {
		if d.alone, err = effective(opts.Alone, opts.Bias); err != nil {
			return nil, fmt.Errorf("alone: %w", err)
		}
	}
	return d, d.setOwn(wanted, opts)
}

func (d *decider) addGroup(key phi.Type) int {
	i := slices.IndexFunc(d.groups, func(g group) bool { return g.key == key })
	if i < 0 {
		i = len(d.groups)
		d.groups = append(d.groups, group{key: key})
	}
	return i
}

// setOwn sets the thresholds of single types; a group of two takes the lower one.
func (d *decider) setOwn(wanted []phi.Type, opts MemberOptions) error {
	for t, threshold := range opts.Thresholds {
		if !slices.Contains(wanted, t) {
			return fmt.Errorf("threshold for %s, which is none of the member's types", t)
		}
		own, err := effective(threshold, opts.Bias)
		if err != nil {
			return fmt.Errorf("%s: %w", t, err)
		}
		g := &d.groups[d.addGroup(groupOf(t))]
		if g.threshold == 0 || own < g.threshold {
			g.threshold = own
		}
	}
	return nil
}

// effective returns the probability that a threshold means once the bias is
// taken off its log-odds.
func effective(threshold, bias float64) (float64, error) {
	if threshold == 0 {
		threshold = 0.5
	}
	if !(threshold > 0 && threshold < 1) || math.IsNaN(bias) || math.IsInf(bias, 0) {
		return 0, fmt.Errorf("threshold %v with bias %v: want a probability between 0 and 1 and a finite bias", threshold, bias)
	}
	p := 1 / (1 + math.Exp(bias-math.Log(threshold/(1-threshold))))
	if p < lowestThreshold {
		return 0, fmt.Errorf("threshold %v with bias %v asks for words of probability %.2g: want %.2g or more", threshold, bias, p,
			lowestThreshold)
	}
	return p, nil
}

// verdict is what a member thinks of a unit: no PHI if its group is outside.
type verdict struct {
	group int
	sum   int32 // probability of the group, in 65535ths
	phi   int32 // what reached the threshold: of the group, or of all that are pooled
}

// decide judges one unit by the probabilities of the model's types, and by the type
// that the best sequence of labels gives it, which is outside without one.
//
// The question is first whether the word is any of the member's types, so their
// probabilities are added: a network that wavers between a town and a hospital is
// still sure that it is PHI. Only then the most probable group gives its name.
//
// A word that the best sequence takes for PHI is PHI, and of that type, also where its
// probability is below the threshold, as long as the threshold is one half or less: the
// sequence is what the network was trained to say, and a threshold of one half asks for
// no more. A higher one asks to be surer, and then the sequence only gives the name.
func (d *decider) decide(probs []uint16, path int, sums []int32) verdict {
	clear(sums)
	for i, p := range probs {
		if g := d.group[i]; g != outside {
			sums[g] += int32(p)
		}
	}
	pooled := int32(0)
	for g, sum := range sums {
		if d.groups[g].threshold == 0 {
			pooled += sum
		}
	}
	if path != outside && d.group[path] != outside {
		g := d.group[path]
		if phi, threshold := d.reach(g, sums[g], pooled); threshold <= 0.5 || float64(phi) >= threshold*math.MaxUint16 {
			return verdict{g, sums[g], phi}
		}
	}
	best := verdict{group: outside}
	for g, sum := range sums {
		phi, threshold := d.reach(g, sum, pooled)
		if float64(phi) >= threshold*math.MaxUint16 && sum > best.sum {
			best = verdict{g, sum, phi}
		}
	}
	return best
}

// reach returns which probability of a group is compared with which threshold.
func (d *decider) reach(g int, sum, pooled int32) (phi int32, threshold float64) {
	if own := d.groups[g].threshold; own > 0 {
		return sum, own
	}
	return pooled, d.pool
}
