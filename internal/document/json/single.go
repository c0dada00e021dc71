package json

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/internal/document/parts"
)

// single reads a string or a number that a path names alone, and hands over what takes its place.
func (r *reader) single(c byte) error {
	r.value = r.pos
	var text []byte
	var err error
	if c == '"' {
		err = r.characters(func(shown []byte, _ int) { text = append(text, shown...) })
	} else {
		err = r.number()
		text = r.Input()[r.value:r.pos]
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
		r.leaveOut()
	}
	if err != nil {
		return err
	}
	r.finish()
	return nil
}

// rewrite hands over what the converter makes of a value.
func (r *reader) rewrite(c byte, text string) {
	if r.convert == nil {
		r.admit()
		return
	}
	out, ok := r.convert(r.here.path.Rule, text, r.member)
	if !ok || !utf8.ValidString(out) {
		r.leaveOut()
		return
	}
	r.admit()
	if out == text {
		return
	}
	r.Drop(r.Input()[r.At():r.pos])
	if c != '"' && json.Valid([]byte(out)) && (out[0] == '-' || out[0] >= '0' && out[0] <= '9') {
		r.Put([]byte(out))
		return
	}
	r.Put(append(stringText{}.Append([]byte{'"'}, out), '"'))
}

// leaveOut leaves out the value that begins at r.value, since it is not what its path says.
func (r *reader) leaveOut() {
	r.Withhold()
	r.mute()
}

// openString reads the document in a string, which takes the string's place.
func (r *reader) openString(text []byte) error {
	if len(text) == 0 {
		r.admit()
		return nil
	}
	doc, coding, ok, err := r.openDocument(r.here.path, text, r.member)
	switch {
	case err != nil:
		r.pos = r.value
		return parts.Within(r.wrong("a string that holds a document"), err)
	case !ok:
		r.leaveOut()
		return nil
	}
	r.admit()
	r.Keep(r.Input()[r.At() : r.value+1])
	if doc.Text() != "" {
		r.apart()
	}
	r.Nested(r.Input()[r.At():r.pos-1], doc, coding, stringText{})
	return nil
}

// member returns a member of the object that the current value is a member of, if it is a string or a number.
func (r *reader) member(name string) string {
	top := len(r.open) - 1
	if top < 0 || r.open[top].keys == nil {
		return ""
	}
	return textMember(r.Input()[r.open[top].begin:], name)
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
