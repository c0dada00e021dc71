package schema

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/plain"
)

// listColumn is described as one of a table's.
func listColumn(typ, separator string) *Column {
	c := &Column{Column: config.Column{Name: "x", Tells: record.Phone, Publish: config.Surrogate, Separator: separator}, Typ: typ, Replica: typ}
	c.Describe(&config.Config{}, &Table{Table: &config.Table{}})
	return c
}

func TestLists(t *testing.T) {
	t.Parallel()
	upper := func(v string) (string, error) {
		if v == "bad" {
			return "", plain.ErrValue
		}
		return strings.ToUpper(v), nil
	}
	for _, c := range []struct {
		typ, separator, text string
		each                 []string
		want                 string // "" where it does not fit
	}{
		{"text", "", "a; b", []string{"a; b"}, "A; B"},
		{"text", ";", "a; b ;c", []string{"a", "b", "c"}, "A; B; C"},
		{"text", ";", "a;b", []string{"a", "b"}, "A;B"},
		{"text", ";", "a", []string{"a"}, "A"},
		{"text", "|", "a||b|", []string{"a", "b"}, "A||B|"},
		{"text", ";", "a; bad", []string{"a", "bad"}, ""},
		{"text[]", "", `{a,"b c",NULL,"d\"e"}`, []string{"a", "b c", `d"e`}, `{"A","B C",NULL,"D\"E"}`},
		{"text[]", "", "{}", nil, "{}"},
		{"bpchar[]", "", `{"a  ","b"}`, []string{"a", "b"}, `{"A","B"}`},
		{"text[]", "", "{{a,b},{c,d}}", []string{"a", "b", "c", "d"}, ""},
		{"text[]", "", "[0:1]={a,b}", []string{"[0:1]=", "a", "b"}, ""},
	} {
		col := listColumn(c.typ, c.separator)
		var each []string
		col.EachRole(c.text, func(role record.Role, v string) {
			if role != record.Phone {
				t.Errorf("%s tells %s", c.text, role)
			}
			each = append(each, v)
		})
		if !slices.Equal(each, c.each) {
			t.Errorf("%s %q: %q", c.typ, c.text, each)
		}
		got, err := col.Map(c.text, upper)
		if got != c.want || (err != nil) != (c.want == "") || err != nil && !errors.Is(err, plain.ErrValue) {
			t.Errorf("%s %q: %q, %v, want %q", c.typ, c.text, got, err, c.want)
		}
	}
}

func TestElementsOfLists(t *testing.T) {
	t.Parallel()
	if e := listColumn("bigint[]", "").Element; e == nil || e.Typ != "bigint" || e.Replica != "bigint" || e.Element != nil {
		t.Errorf("of an array: %+v", e)
	}
	if e := listColumn("text", ";").Element; e == nil || e.Typ != "text" || e.Separator != "" {
		t.Errorf("of a text: %+v", e)
	}
	kept := &Column{Column: config.Column{Publish: config.Keep}, Typ: "text[]"}
	kept.Describe(&config.Config{}, &Table{Table: &config.Table{}})
	if kept.Element != nil || listColumn("text", "").Element != nil {
		t.Error("a kept array, or a single value, has elements")
	}
}

// What is written is read again as the same values.
func FuzzLists(f *testing.F) {
	f.Add("a; b;;c", ";")
	f.Add(`{"a b",c,NULL}`, "")
	f.Fuzz(func(t *testing.T, text, separator string) {
		typ := "text"
		if separator == "" {
			typ = "text[]"
		}
		col := listColumn(typ, separator)
		same := func(v string) (string, error) { return v, nil }
		out, err := col.Map(text, same)
		if err != nil {
			return
		}
		var was, now []string
		col.Each(text, func(v string) { was = append(was, v) })
		col.Each(out, func(v string) { now = append(now, v) })
		if !slices.Equal(was, now) && strings.TrimSpace(separator) == separator {
			t.Errorf("%q became %q", was, now)
		}
	})
}

// A date of birth in a layout of the column's own is told as anybody reads it.
func TestDatesOfBirthAreToldClearly(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ layout, value, want string }{
		{"ddmmyyyy", "03021950", "1950-02-03"},
		{"ddmmyyyy", "unknown", "unknown"},
		{"", "03/02/1950", "03/02/1950"},
	} {
		col := &Column{Column: config.Column{Tells: record.BirthDate, Publish: config.Drop, Order: plain.Order(c.layout)}, Typ: "text"}
		col.Describe(&config.Config{}, &Table{Table: &config.Table{}})
		col.EachRole(c.value, func(_ record.Role, v string) {
			if v != c.want {
				t.Errorf("%s is told as %s", c.value, v)
			}
		})
	}
}
