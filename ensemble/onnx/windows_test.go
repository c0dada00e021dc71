package onnx

import (
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// checkWindows checks that the cores of windows cover a sequence, once, and that each
// position is answered by the window in which it has most context.
func checkWindows(t *testing.T, cuts []window, n, size int) {
	t.Helper()
	at := 0
	for i, w := range cuts {
		if w.start < 0 || w.end > n || w.end-w.start > size || w.from < w.start || w.to > w.end || w.from != at || n > 0 && w.to <= w.from {
			t.Fatalf("n %d, size %d: window %d is %+v, after %d", n, size, i, w, at)
		}
		at = w.to
		for p := w.from; p < w.to; p++ {
			context := min(p-w.start, w.end-1-p)
			for _, o := range cuts[max(i-1, 0):min(i+2, len(cuts))] {
				if p >= o.start && p < o.end && min(p-o.start, o.end-1-p) > context+1 && o.start > 0 && o.end < n {
					t.Fatalf("n %d, size %d: position %d has more context in %+v than in %+v", n, size, p, o, w)
				}
			}
		}
	}
	if at != n {
		t.Fatalf("n %d, size %d: covered to %d", n, size, at)
	}
}

func TestWindows(t *testing.T) {
	for _, size := range []int{8, 9, 31, 64, 100, 254, 256} {
		for n := range 1200 {
			checkWindows(t, windows(n, size), n, size)
		}
	}
}

func FuzzWindows(f *testing.F) {
	f.Add(uint16(1000), uint8(0))
	f.Fuzz(func(t *testing.T, n uint16, size uint8) {
		checkWindows(t, windows(int(n), 8+int(size)), int(n), 8+int(size))
	})
}

// checkCut checks that the cores of a note's segments hold all of its tokens, whole, in
// order and once.
func checkCut(t *testing.T, text string, size, limit int) {
	t.Helper()
	note := &ensemble.Note{Text: text}
	cut := newCutter(reader{size: size, overlap: overlap, limit: limit}, note, false, nil)
	var got strings.Builder
	token, ends := -1, 0
	for cut.next() {
		if n := len(cut.chunk.units); n > chunkUnits+size {
			t.Fatalf("%d units in a chunk", n)
		}
		for _, s := range cut.chunk.segments {
			if s.end-s.start > size || s.from < s.start || s.to > s.end {
				t.Fatalf("segment %+v, size %d", s, size)
			}
			for _, u := range cut.chunk.units[s.from:s.to] {
				if limit > 0 && len(u.text) > limit || u.token < token || u.token > token+1 {
					t.Fatalf("unit of %d bytes, of token %d after %d", len(u.text), u.token, token)
				}
				token = u.token
				got.WriteString(u.text)
			}
			if s.last {
				ends++
			}
		}
	}
	var want strings.Builder
	for _, tok := range note.View().Tokens {
		want.WriteString(text[tok.Start:tok.End])
	}
	if got.String() != want.String() || ends != len(note.View().Sentences()) {
		t.Fatalf("%d bytes in %d sentences, want %d in %d", got.Len(), ends, want.Len(), len(note.View().Sentences()))
	}
}

func TestCutter(t *testing.T) {
	for name, text := range map[string]string{
		"empty": "", "blank": " \n", "short": "Seen by Ann. Well.\n\nHome.", "long": strings.Repeat("seen by ", 5000),
		"many": strings.Repeat("Seen by Ann.\n", 1000), "one word": strings.Repeat("Länge", 5000),
		"words": strings.Repeat(strings.Repeat("é", 999)+" ", 700), "exact": strings.Repeat("a ", 256), "one more": strings.Repeat("a ", 257),
	} {
		for _, size := range []int{8, 100, 256} {
			for _, limit := range []int{0, 16, maxUnit} {
				t.Run(name, func(t *testing.T) { checkCut(t, text, size, limit) })
			}
		}
	}
}

func FuzzCutter(f *testing.F) {
	f.Add("Seen by Ann 😀 e\u0301. Well.\n\nHome", uint8(1), uint8(3))
	f.Fuzz(func(t *testing.T, s string, size, limit uint8) {
		if text.Check(s) == nil {
			checkCut(t, s, 8+int(size), 4+int(limit))
		}
	})
}

func TestTitleCase(t *testing.T) {
	for word, want := range map[string]string{
		"SMITH": "Smith", "J": "J", "ÉCOLE": "École", "İSTANBUL": "İstanbul", "ẞẞ": "ẞß", "Ω": "Ω", "ΣΑΣ": "Σασ",
		"A\u0301B": "A\u0301b", "ⱯA": "Ɐa", "KK": "Kk",
	} {
		if got := titleCase(word); got != want || len([]rune(got)) != len([]rune(word)) {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
}
