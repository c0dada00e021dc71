package pgwire

import (
	"encoding/binary"
	"runtime"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgproto3"
)

// nulls is an array of n NULLs in binary format: four bytes for each element.
func nulls(n int) []byte {
	b := binary.BigEndian.AppendUint32(nil, 1)
	b = binary.BigEndian.AppendUint32(b, 1)
	b = binary.BigEndian.AppendUint32(b, oidText)
	b = binary.BigEndian.AppendUint32(b, uint32(n))
	b = binary.BigEndian.AppendUint32(b, 1)
	for range n {
		b = append(b, 255, 255, 255, 255)
	}
	return b
}

// allocated returns how many bytes do allocates.
func allocated(do func()) int64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return int64(after.TotalAlloc - before.TotalAlloc)
}

// What a few bytes of a message would become is refused before it is allocated, and what is
// allocated is accounted for: arrays in both formats, and statements of many words.
func TestMemoryIsAccountedBeforeItIsAllocated(t *testing.T) {
	const elements = 1 << 18
	bound := nulls(elements)
	written := "{" + strings.Repeat(",NULL", elements)[1:] + "}"
	words := "select " + strings.Repeat(",1", elements/2)[1:]
	newSession := func(limit int64) *session {
		e := testEnv()
		e.budget.limit = limit
		s := &session{env: e, statements: map[string]*prepared{}, portals: map[string]*portal{}, wire: &wire{proto: pgproto3.NewBackend(nil, nil)}}
		s.statements["p"] = &prepared{stmt: emptyStmt{}, types: []uint32{oidTextArray}}
		return s
	}
	for name, do := range map[string]func(s *session, held *int64) (any, *failure){
		"binary array": func(s *session, _ *int64) (any, *failure) {
			return nil, s.bind(&pgproto3.Bind{PreparedStatement: "p", Parameters: [][]byte{bound}, ParameterFormatCodes: []int16{binaryFormat}})
		},
		"text array": func(s *session, held *int64) (any, *failure) { return textDatum(written).elements(s.budget, held) },
		"words": func(s *session, _ *int64) (any, *failure) {
			list, _, err := parseAll(words, s.budget)
			return list, err
		},
		"prepared statement": func(s *session, _ *int64) (any, *failure) {
			return nil, s.parse(&pgproto3.Parse{Name: "x", Query: words})
		},
	} {
		var err *failure
		var held int64
		s := newSession(2 << 20)
		if used := allocated(func() { _, err = do(s, &held) }); err == nil || err.state != stateNoMemory || used > 3<<20 {
			t.Errorf("%s: %v, after %d bytes were allocated", name, err, used)
		}
		s = newSession(1 << 30)
		before := heap()
		made, err := do(s, &held)
		used := heap() - before
		if err != nil || used > s.budget.held || used < 10<<20 {
			t.Errorf("%s: %v, %d bytes are in use for %d that are accounted for", name, err, used, s.budget.held)
		}
		runtime.KeepAlive(made)
		runtime.KeepAlive(s)
	}
}

// An array that claims more elements than it has bytes for is no reason to make room for them.
func TestArraysThatClaimTooMuch(t *testing.T) {
	b := nulls(4)
	binary.BigEndian.PutUint32(b[12:], 1<<31)
	if size := decodedSize(b, binaryFormat, oidTextArray); size > datumBytes*8 {
		t.Errorf("%d bytes for 4 elements", size)
	}
	if _, err := decode(b, binaryFormat, oidTextArray); err == nil {
		t.Error("it was taken")
	}
}

// Whatever ends a statement, an error or its end, gives back all it held.
func TestStatementsGiveBackTheirMemory(t *testing.T) {
	s := serve(t, nil)
	conn := s.connect(t, "")
	note := strings.Repeat("x", 300<<10)
	for _, query := range []string{
		"select note, deid_note from deidentify where patient_id = '1' and note = '" + note + "'",
		"select deid_note from deidentify where patient_id = '1' and note = '" + note + " leak'",
		"select deid_notes from deidentify_batch where patient_ids = '{1,1}' and notes = '{" + note + ",NULL}'",
		"select deid_notes from deidentify_batch where patient_ids = '{1,1}' and notes = '{" + note + "}'",
		"select note_id from note_deid where note_id = any ('{1,NULL,3}') and deid_note = any ('{NOTE 1,NULL}') order by note_id",
		"select span_start from detect where patient_id = '1' and note = '" + note + "' order by span_start limit 'x'",
		"insert into inbox (patient_id, note) values ('1', '" + note + "') returning deid_note",
		"insert into inbox (patient_id, note) values ('1', '" + note + " leak') returning deid_note",
		"insert into inbox (patient_id, note, deid_note) values ('1', '" + note + "', 'x')",
		"begin; declare c cursor for select note from deidentify where patient_id = '1' and note = '" + note + "'; fetch 1 from c; move backward all in c; fetch 1 from c; rollback",
		"begin; declare c cursor for select note from deidentify where patient_id = '1' and note = '" + note + "' limit 'x'; rollback",
		"delete from inbox where job = any ('{a,NULL}')", "select '" + note, "select 1 '" + note + "'",
	} {
		_, _ = conn.PgConn().Exec(t.Context(), query).ReadAll() // some are errors
		_, _ = conn.PgConn().Exec(t.Context(), "rollback").ReadAll()
		if held := s.server.budget.held.Load(); held != 0 {
			t.Errorf("%.90s: %d bytes are held", query, held)
		}
		rows, err := conn.Query(t.Context(), query)
		if err == nil {
			rows.Close()
		}
		_, _ = conn.PgConn().Exec(t.Context(), "rollback; deallocate all").ReadAll()
		if held := s.server.budget.held.Load(); held != 0 {
			t.Errorf("extended: %.90s: %d bytes are held", query, held)
		}
	}
}

// Names and settings that outlive their statements do not keep them, and are bounded.
func TestNamesAreBounded(t *testing.T) {
	conn := serve(t, nil).connect(t, "")
	long := strings.Repeat("n", maxName+1)
	for _, statement := range []string{"begin; savepoint " + long, "begin; declare " + long + " cursor for select 1", "set " + long + ".x = 1"} {
		_, err := conn.Exec(t.Context(), statement)
		wantState(t, err, stateLongName)
		if _, err := conn.Exec(t.Context(), "rollback"); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := conn.Prepare(t.Context(), strings.Repeat("n", maxProtocolName+1), "select 1"); err == nil {
		t.Error("a prepared statement has any name")
	}
	var err error
	for n := 0; err == nil && n < 2*maxSettings; n++ {
		_, err = conn.Exec(t.Context(), "set own.n"+strings.Repeat("x", n%50)+string(rune('a'+n/50))+" = 1")
	}
	wantState(t, err, stateTooLarge)
}
