package document

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/internal/document/syntax"

	"github.com/pgdeid/pgdeid/internal/document/encoding"
)

// PostgreSQL writes an array as {a,"b c",NULL,{d,e}}, maybe with its bounds before it: [0:1]={a,b}.

// ParseArray reads an array as PostgreSQL writes it. Each element is a document of its own, which open reads, and a text of its own
// within the text of the whole.
func ParseArray(data []byte, open func(element []byte) (*Document, encoding.Coding, error)) (*Document, error) {
	return parseWith(arrayFormat, data, func(b *builder) error {
		if !utf8.Valid(data) {
			return &syntax.Error{Offset: invalidAt(data), Reason: "the array is not UTF-8"}
		}
		return (&arrayReader{builder: b, open: open}).whole()
	})
}

// arrayFormat names arrays where one is not what it should be.
const arrayFormat Format = "an array"

// arrayReader reads an array.
type arrayReader struct {
	*builder
	open  func(element []byte) (*Document, encoding.Coding, error)
	shown bool // whether some text was shown
}

// whole reads the whole array.
func (r *arrayReader) whole() error {
	if bytes.HasPrefix(r.input, []byte("[")) {
		end := bytes.IndexByte(r.input, '=')
		if end < 0 || strings.Trim(string(r.input[:end]), "[]:-0123456789") != "" {
			return r.fail("bounds that are none")
		}
		r.keep(r.input[:end+1])
	}
	depth, wanted := 0, true // wanted: an element or an array may begin here
	for r.at < len(r.input) {
		switch c := r.input[r.at]; {
		case c == '{' && wanted && depth < maxNesting:
			depth++
		case c == '}' && depth > 0 && (!wanted || r.input[r.at-1] == '{'):
			depth--
			wanted = false
		case c == ',' && !wanted && depth > 0:
			wanted = true
		case wanted && depth > 0:
			if err := r.element(); err != nil {
				return err
			}
			wanted = false
			continue
		default:
			return r.fail("the array is not as PostgreSQL writes it")
		}
		r.keep(r.input[r.at : r.at+1])
	}
	if depth != 0 || wanted {
		return r.fail("the array ends before its end")
	}
	return nil
}

// element reads one element.
func (r *arrayReader) element() error {
	raw, text, ok := cutElement(r.input[r.at:])
	if !ok {
		return r.fail("an element without an end")
	}
	if raw[0] != '"' && strings.EqualFold(string(raw), "null") {
		r.keep(raw)
		return nil
	}
	doc, coding, err := r.open(text)
	if err != nil {
		return &nestedError{r.fail("an element"), err}
	}
	if doc.text != "" && r.shown {
		r.gap("\n\n")
	}
	r.shown = r.shown || doc.text != ""
	r.nested(raw, inner{doc: doc, coding: coding}, arrayElement{})
	return nil
}

// cutElement returns the element that in begins with, as it is written and as it is read.
func cutElement(in []byte) (raw, text []byte, ok bool) {
	quoted := in[0] == '"'
	for i := 0; i < len(in); i++ {
		switch c := in[i]; {
		case c == '\\' && i+1 < len(in):
			i++
			text = append(text, in[i])
		case c == '"' && quoted && i > 0:
			return in[:i+1], text, true
		case c == '"' && (i > 0 || !quoted), !quoted && c == '{':
			return nil, nil, false
		case !quoted && (c == ',' || c == '}'):
			return in[:i], text, i > 0
		case c != '"':
			text = append(text, c)
		}
	}
	return nil, nil, false
}

// arrayElement writes an element as PostgreSQL does, so that what is written is what is read again.
type arrayElement struct{}

func (arrayElement) write(dst []byte, s string) []byte {
	if s != "" && !strings.EqualFold(s, "null") && !strings.ContainsAny(s, "{},\"\\ \t\n\r\v\f") {
		return append(dst, s...)
	}
	dst = append(dst, '"')
	for i := range len(s) {
		if s[i] == '"' || s[i] == '\\' {
			dst = append(dst, '\\')
		}
		dst = append(dst, s[i])
	}
	return append(dst, '"')
}
