package pgwire

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgproto3"
)

// one is a question that each test may ask.
const one = "select deid_note from deidentify where patient_id = '1' and note = 'a'"

// What statements answer, each in a session of its own.
func TestStatements(t *testing.T) {
	t.Parallel()
	s := serve(t, nil)
	for query, want := range map[string]string{
		one:                        "1:A <SELECT 1>",
		one + ";" + one:            "1:A <SELECT 1> 1:A <SELECT 1>",
		";;":                       "<>",
		one + "; nonsense; " + one: "1:A <SELECT 1> 0A000",
		"select * from deidentify where patient_id = '1' and note = E'it''s \\\\ \\'x\\''":                              `1|it's \ 'x'|1:IT'S \ 'X'|NULL <SELECT 1>`,
		"SELECT NULL, deid_note FROM deid.deidentify WHERE ((patient_id = '1')) AND (('a'::text = note))":               "NULL|1:A <SELECT 1>",
		"select deid_note from deidentify where patient_id in ('1', '2', '1') and note = any ('{a,\"b c\",NULL}')":      "1:A 1:B C 2:A 2:B C <SELECT 4>",
		"select deid_note from deidentify where patient_id = '1' and note = any (array['a', null, 'b'])":                "1:A 1:B <SELECT 2>",
		"select deid_note from deidentify where patient_id = '1' and note = null":                                       "<SELECT 0>",
		"select deid_note from deidentify where patient_id = '1' and note = any (null)":                                 "<SELECT 0>",
		"select deid_note from deidentify where patient_id = '1' and note = any ('{}')":                                 "<SELECT 0>",
		"select deid_note from deidentify where patient_id = '1' and patient_id = '2' and note = 'a'":                   "<SELECT 0>",
		"select deid_note from deidentify where patient_id = '1' and note in ('a', 'odd') and reason is null":           "1:A <SELECT 1>",
		"select reason from deidentify where patient_id = '1' and note in ('a', 'odd') and reason is not null":          "odd <SELECT 1>",
		"select deid_note from deidentify where patient_id = '1' and note in ('a', 'b') and deid_note <> '1:A'":         "1:B <SELECT 1>",
		"select deid_note from deidentify where patient_id = '1' and note in ('a', 'b') and deid_note in ('1:B')":       "1:B <SELECT 1>",
		"select count(*) from deidentify where patient_id = '1' and note in ('a', 'b')":                                 "2 <SELECT 1>",
		"select count(*) from deidentify where patient_id = '1' and note = null":                                        "0 <SELECT 1>",
		"select span_start, detectors from detect where patient_id = '1' and note = 'a' order by span_start":            `9|{} 10|{"names","a \"b\""} 30|NULL <SELECT 3>`,
		"select phi_type from detect where patient_id = '1' and note = 'a' order by span_start desc nulls last limit 2": "AGE PATIENT <SELECT 2>",
		"select phi_type from detect where patient_id = '1' and note = 'a' and span_start > 9 and span_end <= '12'":     "PATIENT <SELECT 1>",
		"select phi_type from detect where patient_id = '1' and note = 'a' and span_start >= 10 and span_end < 31":      "PATIENT <SELECT 1>",
		"select phi_type from detect where patient_id = '1' and note = 'a' and span_start = any ('{9,30}')":             "DATE AGE <SELECT 2>",
		"select phi_type from detect where patient_id = '1' and note = 'a' and detectors is null limit 5::bigint":       "AGE <SELECT 1>",
		"select phi_type from detect where patient_id = '1' and note = 'a' limit 0":                                     "<SELECT 0>",
		"select phi_type from detect where patient_id = '1' and note = 'a' limit null":                                  "PATIENT DATE AGE <SELECT 3>",
		"select deid_notes, reasons from deidentify_batch where patient_ids = '{1,2}' and notes = '{a,NULL}'":           `{"1:A",NULL}|{NULL,NULL} <SELECT 1>`,
		"select deid_notes from deidentify_batch where patient_ids = array[]::text[] and notes = '{}'":                  "0A000",
		"select deid_notes from deidentify_batch where patient_ids = '{ }' and notes = '{}'":                            "{} <SELECT 1>",
		"select note_id from note_deid where note_id = any ('{1,404,2}') and source_table = 'ehr.note'":                 "1 2 <SELECT 2>",
		"select source_table, source_column from note_deid where note_id = '7'":                                         "NULL|NULL <SELECT 1>",
		"insert into inbox (patient_id, note) values ('1', 'a'), ('2', default) returning deid_note":                    "1:A NULL <INSERT 0 2>",
		"insert into deid.inbox(job, item, note, reason) values (null, -5, 'a', null) returning *":                      "NULL|-5|NULL|a|:A|NULL <INSERT 0 1>",
		"insert into inbox (note) values ('a')":                                                                         stateNoTx,
		"set statement_timeout = '5s'; set datestyle = ISO; set application_name to 'x'; set timezone = 'GMT'":          "<SET> <SET> <SET> <SET>",
		"discard all; deallocate all": "<DISCARD ALL> <DEALLOCATE>",
		"SELECT pg_catalog.pg_relation_size('deid.detect'::pg_catalog.regclass) / 8192":                     "1 <SELECT 1>",
		"SELECT reltuples, relkind FROM pg_catalog.pg_class WHERE oid = 'deid.detect'::pg_catalog.regclass": "20|r <SELECT 1>",
	} {
		t.Run(query, func(t *testing.T) {
			t.Parallel()
			if got := ask(t, s.connect(t, ""), query); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

// What is not understood is refused, and says where to ask instead; nothing is ignored.
func TestRefusals(t *testing.T) {
	t.Parallel()
	conn := serve(t, nil).connect(t, "")
	for query, state := range map[string]string{
		"select 1":                          stateUnsupported,
		"select version()":                  stateUnsupported,
		"select * from pg_catalog.pg_class": stateUnsupported,
		"copy (select 1) to stdout":         stateUnsupported,
		"select deid_note from deidentify where patient_id = '1' and note = 'a' offset 1":            stateUnsupported,
		"select deid_note from deidentify where patient_id = '1' and note = 'a' for update":          stateUnsupported,
		"select deid_note from deidentify where patient_id = '1' or note = 'a'":                      stateUnsupported,
		"select deid_note from deidentify where not patient_id = '1' and note = 'a'":                 stateUnsupported,
		"select deid_note from deidentify where patient_id = '1' and note ~~ 'a%'":                   stateUnsupported,
		"select deid_note from deidentify where patient_id = '1' and lower(note) = 'a'":              stateUnsupported,
		"select deid_note from deidentify where patient_id = '1' and note = 'a' and deid_note > 'a'": stateUnsupported,
		"select deid_note from deidentify where patient_id = '1' and note = 'a' order by deid_note":  stateUnsupported,
		"select deid_note, count(*) from deidentify where patient_id = '1' and note = 'a'":           stateUnsupported,
		"select d.deid_note from deidentify d where patient_id = '1' and note = 'a'":                 stateUnsupported,
		"select deid_note from public.deidentify where patient_id = '1' and note = 'a'":              stateUnsupported,
		"select * from detect where patient_id = '1' and note = 'a' and detectors = '{names}'":       stateUnsupported,
		"select * from detect where patient_id = '1' and note = 'a' limit -1":                        stateUnsupported,
		"select deid_note from deidentify where patient_id = '1'":                                    stateUnsupported,
		"select * from deidentify order by note":                                                     stateUnsupported,
		"select * from inbox":                                                                        stateUnsupported,
		"select * from outbox where job = $1":                                                        stateUnsupported,
		"select * from elsewhere":                                                                    stateNoTable,
		"select nothing from detect":                                                                 stateNoColumn,
		"select * from detect where patient_id = '1' and note = 'a' and span_start = 'x'":            stateBadText,
		"select * from detect where patient_id = '1' and note = 'a' and span_start = any ('{x}')":    stateBadText,
		"select * from note_deid where note_id = any ('{1')":                                         stateBadText,
		"update inbox set note = 'x'":                                                                stateUnsupported,
		"delete from deidentify":                                                                     stateReadOnly,
		"delete from inbox where reason is null":                                                     stateUnsupported,
		"insert into detect (note) values ('x')":                                                     stateReadOnly,
		"insert into inbox (note, deid_note) values ('x', 'y') returning note":                       stateReadOnly,
		"insert into inbox (nothing) values ('x') returning note":                                    stateNoColumn,
		"insert into inbox (note) values ('x', 'y')":                                                 stateUnsupported,
		"set search_path = public":                                                                   stateUnsupported,
		"set statement_timeout = 'soon'":                                                             stateBadText,
		"set work_mem = '1GB'":                                                                       stateUnsupported,
		"declare c cursor for " + one:                                                                stateNoTx,
		"fetch 1 from c":                                                                             stateNoCursor,
		"close c":                                                                                    stateNoCursor,
		"savepoint a":                                                                                stateNoTx,
		"rollback to savepoint a":                                                                    stateNoTx,
		"release savepoint a":                                                                        stateNoTx,
		"deallocate nothing":                                                                         stateNoStatement,
		"select deid_note from deidentify where patient_id = '1' and note = 'secret fault'":          stateInternal,
		"select deid_note from deidentify where patient_id = '1' and note = 'short row'":             stateInternal,
		"select deid_note from deidentify where patient_id = '1' and note = 'leak'":                  "PD001",
		"select deid_note from deidentify where patient_id = '1' and note = '\xff'":                  stateBadEncoding,
	} {
		_, err := conn.PgConn().Exec(t.Context(), query).ReadAll()
		e := wantState(t, err, state)
		if state == stateUnsupported && e.Hint == "" {
			t.Errorf("%s: no hint", query)
		}
		if strings.Contains(e.Message+e.Hint, "secret") {
			t.Errorf("%s: the error quotes what failed: %s", query, e.Message)
		}
	}
}

// EXPLAIN never fails for what is not understood: that costs more than any other plan.
func TestExplain(t *testing.T) {
	t.Parallel()
	conn := serve(t, nil).connect(t, "")
	for query, want := range map[string]string{
		"SELECT deid_note FROM deid.deidentify WHERE ((patient_id = ((SELECT null::text)::text))) AND ((((SELECT null::text)::text) = note))":             "(cost=1.00..1.00 rows=1 width=500)",
		"SELECT span_start, phi_type FROM deid.detect WHERE ((patient_id = '7')) AND ((note = 'a')) ORDER BY span_start DESC NULLS FIRST LIMIT 3::bigint": "(cost=1.00..20.00 rows=20 width=1000)",
		"SELECT count(*) FROM deid.detect WHERE ((patient_id = '7')) AND ((note = 'a'))":                                                                  "rows=1 ",
		"SELECT deid_note FROM deid.deidentify WHERE ((patient_id = '7'))":                                                                                "cost=10000000000.00",
		"SELECT deid_note FROM deid.deidentify ORDER BY deid_note ASC NULLS LAST":                                                                         "cost=10000000000.00",
		"SELECT ctid FROM deid.inbox WHERE ((job = 'j')) FOR UPDATE":                                                                                      "cost=10000000000.00",
		"SELECT r1.a FROM (deid.detect r1 INNER JOIN deid.detect r2 ON (TRUE))":                                                                           "cost=10000000000.00",
	} {
		if got := ask(t, conn, "EXPLAIN "+query); !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
	if got := ask(t, conn, "EXPLAIN SELECT a FROM nowhere"); got != stateNoTable {
		t.Error(got)
	}
}

// Transactions, savepoints, cursors and the inbox, in one session.
func TestTransactions(t *testing.T) {
	t.Parallel()
	conn := serve(t, nil).connect(t, "")
	const outbox = "select item, deid_note from outbox where job = 'j'"
	for _, step := range []struct{ query, want string }{
		{"START TRANSACTION ISOLATION LEVEL REPEATABLE READ", "<BEGIN>"},
		{"begin", stateActiveTx},
		{one, stateFailedTx},
		{"ABORT TRANSACTION", "<ROLLBACK>"},
		{"begin isolation level serializable, read only", "<BEGIN>"},
		{"insert into inbox (job, item, patient_id, note) values ('j', 1, '1', 'a'), (null, 2, '1', 'b'), ('k', 3, '1', 'c')", "<INSERT 0 3>"},
		{outbox, "1|1:A <SELECT 1>"},
		{"select item from outbox where job = null", "<SELECT 0>"},
		{"select item from outbox where job in ('j', 'k') order by item desc", "3 1 <SELECT 2>"},
		{"savepoint a", "<SAVEPOINT>"},
		{"declare inner_one cursor for " + outbox, "<DECLARE CURSOR>"},
		{"insert into inbox (job, item, note) values ('j', 4, 'd')", "<INSERT 0 1>"},
		{outbox, "1|1:A 4|:D <SELECT 2>"},
		{"nonsense", stateUnsupported},
		{outbox, stateFailedTx},
		{"rollback to savepoint a; release savepoint a", "<ROLLBACK> <RELEASE>"},
		{outbox, "1|1:A <SELECT 1>"},
		{"release savepoint a", stateNoSavepoint},
		{"commit", "<ROLLBACK>"},
		{"begin; " + outbox, "<BEGIN> <SELECT 0>"},
		{"insert into inbox (job, item) values ('j', 1), ('j', 2), ('k', 3); delete from inbox where job = 'j'; delete from inbox where job is null", "<INSERT 0 3> <DELETE 2> " + stateUnsupported},
		{"rollback", "<ROLLBACK>"},
		{"begin; savepoint a; insert into inbox (job, item) values ('j', 1); delete from inbox; " + outbox, "<BEGIN> <SAVEPOINT> <INSERT 0 1> <DELETE 1> <SELECT 0>"},
		{"rollback to savepoint a; commit transaction; commit", "<ROLLBACK> <COMMIT> <COMMIT>"},
		{"begin; declare c cursor for select note_id from note_deid where note_id = any ('{1,2,3,4,5}')", "<BEGIN> <DECLARE CURSOR>"},
		{"fetch 2 from c; fetch 2 from c", "1 2 <FETCH 2> 3 4 <FETCH 2>"},
		{"move backward all in c; fetch 4 from c; fetch 4 from c; fetch 1 from c", "<MOVE 0> 1 2 3 4 <FETCH 4> 5 <FETCH 1> <FETCH 0>"},
		{"savepoint a; declare d cursor for " + one + "; release savepoint a; close d; close c", "<SAVEPOINT> <DECLARE CURSOR> <RELEASE> <CLOSE CURSOR> <CLOSE CURSOR>"},
		{"declare c cursor for select count(*) from detect where patient_id = '1' and note = 'a'; fetch 5 from c; fetch 5 from c", "<DECLARE CURSOR> 3 <FETCH 1> <FETCH 0>"},
		{"move backward all in c; fetch 5 from c; declare c cursor for " + one, "<MOVE 0> 3 <FETCH 1> " + stateDuplicateCursor},
		{"end", "<ROLLBACK>"},
	} {
		if got := ask(t, conn, step.query); got != step.want {
			t.Errorf("%s: got %s, want %s", step.query, got, step.want)
		}
	}
}

// talk sends messages and returns what comes back up to ReadyForQuery.
func talk(t *testing.T, f *pgproto3.Frontend, messages ...pgproto3.FrontendMessage) string {
	t.Helper()
	for _, m := range append(messages, &pgproto3.Sync{}) {
		f.Send(m)
	}
	if err := f.Flush(); err != nil {
		t.Fatal(err)
	}
	var got []string
	for {
		msg, err := f.Receive()
		if err != nil {
			t.Fatal(err)
		}
		switch m := msg.(type) {
		case *pgproto3.ReadyForQuery:
			return strings.Join(append(got, string(m.TxStatus)), " ")
		case *pgproto3.DataRow:
			got = append(got, string(m.Values[0]))
		case *pgproto3.CommandComplete:
			got = append(got, "<"+string(m.CommandTag)+">")
		case *pgproto3.ErrorResponse:
			got = append(got, m.Code)
		case *pgproto3.ParameterDescription:
			got = append(got, fmt.Sprint(m.ParameterOIDs))
		case *pgproto3.RowDescription:
			got = append(got, string(m.Fields[0].Name))
		case *pgproto3.NoData:
			got = append(got, "nothing")
		}
	}
}

// The messages of the extended protocol.
func TestExtendedProtocol(t *testing.T) {
	t.Parallel()
	h := hijack(t, serve(t, nil).connect(t, ""))
	type messages = []pgproto3.FrontendMessage
	const question = "select deid_note from deidentify where patient_id = any ($1) and note = $2"
	params := [][]byte{[]byte("{1,2,3}"), []byte("a")}
	for _, step := range []struct {
		send messages
		want string
	}{
		{messages{&pgproto3.Parse{Query: "BEGIN"}, &pgproto3.Bind{}, &pgproto3.Describe{ObjectType: 'P'}, &pgproto3.Execute{}}, "nothing <BEGIN> T"},
		{messages{&pgproto3.Parse{Name: "s", Query: question, ParameterOIDs: []uint32{1009}}, &pgproto3.Describe{ObjectType: 'S', Name: "s"}}, "[1009 25] deid_note T"},
		{messages{&pgproto3.Bind{PreparedStatement: "s", Parameters: params}, &pgproto3.Describe{ObjectType: 'P'}, &pgproto3.Execute{}}, "deid_note 1:A 2:A 3:A <SELECT 3> T"},
		{messages{&pgproto3.Bind{PreparedStatement: "s", Parameters: [][]byte{nil, nil}}, &pgproto3.Execute{}}, "<SELECT 0> T"},
		{messages{&pgproto3.Parse{Query: "declare c cursor for " + question}, &pgproto3.Bind{Parameters: params}, &pgproto3.Execute{}}, "<DECLARE CURSOR> T"},
		{messages{&pgproto3.Parse{Query: "fetch 2 from c"}, &pgproto3.Bind{}, &pgproto3.Describe{ObjectType: 'P'}, &pgproto3.Execute{}}, "deid_note 1:A 2:A <FETCH 2> T"},
		{messages{&pgproto3.Bind{}, &pgproto3.Execute{}, &pgproto3.Execute{}}, "3:A <FETCH 1> " + stateUnsupported + " E"},
		{messages{&pgproto3.Bind{PreparedStatement: "s", Parameters: params}, &pgproto3.Execute{}}, stateFailedTx + " E"},
		{messages{&pgproto3.Parse{Query: one}}, stateFailedTx + " E"},
		{messages{&pgproto3.Parse{Query: "ROLLBACK"}, &pgproto3.Describe{ObjectType: 'S'}, &pgproto3.Bind{}, &pgproto3.Execute{}}, "[] nothing <ROLLBACK> I"},
		{messages{&pgproto3.Bind{PreparedStatement: "s", Parameters: params}}, "I"},
		{messages{&pgproto3.Execute{}}, stateNoCursor + " I"},
		{messages{&pgproto3.Describe{ObjectType: 'P'}}, stateNoCursor + " I"},
		{messages{&pgproto3.Describe{ObjectType: 'S', Name: "none"}}, stateNoStatement + " I"},
		{messages{&pgproto3.Bind{PreparedStatement: "s"}}, stateProtocol + " I"},
		{messages{&pgproto3.Bind{PreparedStatement: "none"}}, stateNoStatement + " I"},
		{messages{&pgproto3.Bind{DestinationPortal: "p", PreparedStatement: "s", Parameters: params}}, stateUnsupported + " I"},
		{messages{&pgproto3.Bind{PreparedStatement: "s", Parameters: params, ParameterFormatCodes: []int16{1}}}, stateUnsupported + " I"},
		{messages{&pgproto3.Bind{PreparedStatement: "s", Parameters: params, ResultFormatCodes: []int16{1}}}, stateUnsupported + " I"},
		{messages{&pgproto3.Bind{PreparedStatement: "s", Parameters: [][]byte{params[0], {0xff}}}}, stateBadEncoding + " I"},
		{messages{&pgproto3.Bind{PreparedStatement: "s", Parameters: params}, &pgproto3.Execute{MaxRows: 1}}, stateUnsupported + " I"},
		{messages{&pgproto3.Parse{Name: "s", Query: one}}, stateDuplicateStmt + " I"},
		{messages{&pgproto3.Parse{Name: strings.Repeat("n", maxProtocolName+1), Query: one}}, stateTooLarge + " I"},
		{messages{&pgproto3.Parse{Query: one + ";" + one}}, stateUnsupported + " I"},
		{messages{&pgproto3.Parse{Query: "nonsense"}, &pgproto3.Parse{Query: one}, &pgproto3.Execute{}}, stateUnsupported + " I"},
		{messages{&pgproto3.Parse{Query: "explain " + one}, &pgproto3.Describe{ObjectType: 'S'}}, "[] QUERY PLAN I"},
		{messages{&pgproto3.Close{ObjectType: 'S', Name: "s"}, &pgproto3.Close{ObjectType: 'P'}, &pgproto3.Parse{Name: "s", Query: ""}, &pgproto3.Bind{PreparedStatement: "s"}, &pgproto3.Execute{}}, "I"},
		{messages{&pgproto3.FunctionCall{}}, stateUnsupported + " I I"},
		{messages{&pgproto3.CopyDone{}}, "I"},
	} {
		if got := talk(t, h.Frontend, step.send...); strings.TrimSpace(got) != step.want && !(strings.HasSuffix(step.want, " I I") && got+" I" == step.want) {
			t.Errorf("got  %s\nwant %s", got, step.want)
		}
		if _, called := step.send[0].(*pgproto3.FunctionCall); called { // it is answered like a query, and so is Sync
			if m, err := h.Frontend.Receive(); err != nil || fmt.Sprintf("%T", m) != "*pgproto3.ReadyForQuery" {
				t.Errorf("%T, %v", m, err)
			}
		}
	}
}

// A client that sends no Sync sees an error nevertheless, and Flush is obeyed while messages are passed over.
func TestErrorsAreSentAtOnce(t *testing.T) {
	t.Parallel()
	h := hijack(t, serve(t, nil).connect(t, ""))
	if err := h.Conn.SetDeadline(time.Now().Add(20 * time.Second)); err != nil {
		t.Fatal(err)
	}
	h.Frontend.Send(&pgproto3.Parse{Query: one})
	h.Frontend.Send(&pgproto3.Bind{Parameters: [][]byte{nil}})
	h.Frontend.Send(&pgproto3.Execute{})
	h.Frontend.Send(&pgproto3.Flush{})
	if err := h.Frontend.Flush(); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"*pgproto3.ParseComplete", "*pgproto3.ErrorResponse"} {
		m, err := h.Frontend.Receive()
		if err != nil || fmt.Sprintf("%T", m) != want {
			t.Fatalf("%T, %v, want %s", m, err, want)
		}
	}
	if got := talk(t, h.Frontend); got != "I" {
		t.Error(got)
	}
}

func TestCancel(t *testing.T) {
	t.Parallel()
	cert, authority := testCertificate(t)
	s := serve(t, func(o *Options) { o.TLS = cert })
	dsn := strings.Replace(s.dsn(""), "sslmode=disable", "sslmode=verify-full sslrootcert="+authority, 1)
	for _, dsn := range []string{s.dsn(""), dsn} {
		conf, err := pgx.ParseConfig(dsn)
		if err != nil {
			t.Fatal(err)
		}
		conf.DefaultQueryExecMode = pgx.QueryExecModeSimpleProtocol
		conn, err := pgx.ConnectConfig(t.Context(), conf)
		if err != nil {
			t.Fatal(err)
		}
		before := s.desk.asked()
		failed := make(chan error, 1)
		go func() {
			_, err := conn.PgConn().Exec(t.Context(), "select deid_note from deidentify where patient_id = '1' and note = 'wait'").ReadAll()
			failed <- err
		}()
		awaitTrue(t, "the desk is not asked", func() bool { return s.desk.asked() > before })
		if err := conn.PgConn().CancelRequest(t.Context()); err != nil {
			t.Error(err)
		}
		wantState(t, <-failed, stateCanceled)
		if got := ask(t, conn, one); got != "1:A <SELECT 1>" {
			t.Errorf("afterwards: %s", got)
		}
		_ = conn.Close(t.Context())
	}
}

// After CancelRequest through TLS the client is told that encryption ends.
func TestCancelEndsEncryption(t *testing.T) {
	t.Parallel()
	cert, _ := testCertificate(t)
	s := serve(t, func(o *Options) { o.TLS = cert })
	c := s.secured(t)
	if _, err := c.Write([]byte{0, 0, 0, 16, 4, 210, 22, 46, 0, 0, 0, 1, 0, 0, 0, 2}); err != nil {
		t.Fatal(err)
	}
	var b [1]byte
	if n, err := c.Read(b[:]); n != 0 || err == nil || err.Error() != "EOF" { // without close_notify: unexpected EOF
		t.Errorf("%d bytes, %v", n, err)
	}
}

func TestStatementTimeout(t *testing.T) {
	t.Parallel()
	s := serve(t, nil)
	for _, conn := range []*pgx.Conn{s.connect(t, "options='-c statement_timeout=30ms'"), s.connect(t, "")} {
		do(t, conn, "set application_name = 'x'")
		query := "select deid_note from deidentify where patient_id = '1' and note = 'wait'"
		if s.desk.asked() > 0 {
			do(t, conn, "set statement_timeout = 30")
		}
		if got := ask(t, conn, query); got != stateCanceled {
			t.Error(got)
		}
		if got := ask(t, conn, "discard all; "+one); got != "<DISCARD ALL> 1:A <SELECT 1>" {
			t.Error(got)
		}
	}
}

// A fault of the desk ends the session, and no other.
func TestPanic(t *testing.T) {
	t.Parallel()
	s := serve(t, nil)
	other := s.connect(t, "")
	if _, err := s.connect(t, "").PgConn().Exec(t.Context(), "select deid_note from deidentify where patient_id = '1' and note = 'panic Smith'").ReadAll(); err == nil {
		t.Error("no error")
	}
	if got := ask(t, other, one); got != "1:A <SELECT 1>" {
		t.Error(got)
	}
	awaitTrue(t, "the fault is not in the log", func() bool { return strings.Contains(s.log.String(), "upperRows") })
	if strings.Contains(s.log.String(), "Smith") {
		t.Error("the log quotes the note")
	}
}

// Settings of the startup packet: those that are true here are taken, any other is refused.
func TestStartupSettings(t *testing.T) {
	t.Parallel()
	s := serve(t, nil)
	for more, ok := range map[string]bool{
		"client_encoding=UTF8": true, "client_encoding='utf-8'": true, `client_encoding='\'utf-8\''`: true, "client_encoding=LATIN1": false,
		"application_name='a b'": true, "options='-c search_path=pg_catalog --datestyle=ISO'": true, "options='-c work_mem=1'": false,
		"options=nonsense": false, "replication=database": false, "timezone=Europe/Vienna": false, "extra_float_digits=3": true,
	} {
		conn, err := pgx.Connect(t.Context(), s.dsn(more))
		if (err == nil) != ok {
			t.Errorf("%s: %v", more, err)
		}
		if err == nil {
			_ = conn.Close(t.Context())
		}
	}
}
