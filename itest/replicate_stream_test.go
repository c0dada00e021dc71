package itest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/surrogate"
)

const long = 5000 // characters: stored out of line

func TestReplicateInserts(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"foreign", "direct"} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			testInserts(t, newReplication(t, newPair(t), "gazetteers: "+how+"\n"))
		})
	}
}

func testInserts(t *testing.T, r *replication) {
	t.Helper()
	do(t, r.src, `
		insert into ehr.patient values (1, 'Zebulon', 'Quarkstein', 'MR-4711', '1950-02-03'), (2, 'Ottilie', 'Wampfler', 'MR-4712', '1960-05-06');
		insert into ehr.note values (10, 1, '2021-03-04 05:06:07', 'new', 'Mr. Quarkstein was seen.')`)
	r.run(t, nil)
	eventually(t, "the first copy", func() bool { return count(t, r.dst, "ehr.note") == "1" })
	do(t, r.src, `insert into ehr.note values (11, 2, '2021-03-05', 'new', 'Ottilie Wampfler came, MRN MR-4712.'), (12, 2, null, null, null)`)
	r.caughtUp(t)
	for _, id := range []int64{10, 11} {
		if text := r.body(t, id); text == "" || strings.Contains(text, "Quarkstein") || strings.Contains(text, "Wampfler") ||
			strings.Contains(text, "4712") {
			t.Errorf("note %d: %s", id, text)
		}
	}
	want(t, r.dst, r.patient(1), "select patient_id::text from ehr.note where note_id = $1::text::bigint", r.note(10))
	want(t, r.dst, "3", "select count(*)::text from ehr.note")
	want(t, r.dst, "2", "select count(*)::text from deid.note_provenance")
	if got := r.foundBy(t, "MEDICALRECORD"); !slices.Contains(got, "record") {
		t.Errorf("found by %v", got)
	}
	// The surrogates and the shift of structured columns are those of the prose.
	family := one(t, r.dst, "select family from ehr.patient where patient_id = $1::text::int", r.patient(1))
	if text := r.body(t, 10); !strings.Contains(text, family) {
		t.Errorf("surname %s of the table is not in the note %q", family, text)
	}
	shift := one(t, r.dst, "select (written::date - '2021-03-04')::text from ehr.note where note_id = $1::text::bigint", r.note(10))
	if got := r.opened(t, false); !slices.Contains(got, "shift "+r.patient(1)+" "+shift) {
		t.Errorf("a date was moved by %s days, the vault has %v", shift, got)
	}
}

// patients inserts the two patients that most tests are about.
const patients = `
	insert into ehr.patient values (1, 'Zebulon', 'Quarkstein', 'MR-4711', '1950-02-03'), (2, 'Ottilie', 'Wampfler', 'MR-4712', '1960-05-06');
	insert into ehr.visit values (7, 1, '2021-03-04 10:00+00'), (8, 2, '2021-03-05 10:00+00');`

// filler makes a text long enough to be stored out of line.
var filler = strings.Repeat("Lungs clear, heart regular, no edema. ", long/38)

func TestReplicateUpdatesAndDeletes(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t))
	do(t, r.src, patients)
	do(t, r.src, `insert into ehr.note values (1, 1, null, 'new', 'Zebulon slept.'), (2, 1, null, 'new', 'Zebulon ate.'), (3, 2, null, 'new', 'Ottilie sang.')`)
	r.run(t, nil)
	r.caughtUp(t)
	do(t, r.src, `
		update ehr.note set body = 'Quarkstein woke.' where note_id = 1;
		update ehr.note set status = 'signed' where note_id = 2;
		delete from ehr.note where note_id = 3;
		insert into ehr.line values (7, 1, 'Mr. Quarkstein again'), (8, 1, 'Wampfler again'), (99, 1, 'nobody knows whose')`)
	r.caughtUp(t)
	if text := r.body(t, 1); !strings.HasSuffix(text, "woke.") || strings.Contains(text, "Quarkstein") {
		t.Errorf("after the update: %q", text)
	}
	want(t, r.dst, "signed", "select status from ehr.note where note_id = $1::text::bigint", r.note(2))
	want(t, r.dst, "2", "select count(*)::text from ehr.note")
	want(t, r.dst, "2", "select count(*)::text from ehr.line")
	want(t, r.dst, "no_patient", "select reason from deid.quarantine")
	do(t, r.src, "delete from ehr.line where visit_id = 99; update ehr.line set visit_id = 8, n = 2 where visit_id = 7")
	r.caughtUp(t)
	want(t, r.dst, "0", "select count(*)::text from deid.quarantine")
	want(t, r.dst, "2", "select count(*)::text from ehr.line")
	if texts := texts(t, r.dst, "select body from ehr.line order by n"); strings.Contains(strings.Join(texts, ""), "Quarkstein") {
		t.Errorf("moved lines: %q", texts)
	}
	do(t, r.src, "truncate ehr.note, ehr.line")
	r.caughtUp(t)
	want(t, r.dst, "0", "select count(*)::text from ehr.note")
	want(t, r.dst, "0", "select count(*)::text from deid.note_provenance")
}

