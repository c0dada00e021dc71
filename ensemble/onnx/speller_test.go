package onnx

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
)

// letters is a tokenizer of which each letter is a piece, and of which a stop has none.
type letters struct {
	mu    sync.Mutex
	calls int
	bytes int // of the longest word
}

func (l *letters) encode(word string) ([]uint32, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.calls++
	l.bytes = max(l.bytes, len(word))
	var ids []uint32
	for _, r := range strings.ReplaceAll(word, ".", "") {
		if r == '!' {
			return nil, errors.New("broken")
		}
		ids = append(ids, uint32(r-'a'+1000))
	}
	return ids, nil
}

func testSpeller(positions int) (*speller, *letters) {
	l := &letters{}
	return newSpeller(&piecesConfig{Most: 6, CLS: 101, SEP: 102, Unknown: 100}, positions, l.encode), l
}

func unitsFor(words ...string) []unit {
	out := make([]unit, len(words))
	for i, w := range words {
		out[i] = unit{text: w, token: i}
	}
	return out
}

func TestSpellerWindow(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		positions int
		words     []string
		ids       []uint32
		begins    []int32
	}{
		"none":             {512, nil, []uint32{101, 102}, []int32{}},
		"two":              {512, []string{"ab", "c"}, []uint32{101, 1000, 1001, 1002, 102}, []int32{1, 3}},
		"without pieces":   {512, []string{"a", ".", "b"}, []uint32{101, 1000, 100, 1001, 102}, []int32{1, 2, 3}},
		"six at most":      {512, []string{"aaaaaaaaa", "b"}, []uint32{101, 1000, 1000, 1000, 1000, 1000, 1000, 1001, 102}, []int32{1, 7}},
		"as many as fit":   {8, []string{"aaaaaa"}, []uint32{101, 1000, 1000, 1000, 1000, 1000, 1000, 102}, []int32{1}},
		"one too many":     {8, []string{"aaaaaa", "b"}, []uint32{101, 1000, 1000, 1000, 1000, 1000, 1001, 102}, []int32{1, 6}},
		"all are cut":      {8, []string{"aaaaaa", "bbbbbb"}, []uint32{101, 1000, 1000, 1000, 1001, 1001, 1001, 102}, []int32{1, 4}},
		"a piece a word":   {5, []string{"aaa", "bb", "c"}, []uint32{101, 1000, 1001, 1002, 102}, []int32{1, 2, 3}},
		"short ones stay":  {9, []string{"aaaaaa", "b", "c"}, []uint32{101, 1000, 1000, 1000, 1000, 1000, 1001, 1002, 102}, []int32{1, 6, 7}},
		"an unknown, long": {5, []string{".", "bbb"}, []uint32{101, 100, 1001, 1001, 102}, []int32{1, 2}},
	} {
		s, _ := testSpeller(c.positions)
		ids, begins, err := s.window(unitsFor(c.words...))
		if err != nil || !slices.Equal(ids, c.ids) || !slices.Equal(begins, c.begins) {
			t.Errorf("%s: %v, %v, %v, want %v, %v", name, ids, begins, err, c.ids, c.begins)
		}
	}
}

func TestSpellerRefuses(t *testing.T) {
	t.Parallel()
	s, _ := testSpeller(4)
	if _, _, err := s.window(unitsFor("a", "b", "c")); !errors.Is(err, errPieces) {
		t.Errorf("more words than positions: %v", err)
	}
	if _, _, err := s.window(unitsFor("a", "!")); err == nil {
		t.Error("a tokenizer's failure passed")
	}
}

func TestSpellerKnowsWordsAgain(t *testing.T) {
	t.Parallel()
	s, l := testSpeller(512)
	for range 3 {
		for _, word := range []string{"seen", "by", "."} {
			pieces, err := s.word(word)
			if want, _ := s.spell(word); err != nil || !slices.Equal(pieces, want) {
				t.Fatalf("%s: %v, %v", word, pieces, err)
			}
		}
	}
	if l.calls != 3+9 { // 9 of the comparisons
		t.Errorf("%d calls of the tokenizer", l.calls)
	}
}

// Memory is bounded in words and in their length, and words that are used stay.
func TestSpellerIsBounded(t *testing.T) {
	t.Parallel()
	s, l := testSpeller(512)
	for i := range 4 * spelledWords {
		if _, err := s.word(fmt.Sprint("word", i)); err != nil {
			t.Fatal(err)
		}
		if _, err := s.word("often"); err != nil {
			t.Fatal(err)
		}
		if len(s.young) > spelledWords || len(s.old) > spelledWords {
			t.Fatalf("%d and %d words are kept", len(s.young), len(s.old))
		}
	}
	if l.calls != 4*spelledWords+1 {
		t.Errorf("%d calls: a word that is used all the time was forgotten", l.calls)
	}
	long := strings.Repeat("a", spelledBytes+1)
	for range 2 {
		if _, err := s.word(long); err != nil {
			t.Fatal(err)
		}
	}
	if _, kept := s.young[long]; kept || l.calls != 4*spelledWords+3 {
		t.Error("a long word was kept")
	}
}

// A word of megabytes costs no more than a long one, and is cut on a rune's border.
func TestSpellerReadsLongWordsInPart(t *testing.T) {
	t.Parallel()
	s, l := testSpeller(512)
	pieces, err := s.word("x" + strings.Repeat("é", 1<<20))
	if err != nil || len(pieces) != 6 {
		t.Fatalf("%v, %v", pieces, err)
	}
	if l.bytes > maxUnit || l.bytes%2 != 1 {
		t.Errorf("%d bytes were read", l.bytes)
	}
}

func TestSpellerForSeveral(t *testing.T) {
	t.Parallel()
	s, _ := testSpeller(512)
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 2000 {
				word := strings.Repeat("a", 1+(i*7+g)%30)
				pieces, err := s.word(word)
				if err != nil || len(pieces) != min(6, len(word)) {
					t.Errorf("%d pieces of %d letters, %v", len(pieces), len(word), err)
					return
				}
			}
		})
	}
	wg.Wait()
}

func TestPiecesConfig(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]piecesConfig{
		"no pieces": {0, 1, 2, 3}, "too many": {65, 1, 2, 3}, "negative": {6, -1, 2, 3}, "no id": {6, 1, 1 << 32, 3},
	} {
		if err := c.validate(); err == nil {
			t.Errorf("%s: %+v passed", name, c)
		}
	}
	if err := (&piecesConfig{6, 101, 102, 100}).validate(); err != nil {
		t.Error(err)
	}
}
