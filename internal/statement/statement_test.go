package statement

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// anyRoom lets a statement take what it wants.
func anyRoom(int64) error { return nil }

// shown writes a statement in short.
func shown(st *Statement) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d %s", st.Verb, st.Name)
	if st.Value != "" || st.Count != 0 {
		fmt.Fprintf(&b, " %s %d", st.Value, st.Count)
	}
	if s := st.From; s != nil {
		fmt.Fprintf(&b, " %s", s.Table.Text)
		for _, it := range s.Items {
			fmt.Fprintf(&b, " %d:%s", it.Kind, it.Text)
		}
		for _, c := range s.Where {
			fmt.Fprintf(&b, " [%s %s %s]", c.Column.Text, c.Op, shownValue(&c.Value))
		}
		for _, o := range s.Order {
			fmt.Fprintf(&b, " (%s %t %t)", o.Text, o.Descending, o.NullsFirst)
		}
		if s.Limit != nil {
			fmt.Fprintf(&b, " limit %s", shownValue(s.Limit))
		}
	}
	for _, n := range st.Columns {
		fmt.Fprintf(&b, " %s", n.Text)
	}
	for _, row := range st.Rows {
		b.WriteString(" (")
		for i := range row {
			b.WriteString(shownValue(&row[i]) + ",")
		}
		b.WriteString(")")
	}
	return strings.TrimSpace(b.String())
}

func shownValue(v *Value) string {
	switch {
	case v.Param > 0:
		return fmt.Sprint("$", v.Param)
	case v.Kind == Null:
		return "NULL"
	case v.Kind == Default:
		return "DEFAULT"
	case v.Kind == List:
		parts := make([]string, len(v.List))
		for i := range v.List {
			parts[i] = shownValue(&v.List[i])
		}
		return "{" + strings.Join(parts, ",") + "}"
	}
	return v.Text
}

