package itest

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/replicator/deid"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// gate is a detector that holds the last of a number of texts with a word in them until
// it is opened. An open gate holds nothing.
type gate struct {
	inner deid.Detector
	word  string

	mu    sync.Mutex
	left  int // texts that pass
	held  chan string
	open  chan struct{}
	armed bool
}

func newGate(inner deid.Detector, word string) *gate {
	return &gate{inner: inner, word: word, held: make(chan string, 1), open: make(chan struct{})}
}

// arm lets n texts pass and holds the next one.
func (g *gate) arm(n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.left, g.armed = n, true
}

func (g *gate) Detect(ctx context.Context, n *ensemble.Note) ([]phi.Span, error) {
	if strings.Contains(n.Text, g.word) && g.holds() {
		g.held <- n.Text
		select {
		case <-g.open:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return g.inner.Detect(ctx, n)
}

// holds reports whether the text at hand is the one to be held.
func (g *gate) holds() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.armed {
		if g.left > 0 {
			g.left--
			return false
		}
		g.armed = false
		return true
	}
	return false
}

// What the stream brings while rows are rewritten is not overwritten with what was read
// before it, and rows of which it leaves out the text are rewritten all the same.
func TestRewritesGiveWayToTheStream(t *testing.T) {
	t.Parallel()
	const patients = 24
	r := newReplication(t, newPair(t))
	r.cfg.Limits.Workers = 4096 // so that no other patient has the worker of the one that is held
	r.cfg.Limits.NoteTimeout = time.Minute
	do(t, r.src, fmt.Sprintf(`insert into ehr.patient select n, 'Given', 'Oldname', 'M' || n, null from generate_series(1, %d) n;
		insert into ehr.note select n, n, null, 'new', 'seen before: Vexterly was here' || repeat(' ' || md5(n::text), 100)
		from generate_series(1, %[1]d) n`, patients))
	g := newGate(exactDetector(t), "seen before")
	r.run(t, g)
	r.caughtUp(t)
	want(t, r.dst, fmt.Sprint(patients), "select count(*)::text from ehr.note where body like '%Vexterly%'")

	g.arm(patients - 1)
	var text string
	do(t, r.src, "update ehr.patient set family = 'Vexterly'")
	select {
	case text = <-g.held: // all the others of the batch are made
	case <-time.After(30 * time.Second):
		t.Fatal("nothing is rewritten")
	}
	held := one(t, r.src, "select note_id::text from ehr.note where body = $1", text)
	do(t, r.src, fmt.Sprintf(`
		update ehr.note set body = 'newer text' where (note_id + 24 - %[1]s) %% 3 = 1;
		update ehr.note set status = 'read' where (note_id + 24 - %[1]s) %% 3 = 2;
		delete from ehr.note where (note_id + 24 - %[1]s) %% 6 = 3`, held))
	eventually(t, "the stream while a batch is held", func() bool { return count(t, r.dst, "ehr.note where status = 'read'") == "8" })
	close(g.open)
	r.caughtUp(t)
	want(t, r.dst, "0", "select count(*)::text from ehr.note where body like '%Vexterly%'")
	want(t, r.dst, "8", "select count(*)::text from ehr.note where body = 'newer text'")
	want(t, r.dst, "8", "select count(*)::text from ehr.note where status = 'read' and body like 'seen before%'")
	want(t, r.dst, "20", "select count(*)::text from ehr.note")
	want(t, r.dst, "0", "select (select count(*) from deid.quarantine) + (select count(*) from deid.requeue)")
}

// Notes that arrive while very many are rewritten do not wait for these.
func TestStreamPassesRewrites(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t))
	r.cfg.Limits.Workers = 2
	do(t, r.src, `insert into ehr.patient select n, 'Given', 'Oldname', 'M' || n, null from generate_series(1, 40) n;
		insert into ehr.note select n, 1 + n % 40, null, 'new', 'SLOW: Vexterly was here' from generate_series(1, 400) n`)
	quick := r.run(t, exactDetector(t))
	r.caughtUp(t)
	quick.stop(t)
	r.run(t, sleepy(exactDetector(t), 20*time.Millisecond))
	r.streaming(t)
	do(t, r.src, "update ehr.patient set family = 'Vexterly'")
	eventually(t, "the requests", func() bool { return count(t, r.dst, "deid.requeue") != "0" })
	do(t, r.src, "insert into ehr.note values (1000, 1, null, 'fresh', 'Vexterly again')")
	eventually(t, "the new note", func() bool { return count(t, r.dst, "ehr.note where status = 'fresh'") == "1" })
	if count(t, r.dst, "deid.requeue") == "0" {
		t.Error("the new note came after all the old ones")
	}
	want(t, r.dst, "0", "select count(*)::text from ehr.note where status = 'fresh' and body like '%Vexterly%'")
	r.caughtUp(t)
	want(t, r.dst, "0", "select count(*)::text from ehr.note where body like '%Vexterly%'")
}

