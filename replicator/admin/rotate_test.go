package admin

import (
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/replicator/vault"
	"github.com/pgdeid/pgdeid/sql/rotation"
)

func TestSummaryOfRotation(t *testing.T) {
	t.Parallel()
	proven := RotationReport{
		From: 1, To: 2, Tables: []ProvenTable{{"ehr.note", 10, 1}}, Vault: []vault.Checked{{Table: "deid.surrogate", Values: 7, Foreign: 2}},
		Before: []rotation.TableCount{{Table: "ehr.note", Rows: 9, Joins: []rotation.JoinCount{{Column: "patient_id", Other: "ehr.patient", Filled: 9, Found: 8}}}},
		After:  []rotation.TableCount{{Table: "ehr.note", Rows: 10, Joins: []rotation.JoinCount{{Column: "patient_id", Other: "ehr.patient", Filled: 10, Found: 9}}}},
		Broken: []string{"ehr.visit"},
	}
	if n := proven.Foreign(); n != 3 {
		t.Errorf("%d of another key", n)
	}
	for _, c := range []struct {
		phase   RotationPhase
		settled bool
		want    []string
	}{
		{RotationNone, true, []string{"epoch 2", "nothing is to be changed"}},
		{RotationBegun, false, []string{"begun", "start 'pgdeid run'"}},
		{RotationCopying, false, []string{"1 tables are still to be copied", "ehr.note"}},
		{RotationUnreleased, false, []string{"pgdeid release"}},
		{RotationUnproven, false, []string{"NOT changed", "10 rows, 1 of another key", "7 values, 2 of another key", "ehr.visit"}},
		{RotationDone, true, []string{"9 rows before, 10 now", "8 of 9 found before, 9 of 10 now", "nothing of epoch 1 is left", "old_key_file"}},
	} {
		r := proven
		r.Phase, r.Copying = c.phase, []string{"ehr.note"}
		text := r.Summary()
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s lacks %q:\n%s", c.phase, want, text)
			}
		}
		if r.Settled() != c.settled {
			t.Errorf("%s: settled %t", c.phase, r.Settled())
		}
	}
}
