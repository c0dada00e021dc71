package onnx

import (
	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/features"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// segment is a stretch of a note, or a window of one that is too long: the units
// [start, end) of a chunk. Its scores are looked up and kept as one; of them those of the
// units [from, to) count.
type segment struct {
	window
	last bool // the stretch ends with it
}

// chunk is as much of a note as is in flight at a time.
type chunk struct {
	units    []unit
	segments []segment
	open     int // where the segment that is being filled starts in units
	from     int // where its core starts
}

// How much a chunk holds: enough for full batches, little enough that the memory of a
// note of any length is bounded.
const (
	chunkSegments = 256
	chunkUnits    = 16 << 10
)

func (c *chunk) full() bool {
	return len(c.segments) >= chunkSegments || len(c.units) >= chunkUnits
}

// reset empties the chunk but for the overlap with what comes next.
func (c *chunk) reset() {
	n := copy(c.units, c.units[c.open:])
	c.units, c.segments = c.units[:n], c.segments[:0]
	c.from -= c.open
	c.open = 0
}

// reader is how a network wants its text.
type reader struct {
	size     int  // units of a segment at most
	overlap  int  // units that two neighbouring segments of a stretch share
	limit    int  // bytes of a unit, 0 for any number
	note     bool // stretches go across sentences
	features bool // units have columns
}

// cutter cuts a note into chunks.
type cutter struct {
	reader
	note      *ensemble.Note
	normalize bool
	columns   []uint8 // of the note's tokens, or nil
	asked     asker

	stretches []phi.Range // of tokens: those that are left
	begun     bool        // token is in the first of them
	token     int         // the next token
	pending   []unit      // of the token before it
	pushed    int         // how many of them are in the chunk
	chunk     chunk
}

// newCutter returns a cutter of what is asked of a note; nil asks for all.
func newCutter(r reader, note *ensemble.Note, normalize bool, ask []phi.Range) *cutter {
	c := &cutter{reader: r, note: note, normalize: normalize, asked: asker{ask}}
	if r.features {
		c.columns = features.Columns(note)
	}
	if r.note {
		c.stretches = contextOf(len(note.View().Tokens), ask)
	} else {
		c.stretches = sentencesOf(note, ask)
	}
	return c
}

// next fills the chunk; false means that the note is done and nothing is in it.
func (c *cutter) next() bool {
	for len(c.stretches) > 0 {
		c.fill()
		if len(c.chunk.segments) > 0 {
			return true
		}
	}
	return false
}

// fill fills the chunk as far as the note goes. Of a long stretch in which little is asked
// it may have no segment.
func (c *cutter) fill() {
	c.chunk.reset()
	for !c.chunk.full() && len(c.stretches) > 0 {
		if c.pushed < len(c.pending) {
			c.push()
			continue
		}
		s := c.stretches[0]
		if !c.begun {
			c.token, c.begun = s.Start, true
		}
		if c.token < s.End {
			c.read()
			continue
		}
		c.end()
		c.stretches, c.begun = c.stretches[1:], false
	}
}

// read makes units of the next token.
func (c *cutter) read() {
	i := c.token
	c.pending = unitsOf(c.note, i, i+1, c.limit, c.normalize, c.pending[:0])
	if c.columns != nil {
		row := columns(c.columns[i*features.NumColumns : (i+1)*features.NumColumns])
		for k := range c.pending {
			c.pending[k].columns = row
		}
	}
	c.token, c.pushed = i+1, 0
}

// push moves a unit from pending into the chunk, and closes a segment that is full.
func (c *cutter) push() {
	k := &c.chunk
	if len(k.units)-k.open == c.size {
		shared := min(c.overlap, c.size/2)
		end := len(k.units)
		to := end - shared/2
		c.add(segment{window: window{k.open, end, k.from, to}})
		k.open, k.from = end-shared, to
		if k.full() {
			return
		}
	}
	k.units = append(k.units, c.pending[c.pushed])
	c.pushed++
}

// end closes the last segment of a stretch.
func (c *cutter) end() {
	k := &c.chunk
	if k.open == len(k.units) {
		return
	}
	c.add(segment{window{k.open, len(k.units), k.from, len(k.units)}, true})
	k.open, k.from = len(k.units), len(k.units)
}

// add keeps a segment if any of its words that count is asked.
func (c *cutter) add(s segment) {
	units := c.chunk.units
	if s.from < s.to && c.asked.any(units[s.from].token, units[s.to-1].token+1) {
		c.chunk.segments = append(c.chunk.segments, s)
	}
}
