package itest

import (
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/replicator/admin"
	"github.com/pgdeid/pgdeid/replicator/session"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/replicator"
	"github.com/pgdeid/pgdeid/sql/research"
)

// crowd fills the ward with n patients, visits, lines and notes, in the order of their
// keys and in that of their time; from is the first key.
func (r *replication) crowd(t *testing.T, from, n int) {
	t.Helper()
	do(t, r.src, strings.NewReplacer("FROM", strconv.Itoa(from), "TO", strconv.Itoa(from+n-1)).Replace(`
		insert into ehr.patient select i, 'Ann' || i, 'Quark' || i, 'MR-' || 40000 + i, '1950-02-03'::date + i from generate_series(FROM, TO) i;
		insert into ehr.visit select i, i, '2021-01-01'::timestamptz + i * interval '1 hour' from generate_series(FROM, TO) i;
		insert into ehr.note select i, i, '2021-01-01'::timestamp + i * interval '1 hour', 'new', 'Slept well.' from generate_series(FROM, TO) i;
		insert into ehr.line select i, 1, 'Ate well.' from generate_series(FROM, TO) i`))
}

// ranks returns, for the keys of the source from 1 to n, at which place of seen their
// pseudonyms are.
func ranks(t *testing.T, seen []string, n int, pseudonym func(int64) string) []float64 {
	t.Helper()
	at := make(map[string]int, len(seen))
	for i, s := range seen {
		at[s] = i
	}
	places := make([]float64, n)
	for key := 1; key <= n; key++ {
		place, ok := at[pseudonym(int64(key))]
		if !ok {
			t.Fatalf("key %d of the source is not in the replica", key)
		}
		places[key-1] = float64(place)
	}
	return places
}

// spearman returns the rank correlation of the places 0 to n-1 with their indexes.
func spearman(places []float64) float64 {
	n, sum := float64(len(places)), 0.0
	for i, p := range places {
		sum += (p - float64(i)) * (p - float64(i))
	}
	return 1 - 6*sum/(n*(n*n-1))
}

func TestSpearman(t *testing.T) {
	t.Parallel()
	if up, down := spearman([]float64{0, 1, 2, 3}), spearman([]float64{3, 2, 1, 0}); up != 1 || down != -1 {
		t.Errorf("in order %v, in reverse %v", up, down)
	}
}

// pseudonyms names what each table shows of the ward's keys.
func (r *replication) pseudonyms() map[string]func(int64) string {
	visit := func(id int64) string { return fmt.Sprint(r.key.PseudonymInt("visit_id", id)) }
	return map[string]func(int64) string{"patient.patient_id": r.patient, "visit.visit_id": visit, "note.note_id": r.note, "line.visit_id": visit}
}

// sameAsChance fails where an order shows the source's. A correlation by chance has a
// standard deviation of 1/sqrt(n-1).
func sameAsChance(t *testing.T, what string, seen []string, n int, pseudonym func(int64) string) {
	t.Helper()
	if rho := spearman(ranks(t, seen, n, pseudonym)); math.Abs(rho) > 4/math.Sqrt(float64(n)) {
		t.Errorf("%s: the order of the rows and that of the source's keys correlate by %.3f", what, rho)
	}
}

// orderTellsNothing looks at every order that the replica's tables have: as an analyst,
// and as who has the disk.
func (r *replication) orderTellsNothing(t *testing.T, when string, n int) {
	t.Helper()
	analyst := r.analyst(t)
	for column, pseudonym := range r.pseudonyms() {
		table, key, _ := strings.Cut(column, ".")
		sameAsChance(t, when+": scan of "+column, texts(t, analyst, fmt.Sprintf("select %s::text from ehr.%s", key, table)), n, pseudonym)
		for _, by := range []string{"ctid", "xmin::text::bigint, ctid"} {
			seen := texts(t, r.dst, fmt.Sprintf(`select %s::text from deid_rows."ehr.%s" order by %s`, key, table, by))
			sameAsChance(t, when+": "+column+" by "+by, seen, n, pseudonym)
		}
	}
	for _, by := range []string{"ctid", "xmin::text::bigint, ctid"} {
		for _, list := range []string{"deid.date_shift where true", "deid.note_provenance where table_name = 'ehr.note'"} {
			seen := texts(t, r.dst, fmt.Sprintf("select patient from %s order by %s", list, by))
			sameAsChance(t, when+": "+list+" by "+by, seen, n, r.patient)
		}
	}
}

