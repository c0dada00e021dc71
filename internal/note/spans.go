package note

import (
	"unicode"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/document"
	"github.com/pgdeid/pgdeid/surrogate"
)

// A replacement that goes over two paragraphs is written into the first, where a line break may be shown as a space. The
// text that was checked and the text of what was written are therefore compared without white space.

// place is an offset in one text, in bytes, and the offset of the same character in another.
type place struct{ here, there int }

// align returns the places where white space ends in a, with those in b; ok is false if the texts differ in more than white
// space.
func align(a, b string) (places []place, ok bool) {
	i, j := 0, 0
	for {
		gapA, gapB := spaces(a[i:]), spaces(b[j:])
		inside := i > 0 && i+gapA < len(a)
		i, j = i+gapA, j+gapB
		places = append(places, place{i, j})
		if i == len(a) || j == len(b) {
			return places, i == len(a) && j == len(b)
		}
		if inside && (gapA == 0) != (gapB == 0) {
			return nil, false
		}
		n := word(a[i:])
		if n > len(b)-j || a[i:i+n] != b[j:j+n] {
			return nil, false
		}
		i, j = i+n, j+n
	}
}

// spaces returns the length of the white space that s begins with.
func spaces(s string) int {
	for i, r := range s {
		if !unicode.IsSpace(r) {
			return i
		}
	}
	return len(s)
}

// word returns the length of what is in s before white space.
func word(s string) int {
	for i, r := range s {
		if unicode.IsSpace(r) {
			return i
		}
	}
	return len(s)
}

// spans returns the spans of res, whose text is that of doc but for white space, as they lie in what was written.
func (n *Note) spans(res surrogate.Result, doc *document.Document, places []place, out []byte) []surrogate.Span {
	list := make([]surrogate.Span, 0, len(res.Spans))
	text, inDoc := offsets{in: res.Text}, counter{of: out, bytes: n.countsBytes()}
	shift := 0
	there := func(offset int) int { // of doc's text; offsets do not decrease
		for shift+1 < len(places) && places[shift+1].here <= offset {
			shift++
		}
		p := places[shift]
		return max(0, min(len(doc.Text()), p.there+offset-p.here))
	}
	for _, s := range res.Spans {
		begin := there(text.byte(s.Start))
		end := there(text.byte(s.End))
		from, to := doc.Origin(begin, max(begin, end))
		s.Start = inDoc.at(from)
		s.End = inDoc.at(max(from, to))
		list = append(list, s)
	}
	return list
}

// Locate returns spans of Text, sorted and in bytes, as they lie in the value: they count what the spans of [Written] count.
func (n *Note) Locate(spans []phi.Span) []phi.Span {
	list := make([]phi.Span, 0, len(spans))
	c := counter{of: n.data, bytes: n.countsBytes()}
	if n.doc == nil {
		c.of = []byte(n.value)
	}
	for _, s := range spans {
		if n.doc != nil {
			s.Start, s.End = n.doc.Origin(s.Start, s.End)
		}
		s.Start, s.End = c.at(s.Start), c.at(s.End)
		list = append(list, s)
	}
	return list
}

// offsets turns code points of a text, which do not decrease, into bytes, or the other way.
type offsets struct {
	in           string
	runes, bytes int
}

func (o *offsets) byte(runes int) int {
	for o.runes < runes && o.bytes < len(o.in) {
		_, n := utf8.DecodeRuneInString(o.in[o.bytes:])
		o.runes, o.bytes = o.runes+1, o.bytes+n
	}
	return o.bytes
}

// point turns bytes, which do not decrease, into code points.
func (o *offsets) point(bytes int) int {
	o.runes += utf8.RuneCountInString(o.in[o.bytes:bytes])
	o.bytes = bytes
	return o.runes
}

// counter turns bytes of a document, which do not decrease, into what its spans count.
type counter struct {
	of          []byte
	bytes       bool
	seen, runes int
}

func (c *counter) at(offset int) int {
	if c.bytes {
		return offset
	}
	if offset = min(offset, len(c.of)); offset > c.seen {
		c.runes += utf8.RuneCount(c.of[c.seen:offset])
		c.seen = offset
	}
	return c.runes
}
