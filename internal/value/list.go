package value

import (
	"errors"
	"strings"
)

// SplitList reads the text of an array, {a,"b c",NULL}. Its elements take memory by room before they are allocated.
func SplitList(s string, room func(int64) error) ([]Datum, error) {
	if len(s) < 2 || s[0] != '{' || s[len(s)-1] != '}' {
		return nil, ErrList
	}
	s = s[1 : len(s)-1]
	if strings.Trim(s, listSpace) == "" {
		return []Datum{}, nil
	}
	n := 1 + strings.Count(s, ",")
	if err := room(int64(n)*Bytes + int64(len(s))); err != nil {
		return nil, err
	}
	list := make([]Datum, 0, n)
	for {
		d, rest, ok := cutElement(s)
		if !ok {
			return nil, ErrList
		}
		list = append(list, d)
		if rest == "" {
			return list, nil
		}
		s = rest[1:]
	}
}

// ErrList is the error of a text that is no array.
var ErrList = errors.New("malformed array literal")

const listSpace = " \t\r\n\v\f"

// cutElement reads the first element of a list. What is left is empty or begins with a comma.
func cutElement(s string) (d Datum, rest string, ok bool) {
	s = strings.TrimLeft(s, listSpace)
	if !strings.HasPrefix(s, `"`) {
		end := strings.IndexByte(s, ',')
		if end < 0 {
			end = len(s)
		}
		text := strings.TrimRight(s[:end], listSpace)
		if text == "" || strings.ContainsAny(text, `{}"\`) { // no lists in lists; escapes only in quotes
			return d, "", false
		}
		if strings.EqualFold(text, "null") {
			return Null, s[end:], true
		}
		return Datum{Text: text}, s[end:], true
	}
	end := 1
	for end < len(s) && s[end] != '"' {
		if s[end] == '\\' {
			end++
		}
		end++
	}
	if end >= len(s) {
		return d, "", false
	}
	d.Text = unquoteElement(s[1:end])
	rest = strings.TrimLeft(s[end+1:], listSpace)
	return d, rest, rest == "" || rest[0] == ','
}

func unquoteElement(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// WriteList is the inverse of SplitList.
func WriteList(list []Datum) []byte {
	size := 2
	for i := range list {
		size += len(list[i].Text) + 3
	}
	b := append(make([]byte, 0, size+size/8), '{')
	for i, d := range list {
		if i > 0 {
			b = append(b, ',')
		}
		if d.Null {
			b = append(b, "NULL"...)
			continue
		}
		b = append(b, '"')
		for j := range len(d.Text) {
			if d.Text[j] == '"' || d.Text[j] == '\\' {
				b = append(b, '\\')
			}
			b = append(b, d.Text[j])
		}
		b = append(b, '"')
	}
	return append(b, '}')
}
