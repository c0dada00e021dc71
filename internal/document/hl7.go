package document

import (
	"bytes"
	"strings"

	"github.com/pgdeid/pgdeid/internal/document/syntax"
)

// hl7Marks are the delimiters of a message.
type hl7Marks struct {
	field, component, repetition, escape, sub byte
	truncation                                byte // 0 before version 2.7
}

// hl7Parser reads HL7 version 2 in its form with delimiters.
type hl7Parser struct {
	b      *builder
	known  *hl7Fields
	marks  hl7Marks
	valued hl7Kind // what becomes of OBX-5 in the current segment
	named  string  // the code and the system of the last observation
	shown  bool    // whether the current segment has shown text
	spoken bool    // whether the current field has
	parted string  // what parts the text that comes from that before it in the field
}

// parseHL7 reads messages of HL7 version 2, also in batches and in frames of its lower layer protocol. What becomes of each
// field hl7_fields.txt says; separators stay. A line that begins no segment continues the text before it. Files in OBX-5, those
// of type ED, are left out whatever they hold.
func parseHL7(b *builder) error {
	if at := invalidAt(b.input); at < len(b.input) {
		return &syntax.Error{Offset: at, Reason: "the message is not UTF-8; its character set is a step of the encoding"}
	}
	p := &hl7Parser{b: b, known: hl7Known()}
	p.frame()
	if !isHL7Header(b.input[b.at:]) {
		return b.fail("a message that does not begin with MSH")
	}
	for b.at < len(b.input) {
		if err := p.segment(); err != nil {
			return err
		}
	}
	return nil
}

// isHL7 reports whether data begins with the header that almost every message has.
func isHL7(data []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(data, "\v\r\n"), []byte(`MSH|^~\&`))
}

// isHL7Header reports whether a segment that sets delimiters begins here.
func isHL7Header(data []byte) bool {
	return len(data) > 3 && isHL7Mark(data[3]) &&
		(string(data[:3]) == "MSH" || string(data[:3]) == "FHS" || string(data[:3]) == "BHS")
}

// isHL7Mark reports whether a character can be a delimiter.
func isHL7Mark(c byte) bool {
	return c > ' ' && c < 0x7f && !isLetter(c) && !isDigit(c) && c != '.' && c != '-' && c != '"'
}

// hl7Ends are what ends segments: line ends, and the frame around messages.
const hl7Ends = "\r\n\v\x1c"

func isHL7End(c byte) bool { return strings.IndexByte(hl7Ends, c) >= 0 }

// frame keeps what is between segments.
func (p *hl7Parser) frame() {
	n := 0
	for rest := p.b.input[p.b.at:]; n < len(rest) && isHL7End(rest[n]); {
		n++
	}
	p.b.keep(p.b.input[p.b.at : p.b.at+n])
}

// segment takes a segment and what ends it.
func (p *hl7Parser) segment() error {
	rest := p.b.input[p.b.at:]
	name := string(rest[:3])
	head := 4
	if isHL7Header(rest) {
		n, err := p.header(rest)
		if err != nil {
			return err
		}
		head = n
	}
	end := p.end(rest)
	fields, ok := p.known.segments[name]
	if !ok {
		if hasHL7End(rest[:end]) {
			return p.b.fail(strayLines)
		}
		for end < len(rest) && isNewline(rest[end]) {
			end++
		}
		p.b.drop(rest[:end])
		p.frame()
		return nil
	}
	number := 1
	if head > 4 {
		number = 3
	}
	p.b.keep(rest[:head])
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
		p.b.keep(rest[at+n : at+n+1])
		at += n + 1
	}
	p.frame()
	if p.shown {
		p.b.gap("\n")
	}
	return nil
}

// header reads the delimiters that a header sets, and returns the length of it up to its third field.
func (p *hl7Parser) header(data []byte) (int, error) {
	field := data[3]
	n := 0
	for ; 4+n < len(data) && data[4+n] != field && !isHL7End(data[4+n]); n++ {
		if n == 5 || !isHL7Mark(data[4+n]) || bytes.IndexByte(data[3:4+n], data[4+n]) >= 0 {
			return 0, p.b.fail("a header whose second field is not four or five different delimiters")
		}
	}
	if n < 4 || 4+n == len(data) || data[4+n] != field {
		return 0, p.b.fail("a header whose second field is not four or five different delimiters")
	}
	p.marks = hl7Marks{field: field, component: data[4], repetition: data[5], escape: data[6], sub: data[7]}
	if n == 5 {
		p.marks.truncation = data[8]
	}
	return 4 + n + 1, nil
}

// end returns the length of the segment that begins data.
func (p *hl7Parser) end(data []byte) int {
	at := 4
	for at < len(data) {
		n := bytes.IndexAny(data[at:], hl7Ends)
		if n < 0 {
			return len(data)
		}
		next := at + n
		for next < len(data) && isHL7End(data[next]) {
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
func (p *hl7Parser) begins(data []byte) bool {
	upper := func(c byte) bool { return 'A' <= c && c <= 'Z' }
	return isHL7Header(data) || len(data) > 3 && upper(data[0]) && (upper(data[1]) || isDigit(data[1])) &&
		(upper(data[2]) || isDigit(data[2])) && data[3] == p.marks.field
}

// strayLines says why a message is refused with lines that begin no segment, where they would be left out: they may be a note.
const strayLines = "lines that begin no segment, behind a field that is not read"

func hasHL7End(raw []byte) bool { return bytes.ContainsAny(raw, hl7Ends) }

// field takes a field.
func (p *hl7Parser) field(segment string, number int, kind hl7Kind, raw []byte) error {
	p.spoken, p.parted = false, ""
	silent := false
	if segment == "OBX" {
		switch number {
		case 1:
			p.valued = hl7Text
		case 2:
			p.valued = p.known.types[string(bytes.TrimSpace(raw))]
		case 3:
			code := p.code(raw)
			silent = code != "" && code == p.named
			p.named = code
		}
	}
	value := kind == hl7Observation
	if value {
		kind = p.valued
	}
	if kind == hl7Coded && bytes.IndexByte(raw, p.marks.component) < 0 {
		kind = hl7Text
	}
	if kind != hl7Text && kind != hl7Parts && hasHL7End(raw) {
		return p.b.fail(strayLines)
	}
	switch kind {
	case hl7Number:
		p.values(raw, isHL7Number)
	case hl7Code:
		p.values(raw, isHL7Value)
	case hl7Charset:
		p.values(raw, func(value []byte) bool { return p.known.charsets[string(value)] })
	case hl7Coded:
		p.coded(raw, silent, value)
	case hl7Text:
		p.text(raw)
	case hl7Parts:
		p.parts(raw)
	case hl7None, hl7Observation:
		p.b.drop(raw)
	}
	return nil
}
