package array

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/internal/document/char"
	"github.com/pgdeid/pgdeid/internal/document/encoding"
	"github.com/pgdeid/pgdeid/internal/document/parts"
	"github.com/pgdeid/pgdeid/internal/document/syntax"
)

// Read reads an array. Each element is a document of its own, which open reads.
func Read(b *parts.Builder, open func(element []byte) (*parts.Document, encoding.Coding, error)) error {
	if !utf8.Valid(b.Input()) {
		return &syntax.Error{Offset: char.InvalidAt(b.Input()), Reason: "the array is not UTF-8"}
	}
	return (&reader{Builder: b, open: open}).whole()
}

// maxDepth is how deep arrays may nest.
const maxDepth = 512

// reader reads an array.
type reader struct {
	*parts.Builder
	open  func(element []byte) (*parts.Document, encoding.Coding, error)
	shown bool // whether some text was shown
}

// whole reads the whole array.
func (r *reader) whole() error {
	if bytes.HasPrefix(r.Input(), []byte("[")) {
		end := bytes.IndexByte(r.Input(), '=')
		if end < 0 || strings.Trim(string(r.Input()[:end]), "[]:-0123456789") != "" {
			return r.Fail("bounds that are none")
		}
		r.Keep(r.Input()[:end+1])
	}
	depth, wanted := 0, true // wanted: an element or an array may begin here
	for r.At() < len(r.Input()) {
		switch c := r.Input()[r.At()]; {
		case c == '{' && wanted && depth < maxDepth:
			depth++
		case c == '}' && depth > 0 && (!wanted || r.Input()[r.At()-1] == '{'):
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
			return r.Fail("the array is not as PostgreSQL writes it")
		}
		r.Keep(r.Input()[r.At() : r.At()+1])
	}
	if depth != 0 || wanted {
		return r.Fail("the array ends before its end")
	}
	return nil
}

// element reads one element.
func (r *reader) element() error {
	raw, text, ok := cutElement(r.Input()[r.At():])
	if !ok {
		return r.Fail("an element without an end")
	}
	if raw[0] != '"' && strings.EqualFold(string(raw), "null") {
		r.Keep(raw)
		return nil
	}
	doc, coding, err := r.open(text)
	if err != nil {
		return parts.Within(r.Fail("an element"), err)
	}
	if doc.Text() != "" && r.shown {
		r.Gap("\n\n")
	}
	r.shown = r.shown || doc.Text() != ""
	r.Nested(raw, doc, coding, elementText{})
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

// elementText writes an element as PostgreSQL does, so that what is written is what is read again.
type elementText struct{}

func (elementText) Append(dst []byte, s string) []byte {
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
