package replicator

import (
	"context"
	"errors"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/pgdeid/pgdeid/internal/fault"
)

// writeVault writes the surrogates and shifts of a group into tx. Where the replica
// refuses an entry, the group is written in halves, patient by patient, and the patients
// of whom nothing was written are returned.
func (s *shared) writeVault(ctx context.Context, tx pgx.Tx, g *group) (refused []string, err error) {
	if len(g.entries) == 0 && len(g.shifts) == 0 {
		return nil, nil
	}
	err = s.tryVault(ctx, tx, g)
	if !lessMayDo(err) {
		return nil, fault.New("store surrogates", err, "")
	}
	if err := backTo(ctx, tx, "vault"); err != nil {
		return nil, err
	}
	names := g.patients()
	if len(names) == 1 {
		if !blamesRow(err) {
			return nil, fault.New("store surrogates", err, "")
		}
		s.log.Warn("the replica refuses the surrogates of a patient, whose rows are set aside", "sqlstate", fault.State(err))
		return names, nil
	}
	half := len(names) / 2
	for _, part := range [][]string{names[:half], names[half:]} {
		leave := map[string]bool{}
		for _, name := range names {
			leave[name] = !slices.Contains(part, name)
		}
		more, err := s.writeVault(ctx, tx, g.without(leave))
		if err != nil {
			return nil, err
		}
		refused = append(refused, more...)
	}
	return refused, nil
}

// tryVault writes surrogates and shifts behind a savepoint, which it leaves in place if
// it fails.
func (s *shared) tryVault(ctx context.Context, tx pgx.Tx, g *group) error {
	batch := &pgx.Batch{}
	batch.Queue("savepoint vault")
	s.queueSurrogates(batch, g)
	s.queueShifts(batch, g)
	batch.Queue("release savepoint vault")
	err := tx.SendBatch(ctx, batch).Close()
	var pg *pgconn.PgError
	if errors.As(err, &pg) && pg.Code == "23505" && pg.ConstraintName == "surrogate_distinct" {
		return errStale
	}
	return err
}

// patients returns whose surrogates and shifts a group holds.
func (g *group) patients() []string {
	names := map[string]bool{}
	for id := range g.entries {
		names[id.patient] = true
	}
	for name := range g.shifts {
		names[name] = true
	}
	return sortedKeys(names)
}

// without returns the vault's side of a group, without these patients.
func (g *group) without(leave map[string]bool) *group {
	if len(leave) == 0 {
		return g
	}
	part := newGroup()
	for id, e := range g.entries {
		if !leave[id.patient] {
			part.entries[id] = e
		}
	}
	for name, p := range g.shifts {
		if !leave[name] {
			part.shifts[name] = p
		}
	}
	return part
}
