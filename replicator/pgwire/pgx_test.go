package pgwire

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// modes are the ways in which pgx talks: with and without prepared statements, in
// text and in binary format.
var modes = []pgx.QueryExecMode{
	pgx.QueryExecModeCacheStatement, pgx.QueryExecModeCacheDescribe, pgx.QueryExecModeDescribeExec, pgx.QueryExecModeExec,
	pgx.QueryExecModeSimpleProtocol,
}

func TestOneNote(t *testing.T) {
	conn := serve(t, nil).connect(t, "")
	for _, mode := range modes {
		for _, note := range []string{"seen today", "", "it's \"quoted\" \\ {a,b}", "Ä 😀\nline\ttab", strings.Repeat("long ", 100_000)} {
			var got string
			err := conn.QueryRow(t.Context(), "select deid_note from deidentify where patient_id = $1 and note = $2", mode, "17", note).Scan(&got)
			if want := "17:" + strings.ToUpper(note); err != nil || got != want {
				t.Errorf("%v, %d bytes: %d bytes (%v)", mode, len(note), len(got), err)
			}
		}
	}
}

func TestBatch(t *testing.T) {
	conn := serve(t, nil).connect(t, "")
	notes, null := []*string{new(string), nil, new(string)}, (*string)(nil)
	*notes[0], *notes[2] = "a, \"b\"", "leak"
	for _, mode := range modes {
		var texts, reasons []*string
		err := conn.QueryRow(t.Context(), "select deid_notes, reasons from deid.deidentify_batch where patient_ids = $1::text[] and notes = $2::text[]",
			mode, []string{"1", "2", "3"}, notes).Scan(&texts, &reasons)
		if err != nil || len(texts) != 3 || *texts[0] != "1:A, \"B\"" || texts[1] != null || texts[2] != null || reasons[0] != nil || *reasons[2] != "leak" {
			t.Errorf("%v: %v, %v", mode, texts, err)
		}
		err = conn.QueryRow(t.Context(), "select deid_notes from deidentify_batch where patient_ids = $1 and notes = $2", mode, []string{"1", "2", "3"}, notes).Scan(&texts)
		wantState(t, err, stateNote)
		err = conn.QueryRow(t.Context(), "select deid_notes from deidentify_batch where patient_ids = $1 and notes = $2", mode, []string{"1"}, notes).Scan(&texts)
		wantState(t, err, stateArrayMismatch)
		if err := conn.QueryRow(t.Context(), "select deid_notes from deidentify_batch where patient_ids = $1 and notes = $2", mode, []string{}, []string{}).Scan(&texts); err != nil || len(texts) != 0 {
			t.Errorf("%v: empty lists: %v, %v", mode, texts, err)
		}
	}
}

func wantState(t *testing.T, err error, state string) *pgconn.PgError {
	t.Helper()
	var pg *pgconn.PgError
	if !errors.As(err, &pg) || pg.Code != state {
		t.Errorf("error %v, want SQLSTATE %s", err, state)
		return &pgconn.PgError{}
	}
	return pg
}

func TestDetect(t *testing.T) {
	conn := serve(t, nil).connect(t, "")
	rows, err := conn.Query(t.Context(), "select span_start, span_end, phi_type, detectors from detect where patient_id = '1' and note = 'Jo 3/5' order by span_start desc")
	if err != nil {
		t.Fatal(err)
	}
	type span struct {
		Start, End int
		Type       string
		By         []string
	}
	got, err := pgx.CollectRows(rows, pgx.RowToStructByPos[span])
	if err != nil || len(got) != 2 || got[0].Start != 3 || got[1].End != 2 || !slices.Equal(got[1].By, []string{"record", "names"}) {
		t.Errorf("%v, %v", got, err)
	}
	var n int64
	if err := conn.QueryRow(t.Context(), "select count(*) from detect where patient_id = '1' and note = 'Jo 3/5' and phi_type = 'DATE' and span_end > 1").Scan(&n); err != nil || n != 1 {
		t.Errorf("%d spans, %v", n, err)
	}
}

