package corpus

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// ReadI2B2 reads a note of the i2b2/UTHealth 2014 corpus: a root element with the note in TEXT
// and, in TAGS, an element for each mark with start and end in code points of the parsed text.
// TYPE is the label. If a mark's text attribute differs from the text at its offsets, the error
// names the mark's id. Stubbs and Uzuner, J. Biomed. Inform. 58 (2015).
func ReadI2B2(r io.Reader) (Annotated, error) {
	x := newXMLReader(r)
	if err := x.root(); err != nil {
		return Annotated{}, err
	}
	var doc Annotated
	var tags []i2b2Tag
	seen := false
	for {
		tok, err := x.token()
		if err != nil {
			return Annotated{}, unexpectedEnd(err)
		}
		switch t := tok.(type) {
		case xml.EndElement:
			if !seen {
				return Annotated{}, errors.New("no TEXT element")
			}
			doc.Marks, err = i2b2Marks(doc.Text, tags)
			if err != nil {
				return Annotated{}, err
			}
			return doc, x.end()
		case xml.StartElement:
			switch {
			case t.Name.Local == "TEXT" && seen:
				return Annotated{}, x.fail("a second TEXT element")
			case t.Name.Local == "TEXT":
				seen = true
				doc.Text, err = x.plainText()
			case t.Name.Local == "TAGS":
				tags, err = x.tags(tags)
			default:
				err = x.skip()
			}
			if err != nil {
				return Annotated{}, err
			}
		}
	}
}

// root enters the outermost element.
func (x xmlReader) root() error {
	for {
		tok, err := x.token()
		if err != nil {
			return unexpectedEnd(err)
		}
		if _, ok := tok.(xml.StartElement); ok {
			return nil
		}
	}
}

// end checks that nothing follows the outermost element.
func (x xmlReader) end() error {
	for {
		tok, err := x.token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if text, ok := tok.(xml.CharData); !ok || strings.TrimSpace(string(text)) != "" {
			return x.fail("something follows the end of the document")
		}
	}
}

func unexpectedEnd(err error) error {
	if errors.Is(err, io.EOF) {
		return errors.New("the file ends too early")
	}
	return err
}

// plainText returns the text of an element without child elements.
func (x xmlReader) plainText() (string, error) {
	var b strings.Builder
	for {
		tok, err := x.token()
		if err != nil {
			return "", unexpectedEnd(err)
		}
		switch t := tok.(type) {
		case xml.CharData:
			b.Write(t)
		case xml.EndElement:
			return b.String(), text.Check(b.String())
		default:
			return "", x.fail("an element within TEXT")
		}
	}
}

type i2b2Tag struct {
	phi.Redacted

	id, class, label string
	start, end       int
	text             string
	quoted           bool
}

// tags reads the elements of TAGS.
func (x xmlReader) tags(tags []i2b2Tag) ([]i2b2Tag, error) {
	for {
		tok, err := x.token()
		if err != nil {
			return nil, unexpectedEnd(err)
		}
		switch t := tok.(type) {
		case xml.EndElement:
			return tags, nil
		case xml.StartElement:
			tag, err := parseTag(t)
			if err != nil {
				return nil, x.fail("tag %s: %w", nameLabel(tag.id), err)
			}
			tags = append(tags, tag)
			if err := x.skip(); err != nil {
				return nil, err
			}
		}
	}
}

func parseTag(t xml.StartElement) (i2b2Tag, error) {
	tag := i2b2Tag{class: t.Name.Local}
	tag.id, _ = attr(t, "id")
	tag.text, tag.quoted = attr(t, "text")
	tag.label, _ = attr(t, "TYPE")
	switch tag.label {
	case "":
		return tag, errors.New("it has no TYPE")
	case "OTHER":
		tag.label = tag.class + "-OTHER"
	}
	for name, to := range map[string]*int{"start": &tag.start, "end": &tag.end} {
		value, ok := attr(t, name)
		n, err := strconv.Atoi(value)
		if !ok || err != nil {
			return tag, fmt.Errorf("%s is not a number", name)
		}
		*to = n
	}
	return tag, nil
}

func i2b2Marks(text string, tags []i2b2Tag) ([]Mark, error) {
	at := byteOffsets(text)
	var marks []Mark
	for _, tag := range tags {
		m, err := pointsToBytes(at, tag.start, tag.end)
		if err == nil && tag.quoted && !sameText(tag.text, text[m.Start:m.End]) {
			err = errOtherText
		}
		if err != nil {
			return nil, fmt.Errorf("tag %s: %w", nameLabel(tag.id), err)
		}
		m.Label, m.Exact = i2b2Label(tag.label)
		marks = append(marks, m)
	}
	sortMarks(marks)
	return marks, nil
}

// i2b2Label returns the type that a label means exactly: all labels that are names of our types,
// except PHONE, which includes pagers.
func i2b2Label(label string) (string, bool) {
	t, err := phi.ParseType(label)
	if err != nil || t == phi.Phone {
		return label, false
	}
	return t.String(), true
}
