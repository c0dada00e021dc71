package models

import (
	"cmp"
	"slices"
)

// Verdict is the outcome of comparing a figure.
type Verdict string

// The verdicts. A difference counts where the 95 % intervals do not overlap.
const (
	Better Verdict = "better"
	Worse  Verdict = "worse"
	Same   Verdict = "same" // within noise
	OnlyA  Verdict = "only in the first"
	OnlyB  Verdict = "only in the second"
)

// Change is one figure of two versions.
type Change struct {
	Key
	A                *Figure `json:"a,omitempty"`
	B                *Figure `json:"b,omitempty"`
	RecallVerdict    Verdict `json:"recall"`
	PrecisionVerdict Verdict `json:"precision"`
}

// Compare compares the figures of two versions by set, class, type and group: what B does better
// or worse than A.
func Compare(a, b *Card) []Change {
	changes := map[Key]*Change{}
	for _, f := range a.Own() {
		changes[f.Key()] = &Change{Key: f.Key(), A: &f, RecallVerdict: OnlyA, PrecisionVerdict: OnlyA}
	}
	for _, f := range b.Own() {
		c, ok := changes[f.Key()]
		if !ok {
			changes[f.Key()] = &Change{Key: f.Key(), B: &f, RecallVerdict: OnlyB, PrecisionVerdict: OnlyB}
			continue
		}
		c.B = &f
		c.RecallVerdict = judge(c.A.RecallInterval(), f.RecallInterval())
		c.PrecisionVerdict = judge(c.A.PrecisionInterval(), f.PrecisionInterval())
	}
	list := make([]Change, 0, len(changes))
	for _, c := range changes {
		list = append(list, *c)
	}
	slices.SortFunc(list, func(a, b Change) int { return compareKeys(a.Key, b.Key) })
	return list
}

// judge compares B's interval with A's.
func judge(a, b [2]float64) Verdict {
	switch {
	case b[0] > a[1]:
		return Better
	case b[1] < a[0]:
		return Worse
	}
	return Same
}

func compareKeys(a, b Key) int {
	return cmp.Or(
		cmp.Compare(a.Set, b.Set), cmp.Compare(a.Class, b.Class), compareBool(a.Normalised, b.Normalised),
		cmp.Compare(a.Type, b.Type), cmp.Compare(a.Group, b.Group))
}
