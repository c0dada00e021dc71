package json

import (
	"bytes"
	"encoding/json"

	"github.com/pgdeid/pgdeid/internal/document/char"
)

// Values passes the strings and numbers of a document that the selection converts, each with its rule. It reads what of a
// broken document can be read, since it publishes nothing: of two members of one name it passes both.
func (s *Selection) Values(data []byte, each func(rule int, value string)) {
	v := valueReader{tokens: json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(data, []byte(char.ByteOrderMark)))), each: each}
	v.tokens.UseNumber()
	_ = v.value(s.root)
}

// valueReader goes through a document.
type valueReader struct {
	tokens *json.Decoder
	each   func(rule int, value string)
}

// value reads one value, of which n says something.
func (v *valueReader) value(n *selected) error {
	if n != nil && n.types != nil {
		var raw json.RawMessage
		if err := v.tokens.Decode(&raw); err != nil {
			return err
		}
		(&Selection{root: n.types[textMember(raw, resourceType)]}).Values(raw, v.each)
		return nil
	}
	t, err := v.tokens.Token()
	if err != nil {
		return err
	}
	switch t := t.(type) {
	case json.Delim:
		return v.inside(t, n)
	case string:
		v.pass(n, t)
	case json.Number:
		v.pass(n, t.String())
	}
	return nil
}

func (v *valueReader) pass(n *selected, text string) {
	if n.single() && n.path.Do == Convert {
		v.each(n.path.Rule, text)
	}
}

// inside reads an object or an array to its end.
func (v *valueReader) inside(open json.Delim, n *selected) error {
	for v.tokens.More() {
		next := n.element()
		if open == '{' {
			t, err := v.tokens.Token()
			if err != nil {
				return err
			}
			name, _ := t.(string)
			next = n.member(name)
		}
		if err := v.value(next); err != nil {
			return err
		}
	}
	_, err := v.tokens.Token()
	return err
}
