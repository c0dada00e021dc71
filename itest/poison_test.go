package itest

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/replicator/admin"
	"github.com/pgdeid/pgdeid/replicator/desk"
)

// pills are texts that look like one very long identifier, or like very many.
func pills() []string {
	rnd := rand.New(rand.NewPCG(1, 2))
	letters := func(n int, of string) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = of[rnd.IntN(len(of))]
		}
		return string(b)
	}
	const digits, hex, lower = "0123456789", "0123456789abcdef", "abcdefghijklmnopqrstuvwxyz"
	var accounts strings.Builder
	for range 600 {
		accounts.WriteString(letters(5, digits) + " ")
	}
	var printable strings.Builder
	for range 100_000 {
		printable.WriteByte(byte(' ' + rnd.IntN('~'-' ')))
	}
	return []string{
		"Dear doctor, my number is " + letters(12_000, digits) + " thanks",
		"Account " + accounts.String(),
		"sha " + letters(3500, hex) + " as told",
		"sha " + letters(5000, hex) + " as told",
		"write to " + letters(8000, lower) + "@" + letters(8000, lower) + ".com today",
		"see http://" + letters(8000, lower) + ".org/x",
		"Seen by Dr. " + strings.ToUpper(letters(1, lower)) + letters(9000, lower) + " today",
		printable.String(),
	}
}

const harmless = "Slept well, no pain."

// No text keeps the others from their way: in the copy, in the stream, at the desk.
func TestNoTextEndsTheStream(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t))
	do(t, r.src, patients)
	// Sites index their texts; such an index takes no entry beyond some 2,700 bytes.
	do(t, r.dst, `create index on deid_rows."ehr.line" (body)`)
	texts, id := pills(), 0
	insert := func(body string) {
		t.Helper()
		id++
		for _, table := range []string{"ehr.note values ($1, 1, null, 'new', $2)", "ehr.line values (8, $1, $2)"} {
			if _, err := r.src.Exec(t.Context(), "insert into "+table, id, body); err != nil {
				t.Fatal(err)
			}
		}
	}
	insertAll := func() {
		for _, body := range texts {
			insert(harmless)
			insert(body)
		}
		insert(harmless)
	}
	insertAll()
	r.run(t, nil)
	r.caughtUp(t)
	insertAll()
	do(t, r.src, "begin; update ehr.note set status = 'seen'; update ehr.note set body = body || '.' where note_id % 5 = 0; commit")
	r.caughtUp(t)
	for _, table := range []string{"ehr.note", "ehr.line"} {
		want(t, r.dst, fmt.Sprint(2*(len(texts)+1)), "select count(*)::text from "+table+" where rtrim(body, '.') = rtrim($1, '.')", harmless)
		want(t, r.dst, fmt.Sprint(id), "select ((select count(*) from "+table+") + (select count(*) from deid.quarantine where table_name = $1))::text", table)
	}
	want(t, r.dst, "true", "select (count(*) > 0)::text from deid.quarantine where table_name = 'ehr.line' and reason = 'refused_by_replica'")
	want(t, r.dst, "0", "select count(*)::text from deid.quarantine where reason in ('detector_panic', 'surrogate_error')")

	d := r.desk(t)
	var asked []desk.Question
	for _, body := range texts {
		asked = append(asked, desk.Question{Patient: "1", Text: harmless}, desk.Question{Patient: "1", Text: body})
	}
	for i, a := range ask(t, d, asked...) {
		if i%2 == 0 && a.Text != harmless || (a.Text == "") == (a.Reason == "") {
			t.Errorf("question %d: %d bytes, reason %q", i, len(a.Text), a.Reason)
		}
	}
}

