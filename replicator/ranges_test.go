package replicator

import (
	"fmt"
	"testing"

	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/schema/schematest"
)

// hashes returns those of keys from first on.
func hashes(t *testing.T, first, n int) []keyHash {
	t.Helper()
	key, notes := schematest.Key(t), schematest.NoteTable()
	list := make([]keyHash, n)
	for i := range list {
		list[i] = hashRow(key, notes, schema.RowKey([]string{fmt.Sprint(first + i)}))
	}
	return list
}

func digestsOf(list []keyHash) *digests {
	d := &digests{}
	for _, h := range list {
		d.add(h)
	}
	return d
}

func TestSidesWithTheSameKeysHaveNoParts(t *testing.T) {
	t.Parallel()
	list := hashes(t, 0, 5000)
	there := &digests{}
	for i := range list { // in another order
		there.add(list[len(list)-1-i])
	}
	if p := digestsOf(list).parts(there, 10); len(p) != 0 {
		t.Errorf("%d parts", len(p))
	}
	if p := (&digests{}).parts(&digests{}, 10); len(p) != 0 {
		t.Errorf("nothing on both sides has %d parts", len(p))
	}
}

// Whatever one side lacks is in exactly one part, and a part has few keys that both sides have.
func TestPartsHaveWhatDiffers(t *testing.T) {
	t.Parallel()
	list := hashes(t, 0, 5000)
	for _, c := range []struct {
		name        string
		here, there []keyHash
		differ      []keyHash
		limit       int64
	}{
		{"gone from the source", list[300:], list, list[:300], 40},
		{"new at the source", list, list[300:], list[:300], 40},
		{"another one in its place", append(list[1:4000:4000], list[4999]), list[:4000], []keyHash{list[0], list[4999]}, 40},
		{"the source has nothing", nil, list, list, 40},
		{"the replica has nothing", list, nil, list, 40},
		{"all at a time", list[300:], list, list[:300], 1 << 20},
		{"one key at a time", list[:10], list[10:20], list[:20], 1},
	} {
		here := digestsOf(c.here)
		parts := here.parts(digestsOf(c.there), c.limit)
		for _, h := range c.differ {
			in := 0
			for _, p := range parts {
				if p.has(h) {
					in++
				}
			}
			if in != 1 {
				t.Errorf("%s: a key is in %d parts", c.name, in)
				break
			}
		}
		for _, p := range parts {
			size := int64(0)
			for at := range p {
				size += here[at].keys
			}
			if size > c.limit && len(p) > 1 {
				t.Errorf("%s: a part has %d keys", c.name, size)
			}
		}
		if c.limit > int64(len(list)) && len(parts) != 1 {
			t.Errorf("%s: %d parts", c.name, len(parts))
		}
		if len(c.differ) == 300 {
			both := 0
			for _, h := range list[300:] {
				for _, p := range parts {
					if p.has(h) {
						both++
					}
				}
			}
			if both > 200 { // 4,700 keys in 65,536 ranges, of which 300 differ
				t.Errorf("%s: %d keys are gathered that both sides have", c.name, both)
			}
		}
	}
}

// Two keys that swap their bytes, or are there twice, do not cancel out.
func TestDigestsCountKeys(t *testing.T) {
	t.Parallel()
	var d, none digests
	h := keyHash{1, 2, 3}
	d.add(h)
	d.add(h)
	if len(d.parts(&none, 1)) != 1 {
		t.Error("a key that is there twice is not there")
	}
	if d[h.span()].keys != 2 || h.span() != 0x0102 {
		t.Errorf("range %x has %d keys", h.span(), d[h.span()].keys)
	}
}
