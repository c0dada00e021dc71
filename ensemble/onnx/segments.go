package onnx

import "github.com/pgdeid/pgdeid/ensemble"

// segment is a sentence, or a window of one that is too long: the units [start, end)
// of a chunk. Its scores are looked up and kept as one; of them those of the units
// [from, to) count.
type segment struct {
	window
	last bool // the sentence ends with it
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

// cutter cuts a note into chunks.
type cutter struct {
	note      *ensemble.Note
	size      int // units of a segment
	limit     int // bytes of a unit, 0 for any number
	normalize bool

	sentence int    // the next sentence, or the one whose tokens are being cut
	token    int    // the next token
	pending  []unit // of the token before it
	pushed   int    // how many of them are in the chunk
	chunk    chunk
}

// next fills the chunk; false means that the note is done and nothing is in it.
func (c *cutter) next() bool {
	c.chunk.reset()
	sentences := c.note.Sentences()
	for !c.chunk.full() {
		if c.pushed < len(c.pending) {
			c.push()
			continue
		}
		if c.sentence == len(sentences) {
			break
		}
		tokens := c.note.Tokens()
		if c.token < len(tokens) && tokens[c.token].Start < sentences[c.sentence].End {
			c.pending = unitsOf(c.note, c.token, c.token+1, c.limit, c.normalize, c.pending[:0])
			c.token, c.pushed = c.token+1, 0
			continue
		}
		c.end()
		c.sentence++
	}
	return len(c.chunk.segments) > 0
}

// push moves a unit from pending into the chunk, and closes a segment that is full.
func (c *cutter) push() {
	k := &c.chunk
	if len(k.units)-k.open == c.size {
		shared := min(overlap, c.size/2)
		end := len(k.units)
		to := end - shared/2
		k.segments = append(k.segments, segment{window: window{k.open, end, k.from, to}})
		k.open, k.from = end-shared, to
		if k.full() {
			return
		}
	}
	k.units = append(k.units, c.pending[c.pushed])
	c.pushed++
}

// end closes the last segment of a sentence.
func (c *cutter) end() {
	k := &c.chunk
	if k.open == len(k.units) {
		return
	}
	k.segments = append(k.segments, segment{window{k.open, len(k.units), k.from, len(k.units)}, true})
	k.open, k.from = len(k.units), len(k.units)
}
