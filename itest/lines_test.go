package itest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/replicator/admin"
)

// lineTables has notes of many rows: lines that lead to their patient through a visit, and
// pieces of a fixed length, cut in words, with a key of two columns and places that are text.
const lineTables = `
create schema ehr;
create table ehr.patient (patient_id int primary key, given text, family text);
create table ehr.visit (visit_id bigint primary key, patient_id int not null);
create table ehr.line (visit_id bigint, n numeric, written date, body text, primary key (visit_id, n));
create table ehr.piece (seq text, note_id text, part int, patient_id int not null, body varchar(12), primary key (seq, note_id, part));
create index on ehr.piece (note_id, part);
insert into ehr.patient select n, 'Thebulon', 'Marksman' from generate_series(1, 3) n;
insert into ehr.visit select n, 1 + n % 3 from generate_series(1, 4) n;`

const lineMapping = `
tables:
  ehr.patient:
    patient: patient_id
    columns: {patient_id: pseudonym, given: {tells: name.first}, family: {tells: name.last}}
  ehr.visit:
    patient: patient_id
    columns: {visit_id: pseudonym, patient_id: pseudonym}
  ehr.line:
    patient: {column: visit_id, table: ehr.visit}
    note: {key: visit_id, order: n, text: body}
    columns: {visit_id: pseudonym, n: keep, written: date_shift, body: text}
  ehr.piece:
    patient: patient_id
    note: {key: [note_id, part], order: seq, text: body, join: none}
    columns: {seq: keep, note_id: pseudonym, part: keep, patient_id: pseudonym, body: text}
`

func newLines(t *testing.T) *replication {
	t.Helper()
	return newReplicationOf(t, newPair(t), lineTables, lineMapping).exactly(t)
}

// lineNote returns the published lines of a visit.
func (r *replication) lineNote(t *testing.T, visit int64) []string {
	t.Helper()
	return texts(t, r.dst, "select coalesce(body, 'NULL') from ehr.line where visit_id = $1::text::bigint order by n",
		fmt.Sprint(r.key.PseudonymInt("visit_id", visit)))
}

// wantLines checks the lines of a visit, whose names are NAME there.
func (r *replication) wantLines(t *testing.T, visit int64, want ...string) {
	t.Helper()
	got := r.lineNote(t, visit)
	shown := strings.Join(got, "|")
	pattern := strings.Split(strings.Join(want, "|"), "NAME")
	ok := len(got) == len(want)
	for i, part := range pattern {
		at := strings.Index(shown, part)
		ok = ok && at >= 0 && (i > 0 || at == 0)
		if ok {
			shown = shown[at+len(part):]
		}
	}
	if !ok || marksInText(strings.Join(got, ""), []string{"Marksman", "Thebulon"}) != nil {
		t.Errorf("the lines of visit %d are %q, want %q", visit, got, want)
	}
}

