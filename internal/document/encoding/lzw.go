package encoding

import (
	"errors"
)

// LZW as in TIFF: codes of 9 bits and more, the most significant bit first, which grow one code before they must. A stream
// need not begin with a clear code, and codes may grow to 13 bits, since those in OCF do; compress/lzw reads neither.
const (
	lzwClear    = 256
	lzwEnd      = 257
	lzwFirst    = 258 // the first code of a string
	lzwMinWidth = 9
	lzwMaxWidth = 13
	lzwCodes    = 1 << lzwMaxWidth
	// lzwFull is the number of codes with which a stream is cleared that is written here: that of TIFF, which every reader
	// of either kind knows.
	lzwFull = 4094
)

var (
	errNoLZW  = errors.New("a code of LZW that stands for nothing")
	errLZWCut = errors.New("LZW without its end code")
)

// lzwWidth returns the width of the code that comes next where this is the next code that a reader will give to a string.
func lzwWidth(next int) int {
	width := lzwMinWidth
	for width < lzwMaxWidth && next >= 1<<width-1 {
		width++
	}
	return width
}

// lzwReader reads codes from bytes.
type lzwReader struct {
	data  []byte
	at    int // the next byte
	bits  uint32
	count int // bits that were read and belong to no code yet
}

// read returns the next code, or false where the bytes end.
func (r *lzwReader) read(width int) (int, bool) {
	for r.count < width {
		if r.at == len(r.data) {
			return 0, false
		}
		r.bits = r.bits<<8 | uint32(r.data[r.at])
		r.at++
		r.count += 8
	}
	r.count -= width
	return int(r.bits >> r.count & (1<<width - 1)), true
}

// lzwTable holds what codes stand for: the string of an earlier code, and one byte more.
type lzwTable struct {
	prefix [lzwCodes]uint16
	last   [lzwCodes]byte
	length [lzwCodes]int
	next   int // the next code that stands for nothing yet
}

func newLZWTable() *lzwTable {
	t := &lzwTable{next: lzwFirst}
	for i := range lzwClear {
		t.last[i], t.length[i] = byte(i), 1
	}
	return t
}

// add gives the next code to a string and one byte more. A full table takes no more.
func (t *lzwTable) add(prefix int, last byte) {
	if t.next < lzwCodes {
		t.prefix[t.next], t.last[t.next], t.length[t.next] = uint16(prefix), last, t.length[prefix]+1 //nolint:gosec // a code
		t.next++
	}
}

// write writes the string of a code behind out.
func (t *lzwTable) write(out []byte, code int) []byte {
	start := len(out)
	out = append(out, make([]byte, t.length[code])...)
	for i := len(out) - 1; i >= start; i-- {
		out[i] = t.last[code]
		code = int(t.prefix[code])
	}
	return out
}

// unpackLZW decompresses a stream, and returns at which byte what is behind its end code begins. Of what begins as no stream
// does, the error is errNoLZW.
func unpackLZW(data []byte) (out []byte, end int, err error) {
	limit, tooMuch := limitOf(len(data))
	r, t := lzwReader{data: data}, newLZWTable()
	previous, start := -1, 0 // the code before, and where its string begins in out
	for {
		code, ok := r.read(lzwWidth(t.next))
		switch {
		case !ok:
			return nil, 0, errLZWCut
		case code == lzwEnd:
			return out, r.at, nil
		case code == lzwClear:
			t.next, previous = lzwFirst, -1
			continue
		case code > t.next, code == t.next && previous < 0:
			return nil, 0, errNoLZW
		}
		if code == t.next { // the string of the code before, and its first byte once more
			t.add(previous, out[start])
			previous = -1
		}
		if int64(len(out)+t.length[code]) > limit {
			return nil, 0, tooMuch
		}
		begins := len(out)
		out = t.write(out, code)
		if previous >= 0 {
			t.add(previous, out[begins])
		}
		previous, start = code, begins
	}
}

// lzwWriter writes codes to bytes.
type lzwWriter struct {
	out     []byte
	bits    uint32
	count   int // bits that fill no byte yet
	written int // codes since the table was cleared
}

func (w *lzwWriter) write(code int) {
	width := lzwWidth(lzwFirst + max(w.written-1, 0))
	w.bits = w.bits<<width | uint32(code) //nolint:gosec // codes have 13 bits
	w.count += width
	for w.count >= 8 {
		w.count -= 8
		w.out = append(w.out, byte(w.bits>>w.count)) //nolint:gosec // eight of the bits
	}
	w.written++
}

// packLZW compresses data.
func packLZW(data []byte) []byte {
	type longer struct {
		prefix int
		last   byte
	}
	var w lzwWriter
	table := map[longer]int{}
	prefix := -1
	for _, c := range data {
		if prefix < 0 {
			prefix = int(c)
			continue
		}
		if code, ok := table[longer{prefix, c}]; ok {
			prefix = code
			continue
		}
		w.write(prefix)
		table[longer{prefix, c}] = lzwFirst + len(table)
		prefix = int(c)
		if lzwFirst+len(table) >= lzwFull {
			w.write(lzwClear)
			clear(table)
			w.written = 0
		}
	}
	if prefix >= 0 {
		w.write(prefix)
	}
	w.write(lzwEnd)
	if w.count > 0 {
		w.out = append(w.out, byte(w.bits<<(8-w.count))) //nolint:gosec // eight of the bits
	}
	return w.out
}
