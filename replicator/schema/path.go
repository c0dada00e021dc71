package schema

import (
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
)

// A table's path to the patient is a chain of joins: note -> encounter ->
// patient key. These functions write it as SQL, over the source's own tables or
// over the foreign tables that lead to them.

// Place names where a mapped table is read.
type Place func(t *Table) string

// AtSource reads the source's own tables.
func AtSource(t *Table) string { return t.Source() }

// AtForeign reads the foreign tables in the replica.
func AtForeign(t *Table) string { return pgx.Identifier{"deid_ehr", t.ID}.Sanitize() }

// From writes the FROM clause of t with its path, and returns it with the
// expression of the patient key and the table that holds it.
func (t *Table) From(at Place) (clause, patient string, holder *Table) {
	var b strings.Builder
	_, _ = fmt.Fprintf(&b, "%s t0", at(t))
	last, n := t, 0
	for ; last.Next != nil; n++ {
		_, _ = fmt.Fprintf(&b, " join %s t%d on t%d.%s = t%d.%s", at(last.Next), n+1,
			n+1, Quote(last.Patient.Key), n, Quote(last.Patient.Column))
		last = last.Next
	}
	return b.String(), fmt.Sprintf("t%d.%s", n, Quote(last.Patient.Column)), last
}

// Quote quotes the name of a column.
func Quote(name string) string { return pgx.Identifier{name}.Sanitize() }

// ArrayLiteral writes an array in PostgreSQL's text format, so that a parameter
// of any array type can be passed without a cast that would hide it from the
// foreign server.
func ArrayLiteral(values []string) string {
	var b strings.Builder
	b.WriteByte('{')
	for i, v := range values {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteByte('"')
		for j := range len(v) {
			if v[j] == '"' || v[j] == '\\' {
				b.WriteByte('\\')
			}
			b.WriteByte(v[j])
		}
		b.WriteByte('"')
	}
	b.WriteByte('}')
	return b.String()
}

// Target is where a path looks a value up. Two paths may lead through one table by
// different columns.
type Target struct {
	Table  *Table
	Column int // index in table.columns
}

// Join writes the FROM clause of t with the first hops of its path.
func (t *Table) Join(at Place, hops int) string {
	clause := at(t) + " t0"
	from := t
	for n := range hops {
		clause += fmt.Sprintf(" join %s t%d on t%d.%s = t%d.%s", at(from.Next), n+1, n+1, Quote(from.Patient.Key), n, Quote(from.Patient.Column))
		from = from.Next
	}
	return clause
}
