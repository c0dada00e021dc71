package crf

import (
	"math/bits"

	"github.com/pgdeid/pgdeid/ensemble/features"
)

// keyBits is how much of a key a model stores: a key that it has not seen is taken for
// one that it has with a chance of one in 2^48 for each that it has.
const keyBits = 48

// stored is what is stored of a key.
func stored(key features.Key) uint64 { return key >> (64 - keyBits) }

// entry is a weight of a feature: what it adds to a label's score at a token nearby.
type entry struct {
	code   uint16 // where and of which label: see codeOf
	weight int16  // in units of quantum
}

// quantum is the step of weights.
const quantum = 1.0 / 64

// slot of a hash table with open addressing; no entries mean that it is free.
type slot struct {
	key   uint64
	start uint32
	count uint32
}

// table finds the entries of a key.
type table struct {
	slots   []slot
	shift   int
	entries []entry
}

// newTable makes a table for a number of keys, at most half full.
func newTable(keys int, entries []entry) *table {
	size := bits.Len(uint(max(keys, 8)*2 - 1))
	return &table{slots: make([]slot, 1<<size), shift: 64 - size, entries: entries}
}

// add puts a key in that is not there yet.
func (t *table) add(key uint64, start, count int) {
	i := t.home(key)
	for t.slots[i].count != 0 {
		i = (i + 1) & (len(t.slots) - 1)
	}
	t.slots[i] = slot{key, uint32(start), uint32(count)}
}

func (t *table) home(key uint64) int { return int(key * 0x9e3779b97f4a7c15 >> t.shift) }

// find returns the entries of a stored key, nil if there are none.
func (t *table) find(key uint64) []entry {
	for i := t.home(key); ; i = (i + 1) & (len(t.slots) - 1) {
		s := &t.slots[i]
		if s.count == 0 {
			return nil
		}
		if s.key == key {
			return t.entries[s.start : s.start+s.count]
		}
	}
}
