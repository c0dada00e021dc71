package itest

import (
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/review"
)

// What people decided about a note of an id holds for whomever the id stands: when two patients become one, when that is
// undone, and when the note is filed under another patient.
func TestRepairsOutliveMerges(t *testing.T) {
	t.Parallel()
	r := newReplicationOf(t, newPair(t), ward+optOuts+mergeTable, merges+excludeRefused+wardTables)
	do(t, r.src, patients)
	const remembered = "Called Plonkmark."
	do(t, r.src, `insert into ehr.note values (21, 1, null, 'new', '`+repairSeen+`'), (22, 1, null, 'new', '`+remembered+`'), (23, 2, null, 'new', '`+repairSeen+`')`)
	r.run(t, exactDetector(t))
	r.caughtUp(t)
	role := r.sourceRole(t, "reader", "grant select on ehr.note to READER")
	d := r.deskWith(t, exactDetector(t))
	at := func(key string) review.Item {
		return review.Item{Note: review.Note{Table: "ehr.note", Column: "body", Row: `["` + key + `"]`}, Key: []string{key}}
	}
	check := func(when string, shown map[int64]string) {
		t.Helper()
		r.caughtUp(t)
		for note, has := range map[int64]string{21: "Grizzlewood", 22: "Plonkmark", 23: "Grizzlewood"} {
			if got := strings.Contains(r.body(t, note), has); got != (shown[note] != "") {
				t.Errorf("%s: note %d: %q", when, note, r.body(t, note))
			}
		}
	}
	check("before", map[int64]string{21: "seen", 22: "seen", 23: "seen"})
	here := &repairing{d, t, role, at("21")}
	if _, err := here.repair("ann", repairSeen, "Grizzlewood", "PATIENT", review.Missed, ""); err != nil {
		t.Fatal(err)
	}
	check("repaired", map[int64]string{22: "seen", 23: "seen"})
	do(t, r.src, "insert into ehr.identity values (1, 1, 2)")
	check("merged", map[int64]string{22: "seen", 23: "seen"})
	if _, err := d.Remember(t.Context(), role, "ann", at("22"), remembered, [2]int{7, 16}); err != nil {
		t.Fatal(err)
	}
	second := &repairing{d, t, role, at("23")}
	id, err := second.repair("ann", repairSeen, "Grizzlewood", "PATIENT", review.Missed, "")
	if err != nil {
		t.Fatal(err)
	}
	check("repaired while merged", nil)
	do(t, r.src, "delete from ehr.identity")
	check("the merge is undone", nil)
	do(t, r.src, "update ehr.note set patient_id = 2 where note_id = 21")
	check("filed under another patient", nil)
	if err := d.TakeBack(t.Context(), id, "ann", nil); err != nil {
		t.Fatal(err)
	}
	check("taken back", map[int64]string{23: "seen"})
	if found := marksInVault(t, r, []string{"Grizzlewood", "Plonkmark"}); len(found) > 0 {
		t.Errorf("words of the notes are in %v", found)
	}
}