// Values of structured columns do no more harm than texts.
func TestNoColumnEndsTheStream(t *testing.T) {
	t.Parallel()
	policies := []string{
		"keep", "pseudonym", "zip3", "year", "age_cap", "text",
		"{tells: name.first, publish: surrogate}", "{tells: name.full, publish: surrogate}", "{tells: mrn, publish: surrogate}",
		"{tells: phone, publish: surrogate}", "{tells: email, publish: surrogate}", "{tells: street, publish: surrogate}",
		"{tells: city, publish: surrogate}", "{tells: zip, publish: surrogate}", "{tells: facility, publish: surrogate}",
		"{tells: account, publish: surrogate}", "{tells: username, publish: surrogate}", "{tells: name.last}", "{tells: ssn}",
	}
	var columns, mapped []string
	for i, policy := range policies {
		columns = append(columns, fmt.Sprintf("c%d text", i))
		mapped = append(mapped, fmt.Sprintf("c%d: %s", i, policy))
	}
	r := newReplicationOf(t, newPair(t), ward+"create table ehr.wide (id int primary key, patient_id int, d date, ts timestamptz, n numeric, "+strings.Join(columns, ", ")+");",
		wardTables+"  ehr.wide:\n    patient: patient_id\n    columns: {id: pseudonym, patient_id: pseudonym, d: date_shift, ts: date_shift, n: keep, "+
			strings.Join(mapped, ", ")+"}\n")
	do(t, r.src, patients)
	run := r.run(t, nil)
	r.caughtUp(t)
	id := 0
	for _, text := range append(pills(), harmless) {
		for i := range policies {
			id++
			_, err := r.src.Exec(t.Context(), fmt.Sprintf("insert into ehr.wide (id, patient_id, c%d) values ($1, 1 + $1 %% 2, $2)", i), id, text)
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	do(t, r.src, `insert into ehr.wide (id, patient_id, d) values (100001, 1, '5874897-12-31'), (100002, 1, '4713-01-01 BC'), (100003, 1, 'infinity'), (100004, 1, '0001-01-01');
		insert into ehr.wide (id, patient_id, ts) values (100005, 1, '294276-12-31'), (100006, 1, '4713-01-01 BC'), (100007, 1, '0001-01-01');
		insert into ehr.wide (id, patient_id, n) values (100008, 1, 'NaN'), (100009, 1, 1e131071);
		insert into ehr.note values (1, 1, null, 'new', 'Slept well, no pain.')`)
	r.caughtUp(t)
	want(t, r.dst, fmt.Sprint(id+9), "select ((select count(*) from ehr.wide) + (select count(*) from deid.quarantine where table_name = 'ehr.wide'))::text")
	want(t, r.dst, "1", "select count(*)::text from ehr.note")
	if log := run.log.String(); strings.Contains(log, "interrupted") {
		t.Error("the stream was interrupted")
	}
}

// What the replica refuses of the vault costs the rows of that patient.
func TestRefusedSurrogatesCostThePatientsRows(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t))
	do(t, r.src, patients)
	run := r.run(t, nil)
	r.caughtUp(t)
	do(t, r.dst, "alter table deid.surrogate add constraint odd check (patient <> '"+r.patient(2)+"') not valid")
	do(t, r.src, `insert into ehr.note select n, 1 + n % 2, null, 'new', 'Seen by Dr. Gwendolyn Ashcombe with ' || n from generate_series(1, 20) n`)
	r.caughtUp(t)
	want(t, r.dst, "10", "select count(*)::text from ehr.note where patient_id = $1::text::int", r.patient(1))
	want(t, r.dst, "0", "select count(*)::text from ehr.note where patient_id = $1::text::int", r.patient(2))
	want(t, r.dst, "surrogate_error 10", "select min(reason) || ' ' || count(*) from deid.quarantine")
	// Nothing of a choice that is not stored is published later either.
	do(t, r.src, "insert into ehr.note values (30, 2, null, 'new', 'Dr. Gwendolyn Ashcombe called'), (31, 1, null, 'new', 'Slept well.')")
	r.caughtUp(t)
	want(t, r.dst, "0", "select count(*)::text from ehr.note where patient_id = $1::text::int", r.patient(2))
	got := ask(t, r.desk(t), desk.Question{Patient: "2", Text: "Seen by Dr. Benedict Marlowe."}, desk.Question{Patient: "1", Text: "Seen by Dr. Benedict Marlowe."})
	if got[0].Reason != "surrogate_error" || got[1].Reason != "" {
		t.Errorf("desk: %+v", got)
	}
	do(t, r.dst, "alter table deid.surrogate drop constraint odd")
	run.stop(t)
	r.run(t, nil)
	o, _ := r.options(t, nil)
	if res, err := admin.Retry(t.Context(), o, admin.Choice{}, nil); err != nil || res.Released != 11 {
		t.Errorf("retry: %+v, %v", res, err)
	}
}

// A row that the replica can't even delete, as its key is no value of the column's type,
// is set aside like any other.
func TestKeysThatTheReplicaCantRead(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t))
	do(t, r.src, patients)
	run := r.run(t, nil)
	r.caughtUp(t)
	do(t, r.dst, `alter table deid_rows."ehr.line" add check (n <> 13)`)
	run.stop(t)
	do(t, r.dst, `drop view ehr.line; alter table deid_rows."ehr.line" alter column n type smallint; create view ehr.line as select * from deid_rows."ehr.line"`)
	run = r.run(t, nil)
	do(t, r.src, `insert into ehr.line values (8, 1, 'Slept well.'), (8, 13, 'Slept badly.'), (8, 70000, 'Slept.'), (8, 2, 'Slept on.'); delete from ehr.line where n = 70000`)
	r.caughtUp(t)
	want(t, r.dst, "2", "select count(*)::text from ehr.line")
	want(t, r.dst, "1", "select count(*)::text from deid.quarantine")
	if log := run.log.String(); strings.Contains(log, "interrupted") {
		t.Errorf("the stream was interrupted:\n%s", tail(log, 20))
	}
}
