package itest

import (
	"fmt"
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/replicator/admin"
)

// What was right when it was written is capped as people grow older, and no more than that.
func TestMaintainCapsAges(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t))
	do(t, r.src, patients)
	run := r.run(t, nil)
	r.caughtUp(t)
	run.stop(t)
	oldest := time.Now().UTC().Year() - 90
	// As if the rows had been written some years ago.
	do(t, r.dst, fmt.Sprintf(`update ehr.patient set born = make_date(%d, 2, 28) where given = (select min(given) from ehr.patient)`, oldest-4))
	young := one(t, r.dst, "select string_agg(born::text, ',' order by born) from ehr.patient where born >= make_date($1::text::int, 1, 1)", fmt.Sprint(oldest))
	o, _ := r.options(t, nil)
	for _, rows := range []int64{1, 0} { // the second time nothing is left to do
		done, err := admin.Maintain(t.Context(), o, []string{"cap"})
		if err != nil {
			t.Fatal(err)
		}
		var changed int64
		for _, d := range done {
			changed += d.Rows
		}
		if changed != rows {
			t.Errorf("%d rows were changed, want %d: %v", changed, rows, done)
		}
	}
	want(t, r.dst, fmt.Sprintf("%d-02-28", oldest), "select min(born)::text from ehr.patient")
	want(t, r.dst, young, "select string_agg(born::text, ',' order by born) from (select * from ehr.patient order by born offset 1) p")
	if _, err := admin.Maintain(t.Context(), o, []string{"dust"}); err == nil {
		t.Error("a task that does not exist was done")
	}
}

// An age in a row with a birth date grows with it; an age at an event does not.
func TestMaintainCapsAgesBesideBirthDates(t *testing.T) {
	t.Parallel()
	r := newReplicationOf(t, newPair(t), ward+`
		create table ehr.summary (id bigint primary key, patient_id int, born int, age int, said text);
		create table ehr.event (id bigint primary key, patient_id int, age int);
		insert into ehr.patient (patient_id) values (1), (2);
		insert into ehr.summary values (1, 1, 1950, 70, '70 years'), (2, 2, 1951, 69, '18 months');
		insert into ehr.event values (1, 1, 70)`, wardTables+`  ehr.summary:
    patient: patient_id
    columns: {id: pseudonym, patient_id: pseudonym, born: {tells: birth_date, publish: year}, age: age_cap, said: age_cap}
  ehr.event:
    patient: patient_id
    columns: {id: pseudonym, patient_id: pseudonym, age: age_cap}
`)
	run := r.run(t, nil)
	r.caughtUp(t)
	run.stop(t)
	// As if years had passed.
	do(t, r.dst, fmt.Sprintf("update ehr.summary set born = %d", time.Now().UTC().Year()-92))
	o, _ := r.options(t, nil)
	for range 2 {
		if _, err := admin.Maintain(t.Context(), o, nil); err != nil {
			t.Fatal(err)
		}
		want(t, r.dst, "90/18 months,90/90 years", "select string_agg(age || '/' || said, ',' order by said) from ehr.summary")
		want(t, r.dst, "70", "select age::text from ehr.event")
	}
}

func TestMaintenanceIsDueInAnotherYear(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t))
	o, _ := r.options(t, nil)
	due := func() bool {
		s, err := admin.ReadStatus(t.Context(), r.cfg, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range s.Maintained {
			if m.Due {
				return true
			}
		}
		return false
	}
	if due() {
		t.Error("due before the first row")
	}
	if _, err := admin.Maintain(t.Context(), o, nil); err != nil {
		t.Fatal(err)
	}
	if due() {
		t.Error("due right after it was done")
	}
	do(t, r.dst, "update deid.maintenance set ran_at = ran_at - interval '1 year'")
	if !due() {
		t.Error("not due a year later")
	}
	do(t, r.dst, "delete from deid.maintenance; update deid.key_check set created_at = created_at - interval '1 year'")
	if !due() {
		t.Error("never done, and not due in the second year")
	}
}
