package record

import (
	"context"
	"slices"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/fold"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// mode says what is looked for.
type mode uint8

const (
	everything mode = iota
	exact           // what the leak check looks for: nothing that only looks like a value
	staff           // a directory: a single name counts only where a member of the staff is expected
)

// Find appends the identifiers of the note's own patient: sorted, disjoint spans.
func Find(ctx context.Context, v *text.View, patient *Gazetteer, dst []phi.Span) ([]phi.Span, error) {
	found, _, err := patient.find(ctx, v, everything)
	return append(dst, found...), err
}

// FindStaff appends what a directory of staff and facilities holds. A name counts if both
// its parts are together or a title, a credential or a signature is next to it.
func FindStaff(ctx context.Context, v *text.View, directory *Gazetteer, dst []phi.Span) ([]phi.Span, error) {
	found, _, err := directory.find(ctx, v, staff)
	return append(dst, found...), err
}

// Leaks returns the ranges of text where an identifier of the gazetteer is
// a word of its own, whatever its case, save ordinary words (a Mr. Long)
// without the context of a name, and however oddly it is written (see the package
// fold). It looks for names, numbers of five digits or
// more, e-mail addresses, user names and streets; not for dates and towns, which
// others may share and some profiles keep. It is cheap and runs over every output
// text.
func (g *Gazetteer) Leaks(s string) []phi.Range {
	found, _, err := g.find(context.Background(), text.NewView(s), exact)
	if err != nil { // of the context, which has none
		return []phi.Range{{Start: 0, End: len(s)}}
	}
	var out []phi.Range
	for _, leak := range found {
		out = append(out, phi.Range{Start: leak.Start, End: leak.End})
	}
	return out
}

// find searches a text, then what its escapes mean, what a browser shows of it, what its markup holds, and
// markup that is written in entities. It returns sorted, disjoint spans and how many steps it took.
func (g *Gazetteer) find(ctx context.Context, v *text.View, mode mode) (found []phi.Span, steps int, err error) {
	if g == nil || len(g.record) == 0 {
		return nil, 0, ctx.Err()
	}
	found, steps, err = g.search(ctx, v, mode)
	if err != nil {
		return nil, steps, err
	}
	for _, other := range otherReadings(v.Text) {
		more, n, err := g.search(ctx, text.NewView(other.S), mode)
		if err != nil {
			return nil, steps, err
		}
		for i := range more {
			more[i].Start, more[i].End = other.Range(more[i].Start, more[i].End)
		}
		found, steps = joinSpans(found, more), steps+n
	}
	return found, steps, nil
}

// otherReadings returns the readings of a text that differ from it.
func otherReadings(s string) []fold.Text {
	all := []fold.Text{fold.Escapes(s)}
	if plain := fold.Characters(s); plain.Odd() {
		all = append(all, plain, fold.Tags(s), plain.Again())
	}
	return slices.DeleteFunc(all, func(t fold.Text) bool { return !t.Odd() })
}

// search searches one reading of a text, and the text in it that is encoded.
func (g *Gazetteer) search(ctx context.Context, v *text.View, mode mode) (found []phi.Span, steps int, err error) {
	m := g.newMatcher(v, mode)
	err = m.run(ctx)
	if err != nil || mode == staff {
		return m.out, m.steps, err
	}
	if m.mode == everything && m.like != nil {
		spelt := g.newMatcher(v, exact) // what only looks like a value hides none
		err = spelt.run(ctx)
		if err != nil {
			return nil, m.steps, err
		}
		m.out, m.steps = joinSpans(m.out, spelt.out), m.steps+spelt.steps
	}
	var encoded []phi.Span
	for _, r := range fold.Encoded(v.Text, func(plain string) bool {
		inside := g.newMatcher(text.NewView(plain), exact)
		err = inside.run(ctx)
		m.steps += inside.steps
		return len(inside.out) > 0
	}) {
		encoded = append(encoded, phi.Span{Start: r[0], End: r[1], Type: phi.IDNum, Sure: true})
	}
	return joinSpans(m.out, encoded), m.steps, err
}

// joinSpans adds spans to others that are sorted and apart, and makes one of those that
// overlap: of the type of the longer one.
func joinSpans(spans, more []phi.Span) []phi.Span {
	if len(more) == 0 {
		return spans
	}
	all := append(spans, more...)
	phi.SortSpans(all)
	out := all[:1]
	for _, s := range all[1:] {
		last := &out[len(out)-1]
		if !last.Overlaps(s) {
			out = append(out, s)
			continue
		}
		if s.End-s.Start > last.End-last.Start {
			last.Type = s.Type
		}
		last.End, last.Sure = max(last.End, s.End), last.Sure || s.Sure
	}
	return out
}

// Read returns a text in ordinary writing: in plain characters, and with the names of the
// gazetteer as words of their own. Most texts are in it; so is one of which nothing would
// be left.
func (g *Gazetteer) Read(s string) string {
	plain := fold.Characters(fold.Escapes(s).S)
	if plain.S == "" {
		return s
	}
	if g == nil || len(g.record) == 0 {
		return plain.S
	}
	read, _ := g.readingOf(text.NewView(plain.S), exact)
	if read.like == nil {
		return plain.S
	}
	var b strings.Builder
	done := 0
	for i, t := range read.toks {
		if read.saidAround(i) { // a mark between the parts of a number
			done = t.End
			continue
		}
		number := t.Kind == text.Number && (read.saidBefore(i) || i > 0 && read.toks[i-1].Kind != text.Punct && read.likeness(i) == inPieces)
		if !number {
			b.WriteString(plain.S[done:t.Start])
			if read.likeness(i) == inPieces && i > 0 && read.toks[i-1].End == t.Start && read.toks[i-1].Kind == text.Word {
				b.WriteByte(' ')
			}
		}
		b.WriteString(read.tok(i))
		done = t.End
	}
	b.WriteString(plain.S[done:])
	return b.String()
}

// saidBefore reports whether a number that is said ends right before token i, or before the mark there.
func (r *reading) saidBefore(i int) bool {
	if r.punct(i-1) != 0 {
		i--
	}
	return r.has(i-1) && r.toks[i-1].Kind != text.Punct && r.likeness(i-1) == inPieces
}

// saidAround reports whether the mark at token i is between numbers of which one is said.
func (r *reading) saidAround(i int) bool {
	return r.punct(i) != 0 && r.isNumber(i-1) && r.isNumber(i+1) && (r.likeness(i-1) == inPieces || r.likeness(i+1) == inPieces)
}
