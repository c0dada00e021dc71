package record

// index holds values by the hashes of words. A set of bits in front of the map answers for most words of
// a text, which no record holds.
type index[V any] struct {
	values map[uint64]V
	filter []uint64
}

func newIndex[V any](size int) index[V] { return index[V]{values: make(map[uint64]V, size)} }

// finish builds the set of bits, after which the index is only read.
func (x *index[V]) finish() {
	size := 16
	for size*8 < len(x.values) {
		size *= 2
	}
	x.filter = make([]uint64, size)
	for hash := range x.values {
		x.filter[hash>>6&uint64(size-1)] |= 1 << (hash & 63)
	}
}

// get returns the value of a hash, or none.
func (x *index[V]) get(hash uint64) (v V) {
	if x.filter[hash>>6&uint64(len(x.filter)-1)]&(1<<(hash&63)) == 0 {
		return v
	}
	return x.values[hash]
}
