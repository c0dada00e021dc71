package crf

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/pgdeid/pgdeid/ensemble/corpus"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// DefaultTypes are the types of training sentences: those of i2b2 where the type affects the
// surrogate; all numbers are ID, all contact data CONTACT.
func DefaultTypes() []string {
	return []string{
		"PATIENT", "DOCTOR", "STREET", "CITY", "STATE", "COUNTRY", "ZIP", "LOCATION-OTHER", "HOSPITAL", "ORGANIZATION",
		"AGE", "DATE", "ID", "CONTACT", "PROFESSION",
	}
}

// maxTypes is limited by the bits of a set of labels.
const maxTypes = 31

// set is a set of labels.
type set uint64

func (s set) has(label int) bool { return s&(1<<label) != 0 }

// labelSet has the labels O, then B- of each type, then I- of each type.
type labelSet struct {
	names []string // names of types: "PATIENT", or a class such as "NAME"
	types []corpus.TypeSet
	out   []phi.Type // the type that the member reports for each
}

func newLabelSet(names []string) (*labelSet, error) {
	if len(names) == 0 || len(names) > maxTypes {
		return nil, fmt.Errorf("%d types: want 1 to %d", len(names), maxTypes)
	}
	l := &labelSet{names: slices.Clone(names)}
	var all corpus.TypeSet
	for _, name := range names {
		types, _, ok := corpus.TagTypes("B-" + name)
		if !ok {
			return nil, fmt.Errorf("type %q is neither a PHI type nor NAME, LOCATION, ORG, ID or CONTACT", name)
		}
		if name == phi.City.String() && !slices.Contains(names, phi.County.String()) {
			types |= corpus.SetOf(phi.County)
		}
		if types&all != 0 {
			return nil, fmt.Errorf("type %q is part of another one", name)
		}
		all |= types
		l.types = append(l.types, types)
		l.out = append(l.out, mainType(name, types))
	}
	return l, nil
}

// mainType returns the type that represents a class.
func mainType(name string, types corpus.TypeSet) phi.Type {
	switch name {
	case "ID":
		return phi.IDNum
	case "LOCATION":
		return phi.LocationOther
	case "ORG":
		return phi.Organization
	}
	return types.Types()[0]
}

// size is the number of labels.
func (l *labelSet) size() int { return 1 + 2*len(l.names) }

// begin and inside are the labels of a type.
func (l *labelSet) begin(t int) int { return 1 + t }

func (l *labelSet) inside(t int) int { return 1 + len(l.names) + t }

// typeOf returns the type of a label other than O.
func (l *labelSet) typeOf(label int) int { return (label - 1) % len(l.names) }

func (l *labelSet) begins(label int) bool { return label >= 1 && label <= len(l.names) }

// all is the set of all labels.
func (l *labelSet) all() set { return 1<<l.size() - 1 }

// follows reports whether a label may follow another: I- only after B- or I- of its type.
func (l *labelSet) follows(before, label int) bool {
	return label <= len(l.names) || before != 0 && l.typeOf(before) == l.typeOf(label)
}

// allowed converts tags to sets of labels that may be true, given that the source marks the types
// in covers completely.
func (l *labelSet) allowed(tags []string, covers corpus.TypeSet) ([]set, error) {
	out := make([]set, len(tags))
	for i, tag := range tags {
		types, first, ok := corpus.TagTypes(tag)
		switch {
		case tag == corpus.Unknown:
			out[i] = l.all()
		case !ok:
			return nil, fmt.Errorf("tag %d of a sentence is none", i)
		case types == 0:
			out[i] = l.outside(covers)
		default:
			out[i] = l.tagged(types, first)
		}
	}
	l.repair(out)
	return out, nil
}

// outside returns O and every label that the source does not cover.
func (l *labelSet) outside(covers corpus.TypeSet) set {
	s := set(1)
	for t, types := range l.types {
		if types&covers == 0 {
			s |= 1<<l.begin(t) | 1<<l.inside(t)
		}
	}
	return s
}

func (l *labelSet) tagged(types corpus.TypeSet, first bool) set {
	var s set
	for t, mine := range l.types {
		if mine&types == 0 {
			continue
		}
		types &^= mine
		if first {
			s |= 1 << l.begin(t)
		} else {
			s |= 1 << l.inside(t)
		}
	}
	if types != 0 {
		s |= 1 // a type that the model does not have counts as outside
	}
	return s
}

// repair lets an entity begin with I- if the label before it can't precede it, so that every
// sentence has a valid sequence.
func (l *labelSet) repair(sets []set) {
	before := set(0)
	for i, s := range sets {
		var reachable set
		for rest := s; rest != 0; rest &= rest - 1 {
			label := bits.TrailingZeros64(uint64(rest))
			if label <= len(l.names) || before.has(l.begin(l.typeOf(label))) || before.has(label) {
				reachable |= 1 << label
			} else {
				reachable |= 1 << l.begin(l.typeOf(label))
			}
		}
		sets[i], before = reachable, reachable
	}
}
