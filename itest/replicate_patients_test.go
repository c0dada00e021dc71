package itest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
)

// sealed returns a source key as the vault holds it.
func (r *replication) sealed(t *testing.T, of, row string, key ...string) []byte {
	t.Helper()
	data, err := json.Marshal(key)
	if err != nil {
		t.Fatal(err)
	}
	return r.key.Seal(data, "source key/"+of, row)
}

// Rewrites that a crash left behind know the staff as the stream does.
func TestLeftOverRewriteKnowsTheStaff(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t))
	do(t, r.src, patients)
	do(t, r.src, `insert into ehr.staff values (1, 'Hjördis Grizzlewood');
		insert into ehr.note values (1, 1, null, 'new', 'per Grizzlewood')`)
	first := r.run(t, nil)
	r.caughtUp(t)
	first.stop(t)
	// As after a kill between a commit and the rewrite: the record has changed already.
	do(t, r.src, "update ehr.patient set given = 'Zacharias' where patient_id = 1")
	if _, err := r.dst.Exec(t.Context(), "insert into deid.requeue (patient, source_key, lsn) values ($1, $2, '0/1')",
		r.patient(1), r.sealed(t, "requeue", r.patient(1), "1")); err != nil {
		t.Fatal(err)
	}
	r.run(t, nil)
	r.caughtUp(t)
	if text := r.body(t, 1); strings.Contains(text, "Grizzlewood") {
		t.Errorf("a name of the staff is in a rewritten note: %q", text)
	}
}

// Two tables lead through one table, by its number and by its account.
const twoPaths = `
tables:
  ehr.patient:
    patient: patient_id
    columns:
      patient_id: pseudonym
      given: {tells: name.first}
      family: {tells: name.last}
  ehr.stay:
    patient: patient_id
    columns: {stay_id: pseudonym, patient_id: pseudonym}
  ehr.note:
    patient: {column: stay_id, table: ehr.stay, key: stay_id}
    columns: {note_id: pseudonym, body: text}
  ehr.bill:
    patient: {column: account, table: ehr.stay, key: account}
    columns: {bill_id: pseudonym, body: text}
`

const stays = `
create schema ehr;
create table ehr.patient (patient_id int primary key, given text, family text);
create table ehr.stay (stay_id int primary key, account int %s, patient_id int not null);
create table ehr.note (note_id bigint primary key, stay_id int, body text);
create table ehr.bill (bill_id bigint primary key, account int, body text);
insert into ehr.patient values (1, 'Zebulon', 'Quarkstein'), (2, 'Ottilie', 'Wampfler');
insert into ehr.stay values (10, 20, 1), (20, 10, 2);`

func newStays(t *testing.T, constraint string) *replication {
	t.Helper()
	return newReplicationOf(t, newPair(t), fmt.Sprintf(stays, constraint), twoPaths)
}

func TestTwoPathsThroughOneTable(t *testing.T) {
	t.Parallel()
	r := newStays(t, "unique")
	r.run(t, nil)
	r.streaming(t)
	do(t, r.src, `insert into ehr.note values (1, 10, 'note'), (2, 20, 'note'); insert into ehr.bill values (1, 10, 'bill'), (2, 20, 'bill')`)
	r.caughtUp(t)
	whose := func(table, column string, id int64) string {
		return one(t, r.dst, "select patient from deid.note_provenance where table_name = $1 and row_key = $2",
			table, `["`+fmt.Sprint(r.key.PseudonymInt(column, id))+`"]`)
	}
	for _, c := range []struct {
		table, column string
		id, patient   int64
	}{
		{"ehr.note", "note_id", 1, 1}, {"ehr.note", "note_id", 2, 2}, {"ehr.bill", "bill_id", 1, 2}, {"ehr.bill", "bill_id", 2, 1},
	} {
		if got := whose(c.table, c.column, c.id); got != r.patient(c.patient) {
			t.Errorf("%s %d is not patient %d's", c.table, c.id, c.patient)
		}
	}
}