// analyst connects as a member of pgdeid_analyst and of nothing else.
func (r *replication) analyst(t testing.TB) *pgx.Conn {
	t.Helper()
	conn := r.onReplica(t)
	do(t, conn, "set session authorization pgdeid_analyst")
	return conn
}

// Rows lie in the order of their published keys after the first copy, and again after
// what the stream appended was put in order.
func TestOrderOfRowsTellsNothing(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t))
	const copied, streamed = 1200, 800
	r.crowd(t, 1, copied)
	run := r.run(t, nil)
	r.caughtUp(t)
	r.orderTellsNothing(t, "after the copy", copied)
	r.crowd(t, copied+1, streamed)
	r.caughtUp(t)
	o, _ := r.options(t, nil)
	done, err := admin.Maintain(t.Context(), o, []string{"order"})
	if err != nil {
		t.Fatal(err)
	}
	if len(done) < 6 {
		t.Errorf("put in order: %+v", done)
	}
	r.orderTellsNothing(t, "after the stream and maintenance", copied+streamed)
	if done, err = admin.Maintain(t.Context(), o, []string{"order"}); err != nil || len(done) > 0 {
		t.Errorf("what is in order is put in order again: %+v, %v", done, err)
	}
	run.stop(t)
}

// While a table is copied its rows come in the order of the source's keys: analysts
// don't see it until it is in order, whatever ends the copy, and nor do they in the
// middle of another one.
func TestAnalystsDontReadWhatIsCopied(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t))
	r.crowd(t, 1, 700)
	hidden := func(when string) {
		t.Helper()
		if _, err := r.analyst(t).Exec(t.Context(), "select from ehr.note"); err == nil {
			t.Errorf("%s: an analyst reads the table", when)
		}
	}
	for _, resync := range []bool{false, true} {
		o, _ := r.options(t, nil)
		stopped := false
		o.Snapshot = func(p session.SnapshotProgress) {
			if p.Table == "ehr.note" && p.Rows == 500 {
				hidden("in the middle of the copy")
				beside, _ := r.options(t, nil)
				if _, err := admin.Maintain(t.Context(), beside, []string{"order"}); err != nil {
					t.Error(err)
				}
				hidden("after maintenance in the middle of the copy")
				stopped = true
			}
		}
		if err := replicator.Snapshot(t.Context(), o, resync); err != nil {
			t.Fatal(err)
		}
		if !stopped {
			t.Fatal("nobody looked in the middle of the copy")
		}
		r.orderTellsNothing(t, "after a copy", 700)
		// Nothing that ends the program comes between the order and the right to read.
		want(t, r.dst, "true", `select (v.xmin = o.written_by)::text from pg_class v, deid.row_order o
			where v.oid = 'ehr.note'::regclass and o.place = 'deid_rows."ehr.note"'`)
	}
	// As a crash between the copy and the new order leaves it.
	do(t, r.dst, `delete from deid.row_order; select deid.set_readable('ehr.note', false)`)
	migrateUp(t, r.cfg)
	hidden("after migrate up")
	r.run(t, nil)
	r.caughtUp(t)
	r.orderTellsNothing(t, "after the crash", 700)
}

// Who reads a table for long while it is copied again keeps it from being put in order,
// and not the stream from going on.
func TestReadersDontHoldUpTheStream(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t))
	r.crowd(t, 1, 700)
	run := r.run(t, nil)
	r.caughtUp(t)
	reader := r.analyst(t)
	do(t, reader, "begin; select from ehr.note")
	o, _ := r.options(t, nil)
	if err := replicator.CopyAgain(t.Context(), o, []string{"ehr.note"}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the table is left for later", func() bool { return strings.Contains(run.log.String(), "put in order later") })
	r.crowd(t, 701, 1)
	eventually(t, "the stream goes on", func() bool {
		return count(t, r.dst, `deid_rows."ehr.note" where note_id = `+r.note(701)) == "1"
	})
	if _, err := r.analyst(t).Exec(t.Context(), "select from ehr.note"); err == nil {
		t.Error("an analyst reads a table that is not in order")
	}
	do(t, reader, "rollback")
	r.caughtUp(t)
	r.orderTellsNothing(t, "after the reader", 701)
	run.stop(t)
}

