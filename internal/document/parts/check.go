package parts

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Raw returns the bytes that were read, in UTF-8 where the document was converted: those in which [Document.Origin] finds text.
func (d *Document) Raw() []byte { return d.raw }

// Parts returns how many parts are kept of the document.
func (d *Document) Parts() int { return len(d.parts) }

// Markup returns what is written of the document besides text.
func (d *Document) Markup() string {
	var s strings.Builder
	puts := 0
	for i, p := range d.parts {
		switch p.kind {
		case kept:
			s.Write(d.raw[d.begin(i).raw:p.raw])
		case put:
			s.Write(d.putAt(puts))
			puts++
		case dropped, run, unit, fresh, gap, nested:
		}
	}
	return s.String()
}

// Check returns an error unless each byte of the document and of its text is in one part, in order.
func (d *Document) Check() error {
	var last part
	for i, p := range d.parts {
		if p.raw < last.raw || p.text < last.text {
			return fmt.Errorf("part %d ends before part %d", i, i-1)
		}
		if p.kind == run && d.text[last.text:p.text] != string(d.raw[last.raw:p.raw]) {
			return fmt.Errorf("part %d is no run: its text is not its bytes", i)
		}
		last = p
	}
	if int(last.raw) != len(d.raw) || int(last.text) != len(d.text) {
		return fmt.Errorf("parts end at %d of %d bytes, %d of %d of the text", last.raw, len(d.raw), last.text, len(d.text))
	}
	if !utf8.ValidString(d.text) {
		return errors.New("the text is not UTF-8")
	}
	return nil
}