// A note is searched as a whole, however its lines arrive.
func TestLinesOfNotes(t *testing.T) {
	t.Parallel()
	r := newLines(t)
	do(t, r.src, `insert into ehr.line values (1, 1, '2021-02-03', 'Seen by Thebulon'), (1, 2, null, 'Marksman'), (1, 10, null, null), (1, 9.5, null, 'today');
		insert into ehr.piece values ('9', 'a', 1, 1, 'Mr. Thebulon'), ('10', 'a', 1, 1, ' Marks'), ('11', 'a', 1, 1, 'man slept'),
			('1', 'a', 2, 1, 'Mr. Marks'), ('1', 'b', 1, 2, 'man slept')`)
	r.run(t, exactDetector(t))
	r.caughtUp(t)
	r.wantLines(t, 1, "Seen by NAME", "NAME", "today", "NULL")
	pieces := texts(t, r.dst, "select string_agg(body, '' order by length(seq), seq) from ehr.piece group by note_id, part order by 1")
	shown := strings.Join(pieces, "|")
	if len(pieces) != 3 || !slices.Contains(pieces, "man slept") || !slices.Contains(pieces, "Mr. Marks") ||
		strings.Count(shown, " slept") != 2 || strings.Count(shown, "Mar") != 1 || strings.Contains(shown, "Theb") {
		t.Errorf("the pieces are %q", pieces)
	}
	for _, step := range []struct {
		what, sql string
		visit     int64
		want      []string
	}{
		{
			"out of order, each in its transaction", `insert into ehr.line values (2, 3, null, 'Marksman slept'); commit; begin;
			insert into ehr.line values (2, 1, null, 'x'); commit; begin; insert into ehr.line values (2, 2, null, 'by Thebulon')`,
			2,
			[]string{"x", "by NAME", "NAME slept"},
		},
		{
			"an update that begins a name", "update ehr.line set body = 'Thebulon' where (visit_id, n) = (1, 9.5); update ehr.line set body = 'Marksman' where n = 10", 1,
			[]string{"Seen by NAME", "NAME", "NAME", "NAME"},
		},
		{"a line between", "delete from ehr.line where (visit_id, n) = (2, 2)", 2, []string{"x", "NAME slept"}},
		{
			"the line is there again", "insert into ehr.line values (2, 2, null, 'y'); delete from ehr.line where n = 2 and visit_id = 2; insert into ehr.line values (2, 2, null, 'z')",
			2,
			[]string{"x", "z", "NAME slept"},
		},
		{"it shrinks", "delete from ehr.line where visit_id = 2 and n > 1", 2, []string{"x"}},
		{"a line of another note", "update ehr.line set visit_id = 2 where (visit_id, n) = (1, 9.5)", 2, []string{"x", "NAME"}},
		{"a note is gone", "delete from ehr.line where visit_id = 2", 2, nil},
	} {
		do(t, r.src, "begin; "+step.sql+"; commit")
		r.caughtUp(t)
		t.Log(step.what)
		r.wantLines(t, step.visit, step.want...)
	}
	want(t, r.dst, "0", "select count(*)::text from deid.quarantine")
	want(t, r.dst, count(t, r.dst, "ehr.line where body is not null"), "select count(*)::text from deid.note_provenance where table_name = 'ehr.line'")
}

// A note that fails is set aside as a whole, and retried as a whole. A record that changes has
// all lines made anew.
func TestLinesAreSetAsideTogether(t *testing.T) {
	t.Parallel()
	r := newLines(t)
	do(t, r.src, "insert into ehr.line values (1, 1, null, 'a'), (1, 2, null, 'FAIL'), (1, 3, null, null), (2, 1, null, 'Quark'), (2, 2, null, 'stein was here')")
	exact := exactDetector(t)
	run := r.run(t, detectorFunc(func(ctx context.Context, n *ensemble.Note) ([]phi.Span, error) {
		if strings.Contains(n.Text, "FAIL") {
			return nil, errors.New("no mood")
		}
		return exact.Detect(ctx, n)
	}))
	r.caughtUp(t)
	want(t, r.dst, "2", "select count(*)::text from ehr.line")
	want(t, r.dst, "3 detector_error", "select count(*) || ' ' || min(reason) from deid.quarantine")
	do(t, r.src, "update ehr.line set body = 'b' where n = 1 and visit_id = 1; delete from ehr.line where n = 3; insert into ehr.line values (1, 4, null, 'Thebulon')")
	r.caughtUp(t)
	want(t, r.dst, "3", "select count(*)::text from deid.quarantine")
	do(t, r.src, "update ehr.patient set family = 'stein' where patient_id in (select patient_id from ehr.visit where visit_id = 2)")
	r.caughtUp(t)
	if got := strings.Join(r.lineNote(t, 2), ""); strings.Contains(got, "stein") {
		t.Errorf("a name that was learned later is there: %q", got)
	}
	run.stop(t)
	o, _ := r.options(t, exact)
	res, err := admin.Retry(t.Context(), o, admin.Choice{}, nil)
	if err != nil || res != (admin.RetryResult{Released: 3}) {
		t.Errorf("retry: %+v, %v", res, err)
	}
	r.wantLines(t, 1, "b", "FAIL", "NAME")
	want(t, r.dst, "0", "select count(*)::text from deid.quarantine")
}

// scribe changes lines at random.
type scribe struct {
	*rand.Rand
}

// step returns a transaction.
func (s scribe) step() string {
	var b strings.Builder
	b.WriteString("begin;")
	for range 1 + s.IntN(4) {
		b.WriteString(s.line())
		b.WriteString(s.piece())
	}
	return b.String() + "commit"
}

