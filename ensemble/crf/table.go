package crf

import (
	"math/bits"

	"github.com/pgdeid/pgdeid/ensemble/features"
)

// keyBits is the number of stored bits of a key: an unknown key collides with each stored one with
// a probability of 2^-48.
const keyBits = 48

// stored returns the stored bits of a key.
func stored(key features.Key) uint64 { return key >> (64 - keyBits) }

// entry is a weight of a feature, added to a label's score at a nearby token.
type entry struct {
	code   uint16 // where and of which label: see codeOf
	weight int16  // in units of quantum
}

// quantum is the step of weights.
const quantum = 1.0 / 64

// slot of a hash table with open addressing.
type slot struct {
	key   uint64
	start uint32
	count uint32 // 0: the slot is free
}

// table maps keys to entries. Most keys of a text are in no model: tags, one byte per slot,
// exclude nearly all of them without access to the slots, which are sixteen times as large.
type table struct {
	tags    []uint8 // 0: the slot is free
	slots   []slot
	shift   int
	entries []entry
}

// newTable returns a table for a number of keys, at most half full.
func newTable(keys int, entries []entry) *table {
	size := bits.Len(uint(max(keys, 8)*2 - 1))
	return &table{tags: make([]uint8, 1<<size), slots: make([]slot, 1<<size), shift: 64 - size, entries: entries}
}

// add inserts a new key.
func (t *table) add(key uint64, start, count int) {
	i := t.home(key)
	for t.tags[i] != 0 {
		i = (i + 1) & (len(t.slots) - 1)
	}
	t.tags[i], t.slots[i] = tagOf(key), slot{key, uint32(start), uint32(count)}
}

func (t *table) home(key uint64) int { return int(key * 0x9e3779b97f4a7c15 >> t.shift) }

func tagOf(key uint64) uint8 { return max(uint8(key), 1) }

// find returns the entries of a stored key, nil if there are none.
func (t *table) find(key uint64) []entry {
	tag := tagOf(key)
	for i := t.home(key); ; i = (i + 1) & (len(t.tags) - 1) {
		switch t.tags[i] {
		case 0:
			return nil
		case tag:
			if s := &t.slots[i]; s.key == key {
				return t.entries[s.start : s.start+s.count]
			}
		}
	}
}
