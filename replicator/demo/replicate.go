package demo

import (
	"context"
	"fmt"
	"time"

	"github.com/pgdeid/pgdeid/replicator/session"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"github.com/pgdeid/pgdeid/ensemble/synth"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator"
	"github.com/pgdeid/pgdeid/replicator/sandbox"
	"github.com/pgdeid/pgdeid/surrogate"
)

// replicate runs the main job: the first copy, then the stream while the hospital
// goes on working.
func (w *world) replicate(ctx context.Context, res *Result) error {
	w.say.step("First copy")
	return w.while(ctx, func(ctx context.Context) error { return w.drive(ctx, res) })
}

// while runs the main job until drive is done.
func (w *world) while(ctx context.Context, drive func(context.Context) error) error {
	opts := w.replication()
	running, stop := context.WithCancel(ctx)
	defer stop()
	g, gctx := errgroup.WithContext(running)
	g.Go(func() error {
		defer stop()
		return replicator.Run(gctx, opts)
	})
	g.Go(func() error {
		defer stop()
		return drive(gctx)
	})
	return g.Wait()
}

// replication returns what the main job and the engine run with.
func (w *world) replication() session.Options {
	return session.Options{
		Config: w.cfg, Key: w.key, Detector: w.detector, Version: w.Version, Models: w.Models, Log: w.log, Metrics: w.metrics, Grace: 10 * time.Second,
	}
}

// drive watches the first copy, then changes the source and waits for the changes
// to arrive.
func (w *world) drive(ctx context.Context, res *Result) error {
	replica, err := w.replica.Conn(ctx, replicaDB)
	if err != nil {
		return err
	}
	defer replica.Close(context.WithoutCancel(ctx))
	start := time.Now()
	if err := w.awaitCopy(ctx, replica, res); err != nil {
		return err
	}
	res.Copy = time.Since(start)
	w.say.line("%d rows, of these %d notes, in %s: %.0f notes per second, both servers on this machine",
		res.CopyRows, res.CopyNotes, res.Copy.Round(10*time.Millisecond), float64(res.CopyNotes)/res.Copy.Seconds())
	w.say.step("Live changes")
	return w.live(ctx, replica, res)
}

// awaitCopy waits until the snapshot is complete in the replica.
func (w *world) awaitCopy(ctx context.Context, replica *pgx.Conn, res *Result) error {
	bar := w.say.bar("notes copied", w.Notes)
	for {
		done, tables := 0, 0
		err := replica.QueryRow(ctx, `
			select coalesce(sum(rows), 0), coalesce(sum(rows) filter (where table_name = 'ehr.note'), 0),
			       count(*) filter (where done), count(*)
			from deid.snapshot`).Scan(&res.CopyRows, &res.CopyNotes, &done, &tables)
		if err != nil {
			return fault.New("watch the first copy", err, "")
		}
		bar.set(res.CopyNotes)
		if tables == len(w.cfg.Tables) && done == tables {
			bar.done()
			return nil
		}
		if err := pause(ctx, 50*time.Millisecond); err != nil {
			return err
		}
	}
}

// live inserts notes one transaction each, corrects one, lets a patient marry, and
// waits until the replica shows it all.
func (w *world) live(ctx context.Context, replica *pgx.Conn, res *Result) error {
	source, err := w.source.Conn(ctx, sourceDB)
	if err != nil {
		return err
	}
	defer source.Close(context.WithoutCancel(ctx))
	bar := w.say.bar("notes inserted", w.Live)
	for i := range w.Live {
		d := w.hospital.Note(w.Notes + i)
		if err := sandbox.InsertNote(ctx, source, &d); err != nil {
			return err
		}
		w.extra = append(w.extra, d)
		bar.tick()
	}
	bar.done()
	if err := w.changes(ctx, source); err != nil {
		return err
	}
	start := time.Now()
	if err := w.awaitStream(ctx, source, replica); err != nil {
		return err
	}
	res.Live = time.Since(start)
	w.say.line("%d notes inserted, 1 corrected, 1 patient married: all in the replica %s after the last commit",
		w.Live, res.Live.Round(time.Millisecond))
	return w.counts(ctx, replica, res)
}

// changes corrects a note and gives a patient another name: the notes of that
// patient are then done again.
func (w *world) changes(ctx context.Context, source *pgx.Conn) error {
	d := w.hospital.Note(0)
	_, err := source.Exec(ctx, `update ehr.note set body = body || $2 where note_id = $1`, d.ID, addendum(&d))
	if err != nil {
		return fault.New("correct a note", err, "")
	}
	p := &w.hospital.Patients[0]
	_, err = source.Exec(ctx, `insert into ehr.patient_alias select max(alias_id) + 1, $1, $2, $3 from ehr.patient_alias`,
		p.ID, p.Name.First, "Quillfeather")
	return fault.New("add a name of a patient", err, "")
}

func addendum(d *synth.Document) string {
	return fmt.Sprintf("\nADDENDUM %s: discussed with %s.", d.When.Format("01/02/2006"), d.Patient.Name.Full())
}

// awaitStream waits until the replica has applied what the source has committed by
// now, and no patient waits to be done again.
func (w *world) awaitStream(ctx context.Context, source, replica *pgx.Conn) error {
	var target string
	if err := source.QueryRow(ctx, `select pg_current_wal_lsn()::text`).Scan(&target); err != nil {
		return fault.New("read the end of the source's WAL", err, "")
	}
	for {
		var there bool
		err := replica.QueryRow(ctx, `
			select coalesce((select lsn >= $1::text::pg_lsn from deid.progress where slot = $2), false)
			       and not exists (select from deid.requeue)`, target, w.cfg.Source.Slot).Scan(&there)
		if err != nil {
			return fault.New("watch the stream", err, "")
		}
		if there {
			return nil
		}
		if err := pause(ctx, 5*time.Millisecond); err != nil {
			return err
		}
	}
}

func (w *world) counts(ctx context.Context, replica *pgx.Conn, res *Result) error {
	err := replica.QueryRow(ctx, `select (select count(*) from ehr.note), (select count(*) from deid.quarantine)`).
		Scan(&res.Notes, &res.Quarantined)
	if err != nil {
		return fault.New("count the replica's notes", err, "")
	}
	rows, err := replica.Query(ctx, `select table_name, reason, rows from deid.v_quarantine_summary order by rows desc`)
	if err != nil {
		return fault.New("read the quarantine", err, "")
	}
	var table, reason string
	var n int
	_, err = pgx.ForEachRow(rows, []any{&table, &reason, &n}, func() error {
		w.say.line("set aside: %d of %s: %s", n, table, reason)
		return nil
	})
	return fault.New("read the quarantine", err, "")
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// noteKey returns the published key of a note.
func (w *world) noteKey(d *synth.Document) int64 { return w.key.PseudonymInt("note_id", d.ID) }

// patientKey returns the published key of a patient.
func patientKey(key *surrogate.Key, p *synth.Patient) int64 {
	return key.PseudonymInt("patient", p.ID)
}