func TestRead(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                     "",
		" ; ;\n-- nothing\n;":                  "",
		"SELECT * FROM deid.detect":            fmt.Sprint(Select, "  detect 1:"),
		`select "a""b", NULL, count(*) from t`: fmt.Sprint(Select, `  t 0:a"b 2:null 3:count`),
		"select a from t where ((a = 'x')) AND ((5 < b)) AND ((c IS NOT NULL)) AND (d is null)":                fmt.Sprint(Select, "  t 0:a [a = x] [b > 5] [c not null ] [d null ]"),
		"select a from t where a != -7 and b >= 007 and 1 >= c":                                                fmt.Sprint(Select, "  t 0:a [a <> -7] [b >= 007] [c <= 1]"),
		"select a from t where ((((SELECT null::text)::text) = a)) and b = ($1::bigint)":                       fmt.Sprint(Select, "  t 0:a [a = NULL] [b = $1]"),
		"select a from t where a = ANY ('{1}'::text[]) and a in ('x', $2) and a = any (ARRAY[$1::text, null])": fmt.Sprint(Select, "  t 0:a [a any {1}] [a any {x,$2}] [a any {$1,NULL}]"),
		"select a from t order by a desc, b asc nulls first, c limit 5::bigint":                                fmt.Sprint(Select, "  t 0:a (a true true) (b false true) (c false false) limit 5"),
		`select a from t where a = E'\\ \' ''' and b = 'c:\d ''' and c = ''`:                                   fmt.Sprint(Select, `  t 0:a [a = \ ' '] [b = c:\d '] [c = ]`),
		"DECLARE c1 CURSOR FOR\nSELECT a FROM t":                                                               fmt.Sprint(Declare, " c1 t 0:a"),
		"FETCH 100 FROM c1; CLOSE c1; MOVE BACKWARD ALL IN c1":                                                 fmt.Sprint(Fetch, " c1  100\n", Close, " c1\n", Rewind, " c1"),
		"INSERT INTO deid.inbox(a, b) VALUES ($1, $2), (NULL, DEFAULT) RETURNING a":                            fmt.Sprint(Insert, "  inbox 0:a a b ($1,$2,) (NULL,DEFAULT,)"),
		"DELETE FROM deid.inbox WHERE ((job = 'j'))":                                                           fmt.Sprint(Delete, "  inbox [job = j]"),
		"START TRANSACTION ISOLATION LEVEL REPEATABLE READ; begin read only; begin":                            fmt.Sprint(Begin, "\n", Begin, "\n", Begin),
		"COMMIT TRANSACTION; ABORT TRANSACTION; ROLLBACK; END":                                                 fmt.Sprint(Commit, "\n", Rollback, "\n", Rollback, "\n", Commit),
		"SAVEPOINT s2; ROLLBACK TO SAVEPOINT s2; RELEASE SAVEPOINT s2":                                         fmt.Sprint(Savepoint, " s2\n", RollbackTo, " s2\n", Release, " s2"),
		"SET search_path = pg_catalog; SET timezone TO 'GMT'; SET extra_float_digits = 3":                      fmt.Sprint(Set, " search_path pg_catalog 0\n", Set, " timezone GMT 0\n", Set, " extra_float_digits 3 0"),
		"EXPLAIN SELECT a FROM t":                                                                      fmt.Sprint(Explain, "  t 0:a"),
		"EXPLAIN SELECT a FROM t FOR UPDATE":                                                           fmt.Sprint(ExplainUnknown),
		"EXPLAIN SELECT lower(a) FROM t; SELECT ~":                                                     fmt.Sprint(ExplainUnknown),
		"DEALLOCATE p; DEALLOCATE ALL; DISCARD ALL":                                                    fmt.Sprint(Deallocate, " p\n", Deallocate, "\n", Discard),
		"SELECT pg_catalog.pg_relation_size('deid.t'::pg_catalog.regclass) / 8192":                     fmt.Sprint(TableSize, " t"),
		"SELECT reltuples, relkind FROM pg_catalog.pg_class WHERE oid = 'deid.t'::pg_catalog.regclass": fmt.Sprint(TableKind, " t"),
	} {
		list, err := Read(text, anyRoom)
		got := make([]string, len(list))
		for i, st := range list {
			got[i] = shown(st)
		}
		if all := strings.Join(got, "\n"); err != nil || all != strings.TrimSpace(want) {
			t.Errorf("%s:\ngot  %s, %v\nwant %s", text, all, err, want)
		}
	}
}

// What is not sent by postgres_fdw to these tables is refused, with its place and without a word of it.
func TestRefused(t *testing.T) {
	t.Parallel()
	for text, at := range map[string]int{
		"nonsense":                                                0,
		"select 1":                                                7,
		"select a":                                                8,
		"select a from t, u":                                      15,
		"select a from t u":                                       16,
		"select a from other.t":                                   14,
		"select a from t where secret":                            28,
		"select a from t where a = b":                             24,
		"select a from t where 'x' = 'y'":                         26,
		"select a from t where a like 'x'":                        24,
		"select a from t where a = 'x' or b = 'y'":                30,
		"select a from t where (a = 'x' and b = 'y')":             31,
		"select a from t where a <> any ('{x}')":                  24,
		"select a from t where a = 'x'::bytea":                    31,
		"select a from t where a = 'x'::character varying(3)":     31,
		"select a from t where a::text = 'x'":                     22,
		"select a from t where a = array[array['x']]":             42,
		"select a from t where a = 1.5":                           26,
		"select a from t where a = 12345678901234567890":          26,
		"select a from t where a = $0":                            26,
		"select a from t where a = $70000":                        26,
		"select a from t where a = E'\\n'":                        26,
		"select a from t where a = 'secret":                       26,
		"select a from t where a = $$x$$":                         26,
		"select a from t where a ~~ 'x'":                          24,
		"select a /* x */ from t":                                 9,
		"select a from t group by a":                              16,
		"select a from t limit all":                               25,
		"select count(a) from t":                                  13,
		"insert into t values ('x')":                              14,
		"insert into t (a) values ('x') on conflict do nothing":   31,
		"insert into t (a, b) values ('x')":                       33,
		"update t set a = 'x'":                                    0,
		"explain analyze select a from t":                         8,
		"fetch all from c":                                        6,
		"set a":                                                   5,
		"begin isolation level nothing":                           22,
		"rollback to a":                                           12,
		"copy t to stdout":                                        0,
		`select "" from t`:                                        7,
		"select " + strings.Repeat("n", 64) + " from t":           7,
		"select a from t where " + strings.Repeat("(", 100) + "a": 22 + 32,
	} {
		list, err := Read(text, anyRoom)
		var e *Error
		if !errors.As(err, &e) || len(list) != 0 {
			t.Errorf("%s: %v, %v", text, list, err)
			continue
		}
		if e.Pos != at || strings.Contains(e.Error(), "secret") {
			t.Errorf("%s: %v at %d, want %d", text, e, e.Pos, at)
		}
	}
}

