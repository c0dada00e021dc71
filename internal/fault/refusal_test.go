package fault

import (
	"errors"
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
)

func TestWhatARefusalIsDueTo(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		state          string
		row, inSmaller bool
	}{
		{"22001", true, true}, // a text that is too long
		{"23505", true, true}, // a key that is there
		{"P0001", true, true}, // a trigger's exception
		{"54000", true, true}, // an index entry that is too large
		{"XX000", true, true}, // also what more than 1 GB comes to
		{"53200", false, true},
		{"53100", false, false},
		{"42501", false, false},
		{"40001", false, false},
		{"57P01", false, false},
		{"2", false, false},
		{"", false, false},
	} {
		for _, err := range []error{
			&pgconn.PgError{Code: c.state},
			fmt.Errorf("wrapped: %w", &pgconn.PgError{Code: c.state}),
			New("write", &pgconn.PgError{Code: c.state}, ""),
		} {
			if BlamesRow(err) != c.row || SmallerMayDo(err) != c.inSmaller {
				t.Errorf("%s in %T: BlamesRow %v, SmallerMayDo %v", c.state, err, BlamesRow(err), SmallerMayDo(err))
			}
		}
	}
	for _, err := range []error{nil, errors.New("connection lost")} {
		if BlamesRow(err) || SmallerMayDo(err) {
			t.Errorf("%v is blamed on a row", err)
		}
	}
}
