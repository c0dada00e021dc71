package schema

import (
	"fmt"
	"strings"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/sql/research"
)

// ReleaseStatements are the texts that write what waits and what was released of one
// table. Except for withdraw, their parameters are the columns of the key, and then
// due marks, patients and prints.
type ReleaseStatements struct {
	Withdraw []string // rows that must go
	Wait     []string // rows that the stream brought
	Copy     []string // rows that the first copy brought
	Remake   []string // rows whose texts were made anew
	Release  []string // versions that are due: $1 has their marks
	Truncate []string
	Waiting  string // the table
}

func newReleaseStatements(t *Table, s *Statements) *ReleaseStatements {
	w := releaseWriter{Statements: s, waiting: research.WaitingTable(t.Table), released: research.ReleasedTable(t.Table)}
	for i, c := range t.Publish { // dates of the same patient move as before
		if !s.isKey[i] && t.Columns[c].Publish != config.ShiftDate {
			w.repaired = append(w.repaired, s.Names[i])
		}
	}
	return &ReleaseStatements{
		Withdraw: []string{w.remove(w.waiting), w.remove(w.released)},
		Wait:     []string{w.otherPatients(), w.add("")},
		Copy:     []string{w.removeAll(), w.add("")},
		Remake:   w.remake(),
		Release:  w.move(),
		Waiting:  w.waiting,
		Truncate: []string{"delete from " + w.waiting, "delete from " + w.released},
	}
}

type releaseWriter struct {
	*Statements
	waiting, released string
	repaired          []string // columns, quoted
}

// given writes the parameters as rows u, with columns of the key named as in [Statements].
func (w *releaseWriter) given() string {
	params, names := numbered(w.Keys, false)
	n := len(w.Keys)
	return fmt.Sprintf("unnest(%s, $%d::bytea[], $%d::text[], $%d::bytea[]) u(%s, due, patient, print)", params, n+1, n+2, n+3, names)
}

// same compares the key of a table called a with that of the parameters.
func (w *releaseWriter) same(a string) string {
	return joined(w.Keys, " and ", func(_, i int) string { return fmt.Sprintf("%s.%s = %s", a, w.Names[i], w.casts[i]) })
}

func (w *releaseWriter) remove(table string) string {
	return fmt.Sprintf("delete from %s t using %s where %s", table, w.Arrays(w.Statements.Keys), w.Match())
}

// removeAll removes the waiting versions of the rows given.
func (w *releaseWriter) removeAll() string {
	return fmt.Sprintf("delete from %s t using %s where %s", w.waiting, w.given(), w.same("t"))
}

// otherPatients removes versions of another patient's: their days are not comparable.
func (w *releaseWriter) otherPatients() string {
	return w.removeAll() + fmt.Sprintf(" and t.%s <> u.patient", research.PatientColumn)
}

// add adds the rows as they are now as versions; texts that were not sent are those of
// the version before.
func (w *releaseWriter) add(condition string) string {
	columns := strings.Join(w.Names, ", ")
	set := make([]string, 0, len(w.Names)+1)
	for _, name := range append(w.Names[:len(w.Names):len(w.Names)], research.PrintColumn) {
		set = append(set, name+" = excluded."+name)
	}
	var keys []string
	for _, i := range w.Keys {
		keys = append(keys, w.Names[i])
	}
	before := func(table string) string {
		return fmt.Sprintf("(select b.%s from %s b where %s limit 1)", research.PrintColumn, table, w.same("b"))
	}
	return fmt.Sprintf(`insert into %s (%s, %s, %s, %s) select t.%s, u.due, u.patient, coalesce(u.print, %s, %s) from %s t join %s on %s %s
		on conflict (%s, %s) do update set %s`, w.waiting, columns, research.DueColumn, research.PatientColumn, research.PrintColumn,
		strings.Join(w.Names, ", t."), before(w.waiting), before(w.released), w.Table, w.given(), w.same("t"), condition,
		strings.Join(keys, ", "), research.DueColumn, strings.Join(set, ", "))
}

// remake repairs the one version there is of a row, waiting or released, if it was made
// of the same text and for the same patient, or is older than these hashes. Otherwise
// all versions go, and the row waits anew: those of other texts can't be repaired.
func (w *releaseWriter) remake() []string {
	waits := func(compare string) string {
		return fmt.Sprintf("(select count(*) from %s o where %s) %s", w.waiting, w.same("o"), compare)
	}
	other := fmt.Sprintf("(t.%s <> u.print or t.%s <> u.patient)", research.PrintColumn, research.PatientColumn)
	repair := func(table string) string {
		set := []string{research.PrintColumn + " = u.print", research.PatientColumn + " = u.patient"}
		for _, name := range w.repaired {
			set = append(set, name+" = r."+name)
		}
		return fmt.Sprintf("update %s t set %s from %s r join %s on %s where %s", table, strings.Join(set, ", "),
			w.Table, w.given(), w.same("r"), w.same("t"))
	}
	return []string{
		fmt.Sprintf("delete from %s t using %s where %s and (%s or %s)", w.released, w.given(), w.same("t"), other, waits("> 0")),
		fmt.Sprintf("delete from %s t using %s where %s and (%s or %s)", w.waiting, w.given(), w.same("t"), other, waits("> 1")),
		repair(w.waiting),
		repair(w.released),
		w.add(fmt.Sprintf("and %s and not exists (select from %s o where %s)", waits("= 0"), w.released, w.same("o"))),
	}
}

// move puts versions in the place of what was released before, in the order of their
// keys.
func (w *releaseWriter) move() []string {
	due := research.DueColumn + " = any($1::bytea[])"
	match, keys := make([]string, len(w.Keys)), make([]string, len(w.Keys))
	for n, i := range w.Keys {
		match[n], keys[n] = fmt.Sprintf("t.%[1]s = w.%[1]s", w.Names[i]), w.Names[i]
	}
	columns := strings.Join(w.Names, ", ") + ", " + research.PrintColumn + ", " + research.PatientColumn
	return []string{
		fmt.Sprintf("delete from %s t using %s w where %s and w.%s", w.released, w.waiting, strings.Join(match, " and "), due),
		fmt.Sprintf("insert into %s (%s) select %[2]s from %s where %s order by %s",
			w.released, columns, w.waiting, due, strings.Join(keys, ", ")),
		fmt.Sprintf("delete from %s where %s", w.waiting, due),
	}
}
