package record_test

import (
	"slices"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/ensembletest"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

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
		g := record.NewGazetteer(record.Record{
			record.NameFirst: {first}, record.NameLast: {last}, record.MRN: {mrn}, record.NameFull: {body}, record.Street: {body},
			record.Email: {first + "@" + last}, record.Facility: {last}, record.BirthDate: {mrn},
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