func TestPathThroughAColumnThatIsNotUnique(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	do(t, p.onSource(t), fmt.Sprintf(stays, ""))
	cfg := p.config(t, p.settings(t)+"http: \"\"\n"+twoPaths)
	if got := runPgdeid(t, nil, "migrate", "up", "--config", cfg.Path); got.code != 1 || !strings.Contains(got.stderr, "not unique") {
		t.Errorf("migrate up: %+v", got)
	}
	// The index goes later.
	r := newStays(t, "unique")
	do(t, r.src, "alter table ehr.stay drop constraint stay_account_key")
	run := r.run(t, nil)
	if err := run.fails(t); !strings.Contains(err.Error(), "not unique") || !strings.Contains(err.Error(), "ehr.stay") {
		t.Errorf("run: %v", err)
	}
}

// The index goes while the stream runs, and two patients share a value.
func TestRowThatLeadsToSeveralPatientsIsSetAside(t *testing.T) {
	t.Parallel()
	r := newStays(t, "unique")
	r.run(t, nil)
	r.streaming(t)
	do(t, r.src, "alter table ehr.stay drop constraint stay_account_key; insert into ehr.stay values (30, 10, 1)")
	do(t, r.src, "insert into ehr.bill values (1, 10, 'bill of whom?'), (2, 20, 'bill')")
	r.caughtUp(t)
	want(t, r.dst, "1", "select count(*)::text from ehr.bill")
	want(t, r.dst, "several_patients", "select reason from deid.quarantine")
}

// An address that people share belongs to none of them alone: it is published, and it is
// in the record of each, also when it changes.
func TestSharedAddressIsInTheRecordOfEach(t *testing.T) {
	t.Parallel()
	r := newReplicationOf(t, newPair(t), `create schema ehr;
		create table ehr.place (place_id int primary key, street text, state text);
		create table ehr.person (person_id int primary key, place_id int, family text);
		create index on ehr.person (place_id);
		create table ehr.note (note_id int primary key, person_id int, body text);
		insert into ehr.place values (1, '17 Quarkmoor', 'ME');
		insert into ehr.person values (1, 1, 'Zebulong'), (2, 1, 'Ostrowan');
		insert into ehr.note values (1, 1, 'they moved to 4 zorvakin or so'), (2, 2, 'visit at 4 zorvakin')`, `tables:
  ehr.place:
    patient: {column: place_id, table: ehr.person, key: place_id}
    columns: {place_id: pseudonym, street: {tells: street}, state: keep}
  ehr.person:
    patient: person_id
    columns: {person_id: pseudonym, place_id: pseudonym, family: {tells: name.last}}
  ehr.note:
    patient: person_id
    columns: {note_id: pseudonym, person_id: pseudonym, body: text}
`)
	r.run(t, nil)
	r.streaming(t)
	r.caughtUp(t)
	want(t, r.dst, "1", "select count(*)::text from ehr.place where state = 'ME'")
	want(t, r.dst, "2", "select count(*)::text from ehr.note where body like '%zorvakin%'")
	do(t, r.src, "update ehr.place set street = '4 Zorvakin' where place_id = 1")
	r.caughtUp(t)
	want(t, r.dst, "2", "select count(*)::text from ehr.note where body not like '%zorvakin%'")
	want(t, r.dst, "0", "select count(*)::text from deid.quarantine")
}

// A published row that loses its patient is not left as it was.
func TestRowWithoutPatientIsTakenAway(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t))
	do(t, r.src, patients)
	do(t, r.src, "insert into ehr.note values (1, 1, null, 'new', 'Zebulon ate.')")
	r.run(t, nil)
	r.caughtUp(t)
	do(t, r.src, "update ehr.note set patient_id = null where note_id = 1")
	r.caughtUp(t)
	want(t, r.dst, "no_patient", "select reason from deid.quarantine")
	want(t, r.dst, "0", "select count(*)::text from ehr.note")
}

