package surrogate

import (
	"errors"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/record"
)

// A date of birth is published as a complete date or not at all; nothing around it is copied.
func TestBirthDateAlone(t *testing.T) {
	t.Parallel()
	b := testBook(t, "1", record.Record{record.NameLast: {"Zorvakian"}}, -3)
	for value, want := range map[string]string{
		"1956-04-12": "1956-04-09", "04/12/1956": "04/09/1956", "April 12, 1956": "April 9, 1956",
		"12-APR-1956": "09-APR-1956",
		"19560412":    "19560409", "1956-04-12 00:00:00": "1956-04-09 00:00:00", "1956-04-12T07:30:00Z": "1956-04-09T07:30:00Z",
		" 4/12/1956 ":                           " 4/9/1956 ",
		"1956-04-12 (per Quenby, 415-555-1234)": "", "dob 12 April 1956; mother Quenby": "", "Quenby": "", "approx 1956": "",
		"ask Quenby, ward 9": "",
		"1956-04-12 0044":    "", "1956-04-12 BC": "", "4/12/1956 or 4/13/1956": "", "1956-04-12 07:30 Quenby": "",
	} {
		got, _, err := b.Value(record.BirthDate, value)
		if got != want || errors.Is(err, ErrNoDate) != (want == "") {
			t.Errorf("%q: %q, %v, want %q", value, got, err, want)
		}
	}
}
