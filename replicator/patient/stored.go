package patient

import (
	"context"

	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/surrogate"
)

// readVault fills in the stored surrogates and date shifts.
func (l *Lookups) readVault(ctx context.Context, pseudonyms []string, into map[string]*Patient) error {
	err := l.Seals.Entries(ctx, l.Replica, pseudonyms, func(name string, e surrogate.Entry) {
		into[name].stored = append(into[name].stored, e)
	})
	if err == nil {
		err = l.Seals.Shifts(ctx, l.Replica, pseudonyms, func(name string, days int) {
			into[name].Shift, into[name].ShiftStored = days, true
		})
	}
	if err != nil {
		return fault.New("read the vault", connect.Lost(l.Replica, err),
			"run 'pgdeid migrate up'; if a row of the vault was changed by hand, put it back from a backup")
	}
	for _, p := range into {
		if !p.ShiftStored {
			p.Shift = l.Maker.Shift(p.Pseudonym)
		}
	}
	return nil
}
