package main

import (
	"math/rand/v2"
	"slices"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/synth"
)

// carrier is a note with what is to be changed in it when it is filled.
type carrier struct {
	text  string
	edits []edit // in order, free of overlap
	sex   synth.Sex
}

// edit replaces a range of a carrier's text.
type edit struct {
	start, end int
	chance     float64          // that it is made; 1: always
	with       []synth.Template // one of these is taken, in the notation of the grammar
	mark       bool             // instead of being replaced the range is marked
	typ        phi.Type         // with mark: its type; None: unknown
}

// settle sorts edits and drops those that overlap an earlier one; of edits at the
// same place the first in the list is kept.
func settle(edits []edit) []edit {
	slices.SortStableFunc(edits, func(a, b edit) int { return a.start - b.start })
	out := edits[:0:0]
	for _, e := range edits {
		if n := len(out); n > 0 && out[n-1].end > e.start {
			continue
		}
		out = append(out, e)
	}
	return out
}

// overlap reports whether any edit touches the range.
func overlap(edits []edit, start, end int) bool {
	return slices.ContainsFunc(edits, func(e edit) bool { return e.start < end && start < e.end })
}

// template makes the carrier's text with one draw of its edits.
func (c *carrier) template(rng *rand.Rand, density float64) synth.Template {
	var t synth.Template
	at := 0
	for _, e := range c.edits {
		if e.chance < 1 && rng.Float64() >= e.chance*density {
			continue
		}
		t.Text(c.text[at:e.start])
		switch {
		case e.mark:
			t.Mark(e.typ, c.text[e.start:e.end])
		case len(e.with) > 0:
			t.Append(e.with[rng.IntN(len(e.with))])
		}
		at = e.end
	}
	t.Text(c.text[at:])
	return t
}
