package itest

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/replicator/admin"
)

// oddValues is a table whose columns hold more than their policies mean.
const oddValues = `
create table ehr.odd (id bigint primary key, patient_id int, age text, years int, dob_int int, dob_text text, dob_us text, visit text, seen int, zip text);
insert into ehr.patient (patient_id, born) select n, '1950-01-01' from generate_series(101, 103) n;
insert into ehr.odd values
	(1, 101, '45 yo, Zarkovinmark of 12 Elm Street, tel 415-555-1234', 19560412, 19250317, '1979 Zarkovinmark', '1956 Zarkovinmark', '20240305 Zarkovinmark', 2024, '02139 Zarkovinmark'),
	(2, 102, '12/04/1956', 300, 19790305, '05-MAR-1979', '03/05/1979', '20240305', 20240305, '03601'),
	(3, 103, '45 years', 45, 1979, '19790305', '13/05/1979', '03/05/2024', 20241305, '36901');`

const oddMapping = `  ehr.odd:
    patient: patient_id
    columns:
      id: pseudonym
      patient_id: pseudonym
      age: age_cap
      years: age_cap
      dob_int: {tells: birth_date, publish: year}
      dob_text: {tells: birth_date, publish: year}
      dob_us: {tells: birth_date, publish: year, order: mdy}
      visit: date_shift
      seen: date_shift
      zip: {tells: zip, publish: zip3}
`

// What a policy publishes, it has built itself; anything else is withheld, counted and
// costs nothing but that value.
func TestPoliciesPublishOnlyWhatTheyBuilt(t *testing.T) {
	t.Parallel()
	r := newReplicationOf(t, newPair(t), ward+oddValues, wardTables+oddMapping)
	run := r.run(t, nil)
	r.caughtUp(t)
	moved := func(id int64, day string) time.Time {
		at, err := time.Parse(time.DateOnly, day)
		if err != nil {
			t.Fatal(err)
		}
		return at.AddDate(0, 0, r.shift(t, id))
	}
	year := func(id int64, day string) string {
		return strconv.Itoa(max(moved(id, day).Year(), time.Now().UTC().Year()-90))
	}
	row := func(id int64) string {
		return one(t, r.dst, "select concat_ws('|', coalesce(age, '-'), coalesce(years::text, '-'), coalesce(dob_int::text, '-'), coalesce(dob_text, '-'), "+
			"coalesce(dob_us, '-'), coalesce(visit, '-'), coalesce(seen::text, '-'), zip) from ehr.odd where id = $1::text::bigint", fmt.Sprint(r.key.PseudonymInt("id", id)))
	}
	wanted := map[int64][]string{
		1: {"-", "-", year(101, "1925-03-17"), "-", "-", "-", "-", "000"},
		2: {
			"-", "-", year(102, "1979-03-05"), year(102, "1979-03-05"), year(102, "1979-03-05"),
			moved(102, "2024-03-05").Format("20060102"), moved(102, "2024-03-05").Format("20060102"), "000",
		},
		3: {"45 years", "45", row3Year(t, row(3)), year(103, "1979-03-05"), "-", "-", "-", "000"},
	}
	for id, want := range wanted {
		if got := row(id); got != strings.Join(want, "|") {
			t.Errorf("row %d: got %s, want %s", id, got, strings.Join(want, "|"))
		}
	}
	if found := marksInDatabase(t, r.dst, []string{"Zarkovinmark", "415-555", "12/04/1956", "19790305", "20240305"}); len(found) > 0 {
		t.Errorf("values are in %v", found)
	}
	want(t, r.dst, "0", "select count(*)::text from deid.quarantine")
	want(t, r.dst, "2", "select times::text from deid.withheld where table_name = 'ehr.odd' and column_name = 'age'")
	s, err := admin.ReadStatus(t.Context(), r.cfg, 0)
	if err != nil || len(s.Withheld) != 6 {
		t.Errorf("status: %v, %v", s, err)
	}
	if log := run.log.String(); strings.Count(log, "column=ehr.odd.age") != 1 || len(marksInText(log, []string{"Zarkovinmark"})) > 0 {
		t.Errorf("log: %s", log)
	}
}

// row3Year checks the year of which no date is known: it is that year or one of the year before.
func row3Year(t *testing.T, row string) string {
	t.Helper()
	got := strings.Split(row, "|")[2]
	if got != "1979" && got != "1978" {
		t.Errorf("year of 1979: %s", got)
	}
	return got
}

// A birth date that is none leaves the patient there, and what leads to it.
func TestPatientsWithOddBirthDatesStay(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t))
	do(t, r.src, `
		insert into ehr.patient (patient_id, given, born) values (1, 'Quirinus', 'infinity'), (2, 'Ottilie', '0044-03-15 BC'), (3, 'Zebulon', '9999-12-31'), (4, 'Ann', '1980-01-01');
		insert into ehr.visit select n, n, '2024-01-02' from generate_series(1, 4) n`)
	r.run(t, nil)
	r.caughtUp(t)
	want(t, r.dst, "4", "select count(*)::text from ehr.visit join ehr.patient using (patient_id)")
	want(t, r.dst, "1,1", "select count(*) filter (where isfinite(born)) || ',' || count(*) filter (where not isfinite(born)) from ehr.patient")
	want(t, r.dst, "0", "select count(*)::text from deid.quarantine")
	want(t, r.dst, "2", "select times::text from deid.withheld where column_name = 'born'")
}
