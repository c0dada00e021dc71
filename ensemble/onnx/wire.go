package onnx

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/pgdeid/pgdeid/ensemble/features"
)

// Windows that another machine runs over are sent as bytes: the words, what is known of them and the
// wordpieces, and nothing of whose they are. What comes back are scores, which are as small as in the
// cache. Both are read as if anybody had written them.

// digest identifies what a network says: its files and what its labels mean.
type digest [16]byte

// kind is what both ends have to know of a network.
type kind struct {
	digest   digest
	types    int
	chained  bool // its scores have a path
	pieces   bool // it reads nothing but wordpieces
	spelled  bool // it reads words and their wordpieces
	featured bool // its units have columns
}

// errand is what a window needs to be run elsewhere.
type errand struct {
	of     *kind
	units  int      // of the segment
	first  int      // of a network that reads wordpieces alone: the row of logits with the first of places
	places [][2]int // and the units of each wordpiece that counts
	out    **scores
}

// ErrWindows says that bytes are no windows of networks that are here, or no answer to those that were sent.
var ErrWindows = errors.New("the windows or their scores are damaged")

// maxNotice bounds what a length may say before anything is allocated for it.
const maxNotice = 1 << 20

// encodeWindows writes windows, all of which have errands.
func encodeWindows(batch []*job) []byte {
	var kinds []*kind
	var body []byte
	for _, j := range batch {
		k := slices.Index(kinds, j.errand.of)
		if k < 0 {
			k = len(kinds)
			kinds = append(kinds, j.errand.of)
		}
		body = appendWindow(binary.AppendUvarint(body, uint64(k)), j) // #nosec G115 -- not negative
	}
	out := appendNumbers(nil, len(kinds))
	for _, k := range kinds {
		out = append(out, k.digest[:]...)
	}
	return append(appendNumbers(out, len(batch)), body...)
}

func appendNumbers(dst []byte, numbers ...int) []byte {
	for _, n := range numbers {
		dst = binary.AppendUvarint(dst, uint64(n)) // #nosec G115 -- not negative
	}
	return dst
}

func appendWindow(dst []byte, j *job) []byte {
	e := j.errand
	dst = appendNumbers(dst, e.units)
	if !e.of.pieces {
		for i := range j.units {
			u := &j.units[i]
			dst = append(appendNumbers(dst, len(u.text)), u.text...)
			dst = append(dst, byte(u.gap))
			if e.of.featured {
				dst = append(dst, u.columns[:]...)
			}
		}
	}
	if e.of.pieces || e.of.spelled {
		dst = appendNumbers(dst, len(j.ids))
		for _, id := range j.ids {
			dst = binary.AppendUvarint(dst, uint64(id))
		}
	}
	if e.of.spelled {
		for _, at := range j.begins {
			dst = appendNumbers(dst, int(at))
		}
	}
	if e.of.pieces {
		dst = appendNumbers(dst, e.first, len(e.places))
		for _, p := range e.places {
			dst = appendNumbers(dst, p[0], p[1])
		}
	}
	return dst
}

// cursor reads bytes. After the first that does not fit it returns nothing more.
type cursor struct {
	rest []byte
	bad  bool
}

// number returns a number of at most most.
func (c *cursor) number(most int) int {
	n, size := binary.Uvarint(c.rest)
	if c.bad || most < 0 || size <= 0 || n > uint64(most) {
		c.bad = true
		return 0
	}
	c.rest = c.rest[size:]
	return int(n) // #nosec G115 -- at most most
}

func (c *cursor) bytes(n int) []byte {
	if c.bad || n > len(c.rest) {
		c.bad = true
		return make([]byte, min(n, maxWindow))
	}
	out := c.rest[:n]
	c.rest = c.rest[n:]
	return out
}

// err reports whether all fitted, and nothing is left.
func (c *cursor) err() error {
	if c.bad || len(c.rest) > 0 {
		return ErrWindows
	}
	return nil
}

// decodeWindows reads windows of networks that known knows. Their answers are still to be set.
func decodeWindows(data []byte, known func(digest) *kind) ([]*job, error) {
	c := &cursor{rest: data}
	kinds := make([]*kind, c.number(maxVoices))
	for i := range kinds {
		var d digest
		copy(d[:], c.bytes(len(d)))
		if c.bad {
			return nil, ErrWindows
		}
		if kinds[i] = known(d); kinds[i] == nil {
			return nil, fmt.Errorf("%w: no network here is %x", ErrWindows, d)
		}
	}
	batch := make([]*job, c.number(maxAway))
	for i := range batch {
		k := c.number(len(kinds) - 1)
		if c.bad {
			return nil, ErrWindows
		}
		if batch[i] = c.window(kinds[k]); c.bad {
			return nil, ErrWindows
		}
	}
	return batch, c.err()
}

