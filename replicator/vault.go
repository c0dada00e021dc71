package replicator

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/vault"
	"github.com/pgdeid/pgdeid/surrogate"
)

// OpenVault connects to the replica of a configuration, of the version that this program
// knows, and calls do with its vault.
func OpenVault(ctx context.Context, cfg *config.Config, key *surrogate.Key, do func(*vault.Reader) error) error {
	return withVault(ctx, cfg, func(conn *pgx.Conn) error { return do(vault.NewReader(conn, key)) })
}

// OpenVault calls do with the vault of the replica, again if the connection breaks.
func (d *Desk) OpenVault(ctx context.Context, do func(*vault.Reader) error) error {
	return d.with(ctx, func(s *side) error { return do(vault.NewReader(s.look.replica, s.look.key)) })
}

// readVault fills in the stored surrogates and date shifts.
func (l *lookups) readVault(ctx context.Context, pseudonyms []string, into map[string]*patient) error {
	err := l.seals.Entries(ctx, l.replica, pseudonyms, func(name string, e surrogate.Entry) {
		into[name].stored = append(into[name].stored, e)
	})
	if err == nil {
		err = l.seals.Shifts(ctx, l.replica, pseudonyms, func(name string, days int) {
			into[name].shift, into[name].shiftStored = days, true
		})
	}
	if err != nil {
		return fault.New("read the vault", connect.Lost(l.replica, err),
			"run 'pgdeid migrate up'; if a row of the vault was changed by hand, put it back from a backup")
	}
	for _, p := range into {
		if !p.shiftStored {
			p.shift = l.maker.Shift(p.pseudonym)
		}
	}
	return nil
}
