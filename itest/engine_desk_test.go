package itest

import (
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// patientNote asks about a note that every patient of the ward may have.
const patientNote = "select deid.deidentify('1', 'Mr. Quarkstein was seen on 3/4/2021.')"

// A note that takes too long ends with the asker's statement_timeout, and leaves room for
// others: nobody works on it any more.
func TestEngineLongNote(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t))
	do(t, r.src, patients)
	inner := realDetector(t)
	var busy sync.WaitGroup
	desk := r.deskWith(t, detectorFunc(func(ctx context.Context, n *ensemble.Note) ([]phi.Span, error) {
		if strings.Contains(n.Text, "SLOW") {
			busy.Add(1)
			defer busy.Done()
			<-ctx.Done()
			return nil, ctx.Err()
		}
		return inner.Detect(ctx, n)
	}))
	e := newEngine(t, "127.0.0.1:0", desk, nil)
	_, conn := newLab(t, e.attachment(t))
	do(t, conn, patientNote+"; set statement_timeout = '1s'")
	for range 4 { // more than there are workers
		refused(t, conn, "57014", "select deid.deidentify('1', 'SLOW "+secretName+"')")
	}
	busy.Wait()
	do(t, conn, "reset statement_timeout")
	if text := one(t, conn, patientNote); text == "" || strings.Contains(text, "Quarkstein") {
		t.Errorf("after the long notes: %q", text)
	}
}

// The engine outlives the loss of all its connections, also in the middle of an asker's
// transaction, and says so while a database is away.
func TestEngineLosesDatabases(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newOwnPair(t))
	do(t, r.src, patients)
	desk := r.desk(t)
	e := newEngine(t, "127.0.0.1:0", desk, nil)
	_, conn := newLab(t, e.attachment(t))
	before := one(t, conn, patientNote)
	kill := "select count(pg_terminate_backend(pid)) from pg_stat_activity where usename like 'pgdeid%'"
	for _, server := range []string{"source", "replica"} {
		do(t, conn, "begin; insert into deid.inbox (job, item, patient_id, note) values ('j', 1, '1', 'Mr. Quarkstein was seen on 3/4/2021.')")
		if server == "source" {
			do(t, r.src, kill)
		} else {
			do(t, r.dst, kill)
		}
		want(t, conn, before, "select deid_note from deid.outbox where job = 'j'")
		do(t, conn, "commit")
		want(t, conn, before, patientNote)
	}
	if err := r.source.Kill(); err != nil {
		t.Fatal(err)
	}
	refusal := refused(t, conn, "58000", "select deid.deidentify('1', '"+secretName+"')")
	if !strings.Contains(refusal.Hint, "try again") {
		t.Errorf("without the source: %s (%s)", refusal.Message, refusal.Hint)
	}
	if err := r.source.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	want(t, conn, before, patientNote)
}
