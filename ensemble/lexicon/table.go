package lexicon

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
)

// The table is a gzip stream of
//
//	magic            "pgdeidlx2\n"
//	words            uvarint n; n bytes: how many bytes a word shares with the one
//	                 before it; a section with the rests, one a line, in byte order
//	columns          n bytes each: Surname, First, Common, Capital, Female, Group,
//	                 low byte of Flags, high byte of Flags
//	pools            uvarint count; that many sections with a name a line
//	places           a section with "City|ST|ZIP3" a line
//
// where a section is a uvarint length and as many bytes. The program in gen
// writes it.
const magic = "pgdeidlx2\n"

//go:embed table.bin.gz
var packed []byte

// table is the decoded lexicon: the words, one after the other, their entries
// and an open-addressing hash index of 1-based word numbers.
type table struct {
	words   []byte
	ends    []uint32
	entries []Entry
	index   []slot
	mask    uint32
	pools   []string
	places  string
	err     error
}

// slot is a place of the index. Its hash tells words apart without a look at them, which are in other lines of the memory.
type slot struct {
	number uint32 // of a word, from 1; 0: the slot is free
	hash   uint32
}

var load = sync.OnceValue(func() *table {
	t, err := decode(packed)
	if err != nil {
		return &table{index: make([]slot, 1), err: fmt.Errorf("embedded lexicon: %w", err)}
	}
	return t
})

func decode(data []byte) (*table, error) {
	zr, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	raw, err := io.ReadAll(zr)
	if err != nil {
		return nil, err
	}
	r := reader{data: raw}
	if string(r.take(len(magic))) != magic {
		return nil, errors.New("not a lexicon table")
	}
	t := &table{}
	t.readWords(&r)
	t.readColumns(&r)
	for range r.uvarint() {
		t.pools = append(t.pools, string(r.section()))
	}
	t.places = string(r.section())
	if r.short || len(r.data) != 0 {
		return nil, errors.New("truncated lexicon table")
	}
	t.buildIndex()
	return t, nil
}

func (t *table) readWords(r *reader) {
	n := r.uvarint()
	shared := r.take(n)
	rest := r.section()
	if r.short {
		return
	}
	t.words = make([]byte, 0, 2*len(rest))
	t.ends = make([]uint32, n)
	last := 0
	for i := range n {
		end := bytes.IndexByte(rest, '\n')
		if end < 0 || int(shared[i]) > len(t.words)-last {
			r.short = true
			return
		}
		start := len(t.words)
		t.words = append(t.words, t.words[last:last+int(shared[i])]...)
		t.words = append(t.words, rest[:end]...)
		t.ends[i] = uint32(len(t.words))
		last, rest = start, rest[end+1:]
	}
}

func (t *table) readColumns(r *reader) {
	n := len(t.ends)
	var cols [8][]byte
	for i := range cols {
		cols[i] = r.take(n)
	}
	if r.short {
		return
	}
	t.entries = make([]Entry, n)
	for i := range t.entries {
		t.entries[i] = Entry{
			Surname: cols[0][i], First: cols[1][i], Common: cols[2][i], Capital: cols[3][i],
			Female: cols[4][i], Group: Group(cols[5][i]), Flags: Flags(cols[6][i]) | Flags(cols[7][i])<<8,
		}
	}
}

func (t *table) buildIndex() {
	size := 1
	for size < 2*len(t.ends)+1 {
		size *= 2
	}
	t.index = make([]slot, size)
	t.mask = uint32(size - 1)
	start := uint32(0)
	for i, end := range t.ends {
		h := hash(t.words[start:end])
		at := h & t.mask
		for t.index[at].number != 0 {
			at = (at + 1) & t.mask
		}
		t.index[at] = slot{uint32(i + 1), h}
		start = end
	}
}

func (t *table) word(i uint32) []byte {
	start := uint32(0)
	if i > 0 {
		start = t.ends[i-1]
	}
	return t.words[start:t.ends[i]]
}

func (t *table) find(key []byte) (Entry, bool) {
	h := hash(key)
	for at := h & t.mask; t.index[at].number != 0; at = (at + 1) & t.mask {
		if s := t.index[at]; s.hash == h && bytes.Equal(t.word(s.number-1), key) {
			return t.entries[s.number-1], true
		}
	}
	return Entry{}, false
}

func (t *table) findString(key string) (Entry, bool) {
	var buf [48]byte
	if len(key) <= len(buf) {
		return t.find(buf[:copy(buf[:], key)])
	}
	return t.find([]byte(key))
}

const (
	fnvOffset = 2166136261
	fnvPrime  = 16777619
)

// hash is FNV-1a.
func hash(s []byte) uint32 {
	h := uint32(fnvOffset)
	for _, c := range s {
		h = (h ^ uint32(c)) * fnvPrime
	}
	return h ^ h>>15
}

// reader reads fields from a byte slice; short is set if one is missing.
type reader struct {
	data  []byte
	short bool
}

func (r *reader) take(n int) []byte {
	if r.short || n < 0 || n > len(r.data) {
		r.short = true
		return nil
	}
	b := r.data[:n]
	r.data = r.data[n:]
	return b
}

func (r *reader) uvarint() int {
	v, n := binary.Uvarint(r.data)
	if n <= 0 || v > uint64(len(r.data)) {
		r.short = true
		return 0
	}
	r.data = r.data[n:]
	return int(v)
}

func (r *reader) section() []byte { return r.take(r.uvarint()) }

// lines splits a section; an empty one has none.
func lines(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(s, "\n"), "\n")
}
