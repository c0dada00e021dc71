package itest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/replicator/deid"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/synth"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/models"
)

// benchEnsembles are the rules alone, what "pgdeid serve" has where nothing else is said,
// and one that sleeps for 30 to 70 ms a note, which shows on a busy machine too whether
// sessions keep the workers at work; with how many notes a round takes.
var benchEnsembles = []struct {
	name  string
	defs  []config.Model
	slow  bool
	notes int
}{
	{"rules", nil, false, 2000},
	{"networks", []config.Model{{Default: true}}, false, 240},
	{"sleeping", nil, true, 160},
}

// asleep finds nothing, in 30 to 70 ms.
func asleep(_ context.Context, n *ensemble.Note) ([]phi.Span, error) {
	time.Sleep(time.Duration(30+len(n.Text)%41) * time.Millisecond)
	return nil, nil
}

// BenchmarkEngineSessions compares sessions that ask note by note, each through a
// postgres_fdw of its own, with one that asks in bulk, of an engine with its databases.
// No note comes twice. Servers, engine and networks share the machine's cores.
// Rounds of bulk and of sessions take turns, so that other work on the machine hits
// all alike. The figure to read is notes/s.
func BenchmarkEngineSessions(b *testing.B) {
	for _, e := range benchEnsembles {
		b.Run(e.name, func(b *testing.B) {
			if e.slow {
				benchSessions(b, detectorFunc(asleep), e.notes)
				return
			}
			benchSessions(b, openedDetector(b, e.defs), e.notes)
		})
	}
}

// benchRounds are the ways that are compared: how many sessions, or 0 for bulk.
var benchRounds = []int{0, 8, 1}

func benchSessions(b *testing.B, detector deid.Detector, notes int) {
	b.Helper()
	h, err := synth.NewHospital(1500, synth.Options{Patients: 400, Notes: notes * (1 + len(benchRounds)*max(b.N, 1))})
	if err != nil {
		b.Fatal(err)
	}
	r := newHospitalReplication(b, h, 0)
	desk := r.deskWith(b, detector)
	e := newEngine(b, "127.0.0.1:0", desk, nil)
	defer e.stop()
	lab := newHospitalLab(b, h, e.attachment(b))
	conns := make([]*pgx.Conn, 8)
	for i := range conns {
		conns[i] = lab.onReplica(b)
	}
	first := h.Note(0).ID
	round := func(sessions int) time.Duration {
		start := time.Now()
		var g errgroup.Group
		if sessions == 0 {
			g.Go(func() error { return askBulk(b.Context(), conns[0], first, notes) })
		}
		for i := range sessions {
			g.Go(func() error {
				return askSingly(b.Context(), conns[i], first+int64(i), int64(sessions), first+int64(notes))
			})
		}
		if err := g.Wait(); err != nil {
			b.Fatal(err)
		}
		first += int64(notes)
		return time.Since(start)
	}
	round(0) // whatever happens once
	took := make([]time.Duration, len(benchRounds))
	b.ResetTimer()
	for range b.N {
		for i, sessions := range benchRounds {
			took[i] += round(sessions)
		}
	}
	for i, sessions := range benchRounds {
		name := fmt.Sprintf("%d-notes/s", sessions)
		if sessions == 0 {
			name = "bulk-notes/s"
		}
		b.ReportMetric(float64(notes*b.N)/took[i].Seconds(), name)
	}
	b.ReportMetric(100*took[0].Seconds()/took[1].Seconds(), "%-of-bulk")
}

func askBulk(ctx context.Context, conn *pgx.Conn, first int64, notes int) error {
	_, err := conn.Exec(ctx, `select u.id from (select array_agg(note_id) ids, array_agg(patient_id::text) p, array_agg(body) b
		from ward.note where note_id >= $1 and note_id < $1 + $2 group by note_id / 500 offset 0) c, deid.deidentify_batch(p, b) d, unnest(c.ids, d.deid_notes) u(id, txt)`, first, int64(notes))
	return err
}

// askSingly asks about one note a statement.
func askSingly(ctx context.Context, conn *pgx.Conn, first, step, end int64) error {
	for id := first; id < end; id += step {
		if _, err := conn.Exec(ctx, "select deid.deidentify(patient_id, body) from ward.note where note_id = $1", id); err != nil {
			return err
		}
	}
	return nil
}

// openedDetector opens an ensemble; without the networks' runtime there is nothing to
// measure.
func openedDetector(b testing.TB, defs []config.Model) deid.Detector {
	b.Helper()
	plan, err := models.NewPlan(defs, nil)
	if err != nil {
		b.Fatal(err)
	}
	set, err := plan.Open()
	if err != nil {
		b.Skipf("no networks here: %v", err)
	}
	b.Cleanup(func() { _ = set.Close() })
	detector, err := set.Ensemble(0)
	if err != nil {
		b.Fatal(err)
	}
	return detector
}
