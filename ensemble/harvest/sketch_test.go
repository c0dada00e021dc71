package harvest

import (
	"bytes"
	"encoding/gob"
	"math/rand/v2"
	"testing"
)

// skewed draws keys of which few are frequent, like sentences.
func skewed(seed uint64, n int) []uint64 {
	rng := rand.New(rand.NewPCG(seed, 7))
	zipf := rand.NewZipf(rng, 1.1, 4, 1<<40)
	keys := make([]uint64, n)
	for i := range keys {
		keys[i] = hashText([]byte{byte(i % 3)}) ^ zipf.Uint64()*0x9e3779b97f4a7c15
	}
	return keys
}

func TestSketchKeepsItsBounds(t *testing.T) {
	for seed := range uint64(8) {
		for _, limit := range []int{2, 3, 10, 97, 1000, 40_000} {
			const n = 30_000
			s, err := NewSketch(limit)
			if err != nil {
				t.Fatal(err)
			}
			truth := map[uint64]uint64{}
			for _, k := range skewed(seed, n) {
				s.Add(k)
				truth[k]++
			}
			if s.Added() != n || s.Len() > limit || s.Offset() > 2*n/uint64(limit) {
				t.Errorf("limit %d: %d added, %d counters, offset %d", limit, s.Added(), s.Len(), s.Offset())
			}
			if limit > len(truth) && s.Offset() != 0 {
				t.Errorf("limit %d is enough for %d keys, and the offset is %d", limit, len(truth), s.Offset())
			}
			for k, f := range truth {
				if least, most := s.Count(k); least > f || f > most {
					t.Fatalf("limit %d: a key added %d times counts from %d to %d", limit, f, least, most)
				}
			}
			seen := 0
			s.Keys(func(k uint64, least uint32) {
				if seen++; uint64(least) > truth[k] {
					t.Errorf("limit %d: a counter of %d for a key added %d times", limit, least, truth[k])
				}
			})
			if seen != s.Len() {
				t.Errorf("limit %d: %d keys listed of %d", limit, seen, s.Len())
			}
		}
	}
}

// A sketch that is stored and read back at any point ends like one that was not.
func TestSketchSurvivesStorage(t *testing.T) {
	keys := skewed(3, 20_000)
	whole, err := NewSketch(300)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range keys {
		whole.Add(k)
	}
	for _, cut := range []int{0, 1, 299, 300, 301, 9_999, 20_000} {
		s, err := NewSketch(300)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range keys[:cut] {
			s.Add(k)
		}
		var file bytes.Buffer
		if err := gob.NewEncoder(&file).Encode(s.pack()); err != nil {
			t.Fatal(err)
		}
		var packed packedSketch
		if err := gob.NewDecoder(&file).Decode(&packed); err != nil {
			t.Fatal(err)
		}
		if s, err = packed.unpack(); err != nil {
			t.Fatal(err)
		}
		for _, k := range keys[cut:] {
			s.Add(k)
		}
		if s.Offset() != whole.Offset() || s.Len() != whole.Len() || s.Added() != whole.Added() {
			t.Errorf("cut at %d: offset %d, %d counters of %d; want %d, %d of %d", cut, s.Offset(), s.Len(), s.Added(), whole.Offset(), whole.Len(),
				whole.Added())
		}
		whole.Keys(func(k uint64, want uint32) {
			if got, _ := s.Count(k); got != uint64(want) {
				t.Fatalf("cut at %d: a counter is %d, want %d", cut, got, want)
			}
		})
	}
}

func TestSketchRefusesSizes(t *testing.T) {
	for _, limit := range []int{-1, 0, 1, maxCounters + 1} {
		if _, err := NewSketch(limit); err == nil {
			t.Errorf("a sketch of %d counters", limit)
		}
	}
	for name, p := range map[string]packedSketch{
		"lengths": {Limit: 5, Keys: []uint64{1, 2}, Counts: []uint32{1}},
		"twice":   {Limit: 5, Keys: []uint64{1, 1}, Counts: []uint32{1, 2}},
		"zero":    {Limit: 5, Keys: []uint64{1}, Counts: []uint32{0}},
		"many":    {Limit: 2, Keys: []uint64{1, 2, 3}, Counts: []uint32{1, 1, 1}},
		"limit":   {Limit: 1},
	} {
		if _, err := p.unpack(); err == nil {
			t.Errorf("%s: read", name)
		}
	}
}
