package schema

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

var errArray = errors.New("no array of quoted elements")

// parseArray reads an array in PostgreSQL's text format whose elements are quoted.
func parseArray(text string) ([]string, error) {
	rest, ok := strings.CutPrefix(text, "{")
	if !ok {
		return nil, errArray
	}
	var list []string
	for rest != "}" {
		if len(list) > 0 {
			if rest, ok = strings.CutPrefix(rest, ","); !ok {
				return nil, errArray
			}
		}
		var element string
		var err error
		if element, rest, err = parseElement(rest); err != nil {
			return nil, err
		}
		list = append(list, element)
	}
	return list, nil
}

// parseElement reads one quoted element and returns what follows it.
func parseElement(text string) (element, rest string, err error) {
	if !strings.HasPrefix(text, `"`) {
		return "", "", errArray
	}
	var b strings.Builder
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '"':
			return b.String(), text[i+1:], nil
		case '\\':
			if i++; i == len(text) {
				return "", "", errArray
			}
		}
		b.WriteByte(text[i])
	}
	return "", "", errArray
}

func TestArrayLiterals(t *testing.T) {
	t.Parallel()
	for _, values := range [][]string{nil, {""}, {"", ""}, {"NULL"}, {`a"b`, `\`, `\\"`, "{,}", " a ", "é\n"}} {
		got, err := parseArray(ArrayLiteral(values))
		if err != nil || !slices.Equal(got, values) {
			t.Errorf("%q: %q, %v", values, got, err)
		}
	}
}

func FuzzArrayLiteral(f *testing.F) {
	f.Add("", "")
	f.Add(`","`, `\`)
	f.Add(`"}`, "{NULL}")
	f.Fuzz(func(t *testing.T, a, b string) {
		for _, values := range [][]string{{a}, {a, b}, {b, a, a}} {
			got, err := parseArray(ArrayLiteral(values))
			if err != nil || !slices.Equal(got, values) {
				t.Errorf("%q: %q, %v", values, got, err)
			}
		}
	})
}

// Different keys have different names, whatever the values hold.
func FuzzKeysDiffer(f *testing.F) {
	f.Add("1", "2", "12")
	f.Add("a,1:b", "", "a")
	f.Add(`"`, `","`, `\`)
	f.Fuzz(func(t *testing.T, a, b, c string) {
		keys := [][]string{{a}, {b}, {a, b}, {b, a}, {a, c}, {a + b}, {a + b, c}, {a, b + c}, {a, b, c}, {a + "," + b}}
		for _, k := range keys {
			for _, other := range keys {
				same := slices.Equal(k, other)
				if (KeyString(k) == KeyString(other)) != same {
					t.Errorf("%q and %q are %q and %q", k, other, KeyString(k), KeyString(other))
				}
				valid := utf8.ValidString(a) && utf8.ValidString(b) && utf8.ValidString(c)
				if valid && (RowKey(k) == RowKey(other)) != same {
					t.Errorf("%q and %q are %q and %q", k, other, RowKey(k), RowKey(other))
				}
			}
		}
	})
}

func TestRowKeyIsAJSONArray(t *testing.T) {
	t.Parallel()
	for _, key := range [][]string{{"1"}, {"a", ""}, {`"`, "<&>"}} {
		var got []string
		if err := json.Unmarshal([]byte(RowKey(key)), &got); err != nil || !slices.Equal(got, key) {
			t.Errorf("%q: %q, %v", key, got, err)
		}
	}
}

func FuzzQuote(f *testing.F) {
	f.Add(`a"b`)
	f.Add("")
	f.Fuzz(func(t *testing.T, name string) {
		quoted := Quote(name)
		inner := strings.TrimSuffix(strings.TrimPrefix(quoted, `"`), `"`)
		if len(quoted) < 2 || strings.ReplaceAll(inner, `""`, "") != strings.ReplaceAll(strings.ReplaceAll(name, "\x00", ""), `"`, "") {
			t.Errorf("%q: %s", name, quoted)
		}
	})
}