func (s scribe) line() string {
	visit, n := 1+s.IntN(4), 1+s.IntN(4)
	said := []string{"'Thebulon'", "'Marksman'", "'by Thebulon'", "'Marksman slept'", "'and'", "''", "null", "'Thebulon Marksman'"}[s.IntN(8)]
	switch s.IntN(8) {
	case 0, 1:
		return fmt.Sprintf("delete from ehr.line where (visit_id, n) = (%d, %d);", visit, n)
	case 2:
		return fmt.Sprintf("delete from ehr.line where (visit_id, n) = (%d, %d); update ehr.line set n = %d where (visit_id, n) = (%d, %d);", visit, n, n, visit, 1+s.IntN(4))
	case 3:
		return fmt.Sprintf("delete from ehr.line where visit_id = %d; insert into ehr.line select %[1]d, n, null, 'Thebulon' from generate_series(1, 5, 2) n;", visit)
	}
	return fmt.Sprintf("insert into ehr.line values (%d, %d, null, %s) on conflict (visit_id, n) do update set body = excluded.body;", visit, n, said)
}

func (s scribe) piece() string {
	note, seq := s.IntN(3), 8+s.IntN(5)
	if s.IntN(4) == 0 {
		return fmt.Sprintf("delete from ehr.piece where (seq, note_id, part) = ('%d', 'n%d', 1);", seq, note)
	}
	said := []string{"Marks", "man", "Thebu", "lon", " "}[s.IntN(5)]
	return fmt.Sprintf("insert into ehr.piece values ('%d', 'n%d', 1, %d, '%s') on conflict (seq, note_id, part) do update set body = excluded.body;",
		seq, note, 1+note, said)
}

// What analysts see of a note never has a name in it, whatever dies when; and in the end it is
// what a copy would show.
func TestLinesEqualACopy(t *testing.T) {
	t.Parallel()
	const kills, steps = 1, 40
	r := newLines(t)
	s := scribe{rand.New(rand.NewPCG(3, 5))}
	writer, reader := r.onSource(t), r.onReplica(t)
	var g errgroup.Group
	var over atomic.Bool
	looks := 0
	g.Go(func() error {
		for ; !over.Load(); looks++ {
			if err := lookForNames(t.Context(), reader); err != nil {
				return err
			}
			time.Sleep(5 * time.Millisecond) // it is not alone on the machine
		}
		return nil
	})
	for kill := range kills + 1 {
		d := startPgdeid(t, nil, "run", "--config", r.cfg.Path)
		if kill == 0 {
			r.streaming(t)
		}
		for range steps {
			if _, err := writer.Exec(t.Context(), s.step(), pgx.QueryExecModeSimpleProtocol); err != nil {
				t.Fatal(err)
			}
		}
		if kill < kills {
			time.Sleep(time.Duration(s.IntN(300)) * time.Millisecond)
			d.kill()
		}
	}
	r.caughtUp(t)
	over.Store(true)
	if err := g.Wait(); err != nil || looks == 0 {
		t.Errorf("after %d looks: %v", looks, err)
	}
	twin := r.twinOf(t, lineMapping)
	twin.run(t, exactDetector(t))
	twin.caughtUp(t)
	if a, b := r.allLines(t), twin.allLines(t); !slices.Equal(a, b) || len(a) == 0 {
		t.Errorf("%d and %d rows:\n%s", len(a), len(b), brief(differences(a, b), 20))
	}
	want(t, r.dst, "0", "select count(*)::text from deid.quarantine")
}

// allLines returns all rows of notes, and of what their texts were made.
func (r *replication) allLines(t *testing.T) []string {
	t.Helper()
	return texts(t, r.dst, `select 'line ' || x::text from ehr.line x union all select 'piece ' || x::text from ehr.piece x
		union all select concat_ws('|', table_name, row_key, patient, text_hmac, published_hmac) from deid.note_provenance order by 1`)
}

// wholeName is a name that is no part of another word, which pieces may make up by chance.
var wholeName = regexp.MustCompile(`\b(Marksman|Thebulon)\b`)

// lookForNames fails if the notes of one moment have a name in them.
func lookForNames(ctx context.Context, conn *pgx.Conn) error {
	rows, err := conn.Query(ctx, `
		select string_agg(body, E'\n' order by n) from ehr.line group by visit_id
		union all select string_agg(body, '' order by length(seq), seq) from ehr.piece group by note_id, part`)
	if err != nil {
		return err
	}
	notes, err := pgx.CollectRows(rows, pgx.RowTo[*string])
	for _, n := range notes {
		if n != nil && wholeName.MatchString(*n) {
			return fmt.Errorf("a name is in %q", *n)
		}
	}
	return err
}
