package migrations

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/fault"
)

// sealedVersion is the version of the replica from which on its vault is sealed.
const sealedVersion = 5

// refusePlain stops an "up" over a vault that holds values in plain. They can't be sealed
// in place: "migrate" does not have the key, and what is updated or dropped stays on disk,
// in WAL and in backups for long.
func refusePlain(ctx context.Context, conn *pgx.Conn) error {
	const op = "seal the vault of the replica"
	s, err := ReadState(ctx, conn, Replica)
	if err != nil || s.Dirty || s.Version < 2 || s.Version >= sealedVersion {
		return err
	}
	var rows bool
	err = conn.QueryRow(ctx, `
		select exists (select from deid.surrogate) or exists (select from deid.date_shift)
			or exists (select from deid.note_provenance) or exists (select from deid.quarantine)`).Scan(&rows)
	if err == nil && rows {
		err = errors.New("it holds date shifts, surrogates or spans in plain")
	}
	return fault.New(op, err, "make the replica anew: \"pgdeid migrate down --target replica --yes\", "+
		"\"pgdeid migrate up\", \"pgdeid snapshot --resync\"; "+
		"where the disk or backups may have been read, give it another server and another key")
}
