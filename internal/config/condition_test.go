package config

import (
	"reflect"
	"strings"
	"testing"
)

func TestParseCondition(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		want []Test
	}{
		{"status = 'refused'", []Test{{Column: "status", Values: []string{"refused"}}}},
		{" Status='it''s' ", []Test{{Column: "status", Values: []string{"it's"}}}},
		{`"Status" <> 'a b'`, []Test{{Column: "Status", Not: true, Values: []string{"a b"}}}},
		{"status != ''", []Test{{Column: "status", Not: true, Values: []string{""}}}},
		{"n = -12.50", []Test{{Column: "n", Values: []string{"-12.50"}}}},
		{"out = TRUE", []Test{{Column: "out", Values: []string{"true"}}}},
		{"ended is null", []Test{{Column: "ended", Null: true}}},
		{"ended IS NOT NULL", []Test{{Column: "ended", Not: true, Null: true}}},
		{"kind in ('a','b' , 3)", []Test{{Column: "kind", Values: []string{"a", "b", "3"}}}},
		{"kind not in('a')", []Test{{Column: "kind", Not: true, Values: []string{"a"}}}},
		{"a = 1 and b is null AND android = 'x'", []Test{
			{Column: "a", Values: []string{"1"}}, {Column: "b", Null: true}, {Column: "android", Values: []string{"x"}},
		}},
	} {
		got, err := ParseCondition(c.text)
		if err != nil || !reflect.DeepEqual(got.Tests, c.want) {
			t.Errorf("%s: %+v, %v", c.text, got, err)
		}
	}
}

func TestConditionsThatAreNone(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", "status", "status =", "= 'a'", "status = refused", "status = 'a", `"status = 'a'`, "status = 'a' or x = 'b'", "status = 'a' and",
		"status like 'a%'", "status = 'a'; drop table x", "status in ()", "status in ('a'", "status in 'a'", "1 = 1", "a = b", "a = null",
		"lower(a) = 'x'", "a.b = 'x'", "a = 'x' -- c", "a = 1.", "a = --1", "a is 'x'", "a not = 'x'", "a = 'x'::text", "not a = 'x'",
	} {
		if got, err := ParseCondition(text); err == nil {
			t.Errorf("%s is read as %+v", text, got)
		}
	}
	if _, err := ParseCondition("a = null"); !strings.Contains(err.Error(), "is null") {
		t.Errorf("a comparison with null: %v", err)
	}
}

func TestConditionsHoldAsInSQL(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text  string
		value string
		null  bool
		want  bool
	}{
		{"a = 'x'", "x", false, true},
		{"a = 'x'", "y", false, false},
		{"a = 'x'", "", true, false},
		{"a <> 'x'", "y", false, true},
		{"a <> 'x'", "x", false, false},
		{"a <> 'x'", "", true, false},
		{"a not in ('x', 'y')", "", true, false},
		{"a not in ('x', 'y')", "z", false, true},
		{"a in ('x', 'y')", "y", false, true},
		{"a is null", "", true, true},
		{"a is null", "", false, false},
		{"a is not null", "", false, true},
		{"a is not null", "", true, false},
		{"a = 'x'", "x   ", false, true}, // char(4)
		{"a = true", "t", false, true},
		{"a = false", "f", false, true},
		{"a = false", "t", false, false},
		{"a <> true", "t", false, false},
		{"a = 'X'", "x", false, false},
	} {
		cond, err := ParseCondition(c.text)
		if err != nil {
			t.Fatal(err)
		}
		if got := cond.Tests[0].Holds(c.value, c.null); got != c.want {
			t.Errorf("%s of %q (null %t): %t", c.text, c.value, c.null, got)
		}
	}
}

// Whatever is read is read to its end, and has columns and values.
func FuzzParseCondition(f *testing.F) {
	for _, text := range []string{"a = 'x' and b is not null", `"A" in (1, 'x''y')`, "a<>''", "a = 'x", "é = 1"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := ParseCondition(text)
		if err != nil {
			return
		}
		if len(c.Tests) == 0 {
			t.Errorf("%q has no test", text)
		}
		for _, test := range c.Tests {
			if test.Column == "" && !strings.Contains(text, `""`) || test.Null == (len(test.Values) > 0) {
				t.Errorf("%q: %+v", text, test)
			}
		}
	})
}

// What is written of a condition says the same, and as SQL it names the columns of a row.
func TestConditionsAreWritten(t *testing.T) {
	t.Parallel()
	for text, sql := range map[string]string{
		"kind = 'Patient'":                    `rtrim(o."kind"::text, ' ') in ('Patient')`,
		`"Kind" not in ('a''b', 'c  ')`:       `rtrim(o."Kind"::text, ' ') not in ('a''b', 'c')`,
		"done = true and n <> 1.5":            `rtrim(o."done"::text, ' ') in ('true') and rtrim(o."n"::text, ' ') not in ('1.5')`,
		"done = 't'":                          `rtrim(o."done"::text, ' ') in ('t', 'true')`,
		"ended is null and begun is not null": `o."ended" is null and o."begun" is not null`,
		`"a""b" = 'f'`:                        `rtrim(o."a""b"::text, ' ') in ('f', 'false')`,
	} {
		c, err := ParseCondition(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.SQL("o"); got != sql {
			t.Errorf("%s as SQL: %s, want %s", text, got, sql)
		}
		if again, err := ParseCondition(c.String()); err != nil || !reflect.DeepEqual(again, c) {
			t.Errorf("%s is written as %s (%v)", text, c, err)
		}
	}
}
