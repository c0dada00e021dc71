//go:build native

package models

import (
	"slices"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/ensembletest"
	"github.com/pgdeid/pgdeid/internal/config"
)

func TestPaperCasesByDefault(t *testing.T) {
	e, err := open(t, []config.Model{{Default: true}}, nil).Ensemble(0)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range slices.Concat(ensembletest.SubwordCases(), ensembletest.StackingCases()) {
		switch problem := c.Check(t, e); {
		case problem != "" && c.Default == "":
			t.Errorf("%s: %q: %s", c.Source, c.Text, problem)
		case problem == "" && c.Default != "":
			t.Errorf("%s: %q is mended: take out %q", c.Source, c.Text, c.Default)
		}
	}
}
