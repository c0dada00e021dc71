package ensemble_test

import (
	"testing"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/ensembletest"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

func seed(f *testing.F) {
	f.Helper()
	for _, text := range ensembletest.Texts() {
		if len(text.Text) < 2000 {
			f.Add(text.Text)
		}
	}
}

func fuzzDetector(f *testing.F, d ensemble.Detector) {
	f.Helper()
	seed(f)
	f.Fuzz(func(t *testing.T, s string) {
		if text.Check(s) != nil {
			return
		}
		spans, err := d.Detect(t.Context(), ensembletest.Note(s), nil)
		if err != nil {
			t.Fatal(err)
		}
		ensembletest.CheckSpans(t, s, spans)
	})
}

func FuzzPatterns(f *testing.F) { fuzzDetector(f, ensemble.NewPatterns()) }

func FuzzRecord(f *testing.F) { fuzzDetector(f, ensemble.NewRecord()) }

func FuzzDirectory(f *testing.F) { fuzzDetector(f, ensemble.NewDirectory()) }
