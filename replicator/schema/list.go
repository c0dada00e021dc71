package schema

import (
	"strings"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/plain"
	"github.com/pgdeid/pgdeid/internal/value"
)

// arrayMark is at the end of the name of an array's type.
const arrayMark = "[]"

// element returns how each of many values of a column is treated; nil for a column of single values.
func (c *Column) element() *Column {
	array := strings.HasSuffix(c.Typ, arrayMark) && c.Publish != config.Keep && c.Publish != config.Text
	if !array && c.Separator == "" || len(c.Paths) > 0 {
		return nil
	}
	one := *c
	one.Separator, one.Typ, one.Replica = "", strings.TrimSuffix(c.Typ, arrayMark), strings.TrimSuffix(c.Replica, arrayMark)
	return &one
}

// Each passes each value of a column's text; of a text that is no list, what of it may be one.
func (c *Column) Each(text string, do func(value string)) {
	list, ok := c.split(text)
	if !ok {
		for _, part := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(`{},"\`, r) }) {
			do(part)
		}
		return
	}
	for _, d := range list {
		if !d.Null && d.Text != "" {
			do(d.Text)
		}
	}
}

// Map writes a column's text with other values. A text that is no list of single values does not fit its policy.
func (c *Column) Map(text string, do func(value string) (string, error)) (string, error) {
	list, ok := c.split(text)
	if !ok {
		return "", plain.ErrValue
	}
	for i := range list {
		if list[i].Null || list[i].Text == "" {
			continue
		}
		to, err := do(list[i].Text)
		if err != nil {
			return "", err
		}
		list[i].Text = to
	}
	return c.join(text, list), nil
}

// split returns the values of a text, without the blanks around them; false if it is no list.
func (c *Column) split(text string) ([]value.Datum, bool) {
	switch {
	case c.Element == nil:
		return []value.Datum{{Text: text}}, true
	case c.Separator == "":
		list, err := value.SplitList(text, func(int64) error { return nil })
		for i := range list {
			list[i].Text = c.Element.Read([]byte(list[i].Text))
		}
		return list, err == nil
	}
	var list []value.Datum
	for part := range strings.SplitSeq(text, c.Separator) {
		list = append(list, value.Datum{Text: strings.TrimSpace(part)})
	}
	return list, true
}

// join is the inverse of split. Behind a separator is a blank where the source has one behind the first.
func (c *Column) join(was string, list []value.Datum) string {
	if c.Element == nil {
		return list[0].Text
	}
	if c.Separator == "" {
		return string(value.WriteList(list))
	}
	texts := make([]string, len(list))
	for i, d := range list {
		texts[i] = d.Text
	}
	if _, rest, _ := strings.Cut(was, c.Separator); strings.HasPrefix(rest, " ") {
		return strings.Join(texts, c.Separator+" ")
	}
	return strings.Join(texts, c.Separator)
}
