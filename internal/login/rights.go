package login

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Tables are the names of the tables that rights can be given for, and those of users whose line names none.
type Tables struct{ Known, Least []string }

// Rights are what a user may ask for, from the user's line. The zero value is nothing.
type Rights struct {
	Tables  []string
	Steward bool

	limits []limitWord
}

// Limits bound what one user may ask, over all sessions; 0 is no limit.
type Limits struct {
	Patients int // distinct patients within an hour
	Notes    int // notes within an hour
	Spans    int // found in one note that a client sends
}

// limitWord is a limit of one user's own.
type limitWord struct {
	name string
	n    int
}

// May reports whether the user may ask a table.
func (r Rights) May(table string) bool { return slices.Contains(r.Tables, table) }

// Limit returns what applies to the user: the server's limits, but for those in the line.
func (r Rights) Limit(limits Limits) Limits {
	for _, own := range r.limits {
		switch own.name {
		case "patients":
			limits.Patients = own.n
		case "notes":
			limits.Notes = own.n
		default:
			limits.Spans = own.n
		}
	}
	return limits
}

// Words returns what follows the verifier in a user's line: the names of the tables that the user may ask (none: the least), whether as a
// steward, and limits of the user's own, such as "notes=0".
func Words(known Tables, tables []string, steward bool, limits ...string) (string, error) {
	var words []string
	if len(tables) > 0 {
		words = append(words, "tables="+strings.Join(tables, ","))
	}
	if steward {
		words = append(words, "steward")
	}
	words = append(words, limits...)
	_, err := known.Parse(words)
	return strings.Join(words, " "), err
}

// Parse reads "tables=a,b steward patients=10 notes=10 spans=10", in any order.
func (known Tables) Parse(words []string) (Rights, error) {
	r := Rights{Tables: known.Least}
	for _, word := range words {
		name, value, _ := strings.Cut(word, "=")
		var err error
		switch name {
		case "steward":
			r.Steward = true
			if value != "" {
				err = errWord
			}
		case "tables":
			r.Tables, err = parseTables(known.Known, value)
		case "patients", "notes", "spans":
			var n int
			if n, err = strconv.Atoi(value); err != nil || n < 0 {
				err = fmt.Errorf("%s takes a number, 0 for no limit", name)
			}
			r.limits = append(r.limits, limitWord{name, n})
		default:
			err = errWord
		}
		if err != nil {
			return Rights{}, err
		}
	}
	return r, nil
}

var errWord = errors.New("after the verifier may come tables=…, steward, patients=…, notes=… and spans=…")

func parseTables(known []string, list string) ([]string, error) {
	tables := strings.Split(list, ",")
	for _, name := range tables {
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf("tables= takes some of %s", strings.Join(known, ","))
		}
	}
	return tables, nil
}