// A column is cast to what its values are already, or not at all: they are sent as they are.
func TestCastsOfColumns(t *testing.T) {
	conn := serve(t, nil).connect(t, "")
	for query, state := range map[string]string{
		"select deid_note::int from deidentify where patient_id = '1' and note = '7'":                                       stateUnsupported,
		"select deid_notes::int[] from deidentify_batch where patient_ids = '{1}' and notes = '{7}'":                        stateUnsupported,
		"select deid_notes::text from deidentify_batch where patient_ids = '{1}' and notes = '{7}'":                         stateUnsupported,
		"select 1 from deidentify where patient_id = '1' and note = '7' and deid_note::int = 7":                             stateUnsupported,
		"select 1 from deidentify where patient_id = '1' and note = '7' and deid_note::int is null":                         stateUnsupported,
		"select 1 from deidentify where patient_id = '1' and note = '7' and deid_note::int in (7)":                          stateUnsupported,
		"select deid_note::varchar from deidentify where patient_id::text = '1' and note = '7'":                             "",
		"select span_start::bigint, span_end::text, detectors::varchar[] from detect where patient_id = '1' and note = '7'": "",
	} {
		for _, mode := range []pgx.QueryExecMode{pgx.QueryExecModeExec, pgx.QueryExecModeDescribeExec} {
			rows, err := conn.Query(t.Context(), query, mode)
			if err == nil {
				for rows.Next() {
					_, err = rows.Values()
				}
				rows.Close()
				err = errors.Join(err, rows.Err())
			}
			if state != "" {
				wantState(t, err, state)
			} else if err != nil {
				t.Errorf("%s: %v", query, err)
			}
		}
	}
}

func TestNullsAnswerNothing(t *testing.T) {
	conn := serve(t, nil).connect(t, "")
	for _, args := range [][]any{{nil, "x"}, {"1", nil}} {
		var got string
		err := conn.QueryRow(t.Context(), "select deid_note from deidentify where patient_id = $1 and note = $2", args...).Scan(&got)
		if !errors.Is(err, pgx.ErrNoRows) {
			t.Errorf("%v: %q, %v", args, got, err)
		}
	}
}

func TestNoteThatFails(t *testing.T) {
	s := serve(t, nil)
	conn := s.connect(t, "")
	var got, reason *string
	err := conn.QueryRow(t.Context(), "select deid_note from deidentify where patient_id = '1' and note = 'leak Smith'").Scan(&got)
	if pg := wantState(t, err, stateNote); strings.Contains(fmt.Sprint(pg.Message, pg.Detail, pg.Hint), "Smith") || !strings.Contains(pg.Message, "leak") {
		t.Errorf("the error: %s", pg.Message)
	}
	err = conn.QueryRow(t.Context(), "select deid_note, reason from deidentify where patient_id = '1' and note = 'leak Smith'").Scan(&got, &reason)
	if err != nil || got != nil || reason == nil || *reason != "leak" {
		t.Errorf("%v, %v, %v", got, reason, err)
	}
	if strings.Contains(s.log.String(), "Smith") {
		t.Error("the log has the note")
	}
}

func TestPull(t *testing.T) {
	conn := serve(t, nil).connect(t, "")
	for _, mode := range modes {
		rows, err := conn.Query(t.Context(), "select note_id, deid_note, source_table from note_deid where note_id = any ($1::bigint[])", mode, []int64{5, 404, 0, 3, 5})
		if err != nil {
			t.Fatal(err)
		}
		type note struct {
			ID    string
			Text  *string
			Table string
		}
		got, err := pgx.CollectRows(rows, pgx.RowToStructByPos[note])
		if err != nil || len(got) != 3 || got[0].ID != "5" || *got[0].Text != "NOTE 5" || got[1].Text != nil || got[2].Table != "ehr.note" {
			t.Errorf("%v: %v, %v", mode, got, err)
		}
	}
}

