package proposal

import (
	"slices"
	"strings"
	"testing"
)

func TestRemarks(t *testing.T) {
	t.Parallel()
	ints := func(names ...string) []*column {
		var all []*column
		for _, n := range names {
			all = append(all, &column{name: n, dataType: "integer"})
		}
		return all
	}
	db := &database{tables: []*table{
		{schema: "ehr", name: "patient", key: []string{"patient_id"}, columns: ints("patient_id")},
		{schema: "ehr", name: "research_opt_out", key: []string{"id"}, columns: ints("id", "patient_id")},
		{schema: "ehr", name: "options", key: []string{"id"}, columns: ints("id", "patient_id")},
		{schema: "ehr", name: "consent_form", key: []string{"id"}, columns: ints("id", "text")},
		{schema: "ehr", name: "person_merge_log", key: []string{"id"}, columns: ints("id", "winner_person_id", "loser_person_id")},
		{schema: "ehr", name: "merge_conflicts", key: []string{"id"}, columns: ints("id", "old_value", "new_value")},
	}}
	want := []string{
		"exclude: {table: ehr.research_opt_out, patient: patient_id} #",
		"merges: {table: ehr.person_merge_log, from: loser_person_id, to: winner_person_id} #",
	}
	got := db.remarks(db.findPeople(), nil)
	if len(got) != len(want) || !slices.EqualFunc(got, want, strings.HasPrefix) {
		t.Errorf("%q, want %q", got, want)
	}
}
