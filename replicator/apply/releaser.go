package apply

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/schema"
)

// Released says what a release did.
type Released struct {
	Rows int64  `json:"rows"`          // versions that became visible
	Why  string `json:"why,omitempty"` // why nothing was released
}

// ReleaseState is the row of deid.release.
type ReleaseState struct {
	through  time.Time  // midnight in UTC
	Released *time.Time // the last release
	Copying  bool       // a table's copy is not complete, or there was none yet
	Queued   bool       // texts are to be made anew
}

// Why returns why nothing is to be released yet; "" if something is.
func (s *ReleaseState) Why(r *config.Release, now time.Time, atOnce bool) string {
	switch {
	case s.Copying:
		return "the first copy is not complete"
	case s.Queued && now.Before(s.Due(r).Add(queueWait)):
		return "notes of patients whose record changed are not made anew yet"
	case atOnce || s.Released == nil:
		return ""
	case now.Before(s.Due(r)):
		return "the next release is due at " + s.Due(r).UTC().Format(time.RFC3339)
	}
	return ""
}

// Due returns when the next release is due.
func (s *ReleaseState) Due(r *config.Release) time.Time {
	switch {
	case r.Mode == config.Delayed:
		return s.through.AddDate(0, 0, 1)
	case s.Released == nil:
		return time.Time{}
	}
	return s.Released.Add(r.Every)
}

// queueWait is how long a release waits for texts that are to be made anew: what is
// released before is repaired when their turn has come.
const queueWait = time.Hour

// ReleaseDue moves the versions that are due, all of them in one transaction.
func (w *Writer) ReleaseDue(ctx context.Context, atOnce bool) (done Released, err error) {
	r := &w.plan.Config.Release
	if r.Mode == config.Live {
		return Released{Why: "rows are visible as they arrive"}, nil
	}
	state, err := w.ReadRelease(ctx)
	if err != nil {
		return done, err
	}
	if done.Why = state.Why(r, w.Now(), atOnce); done.Why != "" {
		return done, nil
	}
	tx, err := w.Begin(ctx)
	if err != nil {
		return done, err
	}
	defer Rollback(tx)
	if state, err = w.ReadRelease(ctx); err != nil { // another process may have been faster
		return done, err
	}
	if done.Why = state.Why(r, w.Now(), atOnce); done.Why != "" {
		return done, nil
	}
	if done.Rows, err = w.releaseAll(ctx, tx, calendarDay(state.through)); err != nil {
		return done, err
	}
	_, err = tx.Exec(ctx, `update deid.release set through = $1, released_at = $2, as_of = (select max(updated_at) from deid.progress)`,
		w.Now().UTC().Truncate(24*time.Hour), w.Now())
	if err == nil {
		err = tx.Commit(ctx)
	}
	if err == nil && done.Rows > 0 {
		w.Log.Info("released", "rows", done.Rows)
	}
	return done, fault.New("release rows", connect.Lost(w.Conn, err), "")
}

// ReadRelease reads what was released and what is due, as w's transaction sees it.
func (w *Writer) ReadRelease(ctx context.Context) (*ReleaseState, error) {
	s := &ReleaseState{}
	err := w.Conn.QueryRow(ctx, `
		select through, released_at, not exists (select from deid.snapshot) or exists (select from deid.snapshot where not done),
			exists (select from deid.requeue) or exists (select from deid.requeue_path)
		from deid.release`).Scan(&s.through, &s.Released, &s.Copying, &s.Queued)
	return s, fault.New("read where the releases stand", connect.Lost(w.Conn, err), "run 'pgdeid migrate up'")
}

// releaseAll moves what is due after the day through, the older days first, so that of
// several versions of a row the newest stays.
func (w *Writer) releaseAll(ctx context.Context, tx pgx.Tx, through int) (rows int64, err error) {
	for _, t := range w.plan.Tables {
		if t.SQL.Release == nil {
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
		for day := through + 1; day <= calendarDay(w.Now()) && len(patients) > 0; day++ {
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

func (w *Writer) releaseMarked(ctx context.Context, tx pgx.Tx, t *schema.Table, marks [][]byte) (rows int64, err error) {
	for i, sql := range t.SQL.Release.Release {
		tag, err := tx.Exec(ctx, sql, marks)
		if err != nil {
			return 0, fault.New("release rows of table "+t.ID, connect.Lost(w.Conn, err), WriteHint(err))
		}
		if i == 1 {
			rows = tag.RowsAffected()
		}
	}
	return rows, nil
}

// waitingPatients names the patients of whom versions wait for a day, in no order that
// says anything.
func (w *Writer) waitingPatients(ctx context.Context, t *schema.Table) ([]string, error) {
	const op = "read who waits for a release"
	rows, _ := w.Conn.Query(ctx, fmt.Sprintf(
		"select distinct pgdeid_patient from %s where pgdeid_due <> '' order by 1", t.SQL.Release.Waiting))
	patients, err := pgx.CollectRows(rows, pgx.RowTo[string])
	return patients, fault.New(op, connect.Lost(w.Conn, err), "")
}
