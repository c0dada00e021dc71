package itest

import (
	"errors"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/review"
	"github.com/pgdeid/pgdeid/replicator/admin"
	"github.com/pgdeid/pgdeid/replicator/desk"
)

const repairSeen = "Zebulon saw Grizzlewood near the Quarkstein ward."

// repairing is a reviewer who has read a note of a column and repairs places of it.
type repairing struct {
	*desk.Desk

	t    testing.TB
	role string
	at   review.Item
}

func (r *repairing) repair(by, seen, words, typ string, v review.Verdict, found string) (int64, error) {
	r.t.Helper()
	at := func(words string) (int, int) {
		i := strings.Index(seen, words)
		start := len([]rune(seen[:i]))
		return start, start + len([]rune(words))
	}
	m := review.Mark{Type: typ, Verdict: v}
	m.Start, m.End = at(words)
	if found != "" {
		m.Found = &review.Span{Type: found}
		m.Found.Start, m.Found.End = at(words)
	}
	return r.RepairHere(r.t.Context(), r.role, review.Repair{By: by, Mark: m}, r.at, seen)
}

// reprocessed has all notes made anew that are not up to date, without a stream.
func (r *replication) reprocessed(t testing.TB) {
	t.Helper()
	o, _ := r.options(t, exactDetector(t))
	if _, err := (&admin.Reprocess{}).Run(t.Context(), o, nil); err != nil {
		t.Fatal(err)
	}
}

// A missed word is repaired at that place alone, and stays so when the note is made anew, until it is taken back or gone.
func TestRepairOfOnePlace(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t)).exactly(t)
	do(t, r.src, patients)
	do(t, r.src, `insert into ehr.note values (1, 1, null, 'new', '`+repairSeen+`'), (2, 1, null, 'new', '`+repairSeen+`')`)
	running := r.run(t, exactDetector(t))
	r.caughtUp(t)
	running.stop(t)
	role := r.sourceRole(t, "reader", "grant select on ehr.note to READER")
	person := &repairing{r.deskWith(t, exactDetector(t)), t, role, review.Item{Note: review.Note{Table: "ehr.note", Column: "body", Row: `["1"]`}, Key: []string{"1"}}}
	check := func(when string, has ...string) {
		t.Helper()
		r.reprocessed(t)
		got := r.body(t, 1)
		for _, word := range has {
			if absent := strings.TrimPrefix(word, "-"); strings.Contains(got, absent) == (absent != word) {
				t.Errorf("%s: %q in %q", when, word, got)
			}
		}
		if other := r.body(t, 2); !strings.Contains(other, "Grizzlewood") || strings.Contains(other, "Quarkstein") {
			t.Errorf("%s: another note of the patient: %q", when, other)
		}
	}
	check("before", "Grizzlewood", "-Quarkstein", "-Zebulon")
	if _, err := person.repair("ann", "Another text with Grizzlewood.", "Grizzlewood", "PATIENT", review.Missed, ""); !errors.Is(err, review.ErrChanged) {
		t.Errorf("another text: %v", err)
	}
	first, err := person.repair("ann", repairSeen, "Grizzlewood", "PATIENT", review.Missed, "")
	if err != nil {
		t.Fatal(err)
	}
	check("repaired", "-Grizzlewood", "-Quarkstein")
	if _, err := person.repair("ann", repairSeen, "Quarkstein", "PATIENT", review.Wrong, "PATIENT"); err != nil {
		t.Fatal(err)
	}
	check("the record's name can't be let through", "-Grizzlewood", "-Quarkstein")
	do(t, r.src, "update ehr.note set body = body || ' Slept well.' where note_id = 1")
	check("a sentence was added", "-Grizzlewood", "Slept well.")
	want(t, r.dst, "f t", "select string_agg(left(void::text, 1), ' ' order by id) from deid.review_repair")
	o, _ := r.options(t, exactDetector(t))
	o.Version = "next"
	r.reprocess(t, o, admin.Reprocess{}, admin.ReprocessResult{Read: 2, Unchanged: 2})
	check("made by the next version", "-Grizzlewood")
	do(t, r.src, "update ehr.note set body = 'New beginning. ' || body where note_id = 1")
	check("the words are elsewhere", "Grizzlewood")
	want(t, r.dst, "t t", "select string_agg(left(void::text, 1), ' ' order by id) from deid.review_repair")
	s, err := admin.ReadStatus(t.Context(), r.cfg, 0)
	if err != nil || s.Repairs != (admin.RepairsStatus{Void: 2}) {
		t.Errorf("%+v, %v", s, err)
	}
	do(t, r.src, "update ehr.note set body = '"+repairSeen+"' where note_id = 1")
	check("as it was", "-Grizzlewood")
	want(t, r.dst, "f f", "select string_agg(left(void::text, 1), ' ' order by id) from deid.review_repair")
	if err := person.TakeBack(t.Context(), first, "office", nil); err != nil {
		t.Fatal(err)
	}
	check("taken back", "Grizzlewood")
	if found := marksInVault(t, r, []string{"Grizzlewood", "Quarkstein"}); len(found) > 0 {
		t.Errorf("words of the note stand in %v", found)
	}
}
