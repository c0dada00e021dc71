package itest

import (
	"strings"
	"testing"
)

const long = 5000 // characters: stored out of line

func TestReplicateInserts(t *testing.T) {
	r := newReplication(t, newPair(t))
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
	// The surrogates and the shift of structured columns are those of the prose.
	family := one(t, r.dst, "select family from ehr.patient where patient_id = $1::text::int", r.patient(1))
	if text := r.body(t, 10); !strings.Contains(text, family) {
		t.Errorf("surname %s of the table is not in the note %q", family, text)
	}
	want(t, r.dst, "true", `select (n.written::date - '2021-03-04' = s.days)::text from ehr.note n
		join deid.date_shift s on s.patient = n.patient_id::text where n.note_id = $1::text::bigint`, r.note(10))
}