// whose returns the pseudonym under which a row was published.
func (r *replication) whose(t *testing.T, table, rowKey string) string {
	t.Helper()
	return one(t, r.dst, "select patient from deid.note_provenance where table_name = $1 and row_key = $2", table, rowKey)
}

// An encounter moves to a patient of whom nothing is published yet.
func TestMovedEncounterMovesItsNotes(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t))
	do(t, r.src, patients)
	do(t, r.src, "insert into ehr.line values (7, 1, 'Patient Qwfpblx ate.'), (7, 2, 'Zebulon left.')")
	r.run(t, nil)
	r.caughtUp(t)
	do(t, r.src, "insert into ehr.patient values (3, 'Qwfpblx', 'Arstdhnei', 'MR-4713', '1970-01-01')")
	do(t, r.src, "update ehr.visit set patient_id = 3 where visit_id = 7")
	r.caughtUp(t)
	for _, n := range []int{1, 2} {
		if got := r.whose(t, "ehr.line", fmt.Sprintf(`["%d","%d"]`, r.key.PseudonymInt("visit_id", 7), n)); got != r.patient(3) {
			t.Errorf("line %d is not the new patient's", n)
		}
	}
	if text := strings.Join(texts(t, r.dst, "select body from ehr.line order by n"), "|"); strings.Contains(text, "Qwfpblx") || strings.Contains(text, "Zebulon") {
		t.Errorf("a name of the new or of the former patient is in a moved note: %q", text)
	}
}

// Of a row whose text is NULL nothing says whose it is, and its dates move all the same.
func TestMovedEncounterMovesRowsWithoutText(t *testing.T) {
	t.Parallel()
	r := newReplicationOf(t, newPair(t), fmt.Sprintf(stays, "unique")+"alter table ehr.note add at date;",
		strings.Replace(twoPaths, "note_id: pseudonym,", "note_id: pseudonym, at: date_shift,", 1))
	do(t, r.src, "insert into ehr.note values (1, 10, null, '2021-03-04'), (2, 10, 'Slept well.', '2021-03-04')")
	r.run(t, nil)
	r.caughtUp(t)
	do(t, r.src, "update ehr.stay set patient_id = 2 where stay_id = 10")
	r.caughtUp(t)
	day := time.Date(2021, 3, 4, 0, 0, 0, 0, time.UTC).AddDate(0, 0, r.shift(t, 2)).Format(time.DateOnly)
	for id := int64(1); id <= 2; id++ {
		want(t, r.dst, day, "select at::text from ehr.note where note_id = "+r.note(id))
	}
}

// Rows that came before the row that leads them to a patient are published when it comes.
func TestRowsWithoutPatientAreTriedWhenItArrives(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t))
	do(t, r.src, patients)
	r.run(t, nil)
	r.caughtUp(t)
	do(t, r.src, "insert into ehr.line values (9, 1, 'Ottilie ate.'), (9, 2, 'Wampfler left.'), (10, 1, 'Zebulon came.')")
	r.caughtUp(t)
	want(t, r.dst, "3", "select count(*)::text from deid.quarantine where reason = 'no_patient'")
	do(t, r.src, "insert into ehr.visit values (9, 2, '2021-03-05 10:00+00')")
	r.caughtUp(t)
	want(t, r.dst, "2", "select count(*)::text from ehr.line")
	want(t, r.dst, "1", "select count(*)::text from deid.quarantine")
	want(t, r.dst, "0", "select count(*)::text from ehr.line where body ~ 'Ottilie|Wampfler'")
	do(t, r.src, "insert into ehr.visit values (10, 1, null); delete from ehr.visit where visit_id = 8")
	r.caughtUp(t)
	want(t, r.dst, "3", "select count(*)::text from ehr.line")
	want(t, r.dst, "0", "select count(*)::text from deid.quarantine")
}

