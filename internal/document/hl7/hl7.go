package hl7

import (
	"bytes"
	"strings"

	"github.com/pgdeid/pgdeid/internal/document/char"
	"github.com/pgdeid/pgdeid/internal/document/parts"
	"github.com/pgdeid/pgdeid/internal/document/syntax"
)

// delimiters are the delimiters of a message.
type delimiters struct {
	field, component, repetition, escape, sub byte
	truncation                                byte // 0 before version 2.7
}

// parser reads HL7 version 2 in its form with delimiters.
type parser struct {
	b      *parts.Builder
	known  *fieldTable
	marks  delimiters
	valued kind   // what becomes of OBX-5 in the current segment
	named  string // the code and the system of the last observation
	shown  bool   // whether the current segment has shown text
	spoken bool   // whether the current field has
	parted string // what parts the text that comes from that before it in the field
}

// Read reads messages of HL7 version 2, also in batches and in frames of its lower layer protocol. What becomes of each
// field fields.txt says; separators stay. A line that begins no segment continues the text before it. Files in OBX-5, those
// of type ED, are left out whatever they hold.
func Read(b *parts.Builder) error {
	if at := char.InvalidAt(b.Input()); at < len(b.Input()) {
		return &syntax.Error{Offset: at, Reason: "the message is not UTF-8; its character set is a step of the encoding"}
	}
	p := &parser{b: b, known: knownFields()}
	p.frame()
	if !isHeader(b.Input()[b.At():]) {
		return b.Fail("a message that does not begin with MSH")
	}
	for b.At() < len(b.Input()) {
		if err := p.segment(); err != nil {
			return err
		}
	}
	return nil
}

// Begins reports whether data begins with the header that almost every message has.
func Begins(data []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(data, "\v\r\n"), []byte(`MSH|^~\&`))
}

// isHeader reports whether a segment that sets delimiters begins here.
func isHeader(data []byte) bool {
	return len(data) > 3 && isDelimiter(data[3]) &&
		(string(data[:3]) == "MSH" || string(data[:3]) == "FHS" || string(data[:3]) == "BHS")
}

// isDelimiter reports whether a character can be a delimiter.
func isDelimiter(c byte) bool {
	return c > ' ' && c < 0x7f && !char.IsLetter(c) && !char.IsDigit(c) && c != '.' && c != '-' && c != '"'
}

// segmentEnds are what ends segments: line ends, and the frame around messages.
const segmentEnds = "\r\n\v\x1c"

func isEnd(c byte) bool { return strings.IndexByte(segmentEnds, c) >= 0 }

// frame keeps what is between segments.
func (p *parser) frame() {
	n := 0
	for rest := p.b.Input()[p.b.At():]; n < len(rest) && isEnd(rest[n]); {
		n++
	}
	p.b.Keep(p.b.Input()[p.b.At() : p.b.At()+n])
}

// segment takes a segment and what ends it.
func (p *parser) segment() error {
	rest := p.b.Input()[p.b.At():]
	name := string(rest[:3])
	head := 4
	if isHeader(rest) {
		n, err := p.header(rest)
		if err != nil {
			return err
		}
		head = n
	}
	end := p.end(rest)
	fields, ok := p.known.segments[name]
	if !ok {
		if hasEnd(rest[:end]) {
			return p.b.Fail(strayLines)
		}
		for end < len(rest) && char.IsNewline(rest[end]) {
			end++
		}
		p.b.Drop(rest[:end])
		p.frame()
		return nil
	}
	number := 1
	if head > 4 {
		number = 3
	}
	p.b.Keep(rest[:head])
	p.shown = false
	for at := head; ; number++ {
		n := bytes.IndexByte(rest[at:end], p.marks.field)
		value := rest[at:end]
		if n >= 0 {
			value = rest[at : at+n]
		}
		if err := p.field(name, number, fields[number], value); err != nil {
			return err
		}
		if n < 0 {
			break
		}
		p.b.Keep(rest[at+n : at+n+1])
		at += n + 1
	}
	p.frame()
	if p.shown {
		p.b.Gap("\n")
	}
	return nil
}

// header reads the delimiters that a header sets, and returns the length of it up to its third field.
func (p *parser) header(data []byte) (int, error) {
	field := data[3]
	n := 0
	for ; 4+n < len(data) && data[4+n] != field && !isEnd(data[4+n]); n++ {
		if n == 5 || !isDelimiter(data[4+n]) || bytes.IndexByte(data[3:4+n], data[4+n]) >= 0 {
			return 0, p.b.Fail("a header whose second field is not four or five different delimiters")
		}
	}
	if n < 4 || 4+n == len(data) || data[4+n] != field {
		return 0, p.b.Fail("a header whose second field is not four or five different delimiters")
	}
	p.marks = delimiters{field: field, component: data[4], repetition: data[5], escape: data[6], sub: data[7]}
	if n == 5 {
		p.marks.truncation = data[8]
	}
	return 4 + n + 1, nil
}

// end returns the length of the segment that begins data.
func (p *parser) end(data []byte) int {
	at := 4
	for at < len(data) {
		n := bytes.IndexAny(data[at:], segmentEnds)
		if n < 0 {
			return len(data)
		}
		next := at + n
		for next < len(data) && isEnd(data[next]) {
			next++
		}
		if next == len(data) || p.begins(data[next:]) {
			return at + n
		}
		at = next
	}
	return at
}

// begins reports whether a segment begins here.
func (p *parser) begins(data []byte) bool {
	upper := func(c byte) bool { return 'A' <= c && c <= 'Z' }
	return isHeader(data) || len(data) > 3 && upper(data[0]) && (upper(data[1]) || char.IsDigit(data[1])) &&
		(upper(data[2]) || char.IsDigit(data[2])) && data[3] == p.marks.field
}

// strayLines says why a message is refused with lines that begin no segment, where they would be left out: they may be a note.
const strayLines = "lines that begin no segment, behind a field that is not read"

func hasEnd(raw []byte) bool { return bytes.ContainsAny(raw, segmentEnds) }

// field takes a field.
func (p *parser) field(segment string, number int, kind kind, raw []byte) error {
	p.spoken, p.parted = false, ""
	silent := false
	if segment == "OBX" {
		switch number {
		case 1:
			p.valued = kindText
		case 2:
			p.valued = p.known.types[string(bytes.TrimSpace(raw))]
		case 3:
			code := p.code(raw)
			silent = code != "" && code == p.named
			p.named = code
		}
	}
	value := kind == kindObservation
	if value {
		kind = p.valued
	}
	if kind == kindCoded && bytes.IndexByte(raw, p.marks.component) < 0 {
		kind = kindText
	}
	if kind != kindText && kind != kindParts && hasEnd(raw) {
		return p.b.Fail(strayLines)
	}
	switch kind {
	case kindNumber:
		p.values(raw, isNumber)
	case kindCode:
		p.values(raw, isValue)
	case kindCharset:
		p.values(raw, func(value []byte) bool { return p.known.charsets[string(value)] })
	case kindCoded:
		p.coded(raw, silent, value)
	case kindText:
		p.text(raw)
	case kindParts:
		p.parts(raw)
	case kindNone, kindObservation:
		p.b.Drop(raw)
	}
	return nil
}
