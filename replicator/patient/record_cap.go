package patient

import (
	"slices"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/record"
)

// maxValues bounds how many values of a role a patient's record is matched with: test
// patients and the unknown have thousands, and all other patients would wait while they
// are made ready. The newest ones count. Words of the others stay known as those of
// former names do: each for itself and as it is written.
const maxValues = 256

// Tally gathers what tables say of one patient, the newest values of each table first.
type Tally struct {
	phi.Redacted

	Record record.Record // at most maxValues of each role
	rest   record.Record // the others
	seen   map[record.Role]map[string]bool
}

func newTally() *Tally {
	return &Tally{Record: record.Record{}, rest: record.Record{}, seen: map[record.Role]map[string]bool{}}
}

func (y *Tally) add(role record.Role, value string) {
	if value == "" || y.seen[role][value] {
		return
	}
	if y.seen[role] == nil {
		y.seen[role] = map[string]bool{}
	}
	y.seen[role][value] = true
	into := y.Record
	if len(into[role]) >= maxValues {
		into = y.rest
	}
	into[role] = append(into[role], value)
}

// done puts the values in the order in which they came about.
func (y *Tally) done() {
	for _, values := range y.Record {
		slices.Reverse(values)
	}
}
