package surrogate

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/record"
)

func testKey(t testing.TB) *Key {
	t.Helper()
	k, err := newKey([]byte("0123456789abcdef0123456789abcdef"), 1)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func testMaker(t testing.TB, opts Options) *Maker {
	t.Helper()
	m, err := New(testKey(t), opts)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// testBook opens the book of a patient with this record and dates moved by shift days.
func testBook(t testing.TB, patient string, rec record.Record, shift int) *Book {
	t.Helper()
	return testMaker(t, Options{}).Patient(patient, record.NewGazetteer(rec), nil, shift)
}

// marked splits "Seen by {DOCTOR|Dr. Roe}" into the text and its spans.
func marked(t testing.TB, s string) (string, []phi.Span) {
	t.Helper()
	var text strings.Builder
	var spans []phi.Span
	for {
		before, rest, found := strings.Cut(s, "{")
		text.WriteString(before)
		if !found {
			return text.String(), spans
		}
		body, after, _ := strings.Cut(rest, "}")
		name, original, _ := strings.Cut(body, "|")
		typ, err := phi.ParseType(name)
		if err != nil {
			t.Fatal(err)
		}
		spans = append(spans, phi.Span{Start: text.Len(), End: text.Len() + len(original), Type: typ})
		text.WriteString(original)
		s = after
	}
}

// replaced returns the output for a marked text.
func replaced(t testing.TB, b *Book, s string) string {
	t.Helper()
	text, spans := marked(t, s)
	res, err := b.Replace(text, spans)
	if err != nil {
		t.Fatalf("Replace(%q): %v", s, err)
	}
	checkResult(t, res)
	return res.Text
}

// one replaces a text that consists of a single span.
func one(t testing.TB, b *Book, typ phi.Type, text string) string {
	t.Helper()
	return replaced(t, b, fmt.Sprintf("{%v|%s}", typ, text))
}

// checkResult checks the invariants of every result.
func checkResult(t testing.TB, res Result) {
	t.Helper()
	if !utf8.ValidString(res.Text) {
		t.Error("the output is not valid UTF-8")
	}
	n, end := utf8.RuneCountInString(res.Text), 0
	for _, s := range res.Spans {
		if s.Start < end || s.End <= s.Start || s.End > n {
			t.Errorf("span %d to %d is out of order, empty or beyond the %d code points", s.Start, s.End, n)
		}
		end = s.End
	}
	seen := map[string]bool{}
	for _, e := range res.New {
		if id := e.Kind + " " + e.Surrogate; seen[id] || len(e.Hash) != 16 || e.Surrogate == "" {
			t.Errorf("entry of kind %s is doubled or broken", e.Kind)
		} else {
			seen[id] = true
		}
	}
}

// johnSmith is the fictitious patient of most tests.
func johnSmith() record.Record {
	return record.Record{
		record.NameFirst: {"John"}, record.NameMiddle: {"Carl"}, record.NameLast: {"Smith"},
		record.City: {"Cambridge"}, record.State: {"MA"}, record.Zip: {"02139"},
		record.Street: {"12 Orchard Lane"}, record.Phone: {"(617) 230-4571"}, record.MRN: {"00482913"},
		record.SSN: {"219-09-9999"}, record.Email: {"john.smith@care.com"}, record.BirthDate: {"1941-03-05"},
	}
}
