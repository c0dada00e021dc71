package ensemble_test

import (
	"slices"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/ensembletest"
	"github.com/pgdeid/pgdeid/ensemble/phi"
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

// FuzzLeaks checks that what is blanked is gone, whatever the names and the
// text.
func FuzzLeaks(f *testing.F) {
	f.Add("Ann", "Long", "12345678", "Mr. Long, ann, LONG 123-456-78 ann@example.org")
	f.Add("0", "AA", "0", "\u0484")
	f.Add("", "000", "", "A AA")
	f.Add("李", "小龙", "ab-1", "李小龙 ab1")
	f.Fuzz(func(t *testing.T, first, last, mrn, body string) {
		if text.Check(first+last+mrn) != nil || text.Check(body) != nil {
			return
		}
		g := ensemble.NewGazetteer(ensemble.Record{
			ensemble.NameFirst: {first}, ensemble.NameLast: {last}, ensemble.MRN: {mrn}, ensemble.NameFull: {body}, ensemble.RoleStreet: {body},
			ensemble.RoleEmail: {first + "@" + last}, ensemble.Facility: {last}, ensemble.BirthDate: {mrn},
		})
		spans, err := ensemble.NewRecord().Detect(t.Context(), &ensemble.Note{Text: body, Patient: g}, nil)
		if err != nil {
			t.Fatal(err)
		}
		ensembletest.CheckSpans(t, body, spans)
		spans = slices.DeleteFunc(spans, func(s phi.Span) bool { return !s.Sure })
		for _, r := range g.Leaks(body) {
			for at := r.Start; at < r.End; at++ {
				if !slices.ContainsFunc(spans, func(s phi.Span) bool { return s.Start <= at && at < s.End }) {
					t.Fatalf("byte %d of leak [%d, %d) is in no sure span of the detector", at, r.Start, r.End)
				}
			}
		}
	})
}
