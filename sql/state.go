package sql

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/fault"
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
	query := "select version, dirty from " + ident(t.home(), t.versions())
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

// KeyCheck compares a key with the one that the replica was written with; check
// is the key's check value, epoch its number. The first call of all stores them.
func KeyCheck(ctx context.Context, conn *pgx.Conn, check []byte, epoch int) error {
	const op = "check the key"
	if len(check) == 0 {
		return fault.New(op, errors.New("the key has no check value"), "")
	}
	if _, err := conn.Exec(ctx, "insert into deid.key_check (check_value, epoch) values ($1, $2) on conflict do nothing", check, epoch); err != nil {
		return fault.New(op, err, "")
	}
	same, _, err := keyMatches(ctx, conn, check)
	if err != nil {
		return fault.New(op, err, "")
	}
	if !same {
		return fault.New(op, errWrongKey, wrongKeyHint)
	}
	return nil
}

var errWrongKey = errors.New("this replica was written with another key")

const wrongKeyHint = "use the key file that this replica was made with; 'pgdeid key rotate' changes the key of a replica"

// keyMatches compares without writing; stored is false on a replica that no key
// has written to.
func keyMatches(ctx context.Context, conn *pgx.Conn, check []byte) (same, stored bool, err error) {
	var have []byte
	err = conn.QueryRow(ctx, "select check_value from deid.key_check").Scan(&have)
	if errors.Is(err, pgx.ErrNoRows) {
		return false, false, nil
	}
	return bytes.Equal(have, check), err == nil, err
}
