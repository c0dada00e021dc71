package document

import (
	"strings"
	"unicode/utf8"

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

// writer writes text as the format does at a place, with escapes. Writers are compared with ==, so that their types
// must be comparable: an empty struct, a struct of plain values, or a pointer.
type writer interface {
	write(dst []byte, s string) []byte
}

// maxWriters is the number of different writers that a document can have.
const maxWriters = 256

// builder takes a document apart. A parser walks the input once and hands each of its bytes to exactly one method, in order.
type builder struct {
	input []byte
	at    int // what of the input has been handed over
	shown strings.Builder
	doc   Document
	err   error // the first fault of the parser itself
}

func newBuilder(input []byte) *builder {
	return &builder{input: input, doc: Document{raw: input}}
}

// fail returns an error for what begins at the first byte that has not been handed over.
func (b *builder) fail(reason string) error {
	return &syntax.Error{Offset: b.at, Reason: reason}
}

// keep takes markup and layout, which is copied.
func (b *builder) keep(raw []byte) {
	if b.take(raw) {
		b.add(kept, 0)
	}
}

// drop takes what is left out of the output.
func (b *builder) drop(raw []byte) {
	if b.take(raw) {
		b.add(dropped, 0)
	}
}

// put writes bytes instead of what was dropped.
func (b *builder) put(raw []byte) {
	if len(raw) == 0 {
		return
	}
	b.doc.puts = append(b.doc.puts, raw...)
	b.doc.putEnds = append(b.doc.putEnds, uint32(len(b.doc.puts))) //nolint:gosec // bounded with the input
	b.add(put, 0)
}

// text takes one unit of readable text: a rune, an entity, an escape. What is not edited comes out as raw. A unit that
// shows nothing stays unless an edit goes over it.
func (b *builder) text(shown string, raw []byte, w writer) {
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

// plain takes text that is written as it is shown, in which each rune is a unit.
func (b *builder) plain(raw []byte, w writer) {
	if !b.take(raw) {
		return
	}
	b.shown.Write(raw)
	b.add(run, b.writer(w))
}

// rewritten takes a unit of text whose bytes are safe only where they are, such as a bare ampersand in HTML: with other text
// before or behind it would be markup. It is always written by the writer.
func (b *builder) rewritten(shown string, raw []byte, w writer) {
	if len(raw) == 0 || !b.take(raw) {
		return
	}
	b.shown.WriteString(shown)
	b.add(fresh, b.writer(w))
}

// nested takes a string that holds a document of its own, and shows its text.
func (b *builder) nested(raw []byte, in inner, w writer) {
	if len(raw) == 0 || !b.take(raw) {
		return
	}
	b.shown.WriteString(in.doc.text)
	in.part = len(b.doc.parts)
	b.doc.inner = append(b.doc.inner, in)
	b.doc.withheld += in.doc.withheld
	b.add(nested, b.writer(w))
}

// gap shows what lies between parts of the document: a line break between blocks, a tab between cells.
func (b *builder) gap(shown string) {
	if shown == "" {
		return
	}
	b.shown.WriteString(shown)
	b.add(gap, 0)
}

// take reports whether there is something to add.
func (b *builder) take(raw []byte) bool {
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
func (b *builder) add(k kind, w uint8) {
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
func (b *builder) writer(w writer) uint8 {
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

func (b *builder) broken(reason string) {
	if b.err == nil {
		b.err = b.fail(reason)
	}
}

// document returns what was built, or why it is not the whole document.
func (b *builder) document(format Format) (*Document, error) {
	switch {
	case b.err != nil:
		return nil, b.err
	case b.at != len(b.input):
		return nil, b.fail("the parser left a part out")
	case !utf8.ValidString(b.shown.String()):
		return nil, b.fail("the text is not UTF-8")
	}
	b.doc.format = format
	b.doc.text = b.shown.String()
	return &b.doc, nil
}
