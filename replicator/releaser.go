package replicator

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
)

// Released says what a release did.
type Released struct {
	Rows int64  `json:"rows"`          // versions that became visible
	Why  string `json:"why,omitempty"` // why nothing was released
}

// Release makes visible what is due, as "pgdeid run" does by itself. With now, batches
// don't wait for the end of their interval.
func Release(ctx context.Context, o Options, now bool) (done Released, err error) {
	if o.Config != nil && o.Config.Release.Mode != config.Batches && now {
		return done, fault.New("release at once", errors.New("only batches can be released before they are due"), "")
	}
	err = once(ctx, o, func(_ *session, w *writer) error {
		done, err = w.releaseDue(ctx, now)
		return err
	})
	return done, err
}

// newReleaser returns a writer of what is in the replica already: it looks nothing up.
func (r *session) newReleaser(ctx context.Context) (*writer, error) {
	conn, err := r.openReplica(ctx)
	return &writer{store: r.store, conn: conn}, err
}

// releases releases what is due until ctx is done.
func (r *run) releases(ctx context.Context, w *writer) error {
	if r.cfg.Release.Mode == config.Live {
		return nil
	}
	tick := time.NewTicker(min(time.Minute, max(r.cfg.Release.Every/4, 100*time.Millisecond)))
	defer tick.Stop()
	for {
		if _, err := w.releaseDue(ctx, false); err != nil && ctx.Err() == nil {
			return err
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil
		}
	}
}

// releaseState is the row of deid.release.
type releaseState struct {
	through  time.Time  // midnight in UTC
	released *time.Time // the last release
	copying  bool       // a table's copy is not complete, or there was none yet
	queued   bool       // texts are to be made anew
}

// why returns why nothing is to be released yet; "" if something is.
func (s *releaseState) why(r *config.Release, now time.Time, atOnce bool) string {
	switch {
	case s.copying:
		return "the first copy is not complete"
	case s.queued && now.Before(s.due(r).Add(queueWait)):
		return "notes of patients whose record changed are not made anew yet"
	case atOnce || s.released == nil:
		return ""
	case now.Before(s.due(r)):
		return "the next release is due at " + s.due(r).UTC().Format(time.RFC3339)
	}
	return ""
}

// due returns when the next release is due.
func (s *releaseState) due(r *config.Release) time.Time {
	switch {
	case r.Mode == config.Delayed:
		return s.through.AddDate(0, 0, 1)
	case s.released == nil:
		return time.Time{}
	}
	return s.released.Add(r.Every)
}

// queueWait is how long a release waits for texts that are to be made anew: what is
// released before is repaired when their turn has come.
const queueWait = time.Hour

// releaseDue moves the versions that are due, all of them in one transaction.
func (w *writer) releaseDue(ctx context.Context, atOnce bool) (done Released, err error) {
	r := &w.plan.config.Release
	if r.Mode == config.Live {
		return Released{Why: "rows are visible as they arrive"}, nil
	}
	state, err := w.readRelease(ctx)
	if err != nil {
		return done, err
	}
	if done.Why = state.why(r, w.now(), atOnce); done.Why != "" {
		return done, nil
	}
	tx, err := w.begin(ctx)
	if err != nil {
		return done, err
	}
	defer rollback(tx)
	if state, err = w.readRelease(ctx); err != nil { // another process may have been faster
		return done, err
	}
	if done.Why = state.why(r, w.now(), atOnce); done.Why != "" {
		return done, nil
	}
	if done.Rows, err = w.releaseAll(ctx, tx, calendarDay(state.through)); err != nil {
		return done, err
	}
	_, err = tx.Exec(ctx, `update deid.release set through = $1, released_at = $2, as_of = (select max(updated_at) from deid.progress)`,
		w.now().UTC().Truncate(24*time.Hour), w.now())
	if err == nil {
		err = tx.Commit(ctx)
	}
	if err == nil && done.Rows > 0 {
		w.log.Info("released", "rows", done.Rows)
	}
	return done, fault.New("release rows", connect.Lost(w.conn, err), "")
}

// readRelease reads what was released and what is due, as w's transaction sees it.
func (w *writer) readRelease(ctx context.Context) (*releaseState, error) {
	s := &releaseState{}
	err := w.conn.QueryRow(ctx, `
		select through, released_at, not exists (select from deid.snapshot) or exists (select from deid.snapshot where not done),
			exists (select from deid.requeue) or exists (select from deid.requeue_path)
		from deid.release`).Scan(&s.through, &s.released, &s.copying, &s.queued)
	return s, fault.New("read where the releases stand", connect.Lost(w.conn, err), "run 'pgdeid migrate up'")
}

// releaseAll moves what is due after the day through, the older days first, so that of
// several versions of a row the newest stays.
func (w *writer) releaseAll(ctx context.Context, tx pgx.Tx, through int) (rows int64, err error) {
	for _, t := range w.plan.tables {
		if t.sql.release == nil {
			continue
		}
		n, err := w.releaseMarked(ctx, tx, t, [][]byte{dueNext})
		if err != nil {
			return rows, err
		}
		rows += n
		patients, err := w.waitingPatients(ctx, t)
		if err != nil {
			return rows, err
		}
		for day := through + 1; day <= calendarDay(w.now()) && len(patients) > 0; day++ {
			for chunk := range slices.Chunk(patients, marksAtOnce) {
				marks := make([][]byte, len(chunk))
				for i, p := range chunk {
					marks[i] = w.dueLabel(p, day)
				}
				if n, err = w.releaseMarked(ctx, tx, t, marks); err != nil {
					return rows, err
				}
				rows += n
			}
		}
	}
	return rows, nil
}

// marksAtOnce bounds the marks of one statement.
const marksAtOnce = 10000

func (w *writer) releaseMarked(ctx context.Context, tx pgx.Tx, t *table, marks [][]byte) (rows int64, err error) {
	for i, sql := range t.sql.release.release {
		tag, err := tx.Exec(ctx, sql, marks)
		if err != nil {
			return 0, fault.New("release rows of table "+t.id, connect.Lost(w.conn, err), writeHint(err))
		}
		if i == 1 {
			rows = tag.RowsAffected()
		}
	}
	return rows, nil
}

// waitingPatients names the patients of whom versions wait for a day, in no order that
// says anything.
func (w *writer) waitingPatients(ctx context.Context, t *table) ([]string, error) {
	const op = "read who waits for a release"
	rows, err := w.conn.Query(ctx, fmt.Sprintf(
		"select distinct pgdeid_patient from %s where pgdeid_due <> '' order by 1", t.sql.release.waiting))
	if err != nil {
		return nil, fault.New(op, connect.Lost(w.conn, err), "")
	}
	patients, err := pgx.CollectRows(rows, pgx.RowTo[string])
	return patients, fault.New(op, connect.Lost(w.conn, err), "")
}

// checkRelease makes sure that the replica was set up for the mapping's mode.
func (r *session) checkRelease(ctx context.Context) error {
	var mode config.ReleaseMode
	err := r.control.QueryRow(ctx, "select mode from deid.release").Scan(&mode)
	if err == nil && mode != r.cfg.Release.Mode {
		err = fmt.Errorf("the replica releases rows %s, the configuration says %s", mode, r.cfg.Release.Mode)
	}
	return fault.New("look how rows are released", connect.Lost(r.control, err), "run 'pgdeid migrate up'")
}
