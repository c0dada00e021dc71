package hl7

import (
	"bytes"
	"encoding/hex"
	"strings"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/internal/document/char"
)

// writer writes text as HL7 does, with the delimiters of the message.
type writer struct{ marks delimiters }

func (w writer) Append(dst []byte, s string) []byte {
	for i := range len(s) {
		var letter byte
		switch c := s[i]; {
		case c == w.marks.field:
			letter = 'F'
		case c == w.marks.component:
			letter = 'S'
		case c == w.marks.sub:
			letter = 'T'
		case c == w.marks.repetition:
			letter = 'R'
		case c == w.marks.escape:
			letter = 'E'
		case c == '\n':
			dst = append(dst, w.marks.escape, '.', 'b', 'r', w.marks.escape)
			continue
		case c < ' ' && c != '\t' || c == 0x7f:
			continue // no other control character shows anything
		default:
			dst = append(dst, c)
			continue
		}
		dst = append(dst, w.marks.escape, letter, w.marks.escape)
	}
	return dst
}

// atoms calls f with each value between separators, which stay. Of the separators, repetition begins the numbers of components
// anew.
func (p *parser) atoms(raw []byte, f func(component int, value []byte)) {
	component := 1
	for len(raw) > 0 {
		n := bytes.IndexAny(raw, string([]byte{p.marks.component, p.marks.repetition}))
		if n < 0 {
			f(component, raw)
			return
		}
		f(component, raw[:n])
		p.b.Keep(raw[n : n+1])
		component++
		switch {
		case raw[n] == p.marks.repetition:
			component = 1
			p.parted = "\n"
		case p.parted == "":
			p.parted = " "
		}
		raw = raw[n+1:]
	}
}

// values keeps the values that fit.
func (p *parser) values(raw []byte, fits func([]byte) bool) {
	p.atoms(raw, func(_ int, value []byte) { p.value(value, fits) })
}

func (p *parser) value(value []byte, fits func([]byte) bool) {
	if fits(value) {
		p.b.Keep(value)
		return
	}
	p.b.Drop(value)
}

// coded takes codes with their systems in components, whose names are text. Silent leaves the names out: those of lines of one
// report, which have the same code, would part its sentences. In the value of an observation a code of a system that is not
// public is text: it may be the number of a person.
func (p *parser) coded(raw []byte, silent, value bool) {
	for len(raw) > 0 {
		n := bytes.IndexByte(raw, p.marks.repetition)
		if n < 0 {
			n = len(raw)
		}
		systems := bytes.SplitN(raw[:n], []byte{p.marks.component}, 7)
		p.atoms(raw[:n], func(component int, atom []byte) {
			p.component(component, atom, silent, value && !p.public(systems, component+2))
		})
		if n == len(raw) {
			return
		}
		p.b.Keep(raw[n : n+1])
		p.parted = "\n"
		raw = raw[n+1:]
	}
}

// public reports whether a component is the name of a public code system.
func (p *parser) public(components [][]byte, number int) bool {
	return number <= len(components) && p.known.public(string(components[number-1]))
}

// component takes a component of a code, of which the code is text where its system is unknown.
func (p *parser) component(number int, value []byte, silent, unknown bool) {
	switch number {
	case 1, 4:
		if unknown {
			p.text(value)
			return
		}
		p.value(value, isCode)
	case 3, 6, 7, 8:
		p.value(value, isCode)
	case 2, 5, 9:
		if silent {
			p.b.Drop(value)
			return
		}
		p.text(value)
	default:
		p.b.Drop(value)
	}
}

// code returns a code with its system, or "" where one of them is missing or is left out.
func (p *parser) code(raw []byte) string {
	c := bytes.SplitN(raw, []byte{p.marks.component}, 4)
	if len(c) < 3 || len(c[0]) == 0 || len(c[2]) == 0 || !isCode(c[0]) || !isCode(c[2]) {
		return ""
	}
	return string(c[0]) + " " + string(c[2])
}

// parts takes text in components.
func (p *parser) parts(raw []byte) {
	p.atoms(raw, func(_ int, value []byte) { p.text(value) })
}

// text takes free text, in which only repetitions are separators: others are there by mistake.
func (p *parser) text(raw []byte) {
	special := string([]byte{p.marks.repetition, p.marks.escape}) + char.NoBreakSpace + char.SoftHyphen
	for len(raw) > 0 {
		n := bytes.IndexFunc(raw, func(r rune) bool {
			return r < ' ' && r != '\t' || r == 0x7f || strings.ContainsRune(special, r)
		})
		if n < 0 {
			n = len(raw)
		}
		if n > 0 {
			p.speak()
			p.b.Plain(raw[:n], writer{p.marks})
			raw = raw[n:]
			continue
		}
		raw = raw[p.special(raw):]
	}
}