// Names that join the staff may be in notes that are published already.
func TestNewStaffAreTakenOutOfOldNotes(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t))
	do(t, r.src, patients)
	do(t, r.src, `insert into ehr.note select n, 1 + n % 2, null, 'new', 'per Grizzlewood' from generate_series(1, 60) n`)
	run := r.run(t, exactDetector(t))
	r.caughtUp(t)
	want(t, r.dst, "60", "select count(*)::text from ehr.note where body = 'per Grizzlewood'")
	do(t, r.src, "insert into ehr.staff values (1, 'Hildegard Grizzlewood')")
	eventually(t, "the pass over all notes", func() bool { return count(t, r.dst, "deid.directory where pass_done is not null") == "1" })
	want(t, r.dst, "0", "select count(*)::text from ehr.note where body like '%Grizzlewood%'")
	// The next pass waits for its time, and no one who left comes back.
	do(t, r.src, "delete from ehr.staff; insert into ehr.staff values (2, 'Bo Quilltoft')")
	r.caughtUp(t)
	want(t, r.dst, "1", "select count(*)::text from deid.directory where stale_since is not null and pass_table is null")
	run.stop(t)
	r.cfg.Limits.DirectoryInterval = time.Millisecond
	r.run(t, exactDetector(t))
	eventually(t, "the second pass", func() bool {
		return count(t, r.dst, "deid.directory where stale_since is null and pass_table is null") == "1"
	})
	want(t, r.dst, "0", "select count(*)::text from ehr.note where body like '%Grizzlewood%'")
}

// After a merge the survivor's notes are searched for the other one's names, too: in
// odd writing, in notes that moved and in those that come later.
func TestSurvivorOfAMergeKnowsTheOtherNames(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t))
	do(t, r.src, patients)
	do(t, r.src, `insert into ehr.line values (7, 1, 'label Ｑｕａｒｋｓｔｅｉｎ'), (8, 1, 'formerly quarkstein');
		insert into ehr.note values (1, 1, null, 'new', 'label Ｑｕａｒｋｓｔｅｉｎ')`)
	r.run(t, nil)
	r.caughtUp(t)
	do(t, r.src, `begin; update ehr.visit set patient_id = 2 where patient_id = 1; update ehr.note set patient_id = 2 where patient_id = 1;
		delete from ehr.patient where patient_id = 1; commit`)
	r.caughtUp(t)
	do(t, r.src, "insert into ehr.note values (2, 2, null, 'new', 'label Quarkstein')")
	r.caughtUp(t)
	all := strings.Join(texts(t, r.dst, "select body from ehr.line union all select body from ehr.note"), "|")
	if strings.Contains(all, "Ｑｕａｒ") || strings.Contains(strings.ToLower(all), "quark") {
		t.Errorf("a name of the merged patient: %q", all)
	}
	want(t, r.dst, r.patient(1), "select former from deid.patient_former where patient = $1", r.patient(2))
	want(t, r.dst, "4", "select count(*)::text from deid.note_provenance where patient = $1", r.patient(2))
}

// A note is filed with one patient and then with another, before anything is committed.
func TestNoteFiledAnewInOneTransaction(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t))
	do(t, r.src, patients)
	r.run(t, nil)
	r.streaming(t)
	do(t, r.src, `begin; insert into ehr.note values (1, 1, null, 'new', 'label Quarkstein'), (2, 1, null, 'new', 'label Quarkstein');
		update ehr.note set patient_id = 2 where note_id = 1; update ehr.note set note_id = 3, patient_id = 2 where note_id = 2; commit`)
	r.caughtUp(t)
	want(t, r.dst, "0", "select count(*)::text from ehr.note where body ~ 'Quark'")
	want(t, r.dst, "2", "select count(*)::text from deid.note_provenance where patient = $1", r.patient(2))
}
