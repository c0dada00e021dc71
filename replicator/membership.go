package replicator

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/session"
	"github.com/pgdeid/pgdeid/sql/publication"
)

// complete reads the publication and returns an error unless it carries the plan;
// begun says that rows were copied before, so that it may be waited for.
func (r *run) complete(ctx context.Context, begun bool) (*publication.Publication, error) {
	carried, err := publication.Read(ctx, r.Source, r.Cfg.Source.Publication)
	if err != nil {
		return nil, fault.New("check publication "+r.Cfg.Source.Publication, connect.Lost(r.Source, err), "")
	}
	lacks := carried.Lacks(r.Plan.Wanted())
	if len(lacks) == 0 {
		return carried, nil
	}
	err, hint := errors.New(strings.Join(lacks, "; ")), "run 'pgdeid migrate up --target source', which makes or completes it"
	if begun && carried.Exists {
		err = fmt.Errorf("%w: %w", session.ErrUnpublished, err)
		hint += "; pgdeid then copies again what passed by"
	}
	return nil, fault.New("check publication "+r.Cfg.Source.Publication, err, hint)
}

// noteMembership marks the tables that changes may have passed by since they were copied,
// and remembers how they are published now. begun is false if nothing was copied yet.
func (r *run) noteMembership(ctx context.Context, carried *publication.Publication, begun bool) error {
	const op = "compare the publication with what was copied"
	then, err := publication.ReadMembership(ctx, r.Control, r.Cfg.Source.Slot)
	if err != nil {
		return err
	}
	want := r.Plan.Wanted()
	batch := &pgx.Batch{}
	if begun {
		rejoined, err := carried.Rejoined(ctx, r.Source, then, want)
		if err != nil {
			return err
		}
		for _, t := range rejoined {
			r.Log.Warn("changes passed by: tables are copied again", "table", t.Table, "why", t.Why)
			publication.QueueCopyAgain(batch, r.Cfg.Source.Slot, r.Plan.Following(r.Plan.ByID[t.Table]), "table "+t.Table+": "+t.Why)
		}
	}
	publication.QueueMembership(batch, r.Cfg.Source.Slot, carried, want)
	if err := r.Control.SendBatch(ctx, batch).Close(); err != nil { // one transaction
		return fault.New(op, connect.Lost(r.Control, err), "run 'pgdeid migrate up'")
	}
	r.members = carried
	return nil
}

// watch does what a session does at its start, while it streams: it ends the
// session where the publication lacks something, or tables must be copied again.
func (r *run) watch(ctx context.Context) error {
	carried, err := r.complete(ctx, true)
	if err != nil {
		return err
	}
	want := r.Plan.Wanted()
	rejoined, err := carried.Rejoined(ctx, r.Source, r.members.Tables, want)
	if err != nil {
		return err
	}
	if len(rejoined) > 0 {
		return fault.New("follow table "+rejoined[0].Table, fmt.Errorf("%w: %s", session.ErrCopyAgain, rejoined[0].Why), "it is copied again by itself")
	}
	var marked bool
	err = r.Control.QueryRow(ctx, "select exists (select from deid.snapshot where slot = $1 and not done)", r.Cfg.Source.Slot).Scan(&marked)
	if err == nil && marked {
		err = session.ErrCopyAgain
	}
	if err != nil {
		return fault.New("look for tables to copy again", connect.Lost(r.Control, err), "they are copied by themselves")
	}
	return r.carryOn(ctx, carried, want)
}

// carryOn remembers entries that took the place of others, and partitions that were
// added and hold nothing yet.
func (r *run) carryOn(ctx context.Context, carried *publication.Publication, want []publication.Wanted) error {
	same := func(w publication.Wanted) bool {
		now, was := carried.Tables[w.Table], r.members.Tables[w.Table]
		return now.Since == was.Since && slices.Equal(now.Partitions, was.Partitions)
	}
	changed := slices.DeleteFunc(want, same)
	if len(changed) == 0 {
		return nil
	}
	batch := &pgx.Batch{}
	publication.QueueMembership(batch, r.Cfg.Source.Slot, carried, changed)
	r.members = carried
	return fault.New("store how the tables are published", connect.Lost(r.Control, r.Control.SendBatch(ctx, batch).Close()), "")
}
