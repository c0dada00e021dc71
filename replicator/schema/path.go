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
		b.WriteString(last.join(at, n))
		last = last.Next
	}
	return b.String(), last.ViaSQL(n), last
}

// join writes the join of the nth table of a path, t, with the next one.
func (t *Table) join(at Place, n int) string {
	return fmt.Sprintf(" join %s t%d on t%d.%s = %s", at(t.Next), n+1, n+1, Quote(t.Patient.Key), t.ViaSQL(n))
}

// ViaSQL writes what leads to the patient, in a query in which t is called tn.
func (t *Table) ViaSQL(n int) string {
	return t.Patient.Expression(fmt.Sprintf("t%d.%s", n, Quote(t.Patient.Column)), t.ViaType())
}

// ViaType returns the type of what leads to the patient.
func (t *Table) ViaType() string {
	if t.Patient.Direct() {
		return t.Columns[t.Via].Typ
	}
	return t.viaType
}

// ReadVia reads what leads to the patient, as PostgreSQL writes it.
func (t *Table) ReadVia(raw []byte) string {
	if t.Patient.Direct() {
		return t.Columns[t.Via].Read(raw)
	}
	return string(raw)
}

// Leading returns what of a row leads to its patient, false if nothing does.
func (t *Table) Leading(row []Value) (string, bool) {
	if t.Via < 0 || row[t.Via].State != Present {
		return "", false
	}
	text := row[t.Via].Text
	if t.Patient.Direct() {
		return text, true
	}
	if t.leads == nil {
		return t.find(text)
	}
	found, ok := "", false
	t.Columns[t.Via].Form.Values(text, t.leads, func(_ int, value string) {
		if !ok {
			found, ok = t.find(value)
		}
	})
	return found, ok
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
		clause += from.join(at, n)
		from = from.Next
	}
	return clause
}
