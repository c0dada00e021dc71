package migrations

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/sql/quote"
)

// State is how far a database has been migrated.
type State struct {
	Version uint `json:"version"` // 0: not at all
	Dirty   bool `json:"dirty"`   // a migration stopped half-way
	Latest  uint `json:"latest"`  // what this program knows
}

// ReadState asks a database for its version.
func ReadState(ctx context.Context, conn *pgx.Conn, t Target) (State, error) {
	latest, err := Latest(t)
	if err != nil {
		return State{}, err
	}
	s := State{Latest: latest}
	query := "select version, dirty from " + quote.Name(t.home(), t.versions())
	var version uint32
	err = conn.QueryRow(ctx, query).Scan(&version, &s.Dirty)
	switch code := fault.State(err); {
	case errors.Is(err, pgx.ErrNoRows) || code == "42P01" || code == "3F000":
		return s, nil
	case err != nil:
		hint := ""
		if code == "42501" {
			hint = fmt.Sprintf("\"pgdeid migrate up --target %s\" gives pgdeid's roles their privileges again", t)
		}
		return s, fault.New("read the version of the "+string(t), err, hint)
	}
	s.Version = uint(version)
	return s, nil
}

// CheckReplica returns an error unless the replica is of exactly the version that
// this program was made for.
func CheckReplica(ctx context.Context, conn *pgx.Conn) error {
	s, err := ReadState(ctx, conn, Replica)
	if err != nil {
		return err
	}
	return s.check(Replica)
}

// RefuseDown stops a "down" by a program that does not know this version.
func (s State) RefuseDown(t Target) error {
	if s.Dirty || s.Version > s.Latest {
		return s.check(t)
	}
	return nil
}

func (s State) check(t Target) error {
	op := "check the version of the " + string(t)
	switch {
	case s.Dirty:
		return fault.New(op, fmt.Errorf("migration %d stopped half-way", s.Version),
			fmt.Sprintf("repair what it left, then %s and \"pgdeid migrate up\"", t.forceHint(t.before(int(s.Version)))))
	case s.Version == 0:
		return fault.New(op, errors.New("it has not been set up"), "run \"pgdeid migrate up\"")
	case s.Version < s.Latest:
		return fault.New(op, fmt.Errorf("it has version %d, older than %d, which this program needs", s.Version, s.Latest),
			"run \"pgdeid migrate up\"")
	case s.Version > s.Latest:
		return fault.New(op, fmt.Errorf("it has version %d, newer than %d, which this program knows", s.Version, s.Latest),
			"use the release of pgdeid that migrated it, or a newer one")
	}
	return nil
}
