package crf

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"slices"
)

// crf.bin, all numbers little-endian, v: an unsigned varint, z: a signed one (zigzag):
//
//	"PGDEIDCR" version:4 labels:v keys:v entries:v
//	weights of the chain, in units of quantum: labels x z (starts), labels x labels x z
//	by key, ascending: difference to the key before:v, entries of the key:v
//	by entry: difference to the code before, in its key, less 1:v weight:z
//	CRC-32 (Castagnoli) of everything before it:4
//
// Forbidden weights are 0 in the file; the labels determine which they are.
const (
	magic   = "PGDEIDCR"
	version = 1
)

// Limits of a file, far above what training produces.
const (
	maxKeys    = 1 << 24
	maxEntries = 1 << 26
)

var (
	errMagic    = errors.New("crf.bin: not a CRF of pgdeid")
	errDamaged  = errors.New("crf.bin: damaged: its checksum is another one")
	errShort    = errors.New("crf.bin: ends too early")
	errTrailing = errors.New("crf.bin: goes on behind its end")
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Encode returns crf.bin.
func (m *Model) Encode() []byte {
	buf := append([]byte(nil), magic...)
	buf = binary.LittleEndian.AppendUint32(buf, version)
	buf = binary.AppendUvarint(buf, uint64(m.chain.labels))
	buf = binary.AppendUvarint(buf, uint64(m.keys))
	buf = binary.AppendUvarint(buf, uint64(len(m.table.entries)))
	for _, w := range slices.Concat(m.chain.starts, m.chain.moves) {
		if math.IsInf(w, 0) {
			w = 0
		}
		buf = binary.AppendVarint(buf, int64(math.Round(w/quantum)))
	}
	slots := slices.DeleteFunc(slices.Clone(m.table.slots), func(s slot) bool { return s.count == 0 })
	slices.SortFunc(slots, func(a, b slot) int { return cmp.Compare(a.key, b.key) })
	before := uint64(0)
	for _, s := range slots {
		buf = binary.AppendUvarint(buf, s.key-before)
		buf = binary.AppendUvarint(buf, uint64(s.count))
		before = s.key
	}
	for _, s := range slots {
		buf = appendEntries(buf, m.table.entries[s.start:s.start+s.count])
	}
	return binary.LittleEndian.AppendUint32(buf, crc32.Checksum(buf, castagnoli))
}

func appendEntries(buf []byte, entries []entry) []byte {
	sorted := slices.SortedFunc(slices.Values(entries), func(a, b entry) int { return cmp.Compare(a.code, b.code) })
	next := 0
	for _, e := range sorted {
		buf = binary.AppendUvarint(buf, uint64(int(e.code)-next))
		buf = binary.AppendVarint(buf, int64(e.weight))
		next = int(e.code) + 1
	}
	return buf
}

// parse reads crf.bin for a configuration.
func parse(name string, config Config, data []byte) (*Model, error) {
	labels, err := newLabelSet(config.Types)
	if err != nil {
		return nil, err
	}
	r, err := open(data)
	if err != nil {
		return nil, err
	}
	n, keys, entries := r.count(2*maxTypes+1), r.count(maxKeys), r.count(maxEntries)
	if n != labels.size() {
		return nil, fmt.Errorf("crf.bin has %d labels, config.json %d", n, labels.size())
	}
	if keys+entries > len(r.data) { // each takes at least a byte
		return nil, errShort
	}
	weights := newChain(labels)
	r.weights(weights.starts)
	r.weights(weights.moves)
	t, err := r.table(keys, entries, n)
	if err != nil {
		return nil, err
	}
	return newModel(name, config, t, keys, weights)
}

// open checks the frame of a file and returns a reader of its content.
func open(data []byte) (*reader, error) {
	head := len(magic) + 4
	if len(data) < head+4 || string(data[:len(magic)]) != magic {
		return nil, errMagic
	}
	if v := binary.LittleEndian.Uint32(data[len(magic):]); v != version {
		return nil, fmt.Errorf("crf.bin: version %d of the format, want %d: train it anew", v, version)
	}
	body, sum := data[:len(data)-4], binary.LittleEndian.Uint32(data[len(data)-4:])
	if crc32.Checksum(body, castagnoli) != sum {
		return nil, errDamaged
	}
	return &reader{data: body[head:]}, nil
}

// reader reads varints. It keeps its first error.
type reader struct {
	data []byte
	err  error
}

func (r *reader) uvarint() uint64 {
	x, n := binary.Uvarint(r.data)
	if n <= 0 {
		r.err = errShort
		r.data = nil
		return 0
	}
	r.data = r.data[n:]
	return x
}

func (r *reader) varint() int64 {
	x := r.uvarint()
	return int64(x>>1) ^ -int64(x&1)
}

// count reads a number that is at most limit.
func (r *reader) count(limit int) int {
	x := r.uvarint()
	if x > uint64(limit) {
		r.err = fmt.Errorf("crf.bin: %d is more than %d", x, limit)
		return 0
	}
	return int(x)
}

// weights adds the weights to those of a chain, which are 0 or forbidden.
func (r *reader) weights(to []float64) {
	for i := range to {
		w := r.varint()
		if w > math.MaxInt16 || w < math.MinInt16 {
			r.err = fmt.Errorf("crf.bin: weight %d between labels", w)
			return
		}
		to[i] += float64(w) * quantum
	}
}

func (r *reader) table(keys, count, labels int) (*table, error) {
	slots := make([]slot, 0, keys)
	key, start := uint64(0), 0
	for i := range keys {
		step, n := r.uvarint(), r.count(offsets*labels)
		key += step
		if r.err == nil && (i > 0 && step == 0 || key >= 1<<keyBits || step >= 1<<keyBits || n == 0 || start+n > count) {
			r.err = fmt.Errorf("crf.bin: key %d is out of order", i)
		}
		if r.err != nil {
			return nil, r.err
		}
		slots = append(slots, slot{key, uint32(start), uint32(n)})
		start += n
	}
	if start != count {
		return nil, fmt.Errorf("crf.bin: %d weights, but the keys have %d", count, start)
	}
	t := newTable(keys, make([]entry, count))
	for _, s := range slots {
		r.entries(t.entries[s.start:s.start+s.count], labels)
		t.add(s.key, int(s.start), int(s.count))
	}
	if r.err == nil && len(r.data) > 0 {
		r.err = errTrailing
	}
	return t, r.err
}

func (r *reader) entries(to []entry, labels int) {
	next := 0
	for i := range to {
		code, weight := next+r.count(offsets*labels), r.varint()
		if code >= offsets*labels || weight > math.MaxInt16 || weight < math.MinInt16 {
			r.err = errors.New("crf.bin: a weight is out of range")
		}
		if r.err != nil {
			return
		}
		to[i] = entry{uint16(code), int16(weight)}
		next = code + 1
	}
}
