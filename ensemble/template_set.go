package ensemble

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
)

// Templates are templates that a person has verified, in one automaton over the terms
// of sentences: a trie whose edges are literal terms and slots. A sentence walks it once,
// whatever the number of templates; most leave it at their first word. It is immutable
// and safe for concurrent use; nil is an empty set.
type Templates struct {
	list  []*Template // those that come first beat the others
	edges map[templateEdge]int32
	ends  []int32 // by node: 1 + the template that ends there
	kinds []uint8 // by node: of which kinds its edges are, to look up few that are not there
	words map[string]int32
	// digest stands for the list.
	digest string
}

// templateEdge leads from a node on.
type templateEdge struct {
	node int32
	word int32 // number of a literal term, from 1; or
	slot Slot
	gap  gap
}

// NewTemplates makes a set. Of templates that fit the same sentences one stays, the
// first by its text. Where several fit a sentence the one with most terms of its own
// counts, then the one with fewest slots A.
func NewTemplates(list []*Template) *Templates {
	s := &Templates{edges: map[templateEdge]int32{}, ends: make([]int32, 1), kinds: make([]uint8, 1), words: map[string]int32{}}
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
		for _, item := range t.items {
			switch item.slot {
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

func (s *Templates) insert(t *Template, number int32) {
	node := int32(0)
	for _, item := range t.items {
		e := templateEdge{node: node, slot: item.slot, gap: item.gap}
		if item.slot == 0 {
			if e.word = s.words[item.text]; e.word == 0 {
				e.word = int32(len(s.words) + 1)
				s.words[item.text] = e.word
			}
		}
		next, ok := s.edges[e]
		if !ok {
			next = int32(len(s.ends))
			s.ends, s.kinds = append(s.ends, 0), append(s.kinds, 0)
			s.edges[e] = next
			s.kinds[node] |= kindOf(item.slot)
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
func (s *Templates) Len() int {
	if s == nil {
		return 0
	}
	return len(s.list)
}

// Digest returns 32 hexadecimal digits that two sets share only if they hold the same
// templates; "" for an empty one.
func (s *Templates) Digest() string {
	if s == nil {
		return ""
	}
	return s.digest
}

// WithTemplates returns the same ensemble with other templates; nil means none. Without
// the member "templates" it changes nothing.
func (e *Ensemble) WithTemplates(s *Templates) *Ensemble {
	with := *e
	with.members = slices.Clone(e.members)
	for i := range with.members {
		if with.members[i].Name() == templatesName {
			with.members[i].Detector = NewTemplateDetector(s)
		}
	}
	return &with
}

// HasTemplates reports whether the ensemble has a member with templates.
func (e *Ensemble) HasTemplates() bool {
	return slices.ContainsFunc(e.members, func(m Member) bool {
		d, ok := m.Detector.(templateDetector)
		return ok && d.set.Len() > 0
	})
}
