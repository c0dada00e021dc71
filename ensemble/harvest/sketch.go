package harvest

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
)

// Sketch counts keys in bounded memory such that no frequent key is lost: the summary of Misra and
// Gries ("Finding repeated elements", 1982), to which Space-Saving is equivalent, with the
// counters lowered in batches.
//
// It holds up to limit counters. When one more is needed, the upper median m of all is subtracted
// from every counter, those that reach 0 are removed, and offset grows by m; the new key is
// dropped too, since its count of 1 would not stay above 0. So for a key that was added f times
// and has the counter c (0 if there is none):
//
//	c <= f <= c + offset
//
// and every key with f > offset has a counter. At least half of the counters are m or more, so
// each time their sum falls by at least m*limit/2; it never exceeds n, the total number of
// additions, and therefore
//
//	offset <= 2*n/limit
//
// The counters depend only on the keys and their order: a sketch that was stored and read back
// continues identically.
type Sketch struct {
	keys   []uint64 // open addressing with linear probing
	counts []uint32 // 0: free
	used   int
	limit  int
	offset uint64
	added  uint64
}

// maxCounters limits the memory of a sketch to 1.5 GiB.
const maxCounters = 1 << 26

// NewSketch returns a sketch of at most limit counters. They take 12 to 24 bytes each and are
// allocated as needed.
func NewSketch(limit int) (*Sketch, error) {
	if limit < 2 || limit > maxCounters {
		return nil, fmt.Errorf("a sketch has from 2 to %d counters, not %d", maxCounters, limit)
	}
	s := &Sketch{limit: limit}
	s.clear(min(limit, 1<<10))
	return s, nil
}

// Add counts a key.
func (s *Sketch) Add(key uint64) {
	s.added++
	at := s.place(key)
	switch {
	case s.counts[at] == math.MaxUint32: // four billion notes
	case s.counts[at] > 0:
		s.counts[at]++
	case s.used == s.limit:
		s.lower()
	default:
		s.insert(key, 1)
	}
}

// Count returns bounds of the number of times that a key was added.
func (s *Sketch) Count(key uint64) (least, most uint64) {
	c := uint64(s.counts[s.place(key)])
	return c, c + s.offset
}

// Offset returns the maximum number of additions of a key without a counter.
func (s *Sketch) Offset() uint64 { return s.offset }

// Added returns the total number of additions.
func (s *Sketch) Added() uint64 { return s.added }

// Len returns the number of counters.
func (s *Sketch) Len() int { return s.used }

// Keys calls do for each key with a counter, in no particular order.
func (s *Sketch) Keys(do func(key uint64, least uint32)) {
	for i, c := range s.counts {
		if c > 0 {
			do(s.keys[i], c)
		}
	}
}

// place returns the index of a key, or where it would be inserted.
func (s *Sketch) place(key uint64) int {
	mask := uint64(len(s.keys) - 1)
	i := key * 0x9e3779b97f4a7c15 >> (64 - bits.Len64(mask)) // Fibonacci hashing: the top bits depend on all
	for s.counts[i] > 0 && s.keys[i] != key {
		i = (i + 1) & mask
	}
	return int(i)
}

func (s *Sketch) insert(key uint64, count uint32) {
	if s.used >= len(s.keys)/4*3 {
		keys, counts := s.keys, s.counts
		s.clear(2 * s.used)
		for i, c := range counts {
			if c > 0 {
				s.put(keys[i], c)
			}
		}
	}
	s.put(key, count)
}

func (s *Sketch) put(key uint64, count uint32) {
	at := s.place(key)
	s.keys[at], s.counts[at] = key, count
	s.used++
}

// clear makes room for n counters.
func (s *Sketch) clear(n int) {
	size := 8
	for size/4*3 <= n {
		size *= 2
	}
	s.keys, s.counts, s.used = make([]uint64, size), make([]uint32, size), 0
}

// lower subtracts the upper median from all counters.
func (s *Sketch) lower() {
	sorted := make([]uint32, 0, s.used)
	for _, c := range s.counts {
		if c > 0 {
			sorted = append(sorted, c)
		}
	}
	slices.Sort(sorted)
	m := sorted[len(sorted)/2]
	s.offset += uint64(m)
	type counter struct {
		key   uint64
		count uint32
	}
	left := make([]counter, 0, len(sorted)/2)
	for i, c := range s.counts {
		if c > m {
			left = append(left, counter{s.keys[i], c - m})
		}
	}
	clear(s.counts)
	s.used = 0
	for _, c := range left {
		s.put(c.key, c.count)
	}
}