// A note that is filed anew is made again outside of the transaction that writes: until then it is away, and the stream goes on.
func TestStreamPassesNotesFiledAnew(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t))
	r.cfg.Limits.Workers = 4096 // so that no other patient has the worker of the one that is held
	r.cfg.Limits.NoteTimeout = time.Minute
	do(t, r.src, patients+"insert into ehr.note values (1, 1, null, 'old', 'moved: label Quarkstein')")
	g := newGate(exactDetector(t), "moved")
	r.run(t, g)
	r.caughtUp(t)
	g.arm(1) // it is made with its new patient's record first, which does not know the name
	do(t, r.src, "update ehr.note set patient_id = 2 where note_id = 1")
	select {
	case <-g.held:
	case <-time.After(30 * time.Second):
		t.Fatal("the note is not made anew")
	}
	do(t, r.src, "insert into ehr.note values (2, 1, null, 'fresh', 'another')")
	eventually(t, "the stream while the note is made", func() bool { return count(t, r.dst, "ehr.note where status = 'fresh'") == "1" })
	want(t, r.dst, "outdated", "select reason from deid.quarantine")
	want(t, r.dst, "1", "select count(*)::text from ehr.note")
	close(g.open)
	r.caughtUp(t)
	want(t, r.dst, "2", "select count(*)::text from ehr.note")
	want(t, r.dst, "0", "select count(*)::text from ehr.note where body ~ 'Quark'")
	want(t, r.dst, "0", "select count(*)::text from deid.quarantine")
	want(t, r.dst, r.patient(2), "select patient from deid.note_provenance where row_key = (select jsonb_build_array(note_id::text)::text from ehr.note where status = 'old')")
}

// A note whose text is not in the stream is made anew in a bounded time, though it is updated all the while: what was made of its text
// is written, and not made again for each update that comes meanwhile.
func TestRewritesGoOnWithUpdatesThatLeaveOutTheText(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]string{
		"filed anew": `update ehr.note set patient_id = 2 where note_id = 1;
			update ehr.patient set family = 'Vexterly' where patient_id = 3`,
		"another record": "update ehr.patient set family = 'Vexterly' where patient_id in (1, 3)",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newReplication(t, newPair(t))
			r.cfg.Limits.Workers = 4096 // so that no other patient has the worker of the one that is held
			r.cfg.Limits.NoteTimeout = time.Minute
			do(t, r.src, patients+`insert into ehr.patient values (3, 'Given', 'Oldname', 'M3', null), (4, 'Given', 'Oldname', 'M4', null);
				insert into ehr.note values (3, 3, null, 'new', 'of the same batch: Vexterly was here')`)
			if _, err := r.src.Exec(t.Context(), "insert into ehr.note values (1, 1, null, 'new', 'constant: Vexterly was here. ' || $1)", filler); err != nil {
				t.Fatal(err)
			}
			var searched atomic.Int32
			inner := exactDetector(t)
			g := newGate(detectorFunc(func(ctx context.Context, n *ensemble.Note) ([]phi.Span, error) {
				if strings.HasPrefix(n.Text, "constant") {
					searched.Add(1)
				}
				return inner.Detect(ctx, n)
			}), "of the same batch")
			r.run(t, g)
			r.caughtUp(t)
			searched.Store(0)
			g.arm(0)
			do(t, r.src, change)
			select {
			case <-g.held:
			case <-time.After(30 * time.Second):
				t.Fatal("nothing is made anew")
			}
			do(t, r.src, "update ehr.note set status = 'read' where note_id = 1; insert into ehr.note values (4, 4, null, 'fresh', 'another')")
			eventually(t, "the stream while a batch is held", func() bool { return count(t, r.dst, "ehr.note where status = 'fresh'") == "1" })
			close(g.open)
			r.caughtUp(t)
			if n := searched.Load(); n != 1 {
				t.Errorf("the note was searched %d times", n)
			}
			if text := r.body(t, 1); len(text) < long-100 || strings.Contains(text, "Vexterly") != (name == "filed anew") {
				t.Errorf("the note has %d characters", len(text))
			}
			want(t, r.dst, "read", "select status from ehr.note where note_id = $1::text::bigint", r.note(1))
			want(t, r.dst, "0", "select count(*)::text from deid.quarantine")
		})
	}
}

const hiddenRecords = `
tables:
  ehr.patient:
    patient: patient_id
    columns: {family: {tells: name.last}}
  ehr.note:
    patient: patient_id
    columns: {note_id: pseudonym, patient_id: pseudonym, body: text}
`

// A name that is replaced while the first copy is made is found in the notes of its
// snapshot, also where the table that tells it is not published.
func TestNameReplacedDuringTheFirstCopy(t *testing.T) {
	t.Parallel()
	r := newReplicationOf(t, newPair(t), `create schema ehr; create table ehr.patient (patient_id int primary key, family text);
		create table ehr.note (note_id bigint primary key, patient_id int, body text)`, hiddenRecords)
	r.cfg.Limits.NoteTimeout = time.Minute
	r.cfg.Limits.QueueBytes = 1 // one row at a time
	do(t, r.src, `insert into ehr.patient values (1, 'Zorvak'), (2, 'Vexterly');
		insert into ehr.note values (1, 1, 'the held one'), (2, 2, 'then Vexterly came')`)
	g := newGate(exactDetector(t), "the held one")
	g.arm(0)
	r.run(t, g)
	select {
	case <-g.held:
	case <-time.After(30 * time.Second):
		t.Fatal("the copy does not come to the note")
	}
	do(t, r.src, "update ehr.patient set family = 'Wampfler' where patient_id = 2")
	close(g.open)
	eventually(t, "the copy", func() bool { return count(t, r.dst, "ehr.note") == "2" })
	want(t, r.dst, "0", "select count(*)::text from ehr.note where body like '%Vexterly%'")
}
