package replicator

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/surrogate"
)

// readVault fills in the stored surrogates and date shifts.
func (l *lookups) readVault(ctx context.Context, pseudonyms []string, into map[string]*patient) error {
	if err := l.readSurrogates(ctx, pseudonyms, into); err != nil {
		return err
	}
	if err := l.readShifts(ctx, pseudonyms, into); err != nil {
		return err
	}
	for _, p := range into {
		if !p.shiftStored {
			p.shift = l.maker.Shift(p.pseudonym)
		}
	}
	return nil
}

func (l *lookups) readSurrogates(ctx context.Context, pseudonyms []string, into map[string]*patient) error {
	rows, err := l.replica.Query(ctx, `
		select patient, kind, original_hmac, sealed from deid.surrogate where patient = any($1)
		order by patient, kind, original_hmac`, pseudonyms)
	if err != nil {
		return l.vaultFault(err)
	}
	var name string
	var e surrogate.Entry
	var sealed []byte
	_, err = pgx.ForEachRow(rows, []any{&name, &e.Kind, &e.Hash, &sealed}, func() error {
		text := ""
		if e.Kind != recordKind {
			var err error
			if text, err = l.openSurrogate(name, e.Kind, e.Hash, sealed); err != nil {
				return err
			}
		}
		into[name].stored = append(into[name].stored, surrogate.Entry{Kind: e.Kind, Hash: slices.Clone(e.Hash), Surrogate: text})
		return nil
	})
	return l.vaultFault(err)
}

func (l *lookups) readShifts(ctx context.Context, pseudonyms []string, into map[string]*patient) error {
	rows, err := l.replica.Query(ctx, `select patient, sealed from deid.date_shift where patient = any($1)`, pseudonyms)
	if err != nil {
		return l.vaultFault(err)
	}
	var name string
	var sealed []byte
	_, err = pgx.ForEachRow(rows, []any{&name, &sealed}, func() (err error) {
		into[name].shift, err = l.openShift(name, sealed)
		into[name].shiftStored = err == nil
		return err
	})
	return l.vaultFault(err)
}

func (l *lookups) vaultFault(err error) error {
	return fault.New("read the vault", lost(l.replica, err),
		"run 'pgdeid migrate up'; if a row of the vault was changed by hand, put it back from a backup")
}
