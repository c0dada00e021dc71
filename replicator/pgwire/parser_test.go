package pgwire

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

func parseOK(t *testing.T, src string) statement {
	t.Helper()
	list, _, err := parseAll(src, testEnv().budget)
	if err != nil || len(list) != 1 {
		t.Fatalf("%s: %d statements, %v", src, len(list), err)
	}
	return list[0]
}

// What postgres_fdw sends, word for word, for the forms that are documented.
func TestForeignDataWrapperStatements(t *testing.T) {
	for _, c := range []struct {
		sql  string
		want string // type of the statement, conditions
	}{
		{"SET search_path = pg_catalog", "set search_path=pg_catalog"},
		{"SET timezone = 'GMT'", "set timezone=GMT"},
		{"SET datestyle = ISO", "set datestyle=iso"},
		{"SET extra_float_digits = 3", "set extra_float_digits=3"},
		{"START TRANSACTION ISOLATION LEVEL REPEATABLE READ", "begin"},
		{"START TRANSACTION ISOLATION LEVEL SERIALIZABLE READ ONLY", "begin"},
		{"SAVEPOINT s2", "savepoint s2"},
		{"RELEASE SAVEPOINT s2", "release s2"},
		{"ROLLBACK TO SAVEPOINT s2", "rollback s2"},
		{"COMMIT TRANSACTION", "commit"},
		{"ABORT TRANSACTION", "rollback "},
		{
			"DECLARE c1 CURSOR FOR\nSELECT deid_note FROM deid.deidentify WHERE ((patient_id = $1::text)) AND ((note = $2::text))",
			"declare c1: deidentify patient_id= note=",
		},
		{
			"DECLARE c2 CURSOR FOR\nSELECT deid_note FROM deid.deidentify WHERE (($1::bigint = patient_id)) AND (($2::text = note))",
			"declare c2: deidentify patient_id= note=",
		},
		{
			"EXPLAIN SELECT patient_id, deid_note FROM deid.deidentify WHERE ((((SELECT null::bigint)::bigint) = patient_id)) AND ((((SELECT null::text)::text) = note))",
			"explain deidentify patient_id= note=",
		},
		{"DECLARE c1 CURSOR FOR\nSELECT note_id, deid_note FROM deid.note_deid WHERE ((note_id = ANY ($1::bigint[])))", "declare c1: note_deid note_idany"},
		{"DECLARE c1 CURSOR FOR SELECT deid_notes FROM deid.deidentify_batch WHERE ((patient_ids = ARRAY[$1::text, 'b'])) AND ((notes = $2::text[]))", "declare c1: deidentify_batch patient_ids= notes="},
		{"DECLARE c1 CURSOR FOR SELECT item, deid_note FROM deid.outbox WHERE ((job = 'j')) ORDER BY item ASC NULLS LAST LIMIT 5::bigint", "declare c1: outbox job="},
		{"FETCH 100 FROM c1", "fetch c1 100"},
		{"MOVE BACKWARD ALL IN c1", "rewind c1"},
		{"CLOSE c1", "close c1"},
		{"DEALLOCATE pgsql_fdw_prep_1", "deallocate pgsql_fdw_prep_1"},
		{"DEALLOCATE ALL", "deallocate "},
		{"INSERT INTO deid.inbox(job, item, patient_id, note, deid_note) VALUES ($1, $2, $3, $4, $5), ($6, $7, $8, $9, DEFAULT) RETURNING deid_note", "insert 2 rows of 5, returning 1"},
		{"DELETE FROM deid.inbox WHERE ((job = 'j'))", "delete job="},
		{"SELECT NULL FROM deid.deidentify WHERE ((note = E'a\\\\b'''))", "select deidentify note="},
	} {
		if got := outline(parseOK(t, c.sql)); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.sql, got, c.want)
		}
	}
}

func outline(stmt statement) string {
	where := func(list []condition) string {
		var b strings.Builder
		for _, c := range list {
			b.WriteString(" " + c.column + c.op)
		}
		return b.String()
	}
	switch s := stmt.(type) {
	case *setStmt:
		return "set " + s.name + "=" + s.value
	case *beginStmt:
		return "begin"
	case *commitStmt:
		return "commit"
	case *rollbackStmt:
		return "rollback " + s.to
	case *savepointStmt:
		return "savepoint " + s.name
	case *releaseStmt:
		return "release " + s.name
	case *selectStmt:
		return "select " + s.from.name + where(s.where)
	case *declareStmt:
		return "declare " + s.cursor + ": " + strings.TrimPrefix(outline(s.query), "select ")
	case *explainStmt:
		return "explain " + strings.TrimPrefix(outline(s.of), "select ")
	case *fetchStmt:
		if s.rewind {
			return "rewind " + s.cursor
		}
		return fmt.Sprintf("fetch %s %d", s.cursor, s.count)
	case *closeStmt:
		return "close " + s.cursor
	case *deallocateStmt:
		return "deallocate " + s.name
	case *insertStmt:
		return fmt.Sprintf("insert %d rows of %d, returning %d", len(s.rows), len(s.columns), len(s.returning))
	case *deleteStmt:
		return "delete" + where(s.where)
	}
	return reflect.TypeOf(stmt).String()
}

