package ensemble_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/ensembletest"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

func seed(f *testing.F) {
	f.Helper()
	for _, text := range ensembletest.Texts() {
		if len(text.Text) < 2000 {
			f.Add(text.Text)
		}
	}
}

// FuzzTokenize checks that tokens are sorted, disjoint, on rune borders, and
// that only white space stands between them.
func FuzzTokenize(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, text string) {
		if ensemble.CheckText(text) != nil {
			return
		}
		end := 0
		for _, tok := range ensemble.Tokenize(text) {
			if tok.Start < end || tok.End <= tok.Start || tok.End > len(text) {
				t.Fatalf("token [%d, %d) after one that ends at %d", tok.Start, tok.End, end)
			}
			if !utf8.RuneStart(text[tok.Start]) || tok.End < len(text) && !utf8.RuneStart(text[tok.End]) {
				t.Fatalf("token [%d, %d) is not on rune borders", tok.Start, tok.End)
			}
			between := strings.Trim(text[end:tok.Start], "\ufeff")
			if strings.Trim(strings.TrimSpace(between), "\ufeff \t\r\n") != "" && strings.TrimSpace(strings.ReplaceAll(between, "\ufeff", "")) != "" {
				t.Fatalf("bytes [%d, %d) are in no token", end, tok.Start)
			}
			if tok.Space != (tok.Start > end || tok.Start == 0) {
				t.Fatalf("token [%d, %d): Space is %v", tok.Start, tok.End, tok.Space)
			}
			end = tok.End
		}
	})
}

func FuzzSentences(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, text string) {
		if ensemble.CheckText(text) == nil {
			checkSentences(t, text)
		}
	})
}

func fuzzDetector(f *testing.F, d ensemble.Detector) {
	f.Helper()
	seed(f)
	f.Fuzz(func(t *testing.T, text string) {
		if ensemble.CheckText(text) != nil {
			return
		}
		spans, err := d.Detect(t.Context(), ensembletest.Note(text), nil)
		if err != nil {
			t.Fatal(err)
		}
		ensembletest.CheckSpans(t, text, spans)
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
	f.Fuzz(func(t *testing.T, first, last, mrn, text string) {
		if ensemble.CheckText(first+last+mrn) != nil || ensemble.CheckText(text) != nil {
			return
		}
		g := ensemble.NewGazetteer(ensemble.Record{
			ensemble.NameFirst: {first}, ensemble.NameLast: {last}, ensemble.MRN: {mrn}, ensemble.NameFull: {text}, ensemble.RoleStreet: {text},
			ensemble.RoleEmail: {first + "@" + last}, ensemble.Facility: {last}, ensemble.BirthDate: {mrn},
		})
		spans, err := ensemble.NewRecord().Detect(t.Context(), &ensemble.Note{Text: text, Patient: g}, nil)
		if err != nil {
			t.Fatal(err)
		}
		ensembletest.CheckSpans(t, text, spans)
		spans = slices.DeleteFunc(spans, func(s phi.Span) bool { return !s.Sure })
		for _, r := range g.Leaks(text) {
			for at := r.Start; at < r.End; at++ {
				if !slices.ContainsFunc(spans, func(s phi.Span) bool { return s.Start <= at && at < s.End }) {
					t.Fatalf("byte %d of leak [%d, %d) is in no sure span of the detector", at, r.Start, r.End)
				}
			}
		}
	})
}
