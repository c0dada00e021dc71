package pgwire

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// rights are what a user may ask for, from the user's line. The zero value is nothing.
type rights struct {
	tables  []string
	steward bool
	limits  []limitWord
}

// limitWord is a limit of one user's own.
type limitWord struct {
	name string
	n    int
}

// leastTables are the tables of a line that names none: what turns identified text into
// de-identified text and shows nothing else.
var leastTables = []string{"deidentify", "deidentify_batch", "inbox", "outbox"}

// TableNames are the tables that a right can be given for.
func TableNames() []string {
	var names []string
	for _, t := range tables() {
		names = append(names, t.name)
	}
	return names
}

// may reports whether the user may ask a table.
func (r *rights) may(table string) bool { return slices.Contains(r.tables, table) }

// Rights returns what follows the verifier in a user's line: the tables that the user may ask
// (none: the least), whether as a steward, and limits of the user's own, such as "notes=0".
func Rights(tables []string, steward bool, limits ...string) (string, error) {
	var words []string
	if len(tables) > 0 {
		words = append(words, "tables="+strings.Join(tables, ","))
	}
	if steward {
		words = append(words, "steward")
	}
	words = append(words, limits...)
	_, err := parseRights(words)
	return strings.Join(words, " "), err
}

// parseRights reads "tables=a,b steward patients=10 notes=10 spans=10", in any order.
func parseRights(words []string) (rights, error) {
	r := rights{tables: leastTables}
	for _, word := range words {
		name, value, _ := strings.Cut(word, "=")
		var err error
		switch {
		case word == "steward":
			r.steward = true
		case name == "tables":
			r.tables, err = parseTables(value)
		case name == limitPatients || name == limitNotes || name == limitSpans:
			var n int
			if n, err = strconv.Atoi(value); err != nil || n < 0 {
				err = fmt.Errorf("%s takes a number, 0 for no limit", name)
			}
			r.limits = append(r.limits, limitWord{name, n})
		default:
			err = errors.New("after the verifier may come tables=…, steward, patients=…, notes=… and spans=…")
		}
		if err != nil {
			return rights{}, err
		}
	}
	return r, nil
}

func parseTables(list string) ([]string, error) {
	known := TableNames()
	tables := strings.Split(list, ",")
	for _, name := range tables {
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf("tables= takes some of %s", strings.Join(known, ","))
		}
	}
	return tables, nil
}

// account is one user's rights and limits, as they are at the moment they are asked for:
// a session may outlive the file that let it in.
type account struct {
	user   string
	users  *Users
	limits Limits // of those whose line has none
	quotas *quotas
}

func (a *account) may(table string) bool {
	r := a.users.rights(a.user)
	return r.may(table)
}

func (a *account) steward() bool { return a.users.rights(a.user).steward }

// limit returns what applies to the user: the server's limits, but for those in the line.
func (a *account) limit() Limits {
	limits := a.limits
	for _, own := range a.users.rights(a.user).limits {
		switch own.name {
		case limitPatients:
			limits.Patients = own.n
		case limitNotes:
			limits.Notes = own.n
		case limitSpans:
			limits.Spans = own.n
		}
	}
	return limits
}

// take counts notes and patients against the user's limits, or refuses all of them.
func (a *account) take(notes int, patients []string) (refusedBy string, err *failure) {
	return a.quotas.take(a.user, a.limit(), notes, patients)
}