func TestInbox(t *testing.T) {
	conn := serve(t, nil).connect(t, "")
	tx, err := conn.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i := range 700 {
		if _, err := tx.Exec(t.Context(), "insert into inbox (job, item, patient_id, note) values ($1, $2, $3, $4), ('other', 1, '1', 'x')", "j", i, "7", fmt.Sprint("note ", i)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := tx.Exec(t.Context(), "savepoint a"); err != nil {
		t.Fatal(err)
	}
	if tag, err := tx.Exec(t.Context(), "delete from inbox where job = 'j'"); err != nil || tag.RowsAffected() != 700 {
		t.Errorf("%s, %v", tag, err)
	}
	if _, err := tx.Exec(t.Context(), "rollback to savepoint a"); err != nil {
		t.Fatal(err)
	}
	rows, err := tx.Query(t.Context(), "select item, deid_note from outbox where job = $1", "j")
	if err != nil {
		t.Fatal(err)
	}
	n, item, text := 0, 0, ""
	if _, err := pgx.ForEachRow(rows, []any{&item, &text}, func() error {
		if item != n || text != fmt.Sprint("7:NOTE ", n) {
			return fmt.Errorf("row %d is item %d: %s", n, item, text)
		}
		n++
		return nil
	}); err != nil || n != 700 {
		t.Errorf("%d rows, %v", n, err)
	}
	if err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	var left int
	if err := conn.QueryRow(t.Context(), "select count(*) from outbox where job = 'j'").Scan(&left); err != nil || left != 0 {
		t.Errorf("%d rows are left after the transaction, %v", left, err)
	}
	var returned string
	if err := conn.QueryRow(t.Context(), "insert into inbox (patient_id, note) values ('1', 'now') returning deid_note").Scan(&returned); err != nil || returned != "1:NOW" {
		t.Errorf("%q, %v", returned, err)
	}
}

func TestUnansweredScans(t *testing.T) {
	conn := serve(t, nil).connect(t, "")
	for _, sql := range []string{
		"select * from deidentify", "select * from detect where patient_id = '1'", "select deid_notes from deidentify_batch",
		"select * from outbox", "select * from note_deid", "select * from inbox",
	} {
		_, err := conn.Exec(t.Context(), sql)
		if pg := wantState(t, err, stateUnsupported); pg.Hint == "" {
			t.Errorf("%s: no hint", sql)
		}
	}
	_, err := conn.Exec(t.Context(), "select nothing from detect")
	wantState(t, err, stateNoColumn)
	_, err = conn.Exec(t.Context(), "select 1 from nothing")
	wantState(t, err, stateNoTable)
}

func TestTransactions(t *testing.T) {
	conn := serve(t, nil).connect(t, "")
	exec := func(sql string) error {
		_, err := conn.Exec(t.Context(), sql, pgx.QueryExecModeSimpleProtocol)
		return err
	}
	status := func() byte { return conn.PgConn().TxStatus() }
	for _, step := range []struct {
		sql, state string
		status     byte
	}{
		{"begin", "", 'T'},
		{"savepoint a", "", 'T'},
		{"select 1 from nothing", stateNoTable, 'E'},
		{"select 1", stateFailedTx, 'E'},
		{"savepoint b", stateNoTx, 'E'},
		{"rollback to savepoint a", "", 'T'},
		{"select 1", "", 'T'},
		{"release savepoint a", "", 'T'},
		{"rollback to a", stateNoSavepoint, 'E'},
		{"commit", "", 'I'},
		{"declare c cursor for select 1", stateNoTx, 'I'},
		{"begin; declare c cursor for select deid_note from deidentify where patient_id = '1' and note = 'a'", "", 'T'},
		{"declare c cursor for select 1", stateDuplicateCursor, 'E'},
		{"rollback", "", 'I'},
		{"fetch 1 from c", stateNoCursor, 'I'},
		{"set statement_timeout = '1s'; begin; set statement_timeout = '2s'; rollback", "", 'I'},
		{"set client_encoding = 'LATIN1'", stateFixedSetting, 'I'},
		{"set nothing = 1", stateNoSetting, 'I'},
		{"set session pgdeid.x = 1", "", 'I'},
		{"discard all", "", 'I'},
	} {
		err := exec(step.sql)
		if step.state == "" && err != nil {
			t.Errorf("%s: %v", step.sql, err)
		}
		if step.state != "" {
			wantState(t, err, step.state)
		}
		if status() != step.status {
			t.Errorf("%s: status %c, want %c", step.sql, status(), step.status)
		}
		if step.sql[0] == 's' && strings.Contains(step.sql, "2s") {
			var got string
			if err := conn.QueryRow(t.Context(), "show statement_timeout").Scan(&got); err != nil || got != "1s" {
				t.Errorf("after the rollback statement_timeout is %q, %v", got, err)
			}
		}
	}
}

func TestCursor(t *testing.T) {
	s := serve(t, nil)
	conn := s.connect(t, "")
	tx, err := conn.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec(t.Context(), "declare c cursor for select deid_note from deidentify where patient_id = any ($1) and note = $2", []string{"1", "2", "3"}, "a"); err != nil {
		t.Fatal(err)
	}
	if s.engine.asked() != 0 {
		t.Error("DECLARE asked the engine")
	}
	for _, step := range []struct{ sql, want string }{
		{"fetch 2 from c", "1:A 2:A"},
		{"fetch forward 5 in c", "3:A"},
		{"fetch c", ""},
		{"move backward all in c", ""},
		{"fetch all from c", "1:A 2:A 3:A"},
		{"move backward all in c", ""},
		{"move 2 in c", ""},
		{"fetch next from c", "3:A"},
	} {
		rows, err := tx.Query(t.Context(), step.sql, pgx.QueryExecModeSimpleProtocol)
		if err != nil {
			t.Fatal(err)
		}
		got, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil || strings.Join(got, " ") != step.want {
			t.Errorf("%s: %v, %v", step.sql, got, err)
		}
	}
	if err := tx.Rollback(t.Context()); err != nil {
		t.Error(err)
	}
}

func (e *upperEngine) asked() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.batches)
}

