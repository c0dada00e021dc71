package replicator

import (
	"encoding/binary"
	"slices"

	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/surrogate"
)

// The keys of both sides are compared as hashes, range by range: a hash tree of two levels. Of each range both
// sides have a digest, which is the same where they have the same keys. Only of ranges whose digests differ the hashes
// themselves are gathered, a part of them at a time.

// keyHash is a keyed hash of a row's published key.
type keyHash [16]byte

func compareHashes(a, b keyHash) int { return slices.Compare(a[:], b[:]) }

func hashRow(k *surrogate.Key, t *schema.Table, rowKey string) (h keyHash) {
	copy(h[:], k.HMAC("published", t.ID, rowKey))
	return h
}

// span is the range that a hash is in.
func (h keyHash) span() uint16 { return binary.BigEndian.Uint16(h[:]) }

// digest is of the hashes in one range. Keys are there once, and no one can choose their hashes
// without the key, so that sets with the same digest are the same.
type digest struct {
	keys int64
	sum  keyHash // exclusive or
}

// digests are of all ranges.
type digests [1 << 16]digest

func (d *digests) add(h keyHash) {
	at := &d[h.span()]
	at.keys++
	for i := range h {
		at.sum[i] ^= h[i]
	}
}

// parts returns the ranges in which two sides differ, in parts that have at most about limit keys of d.
func (d *digests) parts(other *digests, limit int64) []part {
	var list []part
	var size int64
	for i := range d {
		if d[i] == other[i] {
			continue
		}
		if len(list) == 0 || size > 0 && size+d[i].keys > limit {
			list, size = append(list, part{}), 0
		}
		list[len(list)-1][uint16(i)] = true
		size += d[i].keys
	}
	return list
}

// part has ranges.
type part map[uint16]bool

func (p part) has(h keyHash) bool { return p[h.span()] }
