package document

import (
	"strings"
)

// display says how an element is shown among its neighbours.
type display uint8

const (
	inline    display = iota // cuts no words
	block                    // on lines of its own
	paragraph                // with an empty line before and behind it
	row                      // a line of a table
	cell                     // apart from the cell before it
	lineBreak                // ends a line
)

// flow shows text as lines: white space is one space, blocks are on lines of their own, cells apart by tabs. It follows the
// algorithm of innerText in the HTML Standard.
type flow struct {
	b        *builder
	writer   writer
	begun    bool // whether there was any text
	line     bool // whether there was text in this line
	spaced   bool // whether the last text in this line was white space
	breaks   int  // line breaks that come before the next text
	required int  // how many there have to be at least
	tab      bool // whether a tab comes before the next text where no line break does
}

// edge goes over the begin or the end of an element.
func (f *flow) edge(d display) {
	switch d {
	case inline:
		return
	case lineBreak:
		f.breaks++
	case paragraph:
		f.required = max(f.required, 2)
	case block, row:
		f.required = max(f.required, 1)
	case cell:
		f.tab = true
	}
	f.line, f.spaced = false, false
}

// separate writes what is between the last text and the next.
func (f *flow) separate() {
	n := max(f.breaks, f.required)
	switch {
	case !f.begun:
	case n > 0:
		f.b.gap(strings.Repeat("\n", n))
	case f.tab:
		f.b.gap("\t")
	}
	f.breaks, f.required, f.tab = 0, 0, false
	f.begun, f.line, f.spaced = true, true, false
}

// plain takes text that is written as it is shown.
func (f *flow) plain(raw []byte) {
	if len(raw) > 0 {
		f.separate()
		f.b.plain(raw, f.writer)
	}
}

// unit takes one unit of text.
func (f *flow) unit(shown string, raw []byte) {
	if shown != "" {
		f.separate()
	}
	f.b.text(shown, raw, f.writer)
}

// rewritten takes one unit of text that is written anew.
func (f *flow) rewritten(shown string, raw []byte) {
	f.separate()
	f.b.rewritten(shown, raw, f.writer)
}

// space takes white space that is shown as one space, or as nothing at the begin of a line and behind a space.
func (f *flow) space(raw []byte) {
	switch {
	case !f.line:
		f.b.keep(raw)
	case f.spaced:
		f.b.drop(raw)
	default:
		f.unit(" ", raw)
		f.spaced = true
	}
}

// isSpace reports whether a byte is white space in markup.
func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' }

// spaces returns how many bytes at the begin of raw are white space.
func spaces(raw []byte) int {
	n := 0
	for n < len(raw) && isSpace(raw[n]) {
		n++
	}
	return n
}