// Rows that are inserted are first written as if none of them were there.
func TestReplicateInsertsOverRows(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t))
	do(t, r.src, patients)
	r.run(t, nil)
	r.caughtUp(t)
	do(t, r.dst, fmt.Sprintf(`insert into deid_rows."ehr.note" (note_id, body) values (%s, 'as it was')`, r.note(1)))
	do(t, r.src, `insert into ehr.note values (1, 1, null, 'new', 'Zebulon slept.'), (2, 1, null, 'new', 'Zebulon ate.')`)
	r.caughtUp(t)
	for id, end := range map[int64]string{1: "slept.", 2: "ate."} {
		if text := r.body(t, id); !strings.HasSuffix(text, end) {
			t.Errorf("note %d: %q", id, text)
		}
	}
	want(t, r.dst, "2", "select count(*)::text from deid.note_provenance")
	want(t, r.dst, "0", "select count(*)::text from deid.quarantine")
}

// What is stored out of line and not touched is not in the stream.
func TestReplicateUnchangedToast(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t))
	do(t, r.src, patients)
	insert := `insert into ehr.note values (1, 1, '2021-03-04', 'new', 'Zebulon Quarkstein. ' || $1), (2, 1, null, 'new', 'Quarkstein, Zebulon. ' || $1),
		(3, 1, null, 'new', 'Mr. Quarkstein. ' || $1)`
	if _, err := r.src.Exec(t.Context(), insert, filler); err != nil {
		t.Fatal(err)
	}
	r.run(t, nil)
	r.caughtUp(t)
	before, at := r.body(t, 1), one(t, r.dst, "select sealed::text from deid.note_provenance where row_key = $1", `["`+r.note(1)+`"]`)
	do(t, r.src, "update ehr.note set status = 'signed' where note_id = 1")
	r.caughtUp(t)
	want(t, r.dst, at, "select sealed::text from deid.note_provenance where row_key = $1", `["`+r.note(1)+`"]`)
	do(t, r.src, "update ehr.note set note_id = 20 where note_id = 2")                     // the key
	do(t, r.src, "update ehr.note set patient_id = 2, status = 'moved' where note_id = 3") // the patient
	do(t, r.src, `begin; insert into ehr.note values (4, 2, null, 'new', 'Ottilie Wampfler. ' || repeat('All well. ', 600));
		update ehr.note set status = 'signed' where note_id = 4; update ehr.note set patient_id = 1 where note_id = 4; commit`)
	r.caughtUp(t)
	if after := r.body(t, 1); after != before {
		t.Errorf("the text changed: %q", after)
	}
	want(t, r.dst, "signed", "select status from ehr.note where note_id = $1::text::bigint", r.note(1))
	want(t, r.dst, "0", "select count(*)::text from ehr.note where note_id = $1::text::bigint", r.note(2))
	for _, id := range []int64{20, 3, 4} {
		if text := r.body(t, id); len(text) < long-100 {
			t.Errorf("note %d: %d characters", id, len(text))
		}
	}
	want(t, r.dst, r.patient(2), "select patient_id::text from ehr.note where note_id = $1::text::bigint", r.note(3))
	want(t, r.dst, r.patient(2), "select patient from deid.note_provenance where row_key = $1", `["`+r.note(3)+`"]`)
	want(t, r.dst, r.patient(1), "select patient from deid.note_provenance where row_key = $1", `["`+r.note(4)+`"]`)
	want(t, r.dst, "4", "select count(*)::text from deid.note_provenance")
}

func TestReplicateNewColumnStaysHidden(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t))
	do(t, r.src, patients)
	run := r.run(t, nil)
	r.caughtUp(t)
	// As if a DBA had made the publication, with all columns.
	do(t, r.src, "alter publication pgdeid set table ehr.note, ehr.patient, ehr.contact, ehr.staff, ehr.visit, ehr.line")
	do(t, r.src, `begin;
		insert into ehr.note values (1, 1, null, 'new', 'one');
		alter table ehr.note add column secret text default 'Xylophantmark';
		insert into ehr.note values (2, 1, null, 'new', 'two', 'Xylophantmark');
		commit;
		insert into ehr.note values (3, 1, null, 'new', 'three', 'Xylophantmark')`)
	r.caughtUp(t)
	want(t, r.dst, "3", "select count(*)::text from ehr.note")
	if found := marksInDatabase(t, r.dst, []string{"Xylophantmark"}); len(found) > 0 {
		t.Errorf("the new column is in %v", found)
	}
	if log := run.log.String(); !strings.Contains(log, "ehr.note.secret") || strings.Contains(log, "Xylophantmark") {
		t.Errorf("log: %s", tail(log, 5))
	}
	do(t, r.src, "alter table ehr.note rename column status to state; insert into ehr.note values (4, 1, null, 'new', 'four')")
	err := run.fails(t)
	if !strings.Contains(err.Error(), "status") || !strings.Contains(err.Error(), "ehr.note") {
		t.Errorf("drift: %v", err)
	}
}

