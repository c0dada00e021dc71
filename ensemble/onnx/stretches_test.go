package onnx

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// ranges makes ranges of pairs of numbers.
func ranges(numbers ...int) []phi.Range {
	out := []phi.Range{}
	for i := 0; i < len(numbers); i += 2 {
		out = append(out, phi.Range{Start: numbers[i], End: numbers[i+1]})
	}
	return out
}

func TestContextOf(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		tokens    int
		ask, want []phi.Range
	}{
		"all":                {300, nil, ranges(0, 300)},
		"all of nothing":     {0, nil, nil},
		"nothing":            {300, ranges(), nil},
		"empty range":        {300, ranges(40, 40), nil},
		"one":                {300, ranges(100, 103), ranges(88, 111)},
		"at the start":       {300, ranges(3, 4), ranges(0, 12)},
		"at the end":         {300, ranges(295, 300), ranges(283, 300)},
		"far apart":          {300, ranges(50, 51, 100, 101), ranges(38, 59, 88, 109)},
		"they touch":         {300, ranges(50, 51, 71, 72), ranges(38, 80)},
		"one word between":   {300, ranges(50, 51, 72, 73), ranges(38, 59, 60, 81)},
		"three overlap":      {300, ranges(50, 51, 52, 53, 60, 70), ranges(38, 78)},
		"all of it by hand":  {30, ranges(0, 30), ranges(0, 30)},
		"short note":         {5, ranges(2, 3), ranges(0, 5)},
		"empty between ones": {300, ranges(50, 51, 60, 60, 100, 101), ranges(38, 59, 88, 109)},
	} {
		if got := contextOf(c.tokens, c.ask); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func TestSentencesOf(t *testing.T) {
	t.Parallel()
	// Tokens: Seen by Ann . | Well today . | Home
	note := &ensemble.Note{Text: "Seen by Ann. Well today.\n\nHome"}
	for name, c := range map[string]struct{ ask, want []phi.Range }{
		"all":                   {nil, ranges(0, 4, 4, 7, 7, 8)},
		"nothing":               {ranges(), nil},
		"one word":              {ranges(5, 6), ranges(4, 7)},
		"two of one sentence":   {ranges(0, 1, 3, 4), ranges(0, 4)},
		"over a border":         {ranges(3, 5), ranges(0, 4, 4, 7)},
		"first and last":        {ranges(0, 1, 7, 8), ranges(0, 4, 7, 8)},
		"an empty range":        {ranges(4, 4), nil},
		"over several of them":  {ranges(1, 8), ranges(0, 4, 4, 7, 7, 8)},
		"empty, then the third": {ranges(5, 5, 7, 8), ranges(7, 8)},
	} {
		if got := sentencesOf(note, c.ask); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func TestCheckAsk(t *testing.T) {
	t.Parallel()
	for name, ask := range map[string][]phi.Range{
		"nil": nil, "none": ranges(), "one": ranges(0, 8), "neighbours": ranges(0, 2, 2, 3), "empty": ranges(4, 4),
	} {
		if err := checkAsk(ask, 8); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, ask := range map[string][]phi.Range{
		"before the note": ranges(-1, 2), "behind it": ranges(3, 9), "backwards": ranges(3, 2), "unsorted": ranges(4, 5, 1, 2),
		"overlap": ranges(1, 4, 3, 5),
	} {
		if err := checkAsk(ask, 8); !errors.Is(err, errAsk) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAsker(t *testing.T) {
	t.Parallel()
	a := asker{ranges(2, 4, 4, 4, 9, 10)}
	for _, c := range []struct {
		from, to int
		want     bool
	}{{0, 2, false}, {0, 3, true}, {1, 5, true}, {3, 4, true}, {4, 9, false}, {5, 12, true}, {9, 10, true}, {10, 11, false}} {
		if got := a.any(c.from, c.to); got != c.want {
			t.Errorf("[%d, %d): %t", c.from, c.to, got)
		}
	}
	all := asker{}
	if !all.any(5, 6) || all.any(6, 6) {
		t.Error("without ranges all tokens are asked, and no empty range")
	}
}

// answered returns for each token in how many segments it counts, and checks segments.
func answered(t *testing.T, r reader, note *ensemble.Note, ask []phi.Range) []int {
	t.Helper()
	counts := make([]int, len(note.View().Tokens))
	cut := newCutter(r, note, false, ask)
	for cut.next() {
		if n := len(cut.chunk.units); n > chunkUnits+r.size {
			t.Fatalf("%d units in a chunk", n)
		}
		for _, s := range cut.chunk.segments {
			if s.end-s.start > r.size || s.from < s.start || s.to > s.end || s.from >= s.to {
				t.Fatalf("segment %+v, size %d", s, r.size)
			}
			for _, u := range cut.chunk.units[s.from:s.to] {
				counts[u.token]++
			}
		}
	}
	return counts
}

// Every token that is asked counts in one segment, and no segment is read in vain.
func TestWindowsOfNotesCoverWhatIsAsked(t *testing.T) {
	t.Parallel()
	note := &ensemble.Note{Text: strings.Repeat("seen by the\nnurse. ", 400)}
	n := len(note.View().Tokens)
	for _, size := range []int{leastWindow, 64, 96} {
		r := reader{size: size, overlap: noteOverlap, note: true}
		for name, ask := range map[string][]phi.Range{
			"all": nil, "one": ranges(n/2, n/2+1), "none": ranges(), "ends": ranges(0, 1, n-1, n), "long": ranges(100, 900, 950, 1000, n-3, n-1),
		} {
			counts := answered(t, r, note, ask)
			for token, count := range counts {
				asked := ask == nil || slices.ContainsFunc(ask, func(r phi.Range) bool { return token >= r.Start && token < r.End })
				if count > 1 || asked && count != 1 {
					t.Fatalf("size %d, %s: token %d counts %d times", size, name, token, count)
				}
			}
		}
	}
}

// The words around what is asked are read with it, on both sides and across lines.
func TestWindowsOfNotesHaveContext(t *testing.T) {
	t.Parallel()
	note := &ensemble.Note{Text: strings.Repeat("seen by the\nnurse. ", 100)}
	r := reader{size: 96, overlap: noteOverlap, note: true}
	for at := range note.View().Tokens {
		cut := newCutter(r, note, false, ranges(at, at+1))
		if !cut.next() || len(cut.chunk.segments) != 1 {
			t.Fatalf("token %d: %d segments", at, len(cut.chunk.segments))
		}
		s := cut.chunk.segments[0]
		first, last := cut.chunk.units[s.start].token, cut.chunk.units[s.end-1].token
		if first != max(0, at-wordsBefore) || last != min(len(note.View().Tokens)-1, at+wordsAfter) {
			t.Fatalf("token %d is read with [%d, %d]", at, first, last)
		}
		if cut.next() {
			t.Fatalf("token %d: a second chunk", at)
		}
	}
}

// Of a stretch of many chunks the last word is found, though nothing before it is read.
func TestCutterReachesTheEndOfALongSentence(t *testing.T) {
	t.Parallel()
	note := &ensemble.Note{Text: strings.Repeat("seen by ", 3*chunkUnits)}
	n := len(note.View().Tokens)
	counts := answered(t, reader{size: 256, overlap: overlap}, note, ranges(n-1, n))
	if counts[n-1] != 1 || counts[0] != 0 {
		t.Errorf("the last word counts %d times, the first %d times", counts[n-1], counts[0])
	}
}

func TestUnitsHaveColumns(t *testing.T) {
	t.Parallel()
	const text = "seen by Zed"
	note := &ensemble.Note{Text: text, Known: &ensemble.Known{Directory: []phi.Span{{Start: 8, End: 11, Type: phi.Doctor}}}}
	for _, reads := range []bool{true, false} {
		cut := newCutter(reader{size: 64, overlap: noteOverlap, note: true, features: reads, limit: 2}, note, false, nil)
		cut.next()
		for _, u := range cut.chunk.units {
			want := uint8(0)
			if reads && u.token == 2 {
				want = 1 // in all parts of a long word
			}
			if u.columns[1] != want {
				t.Errorf("features %t: %q has %v", reads, u.text, u.columns)
			}
			if !reads && u.columns != (columns{}) {
				t.Errorf("%q has columns that are not read", u.text)
			}
		}
	}
}

func FuzzWindowsOfNotes(f *testing.F) {
	f.Add("Seen by Ann. Well.\n\nHome", uint8(0), uint8(2), uint8(3), true)
	f.Fuzz(func(t *testing.T, s string, size, from, length uint8, whole bool) {
		if text.Check(s) != nil {
			return
		}
		note := &ensemble.Note{Text: s}
		n := len(note.View().Tokens)
		start := min(int(from), n)
		ask := ranges(start, min(start+int(length), n))
		for token, count := range answered(t, reader{size: leastWindow + int(size), overlap: noteOverlap, note: whole}, note, ask) {
			if asked := token >= ask[0].Start && token < ask[0].End; count > 1 || asked && count != 1 {
				t.Fatalf("token %d of %v counts %d times", token, ask, count)
			}
		}
	})
}
