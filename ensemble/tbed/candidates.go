package tbed

import "slices"

// candidate is a rule that would correct some tags.
type candidate struct {
	values   values
	good     int32 // tokens that it corrects; an upper bound until it is exact
	bad      int32 // correct tokens that it breaks; 0 until it is exact
	queued   int32 // the gain under which it is in the queue
	next     int32 // another candidate with the same conditions, or -1
	template uint16
	from, to Tag
	exact    bool
}

func (c *candidate) gain() int32 { return c.good - c.bad }

// candidates holds the rules that may be worth adding: those that correct at least floor tokens.
// It is a hash table by conditions; candidates that differ only in the new tag form a list.
//
// Ngai and Florian (Transformation-based learning in the fast lane, NAACL 2001) keep for each rule
// what it corrects and breaks, and update these counts around the tokens that a chosen rule
// changed. This does the same with two savings: what a candidate breaks is counted only when it
// reaches the top, and rules that correct fewer than floor tokens are not stored at all. A sketch
// identifies these: a counter for each hash that never underestimates.
type candidates struct {
	floor  int32
	list   []candidate
	keys   []uint64 // 0: free
	heads  []int32  // into list, parallel to keys
	used   int
	sketch []uint32
}

// sketchSize is the number of counters of the sketch: 64 MB.
const sketchSize = 1 << 24

func newCandidates() *candidates {
	return &candidates{sketch: make([]uint32, sketchSize)}
}

// reset removes all candidates; those that correct fewer than floor tokens stay out.
func (c *candidates) reset(floor int32) {
	c.floor = floor
	c.list = c.list[:0]
	c.used = 0
	if c.keys == nil {
		c.keys, c.heads = make([]uint64, 1<<16), make([]int32, 1<<16)
	}
	clear(c.keys)
}

// key makes a hash a key other than 0, which marks a free slot.
func key(hash uint64) uint64 { return hash | 1<<63 }

// counter returns the sketch's counter of a rule.
func (c *candidates) counter(hash uint64, to Tag) *uint32 {
	h := (hash ^ uint64(to)*0x9e3779b97f4a7c15) * 0xc4ceb9fe1a85ec53
	return &c.sketch[h>>(64-24)]
}

// find returns the first candidate with the conditions of a hash, or -1.
func (c *candidates) find(hash uint64) int32 {
	k := key(hash)
	mask := uint64(len(c.keys) - 1)
	for i := hash & mask; c.keys[i] != 0; i = (i + 1) & mask {
		if c.keys[i] == k {
			return c.heads[i]
		}
	}
	return -1
}

// get returns the candidate of the conditions and the new tag, or -1.
func (c *candidates) get(hash uint64, to Tag) int32 {
	at := c.find(hash)
	for at >= 0 && c.list[at].to != to {
		at = c.list[at].next
	}
	return at
}

// add inserts a new candidate and returns its number.
func (c *candidates) add(hash uint64, n candidate) int32 {
	if c.used*4 >= len(c.keys)*3 {
		c.grow()
	}
	at := int32(len(c.list))
	n.next = -1
	k := key(hash)
	mask := uint64(len(c.keys) - 1)
	i := hash & mask
	for c.keys[i] != 0 && c.keys[i] != k {
		i = (i + 1) & mask
	}
	if c.keys[i] == k {
		n.next = c.heads[i]
	} else {
		c.used++
	}
	c.keys[i], c.heads[i] = k, at
	c.list = append(c.list, n)
	return at
}

func (c *candidates) grow() {
	keys, heads := c.keys, c.heads
	c.keys, c.heads = make([]uint64, 2*len(keys)), make([]int32, 2*len(keys))
	mask := uint64(len(c.keys) - 1)
	for j, k := range keys {
		if k == 0 {
			continue
		}
		i := k & mask
		for c.keys[i] != 0 {
			i = (i + 1) & mask
		}
		c.keys[i], c.heads[i] = k, heads[j]
	}
}

// queue orders candidates by gain, with a stack for each. An entry is stale if its candidate is
// elsewhere by now.
type queue struct {
	stacks [][]int32
	top    int32
}

func (q *queue) reset() {
	for i := range q.stacks {
		q.stacks[i] = q.stacks[i][:0]
	}
	q.top = -1
}

// push files a candidate under its gain, if that is positive.
func (q *queue) push(c *candidate, at int32) {
	g := c.gain()
	c.queued = g
	if g <= 0 {
		return
	}
	if n := int(g) + 1 - len(q.stacks); n > 0 {
		q.stacks = append(q.stacks, slices.Repeat([][]int32{nil}, n)...)
	}
	q.stacks[g] = append(q.stacks[g], at)
	q.top = max(q.top, g)
}