// special takes what begins free text and is no plain character, and returns its length.
func (p *parser) special(raw []byte) int {
	w := writer{p.marks}
	switch c := raw[0]; {
	case c == p.marks.repetition:
		p.b.Keep(raw[:1])
		if p.spoken {
			p.b.Gap("\n")
		}
		return 1
	case c == p.marks.escape:
		return p.escape(raw)
	case c >= utf8.RuneSelf:
		_, n := utf8.DecodeRune(raw)
		p.speak()
		p.b.Text(char.Typographic.Replace(string(raw[:n])), raw[:n], w)
		return n
	case isEnd(c):
		n := 1
		if len(raw) > 1 && c == '\r' && raw[1] == '\n' {
			n = 2
		}
		p.speak()
		p.b.Rewritten("\n", raw[:n], w)
		return n
	}
	p.b.Drop(raw[:1])
	return 1
}

// speak shows what parts text from that of the field or the component before it.
func (p *parser) speak() {
	switch {
	case p.spoken:
		p.b.Gap(p.parted)
	case p.shown:
		p.b.Gap("\t")
	}
	p.shown, p.spoken, p.parted = true, true, ""
}

// maxEscape bounds escapes: the longest are data in hexadecimal digits.
const maxEscape = 4096

// escape takes an escape. A mark without a second one, or around what is no escape, is text.
func (p *parser) escape(raw []byte) int {
	w := writer{p.marks}
	n := bytes.IndexByte(raw[1:min(len(raw), maxEscape)], p.marks.escape)
	if n > 0 {
		body, whole := string(raw[1:1+n]), raw[:n+2]
		if shown, ok := p.marks.character(body); ok {
			p.speak()
			p.b.Text(shown, whole, w)
			return len(whole)
		}
		switch {
		case body[0] == 'X' && isHex(body[1:]):
			p.data(body[1:], whole)
			return len(whole)
		case (body[0] == 'C' || body[0] == 'M' || body[0] == 'Z') && isHex(body[1:]):
			p.b.Drop(whole)
			return len(whole)
		case body == "H" || body == "N" || isFormat(body):
			p.b.Keep(whole)
			return len(whole)
		}
	}
	p.speak()
	p.b.Rewritten(string(rune(p.marks.escape)), raw[:1], w)
	return 1
}

// character returns what an escape shows.
func (m delimiters) character(body string) (string, bool) {
	switch body {
	case "F":
		return string(rune(m.field)), true
	case "S":
		return string(rune(m.component)), true
	case "T":
		return string(rune(m.sub)), true
	case "R":
		return string(rune(m.repetition)), true
	case "E":
		return string(rune(m.escape)), true
	case "P":
		return string(rune(m.truncation)), m.truncation != 0
	case ".br", ".ce":
		return "\n", true
	}
	command := strings.TrimRight(body, "0123456789")
	switch {
	case len(body)-len(command) > 2:
	case command == ".sp" || command == ".sp+":
		return "\n", true
	case command == ".sk" || command == ".sk+":
		return " ", true
	}
	return "", false
}

// isFormat reports whether an escape is layout without text.
func isFormat(body string) bool {
	command := strings.TrimRight(body, "0123456789")
	if len(body)-len(command) > 2 {
		return false
	}
	switch strings.TrimRight(command, "+-") {
	case ".fi", ".nf", ".in", ".ti":
		return true
	}
	return false
}

// isHex reports whether an escape holds whole bytes.
func isHex(body string) bool {
	for i := range len(body) {
		if char.HexDigit(body[i]) < 0 {
			return false
		}
	}
	return body != "" && len(body)%2 == 0
}

// data takes the escape of bytes: text, or what shows nothing.
func (p *parser) data(body string, whole []byte) {
	b, err := hex.DecodeString(body)
	if err != nil {
		p.b.Drop(whole)
		return
	}
	var s strings.Builder
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		switch {
		case r == '\r' && len(b) > 1 && b[1] == '\n':
		case r == '\r' || r == '\n':
			s.WriteByte('\n')
		case r == utf8.RuneError && n == 1:
			s.WriteRune(rune(b[0])) // ISO 8859-1
		case r >= ' ' && r != 0x7f || r == '\t':
			s.WriteRune(r)
		}
		b = b[n:]
	}
	shown := char.Typographic.Replace(s.String())
	if shown == "" {
		p.b.Drop(whole)
		return
	}
	p.speak()
	p.b.Rewritten(shown, whole, writer{p.marks})
}
