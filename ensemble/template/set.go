package template

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
)

// Set is a set of templates that a person has verified, as one automaton over the terms of
// sentences: a trie whose edges are literal terms and slots. A sentence walks it once,
// whatever the number of templates; most leave it at their first word. It is immutable and
// safe for concurrent use; nil is an empty set.
type Set struct {
	list   []*Template // those that come first beat the others
	edges  map[edge]int32
	ends   []int32 // by node: 1 + the template that ends there
	kinds  []uint8 // by node: the kinds of its edges, which saves most look-ups
	words  map[string]int32
	digest string // of the list
}

// edge leads from a node on.
type edge struct {
	node int32
	word int32 // number of a literal term, from 1; or
	slot Slot
	gap  gap
}

// NewSet returns a set. Of templates that fit the same sentences it keeps the first by its
// text. Where several fit a sentence the one with most literal terms counts, then the one
// with fewest slots A.
func NewSet(list []*Template) *Set {
	s := &Set{edges: map[edge]int32{}, ends: make([]int32, 1), kinds: make([]uint8, 1), words: map[string]int32{}}
	s.list = distinct(list)
	h := sha256.New()
	for _, t := range s.list {
		_, _ = h.Write(append([]byte(t.String()), 0)) // a hash takes everything
	}
	if len(s.list) > 0 {
		s.digest = hex.EncodeToString(h.Sum(nil)[:16])
	}
	for i, t := range s.list {
		s.insert(t, int32(i+1))
	}
	return s
}

// distinct returns templates in the order in which they count, one of each form.
func distinct(list []*Template) []*Template {
	type ranked struct {
		t            *Template
		own, mixed   int
		text, syntax string
	}
	all := make([]ranked, 0, len(list))
	for _, t := range list {
		r := ranked{t: t, text: t.String(), syntax: t.Form()}
		for _, it := range t.items {
			switch it.slot {
			case 0:
				r.own++
			case MixedSlot:
				r.mixed++
			}
		}
		all = append(all, r)
	}
	slices.SortFunc(all, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(b.own, a.own), cmp.Compare(a.mixed, b.mixed), cmp.Compare(a.syntax, b.syntax), cmp.Compare(a.text, b.text))
	})
	all = slices.CompactFunc(all, func(a, b ranked) bool { return a.syntax == b.syntax })
	out := make([]*Template, len(all))
	for i, r := range all {
		out[i] = r.t
	}
	return out
}

func (s *Set) insert(t *Template, number int32) {
	node := int32(0)
	for _, it := range t.items {
		e := edge{node: node, slot: it.slot, gap: it.gap}
		if it.slot == 0 {
			if e.word = s.words[it.text]; e.word == 0 {
				e.word = int32(len(s.words) + 1)
				s.words[it.text] = e.word
			}
		}
		next, ok := s.edges[e]
		if !ok {
			next = int32(len(s.ends))
			s.ends, s.kinds = append(s.ends, 0), append(s.kinds, 0)
			s.edges[e] = next
			s.kinds[node] |= kindOf(it.slot)
		}
		node = next
	}
	s.ends[node] = number
}

// kindOf returns the bit of a kind of edges.
func kindOf(s Slot) uint8 {
	switch s {
	case WordSlot:
		return 1
	case NumberSlot:
		return 2
	case MixedSlot:
		return 4
	}
	return 8
}

// Len returns how many templates there are.
func (s *Set) Len() int {
	if s == nil {
		return 0
	}
	return len(s.list)
}

// Digest returns 32 hexadecimal digits that two sets share only if they hold the same
// templates; "" for an empty one.
func (s *Set) Digest() string {
	if s == nil {
		return ""
	}
	return s.digest
}
