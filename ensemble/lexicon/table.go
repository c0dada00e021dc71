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

// table is the decoded lexicon: an open-addressing hash index of the words, which lie one after the other, each with a line
// break behind it. A search looks at the index, which has the entry beside the hash, and at the word: more places of the
// memory would take longer.
type table struct {
	words  []byte
	index  []slot
	mask   uint32
	pools  []string
	places string
	err    error
}

// slot is a place of the index.
type slot struct {
	hash  uint32 // of the word
	start uint32 // of the word; 0: the slot is free
	entry Entry
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
	starts := t.readWords(&r)
	entries := readColumns(&r, len(starts))
	for range r.uvarint() {
		t.pools = append(t.pools, string(r.section()))
	}
	t.places = string(r.section())
	if r.short || len(r.data) != 0 {
		return nil, errors.New("truncated lexicon table")
	}
	t.buildIndex(starts, entries)
	return t, nil
}

// readWords reads the words and returns where each begins.
func (t *table) readWords(r *reader) (starts []uint32) {
	n := r.uvarint()
	shared := r.take(n)
	rest := r.section()
	if r.short {
		return nil
	}
	t.words = append(make([]byte, 0, 2*len(rest)), '\n')
	starts = make([]uint32, n)
	last := len(t.words)
	for i := range n {
		end := bytes.IndexByte(rest, '\n')
		if end < 0 || int(shared[i]) > len(t.words)-last {
			r.short = true
			return nil
		}
		start := len(t.words)
		t.words = append(t.words, t.words[last:last+int(shared[i])]...)
		t.words = append(t.words, rest[:end+1]...)
		starts[i], last, rest = uint32(start), start, rest[end+1:]
	}
	return starts
}

func readColumns(r *reader, n int) []Entry {
	var cols [8][]byte
	for i := range cols {
		cols[i] = r.take(n)
	}
	if r.short {
		return nil
	}
	entries := make([]Entry, n)
	for i := range entries {
		entries[i] = Entry{
			Surname: cols[0][i], First: cols[1][i], Common: cols[2][i], Capital: cols[3][i],
			Female: cols[4][i], Group: Group(cols[5][i]), Flags: Flags(cols[6][i]) | Flags(cols[7][i])<<8,
		}
	}
	return entries
}

func (t *table) buildIndex(starts []uint32, entries []Entry) {
	size := 1
	for 2*size < 3*len(starts)+1 {
		size *= 2
	}
	t.index = make([]slot, size)
	t.mask = uint32(size - 1)
	for i, start := range starts {
		word := t.words[start:]
		h := hash(word[:bytes.IndexByte(word, '\n')])
		at := h & t.mask
		for t.index[at].start != 0 {
			at = (at + 1) & t.mask
		}
		t.index[at] = slot{h, start, entries[i]}
	}
}

func (t *table) find(key []byte) (Entry, bool) {
	h := hash(key)
	for at := h & t.mask; t.index[at].start != 0; at = (at + 1) & t.mask {
		if s := &t.index[at]; s.hash == h && t.isWord(s.start, key) {
			return s.entry, true
		}
	}
	return Entry{}, false
}

// isWord reports whether key is the word that begins at start.
func (t *table) isWord(start uint32, key []byte) bool {
	end := int(start) + len(key)
	return end < len(t.words) && t.words[end] == '\n' && bytes.Equal(t.words[start:end], key)
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