func TestLiterals(t *testing.T) {
	for sql, want := range map[string]string{
		`select 'it''s'`:                    "it's",
		`select 'a\b'`:                      `a\b`,
		`select E'a\\b\'c\n\x41\101\u00e9'`: "a\\b'c\nAA\u00e9",
		`select $$it's$$`:                   "it's",
		`select $x$ $$ $x$`:                 " $$ ",
		"select /* a /* b */ c */ 'd' -- e": "d",
		"select 'Ä 😀'":                      "Ä 😀",
		"select -5":                         "-5",
		"select 1.5e-3":                     "1.5e-3",
	} {
		s := parseOK(t, sql).(*selectStmt)
		if got := s.items[0].text; got != want {
			t.Errorf("%s is %q, want %q", sql, got, want)
		}
	}
}

// What is refused says so with the right state, and never quotes a literal.
func TestRefusals(t *testing.T) {
	for sql, state := range map[string]string{
		"select 'secret":          stateSyntax,
		"select E'secret\\u00zz'": stateSyntax,
		"select deid_note from deidentify where note like 'secret'":                 stateUnsupported,
		"select deid_note from deidentify where note = 'secret' or note = 'secret'": stateUnsupported,
		"select upper(note) from deidentify group by 'secret'":                      stateUnsupported,
		"select a from (select 'secret') x":                                         stateUnsupported,
		"select a from deidentify join detect on 'secret' = ''":                     stateUnsupported,
		"select \"secret Smith\" 'secret'":                                          stateSyntax,
		"create table secret (a int)":                                               stateUnsupported,
		"copy inbox from stdin":                                                     stateUnsupported,
		"update inbox set note = 'secret'":                                          stateUnsupported,
		"insert into inbox select 'secret'":                                         stateUnsupported,
		"declare c cursor with hold for select 1":                                   stateUnsupported,
		"fetch backward 5 from c":                                                   stateUnsupported,
		"select " + strings.Repeat("(", 1000) + "1":                                 stateTooLarge,
		"explain explain select 'secret'":                                           stateSyntax,
		strings.Repeat("explain ", maxTokens-2) + "select 1":                        stateSyntax,
		"select item from outbox order by item::text":                               stateUnsupported,
		"select $99999999":                                                          stateNoParameter,
		"select 1 1":                                                                stateSyntax,
		"secret Smith":                                                              stateUnsupported,
		"select '\xff'":                                                             stateBadEncoding,
	} {
		_, _, err := parseAll(sql, testEnv().budget)
		if err == nil || err.state != state {
			t.Errorf("%.60s: %v, want %s", sql, err, state)
			continue
		}
		if text := err.message + err.hint; strings.Contains(text, "Smith") || strings.Contains(text, "'secret") {
			t.Errorf("%.60s: the error quotes a value: %s", sql, text)
		}
		if err.at < 0 || err.at > len(sql)+1 {
			t.Errorf("%.60s: it points outside of the statement: %d", sql, err.at)
		}
	}
}

func TestStatementsArePartedBySemicolons(t *testing.T) {
	list, _, err := parseAll(";; begin; select ';' ; commit;", testEnv().budget)
	if err != nil || len(list) != 3 {
		t.Errorf("%d statements, %v", len(list), err)
	}
}

func FuzzParser(f *testing.F) {
	for _, s := range []string{
		"SELECT deid_note FROM deid.deidentify d WHERE ((patient_id = $1::text)) AND ((note = $2::text)) ORDER BY 1 LIMIT 3",
		"DECLARE c1 CURSOR FOR SELECT 1", "INSERT INTO inbox VALUES ('a', 1, E'\\x41', $$b$$) RETURNING *", "EXPLAIN (COSTS ON) SELECT count(*) FROM detect",
		"SELECT c.relname FROM pg_catalog.pg_class c WHERE c.relname OPERATOR(pg_catalog.~) '^(x)$' COLLATE pg_catalog.default",
		"SET TIME ZONE 'x'; SHOW ALL; /* */ -- ", "SELECT ARRAY[1,'b',$3]::text[] = ANY (ARRAY[NULL])", "SELECT CAST('1' AS double precision)",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		list, n, err := parseAll(src, testEnv().budget)
		if n > int64(len(src))*tokenCost {
			t.Errorf("%d bytes for %d bytes", n, len(src))
		}
		if err != nil && (err.at < 0 || err.at > len(src)+1) {
			t.Errorf("the error points outside of the statement: %d of %d", err.at, len(src))
		}
		if err != nil {
			_ = err.response(src)
		}
		e := testEnv()
		for _, stmt := range list {
			s, ok := stmt.(*selectStmt)
			if !ok {
				continue
			}
			if _, err := e.paramTypes(s.params, s.from, nil); err != nil {
				continue
			}
			if p, err := e.plan(s); err == nil && p.fields != nil && len(s.params) == 0 {
				_ = p.explain()
				if scan, err := p.open(e, nil); err == nil {
					_, _ = scan.fetch(t.Context(), 3)
				}
			}
		}
	})
}
