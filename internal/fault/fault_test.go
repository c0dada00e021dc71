package fault

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
)

func TestRedactKeepsNamesAndLosesValues(t *testing.T) {
	secret := "Zebulon"
	cases := []struct {
		pg   pgconn.PgError
		want string
	}{
		{
			pgconn.PgError{Code: "23505", Message: "duplicate " + secret, Detail: secret, TableName: "note", ConstraintName: "note_pkey"},
			"PostgreSQL error, table note, constraint note_pkey (SQLSTATE 23505)",
		},
		{pgconn.PgError{Code: "22P02", Message: "invalid input syntax: " + secret}, "PostgreSQL error (SQLSTATE 22P02)"},
		{pgconn.PgError{Code: "42P01", Message: `relation "x" does not exist`}, `relation "x" does not exist (SQLSTATE 42P01)`},
	}
	for _, c := range cases {
		err := New("write", fmt.Errorf("wrapped %s: %w", secret, &c.pg), "look")
		if got := errors.Unwrap(err).Error(); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
		if strings.Contains(err.Error(), secret) {
			t.Errorf("value leaked: %v", err)
		}
		if State(err) != c.pg.Code {
			t.Errorf("State = %q, want %q", State(err), c.pg.Code)
		}
	}
}

func TestHintIsTheOutermost(t *testing.T) {
	inner := New("inner", errors.New("x"), "inner hint")
	if got := Hint(fmt.Errorf("w: %w", New("outer", inner, ""))); got != "inner hint" {
		t.Errorf("Hint = %q", got)
	}
	if New("op", nil, "h") != nil {
		t.Error("a nil cause must give nil")
	}
}
