package research

import (
	"bytes"
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/fault"
)

// CheckKey compares a key with the one that the replica was written with; check
// is the key's check value, epoch its number. The first call of all stores them.
func CheckKey(ctx context.Context, conn *pgx.Conn, check []byte, epoch int) error {
	const op = "check the key"
	if len(check) == 0 {
		return fault.New(op, errors.New("the key has no check value"), "")
	}
	if _, err := conn.Exec(ctx, "insert into deid.key_check (check_value, epoch) values ($1, $2) on conflict do nothing", check, epoch); err != nil {
		return fault.New(op, err, "")
	}
	same, _, err := KeyMatches(ctx, conn, check)
	if err != nil {
		return fault.New(op, err, "")
	}
	if !same {
		return fault.New(op, ErrWrongKey, WrongKeyHint)
	}
	return nil
}

// ErrWrongKey says that a key is not the replica's.
var ErrWrongKey = errors.New("this replica was written with another key")

// WrongKeyHint is what to do about [ErrWrongKey].
const WrongKeyHint = "use the key file that this replica was made with; 'pgdeid key rotate' changes the key of a replica"

// KeyMatches compares without writing; stored is false on a replica that no key
// has written to.
func KeyMatches(ctx context.Context, conn *pgx.Conn, check []byte) (same, stored bool, err error) {
	var have []byte
	err = conn.QueryRow(ctx, "select check_value from deid.key_check").Scan(&have)
	if errors.Is(err, pgx.ErrNoRows) {
		return false, false, nil
	}
	return bytes.Equal(have, check), err == nil, err
}
