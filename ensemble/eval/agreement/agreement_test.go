package agreement

import (
	"errors"
	"iter"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pgdeid/pgdeid/ensemble/ensembletest"
	"github.com/pgdeid/pgdeid/ensemble/eval/evaltest"
	"github.com/pgdeid/pgdeid/ensemble/eval/score"
)

// TestKappaOfSupplementaryTable5 has the paper's four numbers and every step it shows.
func TestKappaOfSupplementaryTable5(t *testing.T) {
	a := Agreement{Both: 185_455, OnlyA: 4919, OnlyB: 5411, Neither: 1_483_221}
	// The paper cuts p_o, p_yes and p_no off after four digits.
	for name, pair := range map[string][2]float64{
		"observed": {a.Observed(), 0.9938}, "expected": {a.Expected(), 0.7987}, "kappa": {a.Kappa(), 0.9694},
	} {
		if !near(pair[0], pair[1], 0.0001) {
			t.Errorf("%s: %.6f, want %v", name, pair[0], pair[1])
		}
	}
	if !near(a.Kappa(), 0.9694, 0.00005) {
		t.Errorf("kappa rounds to %.4f", a.Kappa())
	}
}

func TestKappaAtItsEnds(t *testing.T) {
	for name, tt := range map[string]struct {
		cells Agreement
		kappa float64
	}{
		"nothing":         {Agreement{}, 1},
		"all marked":      {Agreement{Both: 7}, 1},
		"none marked":     {Agreement{Neither: 7}, 1},
		"never the same":  {Agreement{OnlyA: 5, OnlyB: 5}, -1},
		"as chance gives": {Agreement{Both: 1, OnlyA: 1, OnlyB: 1, Neither: 1}, 0},
		"one marks all":   {Agreement{Both: 3, OnlyA: 4}, 0},
	} {
		if got := tt.cells.Kappa(); !near(got, tt.kappa, 1e-9) {
			t.Errorf("%s: %v, want %v", name, got, tt.kappa)
		}
	}
}

func TestAgree(t *testing.T) {
	a1, a2 := evaltest.Gold(t, "Mr. ⟦John Smith|PATIENT⟧ of ⟦Salem|CITY⟧"), evaltest.Gold(t, "on ⟦5/3/2014|DATE⟧.")
	b1, b2 := evaltest.Gold(t, "Mr. ⟦John|PATIENT⟧ Smith of ⟦Salem|STATE⟧"), evaltest.Gold(t, "on ⟦5/3|DATE⟧/2014.")
	got, err := Agree(ensembletest.Sequence(a1, a2), ensembletest.Sequence(b1, b2))
	if err != nil {
		t.Fatal(err)
	}
	want := Report{
		Docs: 2, Words: Agreement{Both: 3, OnlyA: 1, Neither: 3},
		Types: map[string]Agreement{
			"PATIENT": {Both: 1, OnlyA: 1, Neither: 5}, "DATE": {Both: 1, Neither: 6},
			"CITY": {OnlyA: 1, Neither: 6}, "STATE": {OnlyB: 1, Neither: 6},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	// 6 of 7 agree; by chance 4/7*3/7 + 3/7*4/7 = 24/49: (42 - 24) / (49 - 24).
	if k := got.Words.Kappa(); !near(k, 18./25, 1e-9) {
		t.Errorf("kappa %v", k)
	}
	other, err := Agree(ensembletest.Sequence(b1, b2), ensembletest.Sequence(a1, a2))
	if err != nil || !near(other.Words.Kappa(), 18./25, 1e-9) {
		t.Errorf("the other way round %v, %v", other.Words.Kappa(), err)
	}
	var table strings.Builder
	if err := got.WriteTable(&table); err != nil || !strings.Contains(table.String(), "kappa 0.7200") ||
		strings.Contains(table.String(), "Smith") {
		t.Errorf("%v:\n%s", err, table.String())
	}
}

func TestAgreeRefusesDifferentDocuments(t *testing.T) {
	a, b := evaltest.Gold(t, "⟦Quisenberry|PATIENT⟧ came"), evaltest.Gold(t, "somebody came")
	a.ID, b.ID = "x", "y"
	broken := func(yield func(score.Document, error) bool) { yield(score.Document{}, errors.New("broken")) }
	for name, tt := range map[string]struct {
		a, b iter.Seq2[score.Document, error]
		want string
	}{
		"text":   {ensembletest.Sequence(a), ensembletest.Sequence(b), "number 1 (x in the first set, y in the second)"},
		"longer": {ensembletest.Sequence(a, a), ensembletest.Sequence(a), "second set ends after 1"},
		"short":  {ensembletest.Sequence(a), ensembletest.Sequence(a, a), "first set ends after 1"},
		"first":  {broken, ensembletest.Sequence(a), "broken"},
		"second": {ensembletest.Sequence(a), broken, "broken"},
	} {
		_, err := Agree(tt.a, tt.b)
		if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "Quisenberry") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func near(a, b, by float64) bool { return math.Abs(a-b) <= by }
