package corpus

import "github.com/pgdeid/pgdeid/ensemble"

// TypeSet is a set of PHI types: what a label may stand for.
type TypeSet uint64

// SetOf returns the set of the types given.
func SetOf(types ...ensemble.Type) TypeSet {
	var s TypeSet
	for _, t := range types {
		s |= 1 << t
	}
	return s
}

// Has reports whether t is in the set.
func (s TypeSet) Has(t ensemble.Type) bool { return s&(1<<t) != 0 }

// Types lists the set's types in the order of their constants.
func (s TypeSet) Types() []ensemble.Type {
	var out []ensemble.Type
	for _, t := range ensemble.Types() {
		if s.Has(t) {
			out = append(out, t)
		}
	}
	return out
}