func TestReplicateNameChangeRewritesNotes(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t))
	do(t, r.src, patients)
	do(t, r.src, `insert into ehr.note values (1, 1, null, 'new', 'Patient Qwfpblx ate.'), (2, 2, null, 'new', 'Qwfpblx is a word.'), (3, 1, null, 'new', 'Qwfpblx left.'),
		(4, 1, null, 'new', 'Quarkstein left, said Quarkstein.')`)
	r.run(t, exactDetector(t)) // the CRF may take the made-up word for a name
	r.caughtUp(t)
	do(t, r.src, "delete from ehr.note where note_id = 3")
	do(t, r.src, `insert into ehr.contact values (1, 1, '617-555-0134'); update ehr.patient set family = 'Qwfpblx' where patient_id = 1`)
	r.caughtUp(t)
	if text := r.body(t, 1); strings.Contains(text, "Qwfpblx") {
		t.Errorf("the new name is still in the note: %q", text)
	}
	want(t, r.dst, "Qwfpblx is a word.", "select body from ehr.note where note_id = $1::text::bigint", r.note(2))
	// The record does not have the old name any more, and still it must not come back.
	if text := r.body(t, 4); strings.Contains(text, "Quarkstein") {
		t.Errorf("the old name is back in the note: %q", text)
	}
	do(t, r.src, "insert into ehr.note values (6, 1, null, 'new', 'Formerly known as quarkstein.')")
	want(t, r.dst, "3", "select count(*)::text from ehr.note")
	// In one transaction, the note first.
	do(t, r.src, `begin; insert into ehr.note values (5, 3, null, 'new', 'Jane Arstdhnei.'); insert into ehr.patient values (3, 'Jane', 'Arstdhnei', null, null); commit`)
	r.caughtUp(t)
	if text := r.body(t, 6); strings.Contains(text, "quarkstein") {
		t.Errorf("the old name is in a new note: %q", text)
	}
	if text := r.body(t, 5); strings.Contains(text, "Arstdhnei") {
		t.Errorf("note before its patient: %q", text)
	}
}

// Domains, enums, padded keys, columns with capitals, a partitioned table.
func TestReplicateHospital(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	r := &replication{pair: p, slot: p.name, cfg: p.hospital(t), src: p.onSource(t), dst: p.onReplica(t)}
	r.cfg.HTTP = ""
	migrateUp(t, r.cfg)
	key, err := surrogate.ReadKey(r.cfg.KeyFile)
	if err != nil {
		t.Fatal(err)
	}
	r.key = key
	r.run(t, nil)
	r.caughtUp(t)
	do(t, r.src, `
		insert into ehr.note_line values (12, 1, 7, 'Ms. Ostrowe'), (13, 1, 7, 'Ida Ostrowe');
		insert into ehr.note values (12, 1, '2022-01-01', 'x', 'Ida', 'jdoe');
		update ehr.note_line set body = 'Ostrowe, Ida' where note_id = 13;
		delete from ehr.note_line where note_id = 11;
		insert into ehr.provider values (1, 'Bartholomew Grizzlewood', '555-0100'); insert into ehr.note values (14, 1, null, 'x', 'per Grizzlewood', 'jdoe')`)
	r.caughtUp(t)
	want(t, r.dst, "2", "select count(*)::text from ehr.note_line")
	want(t, r.dst, "3", "select count(*)::text from ehr.note")
	born := time.Date(1950, 2, 3, 0, 0, 0, 0, time.UTC).AddDate(0, 0, r.shift(t, 1)).Year()
	want(t, r.dst, fmt.Sprintf("F|%d|021|A", born), "select concat_ws('|', sex, birth_date, zip, blood_type) from ehr.patient")
	want(t, r.dst, "W1", `select "Ward" from ehr.encounter`)
	want(t, r.dst, "0", "select count(*)::text from deid.quarantine")
	if found := marksInDatabase(t, r.dst, []string{"Ostrowe", "Grizzlewood", "never to be seen", "M-1"}); len(found) > 0 {
		t.Errorf("found in %v", found)
	}
}
