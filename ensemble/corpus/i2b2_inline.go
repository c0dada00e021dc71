package corpus

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/text"
)

// ReadI2B2Inline yields the records of an i2b2 2006 file, one at a time: <ROOT><RECORD
// ID="1"><TEXT>…<PHI TYPE="DOCTOR">…</PHI>…</TEXT></RECORD>…</ROOT>. Uzuner, Luo and Szolovits, J.
// Am. Med. Inform. Assoc. 14 (2007). An error ends the sequence, as the structure after it is
// unknown.
func ReadI2B2Inline(r io.Reader) iter.Seq2[Annotated, error] {
	return func(yield func(Annotated, error) bool) {
		x := newXMLReader(r)
		if err := x.root(); err != nil {
			yield(Annotated{}, err)
			return
		}
		for {
			doc, more, err := x.record()
			if err == nil && !more {
				err = x.end()
				more = err != nil
			}
			if !more && err == nil || !yield(doc, err) || err != nil {
				return
			}
		}
	}
}

// record reads to the end of the next RECORD; more is false after the last.
func (x xmlReader) record() (doc Annotated, more bool, err error) {
	for {
		tok, err := x.token()
		if err != nil {
			return Annotated{}, true, unexpectedEnd(err)
		}
		switch t := tok.(type) {
		case xml.EndElement:
			return Annotated{}, false, nil
		case xml.StartElement:
			if t.Name.Local != "RECORD" {
				return Annotated{}, true, x.fail("want a RECORD element here")
			}
			doc, err := x.recordText()
			if err != nil {
				return Annotated{}, true, err
			}
			doc.ID, _ = attr(t, "ID")
			return doc, true, text.Check(doc.Text)
		}
	}
}

// recordText reads the TEXT of a RECORD to its end.
func (x xmlReader) recordText() (Annotated, error) {
	var doc Annotated
	seen := false
	for {
		tok, err := x.token()
		if err != nil {
			return doc, unexpectedEnd(err)
		}
		switch t := tok.(type) {
		case xml.EndElement:
			if !seen {
				return doc, x.fail("a RECORD without TEXT")
			}
			return doc, nil
		case xml.StartElement:
			switch {
			case t.Name.Local == "TEXT" && seen:
				err = x.fail("a second TEXT element")
			case t.Name.Local == "TEXT":
				seen = true
				err = x.inline(&doc)
			default:
				err = x.skip()
			}
			if err != nil {
				return doc, err
			}
		}
	}
}

// inline reads the content of TEXT, in which PHI elements are marks.
func (x xmlReader) inline(doc *Annotated) error {
	var b strings.Builder
	for {
		tok, err := x.token()
		if err != nil {
			return unexpectedEnd(err)
		}
		switch t := tok.(type) {
		case xml.CharData:
			b.Write(t)
		case xml.EndElement:
			doc.Text = b.String()
			return nil
		case xml.StartElement:
			start := b.Len()
			label, err := x.phi(t, &b)
			if err != nil {
				return err
			}
			if b.Len() > start {
				doc.Marks = append(doc.Marks, Mark{Start: start, End: b.Len(), Label: label})
			}
		}
	}
}

func (x xmlReader) phi(t xml.StartElement, b *strings.Builder) (string, error) {
	label, _ := attr(t, "TYPE")
	if t.Name.Local != "PHI" || label == "" {
		return "", x.fail("an element that is not PHI with a TYPE within TEXT")
	}
	for {
		tok, err := x.token()
		if err != nil {
			return "", unexpectedEnd(err)
		}
		switch t := tok.(type) {
		case xml.CharData:
			b.Write(t)
		case xml.EndElement:
			return label, nil
		default:
			return "", x.fail("an element within PHI")
		}
	}
}

// i2b2Kind distinguishes the two i2b2 formats by the first element within the root.
func i2b2Kind(r io.Reader) (Format, error) {
	x := newXMLReader(r)
	if err := x.root(); err != nil {
		return "", err
	}
	for {
		tok, err := x.token()
		if err != nil {
			return "", unexpectedEnd(err)
		}
		t, ok := tok.(xml.StartElement)
		switch {
		case !ok:
			if _, end := tok.(xml.EndElement); end {
				return "", errors.New("an XML document without TEXT")
			}
		case t.Name.Local == "RECORD":
			return I2B22006, nil
		case t.Name.Local == "TEXT" || t.Name.Local == "TAGS":
			return I2B2, nil
		default:
			return "", fmt.Errorf("XML of another kind: the root holds neither TEXT (%s) nor RECORD (%s)", I2B2, I2B22006)
		}
	}
}
