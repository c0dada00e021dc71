package parts

import (
	"fmt"
	"log/slog"
	"sort"

	"github.com/pgdeid/pgdeid/internal/document/encoding"
	"github.com/pgdeid/pgdeid/internal/document/syntax"
)

// Format names a way to write documents.
type Format string

// maxSize is the size of a document beyond which it is refused: offsets have 32 bits.
const maxSize = 1 << 30

// Document is what a person reads in a document, and where it lies there.
//
// It holds PHI and prints itself redacted.
type Document struct {
	format  Format
	raw     []byte
	text    string
	parts   []part
	writers []Writer
	puts    []byte // what is written instead of dropped bytes, one after another
	putEnds []uint32
	// inner are the documents that parts of kind nested hold, one after another.
	inner    []inner
	withheld int
	// converted says that raw is not what was parsed, but that in UTF-8.
	converted bool
}

// inner is a document in a string of another one.
type inner struct {
	doc    *Document
	coding encoding.Coding
	part   int // its index
}

// Edit puts Text in the place of a range of the document's text, in bytes.
//
// It holds PHI and prints itself redacted.
type Edit struct {
	Begin, End int
	Text       string
}

// Parse reads a document with its parser.
func Parse(format Format, data []byte, parse func(*Builder) error) (*Document, error) {
	if len(data) > maxSize {
		return nil, unreadable(format, &syntax.Error{Offset: maxSize, Reason: "the document is larger than 1 GiB"})
	}
	b := NewBuilder(data)
	if err := parse(b); err != nil {
		return nil, unreadable(format, err)
	}
	d, err := b.document(format)
	if err != nil {
		return nil, unreadable(format, err)
	}
	return d, nil
}

// Kind returns the format that the document was read in, which is never [Auto].
func (d *Document) Kind() Format { return d.format }

// Text returns what a person reads, as one note: words that tags, entities or control words cut are whole, and blocks,
// cells and lines are apart.
func (d *Document) Text() string { return d.text }

// Withheld returns how many values are left out that a path names, since they are not what it says.
func (d *Document) Withheld() int { return d.withheld }

// Origin returns the range of the document's bytes that shows a range of Text. What lies between text that is apart in the
// document is part of it. Where the document was converted before it was read, the bytes are those of its UTF-8 form.
func (d *Document) Origin(begin, end int) (from, to int) {
	if begin < 0 || end < begin || end > len(d.text) {
		return 0, 0
	}
	first := d.showing(begin)
	if begin == end {
		return d.at(first, begin)
	}
	last := d.showing(end - 1)
	from, _ = d.at(first, begin)
	_, to = d.at(last, end-1)
	return from, max(from, to)
}

// showing returns the index of the part that shows the byte of Text at an offset, or the number of parts.
func (d *Document) showing(offset int) int {
	return sort.Search(len(d.parts), func(i int) bool { return int(d.parts[i].text) > offset })
}

// at returns where the byte of Text at an offset, shown by the i-th part, lies in the document.
func (d *Document) at(i, offset int) (from, to int) {
	if i == len(d.parts) {
		return len(d.raw), len(d.raw)
	}
	begin := d.begin(i)
	if d.parts[i].kind == run {
		from = int(begin.raw) + offset - int(begin.text)
		return from, from + 1
	}
	return int(begin.raw), int(d.parts[i].raw)
}

// within returns the document that the i-th part, of kind nested, holds.
func (d *Document) within(i int) *Document {
	n := sort.Search(len(d.inner), func(n int) bool { return d.inner[n].part >= i })
	return d.inner[n].doc
}

// begin returns the ends of the part before the i-th.
func (d *Document) begin(i int) part {
	if i == 0 {
		return part{}
	}
	return d.parts[i-1]
}

// putAt returns what the i-th part of kind put writes.
func (d *Document) putAt(i int) []byte {
	from := uint32(0)
	if i > 0 {
		from = d.putEnds[i-1]
	}
	return d.puts[from:d.putEnds[i]]
}

// LogValue returns the format and the sizes.
func (d *Document) LogValue() slog.Value {
	return slog.GroupValue(slog.String("format", string(d.format)), slog.Int("bytes", len(d.raw)), slog.Int("text", len(d.text)))
}

// Format prints the format and the sizes, whatever the verb.
func (d *Document) Format(f fmt.State, _ rune) {
	_, _ = fmt.Fprintf(f, "%s document of %d bytes", d.format, len(d.raw))
}

// LogValue returns the range.
func (e Edit) LogValue() slog.Value {
	return slog.GroupValue(slog.Int("begin", e.Begin), slog.Int("end", e.End))
}

// Format prints the range, whatever the verb.
func (e Edit) Format(f fmt.State, _ rune) { _, _ = fmt.Fprintf(f, "edit of %d-%d", e.Begin, e.End) }
