package ensembletest

import (
	"iter"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// Unmark splits "on ⟦3/5|DATE⟧" into the plain text and the marked spans.
func Unmark(t testing.TB, marked string) (string, []phi.Span) {
	t.Helper()
	var text strings.Builder
	var spans []phi.Span
	for {
		before, rest, ok := strings.Cut(marked, "⟦")
		text.WriteString(before)
		if !ok {
			return text.String(), spans
		}
		inside, after, ok := strings.Cut(rest, "⟧")
		bar := strings.LastIndexByte(inside, '|')
		if !ok || bar < 0 {
			t.Fatalf("mark without end or type in %q", marked)
		}
		typ, err := phi.ParseType(inside[bar+1:])
		if err != nil {
			t.Fatal(err)
		}
		start := text.Len()
		text.WriteString(inside[:bar])
		spans = append(spans, phi.Span{Start: start, End: text.Len(), Type: typ})
		marked = after
	}
}

// Mark is the inverse of [Unmark].
func Mark(text string, spans []phi.Span) string {
	var b strings.Builder
	at := 0
	for _, s := range spans {
		b.WriteString(text[at:s.Start] + "⟦" + text[s.Start:s.End] + "|" + s.Type.String() + "⟧")
		at = s.End
	}
	return b.String() + text[at:]
}

// CheckMarked runs a detector over marked texts: it must find the marked spans
// and no other, leaving out types that the table does not speak of.
func CheckMarked(t testing.TB, d ensemble.Detector, note func(string) *ensemble.Note, rows []string, leaveOut ...phi.Type) {
	t.Helper()
	for _, row := range rows {
		text, _ := Unmark(t, row)
		spans, err := d.Detect(t.Context(), note(text), nil)
		if err != nil {
			t.Fatal(err)
		}
		var kept []phi.Span
		for _, s := range spans {
			out := false
			for _, typ := range leaveOut {
				out = out || s.Type == typ
			}
			if !out {
				kept = append(kept, s)
			}
		}
		if got := Mark(text, kept); got != row {
			t.Errorf("\n got %s\nwant %s", got, row)
		}
	}
}

// PlainNote returns a note of which nothing but the text is known.
func PlainNote(text string) *ensemble.Note { return &ensemble.Note{Text: text} }

// Sequence returns items as a sequence without errors.
func Sequence[T any](items ...T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, item := range items {
			if !yield(item, nil) {
				return
			}
		}
	}
}