func TestExplain(t *testing.T) {
	conn := serve(t, nil).connect(t, "")
	for sql, dear := range map[string]bool{
		"select patient_id, deid_note from deid.deidentify": true,
		"select deid_note from deid.deidentify where ((((SELECT null::bigint)::bigint) = patient_id)) and ((note = ((SELECT null::text)::text)))": false,
		"select a.note from detect a join detect b on true":            true,
		"select note_id from note_deid where ((note_id = any ('{}')))": false,
	} {
		var line string
		var first, last, rows float64
		var width int
		if err := conn.QueryRow(t.Context(), "explain "+sql).Scan(&line); err != nil {
			t.Fatal(err)
		}
		// As postgres_fdw reads it.
		if _, err := fmt.Sscanf(line[strings.LastIndex(line, "("):], "(cost=%f..%f rows=%f width=%d)", &first, &last, &rows, &width); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if (last >= costNever) != dear || (rows >= rowsNever) != dear {
			t.Errorf("%s: %s", sql, line)
		}
	}
}

func TestAboutTheServer(t *testing.T) {
	conn := serve(t, nil).connect(t, "application_name=probe")
	for sql, want := range map[string]string{
		"select current_user": "staging", "select current_database()": "pgdeid", "select current_schema": "", "show application_name": "probe",
		"select current_setting('server_version')": speaksAs, "select pg_catalog.current_setting('nothing', true) is_null": "",
		"select 'x'::text as a": "x", "show transaction isolation level": "read committed", "select version() v": "",
	} {
		var got *string
		err := conn.QueryRow(t.Context(), sql, pgx.QueryExecModeSimpleProtocol).Scan(&got)
		if sql == "select current_schema" {
			wantState(t, err, stateNoColumn)
			continue
		}
		if err != nil || want != "" && (got == nil || *got != want) {
			t.Errorf("%s: %v, %v", sql, got, err)
		}
	}
}

