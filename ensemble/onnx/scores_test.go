package onnx

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble"
)

func testLabels(t *testing.T) *labelSet {
	t.Helper()
	set, err := parseLabels([]string{"O", "B-PATIENT", "I-PATIENT", "B-CITY", "I-CITY"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func logits(probs ...float64) []float32 {
	out := make([]float32, len(probs))
	for i, p := range probs {
		out[i] = float32(math.Log(p)) + 3 // softmax takes the 3 away
	}
	return out
}

func TestTally(t *testing.T) {
	var tally tally
	for range 2 { // the second time in used memory
		tally.reset(testLabels(t), 4)
		add := func(from, to int, probs ...float64) {
			first, err := tally.read(logits(probs...))
			if err != nil {
				t.Fatal(err)
			}
			tally.add(from, to, first)
		}
		add(0, 1, .2, .5, .1, .1, .1)      // unit 0
		add(1, 2, .9, .02, .02, .02, .04)  // unit 1, its first piece
		add(1, 2, .1, .8, .04, .03, .03)   // and a later one that gives it away
		add(2, 4, .3, .1, .1, .1, .4)      // a piece in two units
		add(3, 3, .01, .96, .01, .01, .01) // a piece in none
		s := tally.scores()
		if want := []uint16{0, 1, 2, 3}; !slices.Equal(s.units, want) {
			t.Fatalf("units %v, want %v", s.units, want)
		}
		if want := []bool{true, false, false, false}; !slices.Equal(s.first, want) {
			t.Errorf("first %v, want %v", s.first, want)
		}
		for i, want := range in65535ths(.6, .2, .84, .06, .2, .5, .2, .5) {
			if got := s.probs[i]; max(got, want)-min(got, want) > 2 {
				t.Errorf("probability %d is %d, want %d", i, got, want)
			}
		}
	}
}

func TestTallyLeavesOutWhatIsSurelyNothing(t *testing.T) {
	var tally tally
	tally.reset(testLabels(t), 300)
	first, err := tally.read(logits(.9999, .00002, .00003, .00002, .00003))
	if err != nil {
		t.Fatal(err)
	}
	tally.add(0, 300, first)
	if s := tally.scores(); len(s.units) != 0 || s.bytes() > 200 {
		t.Errorf("%d units in %d bytes", len(s.units), s.bytes())
	}
}

func TestTallyRefusesWhatIsNotFinite(t *testing.T) {
	var tally tally
	tally.reset(testLabels(t), 1)
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for name, row := range map[string][]float32{
		"NaN": {0, nan, 0, 0, 0}, "first NaN": {nan, 0, 0, 0, 0}, "infinite": {0, 0, inf, 0, 0},
		"all": {-inf, -inf, -inf, -inf, -inf},
	} {
		if _, err := tally.read(row); !errors.Is(err, errNotFinite) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestJoinWindows(t *testing.T) {
	a := &scores{units: []uint16{1, 5}, first: []bool{true, false}, probs: []uint16{10, 20, 30, 40}}
	b := &scores{units: []uint16{0, 5, 9}, first: []bool{false, true, true}, probs: []uint16{1, 2, 50, 3, 4, 5}}
	got := joinWindows([]*scores{a, {}, b}, 2)
	want := &scores{units: []uint16{0, 1, 5, 9}, first: []bool{false, true, false, true}, probs: []uint16{1, 2, 10, 20, 50, 40, 4, 5}}
	if !slices.Equal(got.units, want.units) || !slices.Equal(got.first, want.first) || !slices.Equal(got.probs, want.probs) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if joinWindows([]*scores{a}, 2) != a {
		t.Error("one alone was copied")
	}
}

func TestKeys(t *testing.T) {
	c, err := newCache(10)
	if err != nil {
		t.Fatal(err)
	}
	var buf []byte
	keyed := func(text string, pieces bool) key {
		note := &ensemble.Note{Text: text}
		return keyOf(c.hash(), unitsOf(note, 0, len(note.View().Tokens), 0, false, nil), pieces, false, &buf)
	}
	same := func(a, b string, pieces, want bool) {
		t.Helper()
		if got := keyed(a, pieces) == keyed(b, pieces); got != want {
			t.Errorf("%q and %q (pieces %t): same is %t", a, b, pieces, got)
		}
	}
	same("Seen by Ann", "Seen  by\tAnn ", false, true)
	same("Seen by Ann", "Seen by\nAnn", false, false)
	same("Seen by Ann", "Seen by\nAnn", true, true)
	same("Ann-Lou", "Ann -Lou", true, false)
	same("Ann", "ANN", true, false)
	same("a b", "ab", false, false)
	hit := unitsFor("Ann")
	hit[0].columns = columns{1}
	for _, reads := range []bool{true, false} {
		if got := keyOf(c.hash(), hit, false, reads, &buf) != keyOf(c.hash(), unitsFor("Ann"), false, reads, &buf); got != reads {
			t.Errorf("features %t: other keys for other features is %t", reads, got)
		}
	}
	other, err := newCache(10)
	if err != nil {
		t.Fatal(err)
	}
	if keyed("Ann", false) == keyOf(other.hash(), []unit{{text: "Ann", gap: lineBreak}}, false, false, &buf) {
		t.Error("two caches have the same key for a sentence: it can be guessed from outside")
	}
}

func TestCacheIsBounded(t *testing.T) {
	c, err := newCache(160)
	if err != nil {
		t.Fatal(err)
	}
	keyFor := func(i int) key { return key{byte(i), byte(i >> 8), byte(i >> 16)} }
	for i := range 5000 {
		c.put(keyFor(i), &scores{})
		c.put(keyFor(i), &scores{})
	}
	if n := c.len(); n != 160 {
		t.Errorf("%d entries, want 160", n)
	}
	if _, ok := c.get(keyFor(4999)); !ok {
		t.Error("the last entry is gone")
	}
	if _, ok := c.get(keyFor(0)); ok {
		t.Error("the first entry is still there")
	}
	big := &scores{probs: make([]uint16, 1<<17)}
	for i := range 1000 {
		c.put(keyFor(i), big)
	}
	if got := c.bytes(); got > leastCacheBytes {
		t.Errorf("%d bytes, want at most %d", got, leastCacheBytes)
	}
}

// bytes returns what all entries take.
func (c *cache) bytes() (n int) {
	for i := range c.shards {
		n += c.shards[i].bytes
	}
	return n
}

// A cache of more entries has room for as many sentences as are usual, and no more than that.
func TestLargerCacheHasMoreRoom(t *testing.T) {
	const entries = 3 * DefaultCache
	c, err := newCache(entries)
	if err != nil {
		t.Fatal(err)
	}
	usual := &scores{units: make([]uint16, 4), probs: make([]uint16, 8), path: make([]int16, 20)}
	for i := range entries {
		c.put(key{byte(i), byte(i >> 8), byte(i >> 16)}, usual)
	}
	if n := c.len(); n < entries*95/100 { // shards are not equally full
		t.Errorf("%d of %d sentences of %d bytes are kept", n, entries, usual.bytes()+cacheEntry)
	}
	big := &scores{probs: make([]uint16, 1<<12)}
	for i := range entries / 10 {
		c.put(key{byte(i), byte(i >> 8), byte(i >> 16), 1}, big)
	}
	if got := c.bytes(); got > entries*entryBytes {
		t.Errorf("%d bytes, want at most %d", got, entries*entryBytes)
	}
}
