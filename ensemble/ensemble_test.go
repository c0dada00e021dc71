package ensemble

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// fixed is a detector that finds given spans.
type fixed struct {
	name  string
	spans []phi.Span
	err   error
}

func (d fixed) Name() string { return d.name }

func (d fixed) Detect(_ context.Context, _ *Note, dst []phi.Span) ([]phi.Span, error) {
	return append(dst, d.spans...), d.err
}

func TestNewRefuses(t *testing.T) {
	tests := []struct {
		opts Options
		want string
	}{
		{Options{Detectors: []string{"oracle"}}, `unknown detector "oracle" (known: patterns, record,`},
		{Options{Detectors: []string{}}, "at least one"},
		{Options{Detectors: []string{"patterns", "patterns"}}, "twice"},
		{Options{Detectors: []string{"patterns"}, Threshold: 2}, "more than the 1"},
		{Options{Members: []Member{{Detector: fixed{name: "record"}}}}, "twice"},
		{Options{Members: make([]Member, 40)}, "too many"},
	}
	for _, tt := range tests {
		if _, err := New(tt.opts); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("error %v, want %q in it", err, tt.want)
		}
	}
}

func TestDetectFailsClosed(t *testing.T) {
	boom := errors.New("boom")
	ens, err := New(Options{Detectors: []string{"patterns"}, Members: []Member{{Detector: fixed{name: "bad", err: boom}}}})
	if err != nil {
		t.Fatal(err)
	}
	spans, err := ens.Detect(t.Context(), &Note{Text: "Dr. Smith"})
	if !errors.Is(err, boom) || spans != nil || !strings.Contains(err.Error(), "detector bad") {
		t.Errorf("got %d spans and error %v", len(spans), err)
	}
	for _, text := range []string{"a\x00b", "a\xffb"} {
		if _, err := ens.Detect(t.Context(), &Note{Text: text}); err == nil {
			t.Errorf("a text that can't be searched passed")
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := ens.Detect(ctx, &Note{Text: "Dr. Smith"}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
}

func TestNamesOfVotes(t *testing.T) {
	ens, err := New(Options{Detectors: []string{"record", "patterns"}})
	if err != nil {
		t.Fatal(err)
	}
	if got := ens.Names(0b11); !slices.Equal(got, []string{"record", "patterns"}) {
		t.Errorf("got %v", got)
	}
	if got := ens.Names(0b10); !slices.Equal(got, []string{"patterns"}) {
		t.Errorf("got %v", got)
	}
}

func TestDetectTellsVotes(t *testing.T) {
	ens, err := New(Options{Detectors: []string{"patterns"}, Members: []Member{
		{Detector: fixed{name: "other", spans: []phi.Span{{Start: 8, End: 17, Type: phi.Date}}}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	spans, err := ens.Detect(t.Context(), &Note{Text: "seen on 4/27/2004"})
	if err != nil || len(spans) != 1 || spans[0].By != 0b11 {
		t.Errorf("spans %+v, error %v", spans, err)
	}
}

func FuzzEnsemble(f *testing.F) {
	f.Add("Seen on 4/27/04 at 12 Elm St., Flint, MI 48502; call 810-555-0142, MRN 0012345.")
	f.Add("Mr. \u200bŚmith's wife, of St. ,, Xx Hospital-Hospital / . D.")
	ens, err := Default()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, body string) {
		if text.Check(body) != nil {
			return
		}
		spans, err := ens.Detect(t.Context(), &Note{Text: body})
		if err != nil {
			t.Fatal(err)
		}
		end := 0
		for _, s := range spans {
			if s.Start < end || s.End <= s.Start || s.End > len(body) || s.By == 0 {
				t.Errorf("span %+v after %d in %d bytes", s, end, len(body))
			}
			if !startsRune(body, s.Start) || !startsRune(body, s.End) {
				t.Errorf("span %+v cuts a rune", s)
			}
			end = s.End
		}
	})
}

func startsRune(s string, i int) bool { return i == len(s) || s[i]&0xc0 != 0x80 }

// benchmarkNote is about 3 KB of a progress note with what a note holds of PHI.
var benchmarkNote = strings.Repeat(`Patient: Smith, John C   MRN: 4471829   DOB: 03/14/1951
HISTORY OF PRESENT ILLNESS: Mr. Smith is a 72-year-old man with hypertension, type 2 diabetes mellitus and chronic
kidney disease who presents with three days of productive cough and low grade fever. He denies chest pain, orthopnea
or lower extremity edema. He lives in Flint, MI with his wife Mary and works as a carpenter. He was seen at Samson
rehab in January and by Dr. Jane Roe at Mercy Hospital on 4/27/2024. Medications include metoprolol 25 mg twice daily,
lisinopril 10 mg daily, atorvastatin 40 mg at bedtime and insulin glargine 18 units. Blood pressure 138/72, pulse 84,
respirations 18, temperature 99.8. Lungs with crackles at the right base. Heart regular without murmur. Abdomen soft.
ASSESSMENT AND PLAN: Community acquired pneumonia. Start doxycycline 100 mg twice daily for seven days. Chest x-ray in
six weeks. Call 810-555-0142 with questions. Signed by: Carla Espinoza, RN on 4/29/2024 at 10:42.
`, 3)

// BenchmarkEnsemble measures all built-in members on notes of 3 KB, one core.
func BenchmarkEnsemble(b *testing.B) {
	ens, err := Default()
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(benchmarkNote)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ens.Detect(b.Context(), &Note{Text: benchmarkNote}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "notes/s")
}

func BenchmarkWords(b *testing.B) {
	b.SetBytes(int64(len(benchmarkNote)))
	for b.Loop() {
		note := Note{Text: benchmarkNote}
		note.View().Entries()
	}
}
