package schema

import (
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/value"
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

// From writes the FROM clause of t with its path, and returns it with what holds the patient key and the alias of its
// table.
func (t *Table) From(at Place) (clause string, patient Via, alias string) {
	if t.Patient.Divides() {
		return t.divided(at), Via{Target: Target{t, t.Via}, divided: true}, "t1"
	}
	hops := 0
	holder := t
	for ; holder.Next != nil; hops++ {
		holder = holder.Next
	}
	return t.Join(at, hops), holder.Leads(), fmt.Sprintf("t%d", hops)
}

// Columns of the map that [Table.divided] joins.
const (
	mapKey     = `"(key)"`
	mapPatient = `"(patient)"`
	mapOwn     = `"(own)"`
)

// divided writes the FROM clause of t where some rows hold the patient key and the others lead through another table: t joined
// with a map of keys to patients. Conditions on the patient reach either half of it, and with it the indexes there.
func (t *Table) divided(at Place) string {
	clause, patient, alias := t.Next.From(at)
	key, there := patient.keyed(alias)
	column, typ := Quote(t.Patient.Column), t.holder.SQLType()
	return fmt.Sprintf("%[1]s t0 join (select o.%[2]s as "+mapKey+", o.%[2]s::%[3]s as "+mapPatient+", true as "+mapOwn+" from %[1]s o where %[4]s "+
		"union select t0.%[5]s, (%[6]s)::%[3]s, false from %[7]s where %[9]s) t1 on t1."+mapKey+" = t0.%[2]s and t1."+mapOwn+" = ((%[8]s) is true)",
		at(t), column, typ, t.Patient.When.SQL("o"), Quote(t.Next.Columns[t.Into].Name), key, clause, t.Patient.When.SQL("t0"), there)
}

// Holds reports whether what leads from a row to its patient is the patient key itself.
func (t *Table) Holds(row []Value) bool {
	if t.Patient.When == nil {
		return t.Next == nil
	}
	for i := range t.when {
		test := &t.when[i]
		if v := row[test.column]; !test.Holds(v.Text, v.State != Present) {
			return false
		}
	}
	return true
}

// Leading returns what of a row leads to its patient, false if nothing does.
func (t *Table) Leading(row []Value) (string, bool) {
	if t.Via < 0 || row[t.Via].State != Present || t.Next == nil && !t.Holds(row) {
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

// QuoteAll quotes names of columns, with commas between them.
func QuoteAll(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = Quote(name)
	}
	return strings.Join(quoted, ", ")
}

// ArrayLiteral writes an array in PostgreSQL's text format, so that a parameter
// of any array type can be passed without a cast that would hide it from the
// foreign server.
func ArrayLiteral(values []string) string {
	list := make([]value.Datum, len(values))
	for i, v := range values {
		list[i].Text = v
	}
	return string(value.WriteList(list))
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
		clause += fmt.Sprintf(" join %s t%d on %s", at(from.Next), n+1, from.joined(n))
		from = from.Next
	}
	return clause
}

// joined compares the row of t, which has the number n in a query, with the one that it leads to.
func (t *Table) joined(n int) string {
	keys := t.Next.parts(t.Into)
	if !t.Patient.Direct() {
		return fmt.Sprintf("t%d.%s = %s", n+1, Quote(t.Next.Columns[keys[0]].Name), t.Leads().List(fmt.Sprintf("t%d", n)))
	}
	columns := t.parts(t.Via)
	conditions := make([]string, len(columns))
	for i := range columns {
		conditions[i] = fmt.Sprintf("t%d.%s = t%d.%s", n+1, Quote(t.Next.Columns[keys[i]].Name), n, Quote(t.Columns[columns[i]].Name))
	}
	return strings.Join(conditions, " and ")
}