func TestCancel(t *testing.T) {
	s := serve(t, nil)
	conn := s.connect(t, "")
	ctx, cancel := context.WithCancel(t.Context())
	failed := make(chan error, 1)
	go func() {
		_, err := conn.Exec(ctx, "select deid_note from deidentify where patient_id = '1' and note = 'wait'")
		failed <- err
	}()
	for s.engine.asked() == 0 {
		time.Sleep(time.Millisecond)
	}
	other := s.connect(t, "")
	if err := other.PgConn().CancelRequest(t.Context()); err != nil { // nothing runs there
		t.Fatal(err)
	}
	if err := conn.PgConn().CancelRequest(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantState(t, <-failed, stateCanceled)
	cancel()
	if err := conn.Ping(t.Context()); err != nil {
		t.Errorf("the session after the cancellation: %v", err)
	}
	if _, err := conn.Exec(t.Context(), "set statement_timeout = 50"); err != nil {
		t.Fatal(err)
	}
	_, err := conn.Exec(t.Context(), "select deid_note from deidentify where patient_id = '1' and note = 'wait'")
	if pg := wantState(t, err, stateCanceled); !strings.Contains(pg.Message, "timeout") {
		t.Error(pg.Message)
	}
}

func TestFaultOfTheEngine(t *testing.T) {
	s := serve(t, nil)
	conn := s.connect(t, "")
	_, err := conn.Exec(t.Context(), "select deid_note from deidentify where patient_id = '1' and note = 'panic Smith'")
	wantState(t, err, stateInternal)
	if err := conn.Ping(t.Context()); err != nil {
		t.Error(err)
	}
	if strings.Contains(s.log.String(), "Smith") {
		t.Error("the log has the note")
	}
}

func TestCatalogue(t *testing.T) {
	conn := serve(t, nil).connect(t, "")
	names := func(sql string) string {
		t.Helper()
		rows, err := conn.Query(t.Context(), sql, pgx.QueryExecModeSimpleProtocol)
		if err != nil {
			t.Fatal(err)
		}
		got, err := pgx.CollectRows(rows, func(r pgx.CollectableRow) (string, error) {
			v, err := r.Values()
			return fmt.Sprint(v...), err
		})
		if err != nil {
			t.Error(err)
		}
		return strings.Join(got, "|")
	}
	// IMPORT FOREIGN SCHEMA
	if got := names("SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = 'deid'"); got != "1" {
		t.Errorf("the schema: %q", got)
	}
	if got := names("SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = 'x'"); got != "" {
		t.Errorf("another schema: %q", got)
	}
	got := names(`SELECT relname,   attname,   format_type(atttypid, atttypmod),   attnotnull,   attgenerated,   pg_get_expr(adbin, adrelid),   collname,   collnsp.nspname
		FROM pg_class c   JOIN pg_namespace n ON     relnamespace = n.oid   LEFT JOIN pg_attribute a ON     attrelid = c.oid AND attnum > 0       AND NOT attisdropped
		LEFT JOIN pg_attrdef ad ON     adrelid = c.oid AND adnum = attnum   LEFT JOIN pg_collation coll ON     coll.oid = attcollation
		LEFT JOIN pg_namespace collnsp ON     collnsp.oid = collnamespace WHERE c.relkind IN ('r','v','f','m','p')   AND n.nspname = 'deid'
		AND c.relname IN ('detect')   ORDER BY c.relname, a.attnum`)
	if want := "detect patient_id text f  <nil> <nil> <nil>"; !strings.HasPrefix(strings.ReplaceAll(got, "detectpatient_id", "detect patient_id"), "detect") || strings.Count(got, "|") != 5 ||
		!strings.Contains(got, "span_start") || !strings.Contains(got, "text[]") || want == "" {
		t.Errorf("the columns: %s", got)
	}
}
