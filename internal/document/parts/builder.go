package parts

import (
	"strings"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/internal/document/encoding"
	"github.com/pgdeid/pgdeid/internal/document/syntax"
)

// kind says what becomes of a part of a document.
type kind uint8

const (
	kept    kind = iota // markup and layout: copied
	put                 // written instead of what was dropped
	dropped             // left out of the output
	run                 // text whose bytes are its own: each rune is a unit
	unit                // one unit of text that is written in another way: an entity, an escape
	fresh               // a unit that is always written anew, since its bytes mean something else behind other text
	gap                 // text without bytes in the document
	nested              // a document of its own, in a string
)

// part is a stretch of the document. It begins where the part before it ends.
type part struct {
	raw, text uint32 // its end in the document and in the text
	kind      kind
	writer    uint8 // index into the document's writers
}

// Writer writes text as the format does at a place, with escapes. Writers are compared with ==, so that their types
// must be comparable: an empty struct, a struct of plain values, or a pointer.
type Writer interface {
	// Append appends s to dst as it is written in the document.
	Append(dst []byte, s string) []byte
}

// maxWriters is the number of different writers that a document can have.
const maxWriters = 256

// Builder takes a document apart. A parser walks the input once and hands each of its bytes to exactly one method, in order.
type Builder struct {
	input []byte
	at    int // what of the input has been handed over
	shown strings.Builder
	doc   Document
	err   error // the first fault of the parser itself
}

// NewBuilder returns a builder of the document that is read from input.
func NewBuilder(input []byte) *Builder {
	return &Builder{input: input, doc: Document{raw: input}}
}

// Input returns what is read, which [Builder.Convert] may have written anew.
func (b *Builder) Input() []byte { return b.input }

// At returns how much of the input has been handed over.
func (b *Builder) At() int { return b.at }

// Fail returns an error for what begins at the first byte that has not been handed over.
func (b *Builder) Fail(reason string) error {
	return &syntax.Error{Offset: b.at, Reason: reason}
}

// Keep takes markup and layout, which is copied.
func (b *Builder) Keep(raw []byte) {
	if b.take(raw) {
		b.add(kept, 0)
	}
}

// Drop takes what is left out of the output.
func (b *Builder) Drop(raw []byte) {
	if b.take(raw) {
		b.add(dropped, 0)
	}
}

// Put writes bytes instead of what was dropped.
func (b *Builder) Put(raw []byte) {
	if len(raw) == 0 {
		return
	}
	b.doc.puts = append(b.doc.puts, raw...)
	b.doc.putEnds = append(b.doc.putEnds, uint32(len(b.doc.puts))) //nolint:gosec // bounded with the input
	b.add(put, 0)
}

// Text takes one unit of readable text: a rune, an entity, an escape. What is not edited comes out as raw. A unit that
// shows nothing stays unless an edit goes over it.
func (b *Builder) Text(shown string, raw []byte, w Writer) {
	if len(raw) == 0 || !b.take(raw) {
		return
	}
	b.shown.WriteString(shown)
	if shown == string(raw) {
		b.add(run, b.writer(w))
		return
	}
	b.add(unit, b.writer(w))
}

// Plain takes text that is written as it is shown, in which each rune is a unit.
func (b *Builder) Plain(raw []byte, w Writer) {
	if !b.take(raw) {
		return
	}
	b.shown.Write(raw)
	b.add(run, b.writer(w))
}

// Rewritten takes a unit of text whose bytes are safe only where they are, such as a bare ampersand in HTML: with other text
// before or behind it would be markup. It is always written by the writer.
func (b *Builder) Rewritten(shown string, raw []byte, w Writer) {
	if len(raw) == 0 || !b.take(raw) {
		return
	}
	b.shown.WriteString(shown)
	b.add(fresh, b.writer(w))
}

// Nested takes a string that holds a document of its own, and shows its text.
func (b *Builder) Nested(raw []byte, doc *Document, coding encoding.Coding, w Writer) {
	if len(raw) == 0 || !b.take(raw) {
		return
	}
	b.shown.WriteString(doc.text)
	b.doc.inner = append(b.doc.inner, inner{doc: doc, coding: coding, part: len(b.doc.parts)})
	b.doc.withheld += doc.withheld
	b.add(nested, b.writer(w))
}

// Convert makes a converted document the builder's input.
func (b *Builder) Convert(data []byte) {
	b.doc.converted = len(data) != len(b.input) || len(data) > 0 && &data[0] != &b.input[0]
	b.input, b.doc.raw = data, data
}

// Withhold counts a value that is left out though a path names it.
func (b *Builder) Withhold() { b.doc.withheld++ }

// Gap shows what lies between parts of the document: a line break between blocks, a tab between cells.
func (b *Builder) Gap(shown string) {
	if shown == "" {
		return
	}
	b.shown.WriteString(shown)
	b.add(gap, 0)
}

// take reports whether there is something to add.
func (b *Builder) take(raw []byte) bool {
	if len(raw) == 0 {
		return false
	}
	if len(raw) > len(b.input)-b.at || &raw[0] != &b.input[b.at] {
		b.broken("the parser went over a part")
		return false
	}
	b.at += len(raw)
	return true
}

// add ends a part here, or lengthens the one before where both are alike.
func (b *Builder) add(k kind, w uint8) {
	end := part{raw: uint32(b.at), text: uint32(b.shown.Len()), kind: k, writer: w} //nolint:gosec // bounded by document
	if b.shown.Len() > maxSize {
		b.broken("the text is larger than 1 GiB")
		return
	}
	if n := len(b.doc.parts); n > 0 && b.doc.parts[n-1].joins(end) {
		b.doc.parts[n-1] = end
		return
	}
	b.doc.parts = append(b.doc.parts, end)
}

// joins reports whether a part behind p is only its continuation.
func (p part) joins(next part) bool {
	return p.kind == next.kind && p.writer == next.writer && (p.kind == kept || p.kind == dropped || p.kind == run)
}

// writer returns the index of a writer. A document has few, and most text has that of the text before it.
func (b *Builder) writer(w Writer) uint8 {
	for i := len(b.doc.writers) - 1; i >= 0; i-- {
		if b.doc.writers[i] == w {
			return uint8(i) //nolint:gosec // bounded by maxWriters
		}
	}
	if len(b.doc.writers) == maxWriters {
		b.broken("the text is written in too many ways")
		return 0
	}
	b.doc.writers = append(b.doc.writers, w)
	return uint8(len(b.doc.writers) - 1) //nolint:gosec // bounded by maxWriters
}

func (b *Builder) broken(reason string) {
	if b.err == nil {
		b.err = b.Fail(reason)
	}
}

// document returns what was built, or why it is not the whole document.
func (b *Builder) document(format Format) (*Document, error) {
	switch {
	case b.err != nil:
		return nil, b.err
	case b.at != len(b.input):
		return nil, b.Fail("the parser left a part out")
	case !utf8.ValidString(b.shown.String()):
		return nil, b.Fail("the text is not UTF-8")
	}
	b.doc.format = format
	b.doc.text = b.shown.String()
	return &b.doc, nil
}

// Verbatim writes text as it is.
type Verbatim struct{}

// Append appends text as it is.
func (Verbatim) Append(dst []byte, s string) []byte { return append(dst, s...) }