// maxVoices bounds the networks of a request.
const maxVoices = 32

// window reads a window of a network.
func (c *cursor) window(k *kind) *job {
	e := &errand{of: k, units: c.number(maxWindow)}
	j := &job{errand: e}
	if !k.pieces {
		c.words(j)
		j.length, j.rows = len(j.units), len(j.units)
	}
	if k.pieces || k.spelled {
		j.ids = make([]uint32, c.number(maxPieces))
		for i := range j.ids {
			j.ids[i] = uint32(c.number(1<<31 - 1)) // #nosec G115 -- below 1<<31
		}
		j.length = len(j.ids)
	}
	if k.spelled {
		j.begins = make([]int32, e.units)
		for i := range j.begins {
			j.begins[i] = int32(c.number(len(j.ids) - 1)) // #nosec G115 -- at most maxPieces
		}
	}
	if k.pieces {
		j.rows = len(j.ids)
		c.places(e, len(j.ids))
	}
	c.bad = c.bad || j.length == 0
	return j
}

// maxPieces bounds the wordpieces of a window.
const maxPieces = 1 << 13

func (c *cursor) words(j *job) {
	j.units = make([]unit, j.errand.units)
	for i := range j.units {
		u := &j.units[i]
		u.text = string(c.bytes(c.number(maxErrand)))
		u.gap = gap(c.number(int(lineBreak))) // #nosec G115 -- at most lineBreak
		if j.errand.of.featured {
			copy(u.columns[:], c.bytes(features.NumColumns))
		}
	}
}

// places reads which units each wordpiece belongs to.
func (c *cursor) places(e *errand, rows int) {
	e.first = c.number(rows)
	e.places = make([][2]int, c.number(rows-e.first))
	for i := range e.places {
		from := c.number(e.units)
		to := c.number(e.units)
		e.places[i] = [2]int{from, to}
		c.bad = c.bad || from > to
	}
}

// encodeScores writes the scores of windows, in their order.
func encodeScores(batch []*job) []byte {
	out := appendNumbers(nil, len(batch))
	for _, j := range batch {
		s := *j.errand.out
		out = appendNumbers(out, len(s.units))
		for k, u := range s.units {
			out = binary.LittleEndian.AppendUint16(out, u)
			begins := byte(0)
			if s.first[k] {
				begins = 1
			}
			out = append(out, begins)
			if j.errand.of.chained {
				out = binary.LittleEndian.AppendUint16(out, uint16(s.path[k])) // #nosec G115 -- read back the same
			}
		}
		for _, p := range s.probs {
			out = binary.LittleEndian.AppendUint16(out, p)
		}
	}
	return out
}

// decodeScores reads what was said of windows that were sent.
func decodeScores(data []byte, batch []*job) ([]*scores, error) {
	c := &cursor{rest: data}
	if c.number(maxNotice) != len(batch) {
		return nil, ErrWindows
	}
	all := make([]*scores, len(batch))
	for i, j := range batch {
		all[i] = c.scores(j.errand)
		if c.bad {
			return nil, ErrWindows
		}
	}
	return all, c.err()
}

// scores reads the scores of a window: units in order that are in it, and types that there are.
func (c *cursor) scores(e *errand) *scores {
	s := &scores{}
	n := c.number(e.units)
	for i := range n {
		u := binary.LittleEndian.Uint16(c.bytes(2))
		if int(u) >= e.units || i > 0 && u <= s.units[i-1] {
			c.bad = true
			return s
		}
		s.units = append(s.units, u)
		s.first = append(s.first, c.number(1) == 1)
		if e.of.chained {
			path := int16(binary.LittleEndian.Uint16(c.bytes(2))) // #nosec G115 -- as it was written
			c.bad = c.bad || path < outside || int(path) >= e.of.types
			s.path = append(s.path, path)
		}
	}
	probs := c.bytes(2 * n * e.of.types)
	if c.bad {
		return s
	}
	s.probs = make([]uint16, n*e.of.types)
	for i := range s.probs {
		s.probs[i] = binary.LittleEndian.Uint16(probs[2*i:])
	}
	return s
}
