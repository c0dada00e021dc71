package ensemble_test

import (
	"slices"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/ensembletest"
)

func TestPaperCasesByRules(t *testing.T) {
	e, err := ensemble.Default()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range slices.Concat(ensembletest.SubwordCases(), ensembletest.StackingCases()) {
		switch problem := c.Check(t, e); {
		case problem != "" && c.Rules == "":
			t.Errorf("%s: %q: %s", c.Source, c.Text, problem)
		case problem == "" && c.Rules != "":
			t.Errorf("%s: %q is mended: take out %q", c.Source, c.Text, c.Rules)
		}
	}
}
