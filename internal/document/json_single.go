package document

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/internal/document/encoding"
)

// single reads a string or a number that a path names alone, and hands over what takes its place.
func (r *jsonReader) single(c byte) error {
	r.value = r.pos
	var text []byte
	var err error
	if c == '"' {
		err = r.characters(func(shown []byte, _ int) { text = append(text, shown...) })
	} else {
		err = r.number()
		text = r.input[r.value:r.pos]
	}
	if err != nil {
		return err
	}
	switch path := r.here.path; {
	case path.Do == Open:
		err = r.openString(text)
	case path.Do == Convert:
		r.rewrite(c, string(text))
	case !r.keepKnown(string(text)):
		r.withhold()
	}
	if err != nil {
		return err
	}
	r.finish()
	return nil
}

// rewrite hands over what the converter makes of a value.
func (r *jsonReader) rewrite(c byte, text string) {
	if r.convert == nil {
		r.admit()
		return
	}
	out, ok := r.convert(r.here.path.Rule, text, r.member)
	if !ok || !utf8.ValidString(out) {
		r.withhold()
		return
	}
	r.admit()
	if out == text {
		return
	}
	r.drop(r.input[r.at:r.pos])
	if c != '"' && json.Valid([]byte(out)) && (out[0] == '-' || out[0] >= '0' && out[0] <= '9') {
		r.put([]byte(out))
		return
	}
	r.put(append(jsonString{}.write([]byte{'"'}, out), '"'))
}

// withhold leaves out the value that begins at r.value, since it is not what its path says.
func (r *jsonReader) withhold() {
	r.doc.withheld++
	r.mute()
}

// openString reads the document in a string. One that is no text, such as a picture, is left out where the mapping does not
// say what it is.
func (r *jsonReader) openString(text []byte) error {
	path := r.here.path
	if len(text) == 0 {
		r.admit()
		return nil
	}
	format, chain, ok := path.holds(r)
	if !ok {
		r.withhold()
		return nil
	}
	data, coding, err := encoding.Decode(chain, text)
	if err != nil {
		return r.within(err)
	}
	if path.Format == MediaType && format == XML && beginsCDA(data) {
		format = CDA
	}
	if format == Auto && !legible(data) {
		r.withhold()
		return nil
	}
	doc, err := r.parse(format, data)
	if err != nil {
		return r.within(err)
	}
	r.admit()
	r.keep(r.input[r.at : r.value+1])
	if doc.text != "" {
		r.apart()
	}
	r.nested(r.input[r.at:r.pos-1], inner{doc: doc, coding: coding}, jsonString{})
	return nil
}

// within returns an error for a document in a string. Its offset is that of the string.
func (r *jsonReader) within(err error) error {
	r.pos = r.value
	return &nestedError{r.wrong("a string that holds a document"), err}
}

// holds returns the format and the encoding of the documents that a path names; false for one of a kind that is not read.
func (p *Path) holds(r *jsonReader) (Format, encoding.Encoding, bool) {
	format, chain := p.Format, p.Encoding
	if format == "" {
		format = Plain
	}
	if chain == "" {
		chain = encoding.None
	}
	if format != MediaType {
		return format, chain, true
	}
	format, charset, ok := mediaFormat(r.member("contentType"))
	return format, chain.Then(charset), ok
}

// member returns a member of the object that the current value is a member of, if it is a string or a number.
func (r *jsonReader) member(name string) string {
	top := len(r.open) - 1
	if top < 0 || r.open[top].keys == nil {
		return ""
	}
	return textMember(r.input[r.open[top].begin:], name)
}

// textMember returns a member of the object that in begins with, "" if it has none that is a string or a number.
func textMember(in []byte, name string) string {
	var members map[string]json.RawMessage
	object := json.NewDecoder(bytes.NewReader(in))
	if object.Decode(&members) != nil {
		return ""
	}
	var text string
	if json.Unmarshal(members[name], &text) == nil {
		return text
	}
	var number json.Number
	if json.Unmarshal(members[name], &number) != nil {
		return ""
	}
	return number.String()
}

// legible reports whether a document can be text of some kind: not a picture, a scan or an archive.
func legible(data []byte) bool {
	return utf8.Valid(data) && bytes.IndexByte(data, 0) < 0 || isRTF(data)
}
