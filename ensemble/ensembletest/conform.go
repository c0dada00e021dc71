package ensembletest

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/record"
)

// Conform checks that a detector keeps the contract of [ensemble.Detector] on
// ordinary and on odd texts: spans in range, on rune borders, of a type, sorted
// and disjoint; what stood in dst untouched; the same answer each time, from
// several goroutines too; a context that is done honoured; no panic.
func Conform(t *testing.T, d ensemble.Detector) {
	t.Helper()
	t.Run("name", func(t *testing.T) {
		if name := d.Name(); name == "" || name != strings.ToLower(name) || strings.ContainsAny(name, " \t\n") {
			t.Errorf("name %q: want a short word in lower case", name)
		}
	})
	for _, text := range Texts() {
		t.Run(text.Name, func(t *testing.T) { conformText(t, d, text.Text) })
	}
	t.Run("context", func(t *testing.T) { conformContext(t, d) })
	t.Run("concurrency", func(t *testing.T) { conformConcurrency(t, d) })
}

// Note returns a note of a made-up patient with a directory of made-up staff, so
// that detectors that need them have something to find.
func Note(text string) *ensemble.Note {
	return &ensemble.Note{Text: text, Patient: patient(), Directory: directory()}
}

var patient = sync.OnceValue(func() *record.Gazetteer {
	return record.NewGazetteer(record.Record{
		record.NameFirst: {"Zoë"}, record.NameMiddle: {"Q"}, record.NameLast: {"O'Brannock"},
		record.NameAlias: {"Long"}, record.RelativeName: {"Будимир Łukasz"}, record.BirthDate: {"1969-10-07"},
		record.Phone: {"555-010-7788"}, record.MRN: {"00481516"}, record.Email: {"zoe@example.org"},
		record.Street: {"500 State Highway 72"}, record.City: {"Quillburg"}, record.Zip: {"00501"},
	})
})

var directory = sync.OnceValue(func() *record.Gazetteer {
	return record.NewGazetteer(record.Record{
		record.ProviderName: {"Rose Pain, MD", "Ignatius Wibberley", "李 小龙"}, record.Facility: {"Quillburg General Hospital"},
	})
})

func conformText(t *testing.T, d ensemble.Detector, text string) {
	t.Helper()
	before := phi.Span{Start: 3, End: 7, Type: phi.Zip, Sure: true}
	got, err := d.Detect(t.Context(), Note(text), []phi.Span{before})
	if err != nil {
		t.Fatalf("error %v", err)
	}
	if len(got) == 0 || got[0] != before {
		t.Fatal("what stood in dst was changed")
	}
	CheckSpans(t, text, got[1:])
	again, err := d.Detect(t.Context(), Note(text), nil)
	if err != nil {
		t.Fatalf("second time: error %v", err)
	}
	if !slices.Equal(again, got[1:]) {
		t.Errorf("second time %d other spans than the %d of the first", len(again), len(got)-1)
	}
}

// CheckSpans checks what the contract says of the spans of one text. It prints
// offsets only.
func CheckSpans(t testing.TB, text string, spans []phi.Span) {
	t.Helper()
	end := 0
	for i, s := range spans {
		switch {
		case s.Start < 0 || s.End > len(text) || s.Start >= s.End:
			t.Fatalf("span %d [%d, %d) is empty or not within the %d bytes of the text", i, s.Start, s.End, len(text))
		case !utf8.RuneStart(text[s.Start]) || s.End < len(text) && !utf8.RuneStart(text[s.End]):
			t.Errorf("span %d [%d, %d) is not on rune borders", i, s.Start, s.End)
		case s.Start < end:
			t.Errorf("span %d [%d, %d) begins before the one before it ends, at %d", i, s.Start, s.End, end)
		case s.Type == phi.None || !slices.Contains(phi.Types(), s.Type):
			t.Errorf("span %d [%d, %d) has type %v", i, s.Start, s.End, s.Type)
		case s.By != 0:
			t.Errorf("span %d [%d, %d) says who found it, which is for the ensemble to say", i, s.Start, s.End)
		}
		end = s.End
	}
}

func conformContext(t *testing.T, d ensemble.Detector) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := d.Detect(ctx, Note("Seen on 3/5/2014 by Dr. Pain."), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("with a context that is done: error %v, want %v", err, context.Canceled)
	}
}

func conformConcurrency(t *testing.T, d ensemble.Detector) {
	t.Helper()
	texts := slices.DeleteFunc(Texts(), func(t Text) bool { return len(t.Text) > 50_000 })
	want := make([][]phi.Span, len(texts))
	for i, text := range texts {
		spans, err := d.Detect(t.Context(), Note(text.Text), nil)
		if err != nil {
			t.Fatalf("%s: error %v", text.Name, err)
		}
		want[i] = spans
	}
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for i := range texts {
				i = (i + g) % len(texts)
				got, err := d.Detect(t.Context(), Note(texts[i].Text), nil)
				if err != nil || !slices.Equal(got, want[i]) {
					t.Errorf("%s: other spans, or error %v, among goroutines", texts[i].Name, err)
				}
			}
		})
	}
	wg.Wait()
}
