package record

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/fold"
	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// oddReader looks for what a gazetteer holds in the odd ways of writing it: in the plain
// characters of a text (see [fold.Characters]), in the words that camel case glues, in
// words with marks, blanks or line ends inside, in what is encoded, and in numbers that are
// said in words.
type oddReader struct {
	*matcher // of the plain characters
	plain    fold.Text
	hits     []oddHit
	others   []phi.Span  // of the original, from other readings
	joined   []fold.Edit // words in pieces
}

// oddHit is a range of the plain characters.
type oddHit struct {
	phi.Span
	reading string // what is written there, in ordinary writing; "": as it is
}

// readOddly reads the text of a matcher oddly: without its markup, then what the markup
// holds, then once more where what was read has markup itself.
func (m *matcher) readOddly(ctx context.Context) (*oddReader, error) {
	plain := fold.Characters(m.text)
	r, err := m.readAs(ctx, plain)
	if err != nil || !plain.Odd() {
		return r, err
	}
	for _, other := range []fold.Text{fold.Tags(m.text), plain.Again()} {
		if !other.Odd() {
			continue
		}
		more, err := m.readAs(ctx, other)
		if err != nil {
			return nil, err
		}
		r.steps += more.steps
		r.others = append(r.others, more.spans()...)
	}
	return r, nil
}

// readAs looks for odd writing in one reading of the text of a matcher.
func (m *matcher) readAs(ctx context.Context, plain fold.Text) (*oddReader, error) {
	again := *m
	again.out, again.base, again.steps = nil, 0, 0
	r := &oddReader{matcher: &again, plain: plain}
	if r.plain.Odd() {
		r.matcher = newMatcher(m.g, text.NewView(r.plain.S), m.staff)
		r.mustOnly = m.mustOnly
		if err := r.runContext(ctx); err != nil {
			return nil, err
		}
		for _, s := range r.out {
			r.hits = append(r.hits, oddHit{Span: s})
		}
	}
	if m.staff {
		return r, nil
	}
	r.scattered()
	r.camelCase()
	r.encoded()
	r.spoken()
	r.damaged()
	return r, ctx.Err()
}

// spans returns the hits as spans of the original text.
func (r *oddReader) spans() []phi.Span {
	out := make([]phi.Span, 0, len(r.hits)+len(r.others))
	for _, h := range r.hits {
		s := h.Span
		s.Start, s.End = r.plain.Range(s.Start, s.End)
		out = append(out, s)
	}
	return append(out, r.others...)
}

// joinSpans adds spans to others that are sorted and apart, and makes one of those that
// overlap: of the type of the longer one.
func joinSpans(spans, more []phi.Span) []phi.Span {
	if len(more) == 0 {
		return spans
	}
	all := slices.Concat(spans, more)
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
	if read := g.read(s); read != "" {
		return read
	}
	return s
}

func (g *Gazetteer) read(s string) string {
	if g == nil || len(g.record) == 0 {
		plain := fold.Characters(s)
		return plain.S
	}
	r, err := newMatcher(g, text.NewView(s), false).readOddly(context.Background())
	if err != nil { // of the context, which has none
		return s
	}
	slices.SortFunc(r.hits, func(a, b oddHit) int { return cmp.Compare(a.Start, b.Start) })
	var b strings.Builder
	done := 0
	for _, h := range r.hits {
		if h.reading == "" || h.Start < done {
			continue
		}
		b.WriteString(r.plain.S[done:h.Start])
		b.WriteString(h.reading)
		done = h.End
	}
	b.WriteString(r.plain.S[done:])
	return b.String()
}

// camelCase finds names in "AnnMossDocs": a word whose parts are names is cut, and what
// is found in it counts.
func (r *oddReader) camelCase() {
	var glued []phi.Range
	for i := range r.toks {
		if r.toks[i].Kind == text.Word && r.toks[i].Case == text.Mixed && r.gluesNames(i) {
			glued = append(glued, phi.Range{Start: r.toks[i].Start, End: r.toks[i].End})
		}
	}
	if len(glued) == 0 {
		return
	}
	cut := fold.CamelCase(r.text)
	m := newMatcher(r.g, text.NewView(cut.S), false)
	m.mustOnly = r.mustOnly
	m.run()
	for _, s := range m.out {
		reading := cut.S[s.Start:s.End]
		s.Start, s.End = cut.Range(s.Start, s.End)
		if slices.ContainsFunc(glued, func(g phi.Range) bool { return g.Start < s.End && s.Start < g.End }) {
			r.hits = append(r.hits, oddHit{s, reading})
		}
	}
}

// gluesNames reports whether the word i is none of the record, but one of its parts is.
func (r *oddReader) gluesNames(i int) bool {
	if r.wordAt(i).bits&wName != 0 {
		return false
	}
	cut := fold.CamelCase(r.tok(i))
	if !cut.Odd() {
		return false
	}
	for part := range strings.FieldsSeq(cut.S) {
		if w, ok := r.g.words[text.KeyOf(part).Hash]; ok && w.bits&wName != 0 && len(part) > 2 {
			return true
		}
	}
	return false
}

// known reports whether token i is a word of its own, of any kind.
func (m *matcher) known(i int) bool {
	e, _ := lexicon.Lookup(m.tok(i))
	return e.Common > 0 || e.Capital > 0 || e.Is(lexicon.Clinical|lexicon.State)
}
