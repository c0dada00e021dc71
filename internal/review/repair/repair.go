// Package repair puts what people decided about single places of a note into what was found there.
//
// What adds PHI holds while the same words are where they were, whatever else of the note has changed: a name that
// was missed stays away when somebody adds a line at the end. What takes PHI away holds only while the whole text is the one
// that was read. Where two people decided differently, PHI wins.
package repair

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/review"
)

// List are the repairs of one note, in the order in which they were made.
type List []review.Repair

// Label tells lists apart; "" for none.
func (l List) Label() string {
	if len(l) == 0 {
		return ""
	}
	var b strings.Builder
	for i := range l {
		_, _ = fmt.Fprintf(&b, "%d ", l[i].ID) // it can't fail
	}
	return b.String()
}

// Made is what was found in a text with repairs in it.
type Made struct {
	Spans []phi.Span
	Void  map[int64]bool // repairs without an effect
}

// Apply puts repairs into what was found in a text.
//
// What the patient's record tells can't be taken away: the leak check puts it back.
func (l List) Apply(text string, found []phi.Span, h review.Hashes) Made {
	made := Made{Spans: append([]phi.Span(nil), found...), Void: map[int64]bool{}}
	if len(l) == 0 {
		return made
	}
	at := offsets(text)
	hash := h.Text(text)
	for _, adds := range []bool{false, true} { // what adds comes last: PHI wins
		for i := range l {
			r := &l[i]
			if r.Mark.IsPHI() != adds {
				continue
			}
			same := bytes.Equal(r.Text, hash)
			where, there := place(r, text, at, h)
			switch {
			case !there, !adds && !same:
				made.Void[r.ID] = true
			case adds:
				made.Spans = add(made.Spans, r, where, replaced(r, same, at))
			default:
				made.Spans = without(made.Spans, where)
			}
		}
	}
	return made
}

// States returns which repairs had an effect.
func (l List) States(made *Made) []review.RepairState {
	list := make([]review.RepairState, len(l))
	for i := range l {
		list[i] = review.RepairState{ID: l[i].ID, Void: made.Void[l[i].ID]}
	}
	return list
}

// offsets returns where each character of a text begins, and where the last one ends.
func offsets(text string) []int {
	list := make([]int, 0, len(text)+1)
	for i := range text {
		list = append(list, i)
	}
	return append(list, len(text))
}

// place returns where a repair is in a text, and whether the words that were read are there.
func place(r *review.Repair, text string, at []int, h review.Hashes) (phi.Range, bool) {
	m := &r.Mark
	if m.Start < 0 || m.End <= m.Start || m.End >= len(at) {
		return phi.Range{}, false
	}
	where := phi.Range{Start: at[m.Start], End: at[m.End]}
	return where, bytes.Equal(m.Words, h.Words(r.Patient, text[where.Start:where.End]))
}

// replaced returns what the person saw found there, which the repair replaces while the text is the same; the zero range
// for nothing.
func replaced(r *review.Repair, same bool, at []int) phi.Range {
	f := r.Mark.Found
	if f == nil || !same || f.Start < 0 || f.End <= f.Start || f.End >= len(at) {
		return phi.Range{}
	}
	return phi.Range{Start: at[f.Start], End: at[f.End]}
}

// without returns spans less those within a range. One that is longer stays: the person did not say that all of it is no PHI.
func without(spans []phi.Span, where phi.Range) []phi.Span {
	kept := spans[:0]
	for _, s := range spans {
		if s.Start < where.Start || s.End > where.End {
			kept = append(kept, s)
		}
	}
	return kept
}

// add returns spans with PHI at a place. What overlaps it becomes a part of it, except for what the repair replaces; a longer
// span that has a missed word within stays as it is.
func add(spans []phi.Span, r *review.Repair, where, replaces phi.Range) []phi.Span {
	typ, err := phi.ParseType(r.Mark.Type)
	if err != nil {
		return spans // the store takes known types alone
	}
	next := phi.Span{Start: where.Start, End: where.End, Type: typ}
	kept := make([]phi.Span, 0, len(spans)+1)
	for _, s := range spans {
		switch {
		case s.Start == replaces.Start && s.End == replaces.End:
			next.By |= s.By
		case s.End <= where.Start || where.End <= s.Start:
			kept = append(kept, s)
		case r.Mark.Verdict == review.Missed && s.Start <= where.Start && s.End >= where.End:
			return spans
		default:
			next.Start, next.End, next.By = min(next.Start, s.Start), max(next.End, s.End), next.By|s.By
		}
	}
	kept = append(kept, next)
	phi.SortSpans(kept)
	return kept
}
