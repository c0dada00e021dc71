package pgwire

import (
	"bytes"
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"
	"golang.org/x/sync/errgroup"
)

// heldDesk keeps its answers back, so that all that is asked is in memory at once.
type heldDesk struct {
	upperDesk

	release chan struct{}
}

func (d *heldDesk) Rows(ctx context.Context, _ *Query) (Answer, error) {
	select {
	case <-d.release:
	case <-ctx.Done():
		return Answer{}, ctx.Err()
	}
	return Answer{}, nil
}

// Hundreds of sessions with a question of 1 MB each: what there is room for waits, the others are refused, and the memory stays within
// its bound.
func TestMemoryOfManySessions(t *testing.T) {
	const sessions, room = 300, 64 << 20
	d := &heldDesk{release: make(chan struct{})}
	s := serve(t, func(o *Options) {
		o.Desk, o.Sessions, o.Pending, o.SessionMemory, o.MessageBytes, o.Memory = d, sessions, sessions, 8<<20, 2<<20, room
	})
	conns := make([]*raw, sessions)
	for i := range conns {
		conns[i] = &raw{t, hijack(t, s.connect(t, "")).Conn}
	}
	question := encoded(&pgproto3.Query{String: "select deid_note from deidentify where patient_id = '1' and note = '" + strings.Repeat("x", 1<<20) + "'"})
	before := heap()
	var refused, answered atomic.Int64
	var g errgroup.Group
	for _, c := range conns {
		g.Go(func() error {
			if _, err := c.Write(question); err != nil {
				return err
			}
			got, err := untilReady(c)
			if bytes.Contains(got, []byte(stateNoMemory)) {
				refused.Add(1)
			} else if err == nil {
				answered.Add(1)
			}
			return err
		})
	}
	awaitTrue(t, "too few are refused", func() bool { return refused.Load() >= sessions-room/(2<<20) })
	if grown, held := heap()-before, s.server.budget.held.Load(); grown > 3*room || held > room || held < 1<<20 {
		t.Errorf("%d MB more for %d MB that are accounted for", grown>>20, held>>20)
	}
	close(d.release)
	if err := g.Wait(); err != nil {
		t.Fatal(err)
	}
	if refused.Load()+answered.Load() != sessions || answered.Load() == 0 {
		t.Errorf("%d refused, %d answered", refused.Load(), answered.Load())
	}
	for i := range 10 { // those that were refused may ask again
		if _, err := conns[i].Write(question); err != nil {
			t.Fatal(err)
		}
		if got, err := untilReady(conns[i]); err != nil || bytes.Contains(got, []byte(stateNoMemory)) {
			t.Errorf("afterwards: %.80q, %v", got, err)
		}
	}
}

// heap returns the bytes that are in use.
func heap() int64 {
	runtime.GC() // twice, as what is in a sync.Pool outlives one collection
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// untilReady reads messages up to ReadyForQuery.
func untilReady(c *raw) ([]byte, error) {
	if err := c.SetReadDeadline(time.Now().Add(30 * time.Second)); err != nil {
		return nil, err
	}
	var got []byte
	part := make([]byte, 4<<10)
	for !bytes.HasSuffix(got, []byte{'Z', 0, 0, 0, 5, 'I'}) {
		n, err := c.Read(part)
		if got = append(got, part[:n]...); err != nil {
			return got, fmt.Errorf("after %.200q: %w", got, err)
		}
	}
	return got, nil
}

// Small messages that would become much are refused before they do.
func TestAmplification(t *testing.T) {
	t.Parallel()
	s := serve(t, func(o *Options) { o.MessageBytes, o.SessionMemory = 1<<20, 8<<20 })
	conn := s.connect(t, "")
	for name, query := range map[string]string{
		"elements of an array": "select note_id from note_deid where note_id = any ('{" + strings.Repeat("1,", 400<<10) + "1}')",
		"elements of IN":       "select note_id from note_deid where note_id in (" + strings.Repeat("1,", 400<<10) + "1)",
		"conditions":           "select note_id from note_deid where note_id = '1'" + strings.Repeat(" and a=1", 100<<10),
		"items":                "select " + strings.Repeat("a,", 400<<10) + "a from note_deid where note_id = '1'",
		"sorting":              "select * from detect order by " + strings.Repeat("a,", 400<<10) + "a",
		"statements":           strings.Repeat("end;", 200<<10),
		"rows":                 "insert into inbox (job) values " + strings.Repeat("('1'),", 140<<10) + "('1') returning job",
	} {
		_, err := conn.PgConn().Exec(t.Context(), query).ReadAll()
		wantState(t, err, stateNoMemory)
		awaitTrue(t, name+": memory is held", func() bool { return s.server.budget.held.Load() == 0 }) // the message's, until the next one
	}
	query := "select note_id from note_deid where note_id = any ('{" + strings.Repeat("1,", 2<<10) + "1}') and source_table = any ('{"
	for i := range 1 << 10 {
		query += fmt.Sprint(i, ",")
	}
	if got := ask(t, conn, query+"x}') and source_column = any ('{"+strings.Repeat("y", 10)+",z,zz"+strings.Repeat(",a", 5)+"}')"); !strings.HasSuffix(got, "<SELECT 4100>") {
		t.Errorf("%.200s", got[max(0, len(got)-100):])
	}
	if got := ask(t, conn, strings.Replace(query, "{1,", "{"+manyNumbers(2<<10), 1)+"x}')"); got != stateTooLarge {
		t.Errorf("%.200s", got)
	}
}

func manyNumbers(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprint(&b, i, ",")
	}
	return b.String()
}

