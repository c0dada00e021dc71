package corpus

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// xmlReader reads XML token by token. Its errors name the line and quote no content: those of
// encoding/xml quote names, which in a broken file may be text.
type xmlReader struct{ dec *xml.Decoder }

func newXMLReader(r io.Reader) xmlReader {
	dec := xml.NewDecoder(r)
	dec.CharsetReader = charset
	return xmlReader{dec}
}

func (x xmlReader) line() int {
	line, _ := x.dec.InputPos()
	return line
}

// fail returns an error with the current line.
func (x xmlReader) fail(format string, args ...any) error {
	return &LineError{Number: x.line(), Err: fmt.Errorf(format, args...)}
}

// token returns the next start or end of an element or text, or io.EOF.
func (x xmlReader) token() (xml.Token, error) {
	for {
		tok, err := x.dec.Token()
		if errors.Is(err, io.EOF) {
			return nil, io.EOF
		}
		if err != nil {
			return nil, x.redact(err)
		}
		switch tok.(type) {
		case xml.StartElement, xml.EndElement, xml.CharData:
			return tok, nil
		}
	}
}

func (x xmlReader) redact(err error) error {
	var syntax *xml.SyntaxError
	var charset *charsetError
	switch {
	case errors.As(err, &syntax):
		return &LineError{Number: syntax.Line, Err: errors.New("not well-formed XML in UTF-8")}
	case errors.As(err, &charset):
		return x.fail("%w", charset)
	}
	return err
}

// skip skips the rest of an element.
func (x xmlReader) skip() error {
	if err := x.dec.Skip(); err != nil {
		return x.redact(err)
	}
	return nil
}

func attr(start xml.StartElement, name string) (string, bool) {
	for _, a := range start.Attr {
		if a.Name.Local == name {
			return a.Value, true
		}
	}
	return "", false
}

type charsetError struct{}

func (*charsetError) Error() string {
	return "the XML declares an encoding that is not read: convert it to UTF-8"
}

// charset decodes the single-byte encodings of old corpora.
func charset(label string, in io.Reader) (io.Reader, error) {
	switch strings.ToLower(label) {
	case "utf-8", "us-ascii", "ascii":
		return in, nil
	case "iso-8859-1", "latin1":
		return &latin1{in: in}, nil
	}
	return nil, &charsetError{}
}

// latin1 reads ISO 8859-1 as UTF-8.
type latin1 struct {
	in   io.Reader
	rest []byte
}

func (l *latin1) Read(p []byte) (int, error) {
	if len(l.rest) == 0 {
		var buf [2048]byte
		n, err := l.in.Read(buf[:])
		for _, b := range buf[:n] {
			l.rest = utf8.AppendRune(l.rest, rune(b))
		}
		if n == 0 {
			return 0, err
		}
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}
