package config

import (
	"strings"

	"github.com/jackc/pgx/v5"
)

// String returns the condition as [ParseCondition] reads it.
func (c Condition) String() string {
	tests := make([]string, len(c.Tests))
	for i := range c.Tests {
		tests[i] = c.Tests[i].write(quoteName(c.Tests[i].Column))
	}
	return strings.Join(tests, " and ")
}

// SQL returns the condition as SQL about the rows of an alias. It holds for the rows for which [Test.Holds] does: values are
// compared as text, of booleans in either of their forms, and without the blanks that pad a char(n).
func (c Condition) SQL(alias string) string {
	tests := make([]string, len(c.Tests))
	for i := range c.Tests {
		t := c.Tests[i]
		column := alias + "." + quoteName(t.Column)
		if !t.Null {
			column = "rtrim(" + column + "::text, ' ')"
			t.Values = spellings(t.Values)
		}
		tests[i] = t.write(column)
	}
	return strings.Join(tests, " and ")
}

// spellings returns values without blanks at their ends, those of booleans as either SQL or the stream writes them.
func spellings(values []string) []string {
	var all []string
	for _, v := range values {
		v = strings.TrimRight(v, " ")
		all = append(all, v)
		switch v {
		case "t":
			all = append(all, "true")
		case "f":
			all = append(all, "false")
		}
	}
	return all
}

func quoteName(name string) string { return pgx.Identifier{name}.Sanitize() }

// write returns the test of a column.
func (t *Test) write(column string) string {
	not := ""
	if t.Not {
		not = "not "
	}
	if t.Null {
		return column + " is " + not + "null"
	}
	list := make([]string, len(t.Values))
	for i, v := range t.Values {
		list[i] = "'" + strings.ReplaceAll(v, "'", "''") + "'"
	}
	return column + " " + not + "in (" + strings.Join(list, ", ") + ")"
}
