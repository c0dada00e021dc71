package eval

import (
	"slices"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/ensembletest"
	"github.com/pgdeid/pgdeid/ensemble/inclusion"
)

// The effect of the inclusion list is a row of the ablation.
func TestAblationOfTheInclusionList(t *testing.T) {
	const sentence = "Mr. Coffee machine was used."
	e, err := ensembletest.WithTitles()
	if err != nil {
		t.Fatal(err)
	}
	doc := gold(t, "Seen by Dr. ⟦Jane Moss|DOCTOR⟧.\n"+sentence)
	trial := func(e *ensemble.Ensemble, name string) (Trial, bool) {
		res, err := Run(t.Context(), e, ensembletest.Sequence(doc), Options{Ablation: true})
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(res.Ablation, func(tr Trial) bool { return tr.Name == name })
		if i < 0 {
			return Trial{}, false
		}
		return res.Ablation[i], true
	}
	const row = "without the inclusion list"
	if _, ok := trial(e, row); ok {
		t.Error("a row for a list that is not there")
	}
	listed := e.WithInclusion(inclusion.New(slices.Values([]string{sentence})))
	with, _ := trial(listed, "all")
	without, ok := trial(listed, row)
	plain, _ := trial(e, "all")
	if c := with.Groups["C"]; c.False != 0 || c.Missed() != 0 {
		t.Errorf("with the list: %+v", c)
	}
	if c := without.Groups["C"]; !ok || c.False == 0 || c != plain.Groups["C"] {
		t.Errorf("without: %+v, and without any %+v", c, plain.Groups["C"])
	}
}
