package markup

import (
	"strings"

	"github.com/pgdeid/pgdeid/internal/document/parts"
)

// MaxDepth is how deep elements of markup may be nested.
const MaxDepth = 1024

// Display says how an element is shown among its neighbours.
type Display uint8

// Ways to be shown.
const (
	Inline    Display = iota // cuts no words
	Block                    // on lines of its own
	Paragraph                // with an empty line before and behind it
	Row                      // a line of a table
	Cell                     // apart from the cell before it
	LineBreak                // ends a line
)

// Displays has the classes of elements whose tags may stay.
var Displays = map[string]Display{
	"inline": Inline, "block": Block, "paragraph": Paragraph, "row": Row, "cell": Cell, "break": LineBreak,
}

// Flow shows text as lines: white space is one space, blocks are on lines of their own, cells apart by tabs. It follows the
// algorithm of innerText in the HTML Standard.
type Flow struct {
	Builder  *parts.Builder
	Writer   parts.Writer
	begun    bool // whether there was any text
	line     bool // whether there was text in this line
	spaced   bool // whether the last text in this line was white space
	breaks   int  // line breaks that come before the next text
	required int  // how many there have to be at least
	tab      bool // whether a tab comes before the next text where no line break does
}

// Edge goes over the begin or the end of an element.
func (f *Flow) Edge(d Display) {
	switch d {
	case Inline:
		return
	case LineBreak:
		f.breaks++
	case Paragraph:
		f.required = max(f.required, 2)
	case Block, Row:
		f.required = max(f.required, 1)
	case Cell:
		f.tab = true
	}
	f.line, f.spaced = false, false
}

// separate writes what is between the last text and the next.
func (f *Flow) separate() {
	n := max(f.breaks, f.required)
	switch {
	case !f.begun:
	case n > 0:
		f.Builder.Gap(strings.Repeat("\n", n))
	case f.tab:
		f.Builder.Gap("\t")
	}
	f.breaks, f.required, f.tab = 0, 0, false
	f.begun, f.line, f.spaced = true, true, false
}

// plain takes text that is written as it is shown.
func (f *Flow) plain(raw []byte) {
	if len(raw) > 0 {
		f.separate()
		f.Builder.Plain(raw, f.Writer)
	}
}

// Unit takes one unit of text.
func (f *Flow) Unit(shown string, raw []byte) {
	if shown != "" {
		f.separate()
	}
	f.Builder.Text(shown, raw, f.Writer)
}

// Rewritten takes one unit of text that is written anew.
func (f *Flow) Rewritten(shown string, raw []byte) {
	f.separate()
	f.Builder.Rewritten(shown, raw, f.Writer)
}

// space takes white space that is shown as one space, or as nothing at the begin of a line and behind a space.
func (f *Flow) space(raw []byte) {
	switch {
	case !f.line:
		f.Builder.Keep(raw)
	case f.spaced:
		f.Builder.Drop(raw)
	default:
		f.Unit(" ", raw)
		f.spaced = true
	}
}

// IsMeasure reports whether a value is up to four digits, in percent or not.
func IsMeasure(value string) bool {
	value = strings.TrimSuffix(value, "%")
	return value != "" && len(value) <= 4 && strings.Trim(value, "0123456789") == ""
}
