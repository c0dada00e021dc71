package ensemble_test

import (
	"testing"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/ensembletest"
)

func TestConform(t *testing.T) {
	for _, d := range []ensemble.Detector{
		ensemble.NewPatterns(), ensemble.NewRecord(), ensemble.NewDirectory(),
	} {
		t.Run(d.Name(), func(t *testing.T) { ensembletest.Conform(t, d) })
	}
}
