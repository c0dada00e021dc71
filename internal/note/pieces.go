package note

import (
	"bytes"
	"encoding/hex"

	"github.com/pgdeid/pgdeid/internal/document/encoding"

	"github.com/pgdeid/pgdeid/internal/document"
	"github.com/pgdeid/pgdeid/surrogate"
)

// A document that lies in several rows is read as one. It is written back into as many:
//
//   - Where it is not encoded, or each row by itself, it is cut where it was before. A place that is not there any more, since
//     what was around it is gone or has another name in its place, is no end of a row: the row before has what comes behind.
//   - Where it is encoded as a whole, pieces are as large as before, and the last one has what is left.
//
// In either case the rows put together are the document.

// pieces is a document in several rows.
type pieces struct {
	doc    *Note
	coding encoding.Pieces
	ends   []int // where the rows end in the document, if each is a part of it
	joined int   // the length of the line break between two rows
}

// OpenLines reads the values of the rows that make up a note, in their order, with a separator between two of them. Where that
// is none, rows are pieces of a document that is encoded as a whole; otherwise each row is encoded by itself. Its errors hold
// nothing of the values.
func (f Form) OpenLines(values []string, separator string) (*Lines, error) {
	if f.plain() || len(values) == 0 {
		return JoinLines(values, separator), nil
	}
	raw := make([][]byte, len(values))
	for i, v := range values {
		data, err := f.bytes(v)
		if err != nil {
			return nil, err
		}
		raw[i] = data
	}
	decode := encoding.DecodePieces
	if separator != "" {
		decode = encoding.DecodeEach
	}
	parts, coding, err := decode(f.encoding(), raw)
	if err != nil {
		return nil, err
	}
	p := &pieces{coding: coding, joined: len(separator)}
	at := 0
	for _, part := range parts {
		at += len(part)
		p.ends = append(p.ends, at)
		at += p.joined
	}
	if p.doc, err = f.openDecoded(bytes.Join(parts, []byte(separator))); err != nil {
		return nil, err
	}
	l := &Lines{text: p.doc.Text(), pieces: p}
	if coding.Separate() && p.doc.doc.Kind() == document.Plain {
		l.ends, l.joined = p.ends, p.joined
	}
	return l, nil
}

// openDecoded reads a document that is not encoded any more.
func (f Form) openDecoded(data []byte) (*Note, error) {
	n := &Note{form: f, data: data}
	var err error
	n.doc, err = f.parse(f.format(), data, nil)
	return n, err
}

// Write puts what replaced parts of the text into the rows, each with the spans in it. Where rows are pieces of what is encoded
// as a whole, the spans are those of the whole document, and with the first row. A row of a document that is left without
// a part of it has no text.
func (l *Lines) Write(res surrogate.Result) ([]Written, error) {
	switch p := l.pieces; {
	case p == nil:
		return l.split(res), nil
	case !p.coding.Separate():
		return p.writeWhole(res)
	case l.ends != nil:
		return p.wrap(l.split(res))
	default:
		return p.writeParts(res)
	}
}

// writeWhole writes a document that is encoded as a whole.
func (p *pieces) writeWhole(res surrogate.Result) ([]Written, error) {
	out, _, spans, err := p.doc.replace(res, nil)
	if err != nil {
		return nil, err
	}
	values, err := p.coding.EncodePieces(out)
	if err != nil {
		return nil, err
	}
	list := make([]Written, len(values))
	for i, v := range values {
		list[i].Value = p.value(v)
	}
	if len(list) > 0 {
		list[0].Spans = spans
	}
	return list, nil
}

// writeParts writes a document whose rows are parts of it.
func (p *pieces) writeParts(res surrogate.Result) ([]Written, error) {
	var places []int
	for _, end := range p.ends[:max(len(p.ends)-1, 0)] {
		places = append(places, end, end+p.joined)
	}
	out, moved, spans, err := p.doc.replace(res, places)
	if err != nil {
		return nil, err
	}
	list, begin := make([]Written, len(p.ends)), 0
	parts := make([][]byte, len(p.ends))
	count := counter{of: out, bytes: p.doc.countsBytes()}
	from := 0
	for i, last := 0, 0; i < len(list); i++ {
		end, next := len(out), len(out)
		if i < len(list)-1 {
			list[i+1].Null = true
			if 2*i+1 >= len(moved) || !p.cuts(out, moved[2*i], moved[2*i+1]) {
				continue
			}
			end, next = moved[2*i], moved[2*i+1]
			list[i+1].Null = false
		}
		parts[last] = out[begin:end]
		to := count.at(end)
		for len(spans) > 0 && spans[0].End <= from {
			spans = spans[1:]
		}
		list[last].Spans = within(spans, from, to)
		begin, from, last = next, count.at(next), i+1
	}
	values, err := p.coding.EncodeEach(parts)
	if err != nil {
		return nil, err
	}
	for i := range list {
		if p.joined == 0 {
			list[i].Null = false // an empty piece is no part of it either
		}
		if !list[i].Null {
			list[i].Value = p.value(values[i])
		}
	}
	return list, nil
}

// cuts reports whether what is between two places of the output is what is between two rows.
func (p *pieces) cuts(out []byte, end, next int) bool {
	return next-end == p.joined && (p.joined == 0 || out[end] == '\n')
}

// wrap encodes the lines of a plain text.
func (p *pieces) wrap(lines []Written) ([]Written, error) {
	parts := make([][]byte, len(lines))
	for i, w := range lines {
		parts[i] = []byte(w.Value)
		if p.doc.countsBytes() {
			lines[i].Spans = inBytes(w.Value, w.Spans)
		}
	}
	values, err := p.coding.EncodeEach(parts)
	if err != nil {
		return nil, err
	}
	for i, v := range values {
		lines[i].Value = p.value(v)
	}
	return lines, nil
}

// inBytes returns spans of code points of a text, in bytes of it.
func inBytes(text string, spans []surrogate.Span) []surrogate.Span {
	at := offsets{in: text}
	for i := range spans {
		spans[i].Start = at.byte(spans[i].Start)
		spans[i].End = at.byte(spans[i].End)
	}
	return spans
}

// value writes bytes as a value of the column.
func (p *pieces) value(data []byte) string {
	if p.doc.form.Bytes {
		return `\x` + hex.EncodeToString(data)
	}
	return string(data)
}
