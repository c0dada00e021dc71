package score

import (
	"unicode"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// Marks holds the gold for each byte of a text.
type Marks struct {
	gold []mark
}

type mark uint8

const (
	plain mark = iota
	protected
	leftOut
)

// NewMarks returns the gold of a document, byte by byte.
func NewMarks(doc *Document) *Marks {
	m := &Marks{gold: make([]mark, len(doc.Text))}
	for _, s := range doc.Spans {
		for i := s.Start; i < s.End; i++ {
			switch {
			case !s.Ignored():
				m.gold[i] = protected
			case m.gold[i] == plain:
				m.gold[i] = leftOut
			}
		}
	}
	return m
}

// touched reports whether a letter or digit of w is in a gold span, ignored or not.
func (m *Marks) touched(text string, w phi.Range) bool {
	return m.any(text, w, func(k mark) bool { return k != plain })
}

// Ignored reports whether w overlaps ignored gold only.
func (m *Marks) Ignored(text string, w phi.Range) bool {
	return m.any(text, w, func(k mark) bool { return k == leftOut }) &&
		!m.any(text, w, func(k mark) bool { return k == protected })
}

func (m *Marks) any(text string, w phi.Range, is func(mark) bool) bool {
	for at, r := range text[w.Start:w.End] {
		if (unicode.IsLetter(r) || unicode.IsDigit(r)) && is(m.gold[w.Start+at]) {
			return true
		}
	}
	return false
}
