package corpus

import (
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// TypeSet is a set of PHI types.
type TypeSet uint64

// SetOf returns the set of the types given.
func SetOf(types ...phi.Type) TypeSet {
	var s TypeSet
	for _, t := range types {
		s |= 1 << t
	}
	return s
}

// Has reports whether t is in the set.
func (s TypeSet) Has(t phi.Type) bool { return s&(1<<t) != 0 }

// Types lists the set's types in the order of their constants.
func (s TypeSet) Types() []phi.Type {
	var out []phi.Type
	for _, t := range phi.Types() {
		if s.Has(t) {
			out = append(out, t)
		}
	}
	return out
}
