package pgwire

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"github.com/pgdeid/pgdeid/replicator"
)

// idleEngine answers with what it is asked: what is left is the cost of asking.
type idleEngine struct{ note string }

func (e *idleEngine) Ask(_ context.Context, asked []replicator.Question) ([]replicator.Answer, error) {
	out := make([]replicator.Answer, len(asked))
	for i := range asked {
		out[i].Text = asked[i].Text
	}
	return out, nil
}

func (e *idleEngine) Pseudonym(patient string) string { return patient }

func (e *idleEngine) Pull(_ context.Context, from replicator.NoteKeys) ([]replicator.NoteAnswer, error) {
	out := make([]replicator.NoteAnswer, len(from.Keys))
	for i, k := range from.Keys {
		out[i] = replicator.NoteAnswer{Key: k, Table: "ehr.note", Column: "body", Answer: replicator.Answer{Text: e.note}, Bytes: len(e.note)}
	}
	return out, nil
}

// benchNotes is how many notes one round de-identifies.
const benchNotes = 20_000

// The forms that people choose among, through a real server's postgres_fdw, with
// notes of 3 KB and an engine that does nothing. The figure to read is notes/s.
func BenchmarkForeignDataWrapper(b *testing.B) {
	for _, secure := range []bool{false, true} {
		name := "plain"
		engine := &idleEngine{}
		cert, authority := testCertificate(b)
		s := serve(b, func(o *Options) {
			o.Engine, o.Log = engine, slog.New(slog.DiscardHandler)
			if secure {
				o.TLS = cert
			}
		})
		conn, dir := postgres(b, s)
		do(b, conn, "reset role")
		if secure {
			name = "verified"
			do(b, conn, fmt.Sprintf("alter server engine options (add sslmode 'verify-full', add sslrootcert '%s')", readable(b, dir, authority)))
		}
		do(b, conn, fmt.Sprintf(`
			truncate note; alter table note alter body set storage external;
			insert into note select i, i %% 500, repeat('The patient was seen and sent home. ', 83) || i from generate_series(1, %d) i;
			create unlogged table result (note_id bigint, body text); alter foreign table deid.inbox options (add batch_size '500');
			analyze note`, benchNotes))
		if err := conn.QueryRow(context.Background(), "select body from note limit 1").Scan(&engine.note); err != nil {
			b.Fatal(err)
		}
		for _, form := range benchForms {
			b.Run(name+"/"+form.name, func(b *testing.B) {
				for b.Loop() {
					do(b, conn, fmt.Sprintf("truncate result; "+form.sql, min(form.notes, benchNotes)))
				}
				b.ReportMetric(float64(min(form.notes, benchNotes)*b.N)/b.Elapsed().Seconds(), "notes/s")
			})
		}
	}
}

var benchForms = []struct {
	name  string
	notes int
	sql   string
}{
	{"function", 4000, "insert into result select note_id, deidentify_text(patient_id::text, body) from note where note_id <= %d"},
	{"scalar", 4000, `insert into result select note_id, (select deid_note from deid.deidentify d where d.patient_id = n.pid and d.note = n.body)
		from (select note_id, patient_id::text pid, body from note where note_id <= %d offset 0) n`},
	{"returning", 4000, `with x as (insert into deid.inbox (job, item, patient_id, note) select 'j', note_id, patient_id, body from note where note_id <= %d returning item, deid_note)
		insert into result select item, deid_note from x`},
	{"inbox", benchNotes, `insert into deid.inbox (job, item, patient_id, note) select 'j', note_id, patient_id, body from note where note_id <= %d;
		insert into result select item, deid_note from deid.outbox where job = 'j'`},
	{"lists", benchNotes, `insert into result select u.id, u.txt from
		(select array_agg(patient_id::text order by note_id) p, array_agg(body order by note_id) b, array_agg(note_id order by note_id) ids from note where note_id <= %d group by note_id / 500 offset 0) c,
		lateral (select deid_notes from deid.deidentify_batch d where d.patient_ids = c.p and d.notes = c.b limit 1) d, unnest(d.deid_notes, c.ids) u(txt, id)`},
	{"pull", benchNotes, "insert into result select note_id::bigint, deid_note from deid.note_deid where note_id = any (array(select note_id::text from note where note_id <= %d))"},
}

// Sessions that ask note by note, side by side.
func BenchmarkSessions(b *testing.B) {
	for _, sessions := range []int{1, 4, 8} {
		b.Run(fmt.Sprint(sessions), func(b *testing.B) {
			s := serve(b, func(o *Options) {
				o.Engine, o.Log = &idleEngine{}, slog.New(slog.DiscardHandler)
			})
			conns := make([]*pgx.Conn, sessions)
			for i := range conns {
				conns[i] = s.connect(b, "")
			}
			note := strings.Repeat("The patient was seen and sent home. ", 83)
			b.ResetTimer()
			var g errgroup.Group
			for i, conn := range conns {
				g.Go(func() error {
					var got string
					for n := i; n < b.N; n += sessions {
						if err := conn.QueryRow(context.Background(), "select deid_note from deidentify where patient_id = $1 and note = $2", "1", note).Scan(&got); err != nil {
							return err
						}
					}
					return nil
				})
			}
			if err := g.Wait(); err != nil {
				b.Error(err)
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "notes/s")
		})
	}
}
