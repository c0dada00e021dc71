package synth

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
)

// TestDefaultHospitalIsUnchanged pins the notes of the default hospital: they are a
// development test, and figures must stay comparable from release to release.
func TestDefaultHospitalIsUnchanged(t *testing.T) {
	h := hospital(t, 7, Options{})
	sum := sha256.New()
	for d := range h.Notes() {
		_, _ = fmt.Fprintln(sum, d.Text, d.Patient.Record())
		for _, s := range d.Spans {
			_, _ = fmt.Fprintln(sum, s.Start, s.End, s.Type)
		}
	}
	if got, want := hex.EncodeToString(sum.Sum(nil)[:8]), "99e8897d0475edab"; got != want {
		t.Errorf("the notes of seed 7 have the hash %s, want %s", got, want)
	}
}

func TestFoldsAreDisjoint(t *testing.T) {
	all := LexiconLists()
	train, heldOut := all.Fold(TrainNames), all.Fold(HeldOutNames)
	for g := range lexicon.NumGroups {
		whole, a, b := all.Surnames[g], train.Surnames[g], heldOut.Surnames[g]
		if len(a)+len(b) != len(whole) || len(b) < len(whole)/7 || len(b) > len(whole)/3 {
			t.Errorf("group %s: %d surnames to train, %d held out, of %d", GroupName(g), len(a), len(b), len(whole))
		}
		for _, name := range b {
			if slices.Contains(a, name) {
				t.Errorf("%q is in both folds", name)
			}
		}
	}
	for _, same := range []string{"GARCIA", "garcía", "Garcia"} {
		if TrainNames.Has(same) != TrainNames.Has("Garcia") || TrainNames.Has(same) == HeldOutNames.Has(same) {
			t.Errorf("the fold of %q depends on its case or accents", same)
		}
	}
}

// TestHeldOutHospital checks that no listed surname of the other fold is borne by a
// patient.
func TestHeldOutHospital(t *testing.T) {
	lists := LexiconLists().Fold(HeldOutNames)
	lists.Even = true
	h := hospital(t, 3, Options{Patients: 400, Notes: 1, Lists: &lists})
	groups := [lexicon.NumGroups]int{}
	for i := range h.Patients {
		p := &h.Patients[i]
		groups[p.Group]++
		if slices.Contains(lexicon.Surnames(p.Group), p.Name.Last) && !HeldOutNames.Has(p.Name.Last) {
			t.Errorf("surname %q is of the training fold", p.Name.Last)
		}
	}
	for g, n := range groups {
		if n < 50 {
			t.Errorf("%d of 400 patients are of group %s, want about 80", n, GroupName(lexicon.Group(g)))
		}
	}
}