// Whatever ends a statement, an error or its end, gives back all it held.
func TestStatementsGiveBackTheirMemory(t *testing.T) {
	t.Parallel()
	s := serve(t, nil)
	conn := s.connect(t, "")
	note := strings.Repeat("x", 300<<10)
	for _, query := range []string{
		"select note, deid_note from deidentify where patient_id = '1' and note = '" + note + "'",
		"select deid_note from deidentify where patient_id = '1' and note = '" + note + " leak'",
		"select deid_notes from deidentify_batch where patient_ids = '{1,1}' and notes = '{" + note + ",NULL}'",
		"select note_id from note_deid where note_id = any ('{1,NULL,3}') and deid_note = any ('{NOTE 1,NULL}')",
		"select span_start from detect where patient_id = '1' and note = '" + note + "' order by span_start limit 'x'",
		"select count(*) from detect where patient_id = '1' and note = '" + note + "'",
		"insert into inbox (patient_id, note) values ('1', '" + note + "') returning deid_note",
		"insert into inbox (patient_id, note) values ('1', '" + note + " leak') returning deid_note",
		"insert into inbox (patient_id, note, deid_note) values ('1', '" + note + "', 'x') returning note",
		"begin; insert into inbox (job, note) values ('j', '" + note + "'), ('j', null); savepoint a; delete from inbox; select * from outbox where job = 'j'; rollback",
		"begin; declare c cursor for select note from deidentify where patient_id = '1' and note = '" + note + "'; fetch 1 from c; move backward all in c; fetch 1 from c; rollback",
		"begin; declare c cursor for select note from deidentify where patient_id = '1' and note = '" + note + "' limit 'x'; rollback",
		"select '" + note, "select 1 '" + note + "'", "select * from deidentify where note = '" + note + "'",
	} {
		_, _ = conn.PgConn().Exec(t.Context(), query).ReadAll() // some are errors
		_, _ = conn.PgConn().Exec(t.Context(), "rollback").ReadAll()
		if held := s.server.budget.held.Load(); held != 0 {
			t.Errorf("%.90s: %d bytes are held", query, held)
		}
		_ = conn.PgConn().ExecParams(t.Context(), query, nil, nil, nil, nil).Read()
		_, _ = conn.PgConn().Exec(t.Context(), "rollback; deallocate all").ReadAll()
		if held := s.server.budget.held.Load(); held != 0 {
			t.Errorf("extended: %.90s: %d bytes are held", query, held)
		}
	}
}

// The inbox is bounded by the session's memory, and its end makes room; so does the end of a session.
func TestInboxIsBounded(t *testing.T) {
	t.Parallel()
	s := serve(t, func(o *Options) { o.MessageBytes, o.SessionMemory = 1<<20, 4<<20 })
	for range 3 {
		conn := s.connect(t, "")
		put := "insert into inbox (job, note) values ('j', '" + strings.Repeat("x", 400<<10) + "')"
		got := ask(t, conn, "begin")
		for n := 0; n < 20 && !strings.Contains(got, stateNoMemory); n++ {
			got = ask(t, conn, put)
		}
		if got != stateNoMemory {
			t.Fatal(got)
		}
		do(t, conn, "rollback")
		if got := ask(t, conn, "begin; "+put+"; commit; begin; "+put); got != "<BEGIN> <INSERT 0 1> <COMMIT> <BEGIN> <INSERT 0 1>" {
			t.Error(got)
		}
		if held := s.server.budget.held.Load(); held < 400<<10 {
			t.Errorf("%d bytes are held for 400 KB", held)
		}
		if err := conn.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		awaitTrue(t, "the session's memory is held", func() bool { return s.server.budget.held.Load() == 0 })
	}
}

// Names that outlive their statements are bounded, and so is how many there may be.
func TestNumbersAreBounded(t *testing.T) {
	t.Parallel()
	conn := serve(t, nil).connect(t, "")
	long := strings.Repeat("n", 64)
	for _, query := range []string{"savepoint " + long, "deallocate " + long, `close "` + long + `"`} {
		if got := ask(t, conn, query); got != stateUnsupported {
			t.Errorf("%s: %s", query, got)
		}
	}
	for _, many := range []string{"declare c%d cursor for " + one, "savepoint a%d"} {
		do(t, conn, "begin")
		got := ""
		for i := range maxCursors + 1 {
			got = ask(t, conn, fmt.Sprintf(many, i))
		}
		if got != stateTooLarge {
			t.Errorf("%s: %s", many, got)
		}
		do(t, conn, "rollback")
	}
	f := conn.PgConn().Frontend()
	for i := range maxStatements + 1 {
		f.Send(&pgproto3.Parse{Name: fmt.Sprint("s", i), Query: one})
	}
	if got := talk(t, f); got != stateTooLarge+" I" {
		t.Error(got)
	}
}
