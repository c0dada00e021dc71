package demo

import (
	"context"
	"io"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/ensemble/synth"
	"github.com/pgdeid/pgdeid/replicator/sandbox"
)

// BenchmarkEndToEnd takes 5,000 notes of the made-up hospital (3 KB on average)
// through the first copy and 5,000 more, in transactions of 50, through the stream,
// with the rules alone: BenchmarkShippedEnsemble of package models has the networks. Both servers and the client that inserts share the machine's
// cores with pgdeid.
func BenchmarkEndToEnd(b *testing.B) {
	const notes = 5000
	for b.Loop() {
		copied, streamed, err := endToEnd(b.Context(), notes)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(notes/copied.Seconds(), "copied-notes/s")
		b.ReportMetric(notes/streamed.Seconds(), "streamed-notes/s")
	}
}

func endToEnd(ctx context.Context, notes int) (copied, streamed time.Duration, err error) {
	w, err := newWorld(Options{Patients: notes / 5, Notes: notes, Seed: 1, Out: io.Discard}.withDefaults())
	if err != nil {
		return 0, 0, err
	}
	defer func() {
		if e := w.close(context.WithoutCancel(ctx)); err == nil {
			err = e
		}
	}()
	var res Result
	for _, step := range []func(context.Context, *Result) error{w.start, w.fill, w.prepare} {
		if err := step(ctx, &res); err != nil {
			return 0, 0, err
		}
	}
	more := make([]synth.Document, notes)
	for i := range more {
		more[i] = w.hospital.Note(notes + i)
	}
	err = w.while(ctx, func(ctx context.Context) error {
		source, err := w.source.Conn(ctx, sourceDB)
		if err != nil {
			return err
		}
		defer source.Close(context.WithoutCancel(ctx))
		replica, err := w.replica.Conn(ctx, replicaDB)
		if err != nil {
			return err
		}
		defer replica.Close(context.WithoutCancel(ctx))
		start := time.Now()
		if err := w.awaitCopy(ctx, replica, &res); err != nil {
			return err
		}
		copied = time.Since(start)
		start = time.Now()
		if err := insertAll(ctx, source, more); err != nil {
			return err
		}
		err = w.awaitStream(ctx, source, replica)
		streamed = time.Since(start)
		return err
	})
	return copied, streamed, err
}

// insertAll inserts notes in transactions of 50.
func insertAll(ctx context.Context, conn *pgx.Conn, notes []synth.Document) error {
	for len(notes) > 0 {
		n := min(50, len(notes))
		err := pgx.BeginFunc(ctx, conn, func(pgx.Tx) error {
			for i := range notes[:n] {
				if err := sandbox.InsertNote(ctx, conn, &notes[i]); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		notes = notes[n:]
	}
	return nil
}
