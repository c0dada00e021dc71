package features

import (
	"context"
	"errors"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/ensembletest"
)

const sample = `SOCIAL HISTORY: Lives in New York with Vizirov.
Seen by: Dr.Smith on 02/20/2087
MC # 0937884Date, she's bleeding; 38:Z8912708G`

func sheetOf(t testing.TB, text string, opts Options) *Sheet {
	t.Helper()
	s, err := New(t.Context(), ensembletest.Note(text), opts)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// find returns the first token with the given text.
func find(t *testing.T, s *Sheet, word string) int {
	t.Helper()
	for i := range s.tokens {
		if s.text(i) == word {
			return i
		}
	}
	t.Fatalf("no token %q", word)
	return 0
}

func TestValues(t *testing.T) {
	s := sheetOf(t, sample, Options{Rules: true})
	for _, c := range []struct {
		word string
		attr Attribute
		want string
	}{
		{"Vizirov", Word, "Vizirov"},
		{"Vizirov", Lower, "vizirov"},
		{"Vizirov", Prefix3, "viz"},
		{"Vizirov", Suffix2, "ov"},
		{"Vizirov", Form, "Xx"},
		{"Vizirov", Length, "7"},
		{"Vizirov", Odds, ""},
		{"Vizirov", Section, "social history"},
		{"Vizirov", Glue, "_."},
		{"Vizirov", Line, "+"},
		{"bleeding", Stem, "bleed"},
		{"New", Places, "B"},
		{"York", Places, "I"},
		{"with", Places, ""},
		{"with", Role, "with stop"},
		{"Smith", Chunk, "Xx.Xx 2"},
		{"Smith", Field, "seen by"},
		{"Dr", Role, "doctor-title street"},
		{"02", Chunk, "00/00/0000 0"},
		{"02", Number, "month"},
		{"02", Pattern, "B-DATE"},
		{"2087", Number, "year"},
		{"2087", Lower, "0000"},
		{"2087", Pattern, "I-DATE"},
		{"2087", Line, "last"},
		{"0937884", Chunk, "0000000Xx 0"},
		{"0937884", Number, "long"},
		{"Z", Chunk, "00:X0000000X 2"},
		{"#", Form, "#"},
		{"#", Stem, ""},
		{"MC", Field, ""},
		{"MC", Section, "seen by"},
		{"Smith", Pattern + 1, ""},
		{"Smith", Record, ""},
	} {
		if got := s.Value(c.attr, find(t, s, c.word)); got != c.want {
			t.Errorf("%s of %q: %q, want %q", c.attr, c.word, got, c.want)
		}
	}
}

func TestRowsAreKeysOfValues(t *testing.T) {
	for _, text := range ensembletest.Texts() {
		if len(text.Text) > 20_000 {
			continue
		}
		s := sheetOf(t, text.Text, Options{Rules: true, Records: true})
		rows := s.Rows(nil, 0, len(s.tokens))
		for i := range rows {
			for a := range NumAttributes {
				if got, want := rows[i][a], KeyOf(a, s.Value(a, i)); got != want {
					t.Fatalf("%s: token %d, %s: key %x, of the value %x", text.Name, i, a, got, want)
				}
			}
		}
	}
}

func TestRecords(t *testing.T) {
	s := sheetOf(t, "Ms. O'Brannock, seen by Dr. Wibberley", Options{Records: true})
	if got := s.Value(Record, find(t, s, "Brannock")); got != "I-PATIENT" {
		t.Errorf("record: %q", got)
	}
	if got := s.Value(Directory, find(t, s, "Wibberley")); got != "B-DOCTOR" {
		t.Errorf("directory: %q", got)
	}
	if got := s.Value(Pattern, find(t, s, "Wibberley")); got != "" {
		t.Errorf("rules were not asked for and say %q", got)
	}
}

func TestParseAttribute(t *testing.T) {
	for a := range NumAttributes {
		if got, err := ParseAttribute(a.String()); got != a || err != nil {
			t.Errorf("%s: %v, %v", a, got, err)
		}
	}
	if _, err := ParseAttribute("colour"); err == nil {
		t.Error("an unknown attribute is no error")
	}
}

func TestKeysDiffer(t *testing.T) {
	seen := map[Key]string{}
	for a := range NumAttributes {
		for _, v := range []string{"a", "b", "ab", "ba", "abcdefgh", "abcdefg", "hgfedcba", "abcdefghi", "a\x00"} {
			key, name := KeyOf(a, v), a.String()+" "+v
			if other, twice := seen[key]; twice || key == 0 {
				t.Errorf("%s and %s have the key %x", name, other, key)
			}
			seen[key] = name
		}
	}
	if Cross(1, 0) != 0 || Cross(0, 1) != 0 || Cross(1, 2) == Cross(2, 1) {
		t.Error("crosses of nothing, or of two keys in another order")
	}
}

func TestContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := New(ctx, &ensemble.Note{Text: sample}, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func BenchmarkRows(b *testing.B) {
	note := ensembletest.Note(sample)
	var rows []Row
	tokens := 0
	for b.Loop() {
		s, err := New(b.Context(), note, Options{})
		if err != nil {
			b.Fatal(err)
		}
		rows = s.Rows(rows[:0], 0, len(s.tokens))
		tokens += len(rows)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(tokens), "ns/token")
}