// Analysts read views with the published columns; the tables, and the columns that
// every table has, are out of reach.
func TestAnalystsReadViewsWithoutSystemColumns(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t))
	analyst := r.analyst(t)
	for _, view := range []string{"patient", "visit", "note", "line"} {
		for _, column := range []string{"ctid", "xmin", "xmax", "cmin", "tableoid"} {
			if _, err := analyst.Exec(t.Context(), fmt.Sprintf("select %s from ehr.%s", column, view)); err == nil {
				t.Errorf("ehr.%s shows %s", view, column)
			}
		}
		for _, statement := range []string{`select 1 from deid_rows."ehr.%s"`, `table deid_rows."ehr.%s"`, "select 1 from ehr.%s tablesample system (10)"} {
			if _, err := analyst.Exec(t.Context(), fmt.Sprintf(statement, view)); err == nil {
				t.Errorf("allowed: "+statement, view)
			}
		}
	}
	want(t, r.dst, "note_id,patient_id,written,status,body",
		"select string_agg(attname, ',' order by attnum) from pg_attribute where attrelid = 'ehr.note'::regclass and attnum > 0")
	want(t, r.dst, "0", `select count(*)::text from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
		where c.relnamespace = 'ehr'::regnamespace and (obj_description(c.oid) is null or col_description(c.oid, a.attnum) is null)`)
	// Every view is simple enough for the planner to see through it.
	want(t, r.dst, "true", "select bool_and(is_insertable_into = 'YES')::text from information_schema.tables where table_schema = 'ehr'")
}

// A replica of a version whose research tables analysts read themselves becomes one
// with views; its rows stay, and are put in order before analysts read them again.
func TestTablesOfEarlierVersionsBecomeViews(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t))
	r.crowd(t, 1, 600)
	run := r.run(t, nil)
	r.caughtUp(t)
	run.stop(t)
	before := r.published(t)
	do(t, r.dst, `do $$
		declare v record;
		begin
			for v in select relname from pg_class where relnamespace = 'ehr'::regnamespace and relkind = 'v' loop
				execute format('drop view ehr.%I', v.relname);
				execute format('alter table deid_rows.%I set schema ehr', 'ehr.' || v.relname);
				execute format('alter table ehr.%I rename to %I', 'ehr.' || v.relname, v.relname);
				execute format('grant select on ehr.%I to pgdeid_analyst', v.relname);
			end loop;
		end $$;
		drop function deid.put_in_order, deid.set_readable; drop table deid.row_order; drop schema deid_rows`)
	up, err := os.ReadFile("../sql/migrations/replica/0007_rows.up.sql")
	if err != nil {
		t.Fatal(err)
	}
	do(t, r.dst, string(up))
	migrateUp(t, r.cfg)
	if _, err := r.analyst(t).Exec(t.Context(), "select from ehr.note"); err == nil {
		t.Error("analysts read rows in the order of the copy")
	}
	r.run(t, nil)
	r.caughtUp(t)
	compareTwins(t, r.published(t), before)
	r.orderTellsNothing(t, "after the upgrade", 600)
}

// Names of two parts may be longer than PostgreSQL's names.
func TestLongNamesOfTables(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	schema, table := strings.Repeat("s", 40), strings.Repeat("t", 40)
	do(t, p.onSource(t), fmt.Sprintf(`create schema %s; create table %[1]s.%s (id int primary key, body text);
		create table %[1]s.%[2]s_2 (id int primary key, body text)`, schema, table))
	cfg := p.config(t, p.settings(t)+fmt.Sprintf("http: \"\"\ngazetteers: direct\ntables:\n  %s.%s:\n    patient: id\n    columns: {id: pseudonym, body: text}\n"+
		"  %[1]s.%[2]s_2:\n    patient: id\n    columns: {id: pseudonym, body: text}\n", schema, table))
	migrateUp(t, cfg)
	migrateUp(t, cfg)
	conf, err := cfg.ReplicaConn(config.Service)
	service := as(t, conf, err)
	for i := range cfg.Tables {
		do(t, service, "insert into "+research.RowsTable(&cfg.Tables[i])+" values (1, 'x')")
	}
	want(t, p.onReplica(t), "1", fmt.Sprintf("select count(*)::text from %s.%s_2", schema, table))
}