// What comes before an error is returned with it.
func TestStatementsBeforeAnError(t *testing.T) {
	t.Parallel()
	list, err := Read("begin; savepoint a; nonsense; commit", anyRoom)
	if len(list) != 2 || err == nil {
		t.Errorf("%d statements, %v", len(list), err)
	}
}

func TestParameters(t *testing.T) {
	t.Parallel()
	list, err := Read("select a from t where a = $3; select a from t", anyRoom)
	if err != nil || list[0].Params != 3 || list[1].Params != 0 {
		t.Errorf("%v, %v", list, err)
	}
}

// Room is asked for before anything is read that takes some; a refusal ends the reading.
func TestRoom(t *testing.T) {
	t.Parallel()
	full := errors.New("full")
	for text, least := range map[string]int64{
		"select a from t": 2,
		"select a, b, c from t where a = 'x' and b in (1, 2)": 8,
		"insert into t (a, b) values (1, 2), (3, 4)":          7,
		"select a from t order by a, b, c":                    5,
		"explain select a, b from t":                          3,
		"explain select a, b from t for update":               3,
	} {
		var taken int64
		if _, err := Read(text, func(n int64) error { taken += n; return nil }); err != nil || taken < least*valueBytes {
			t.Errorf("%s: %d bytes, %v", text, taken, err)
		}
		for limit := int64(0); limit < taken; limit += valueBytes {
			left := limit
			_, err := Read(text, func(n int64) error {
				if left -= n; left < 0 {
					return full
				}
				return nil
			})
			if !errors.Is(err, full) {
				t.Errorf("%s with %d bytes: %v", text, limit, err)
			}
		}
	}
}

// Whatever a client sends: no panic, places within the text, and memory in proportion to what was asked for.
func FuzzRead(f *testing.F) {
	for _, text := range []string{
		"DECLARE c1 CURSOR FOR\nSELECT a FROM deid.t WHERE ((a = $1::text)) AND ((((SELECT null::text)::text) = b)) ORDER BY a DESC NULLS LAST LIMIT 1",
		`INSERT INTO deid.inbox("a", b) VALUES ($1, E'\\'), (NULL, -5) RETURNING *; SAVEPOINT s; ROLLBACK TO SAVEPOINT s`,
		"EXPLAIN SELECT count(*) FROM t WHERE a = ANY (ARRAY['x', $2::text[]]) FOR UPDATE", "SET a TO 'b'; -- x\nDEALLOCATE ALL",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var taken int64
		list, err := Read(text, func(n int64) error { taken += n; return nil })
		var e *Error
		if err != nil && (!errors.As(err, &e) || e.Pos < 0 || e.Pos > len(text)) {
			t.Errorf("%v", err)
		}
		values := 0
		for _, st := range list {
			values++
			for _, row := range st.Rows {
				values += len(row)
			}
			if st.From != nil {
				values += len(st.From.Items) + len(st.From.Where) + len(st.From.Order)
				for _, c := range st.From.Where {
					values += len(c.Value.List)
				}
			}
		}
		if int64(values)*valueBytes > taken {
			t.Errorf("%d values for %d bytes", values, taken)
		}
	})
}
