package replicator

import (
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
)

// A table's path to the patient is a chain of joins: note -> encounter ->
// patient key. These functions write it as SQL, over the source's own tables or
// over the foreign tables that lead to them.

// place names where a mapped table is read.
type place func(t *table) string

// atSource reads the source's own tables.
func atSource(t *table) string { return t.source() }

// atForeign reads the foreign tables in the replica.
func atForeign(t *table) string { return pgx.Identifier{"deid_ehr", t.id}.Sanitize() }

// from writes the FROM clause of t with its path, and returns it with the
// expression of the patient key and the table that holds it.
func (t *table) from(at place) (clause, patient string, holder *table) {
	var b strings.Builder
	_, _ = fmt.Fprintf(&b, "%s t0", at(t))
	last, n := t, 0
	for ; last.next != nil; n++ {
		_, _ = fmt.Fprintf(&b, " join %s t%d on t%d.%s = t%d.%s", at(last.next), n+1,
			n+1, quote(last.Patient.Key), n, quote(last.Patient.Column))
		last = last.next
	}
	return b.String(), fmt.Sprintf("t%d.%s", n, quote(last.Patient.Column)), last
}

func quote(name string) string { return pgx.Identifier{name}.Sanitize() }

// arrayLiteral writes an array in PostgreSQL's text format, so that a parameter
// of any array type can be passed without a cast that would hide it from the
// foreign server.
func arrayLiteral(values []string) string {
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
