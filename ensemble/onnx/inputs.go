package onnx

import "github.com/pgdeid/pgdeid/ensemble/features"

// extent is how large the inputs of a batch are.
type extent struct {
	windows int
	rows    int // positions of the longest window that have logits
	pieces  int // wordpieces of the window with most
}

func extentOf(batch []*job) extent {
	e := extent{windows: len(batch)}
	for _, j := range batch {
		e.rows, e.pieces = max(e.rows, j.rows), max(e.pieces, len(j.ids))
	}
	return e
}

// input is one of the inputs that a network may have: numbers for each position of each
// window, of which those behind a window's end are padding.
type input struct {
	pieces bool // positions are wordpieces, not words
	depth  int  // numbers for each position; 0: the input has no dimension for them
	pad    int64
	// fill writes a window's numbers into dst, which holds padding up to the length of the
	// longest window.
	fill func(dst []int64, j *job, s *scratch)
}

// shape returns the dimensions of an input.
func (in *input) shape(e extent) []int64 {
	dims := []int64{int64(e.windows), int64(in.length(e))}
	if in.depth > 0 {
		dims = append(dims, int64(in.depth))
	}
	return dims
}

func (in *input) length(e extent) int {
	if in.pieces {
		return e.pieces
	}
	return e.rows
}

// batch returns the numbers of a batch, in the memory of dst.
func (in *input) batch(dst []int64, batch []*job, e extent, s *scratch) []int64 {
	size := in.length(e) * max(in.depth, 1)
	dst = zeroed(dst, len(batch)*size)
	if in.pad != 0 {
		for i := range dst {
			dst[i] = in.pad
		}
	}
	for b, j := range batch {
		in.fill(dst[b*size:(b+1)*size], j, s)
	}
	return dst
}

// wordInputs are those of networks with a character front.
func wordInputs(v *vocabulary, c *wordsConfig) map[string]*input {
	inputs := map[string]*input{
		"chars": {depth: v.wordChars, fill: func(dst []int64, j *job, _ *scratch) {
			for i := range j.units {
				v.fillChars(dst[i*v.wordChars:(i+1)*v.wordChars], j.units[i].text)
			}
		}},
		"words": {fill: func(dst []int64, j *job, s *scratch) {
			for i := range j.units {
				dst[i] = v.word(j.units[i].text, &s.word)
			}
		}},
		"gaps": {fill: func(dst []int64, j *job, _ *scratch) {
			for i := range j.units {
				dst[i] = int64(j.units[i].gap)
			}
		}},
	}
	if c.Features > 0 {
		inputs["features"] = &input{depth: features.NumColumns, fill: fillFeatures}
	}
	if c.Pieces != nil {
		inputs["pieces"] = &input{pieces: true, fill: fillIDs}
		inputs["begins"] = &input{fill: func(dst []int64, j *job, _ *scratch) {
			for i, at := range j.begins {
				dst[i] = int64(at)
			}
		}}
	}
	return inputs
}

// fillFeatures numbers the values of all columns one after the other.
func fillFeatures(dst []int64, j *job, _ *scratch) {
	for i := range j.units {
		row := dst[i*features.NumColumns : (i+1)*features.NumColumns]
		for c, value := range j.units[i].columns {
			row[c] = features.ColumnOffsets[c] + int64(value)
		}
	}
}

func fillIDs(dst []int64, j *job, _ *scratch) {
	for i, id := range j.ids {
		dst[i] = int64(id)
	}
}

// pieceInputs are those of wordpiece networks.
func pieceInputs(pad int64) map[string]*input {
	return map[string]*input{
		"input_ids": {pieces: true, pad: pad, fill: fillIDs},
		"attention_mask": {pieces: true, fill: func(dst []int64, j *job, _ *scratch) {
			for i := range j.ids {
				dst[i] = 1
			}
		}},
		"token_type_ids": {pieces: true, fill: func([]int64, *job, *scratch) {}}, // all 0: there is one sentence
	}
}
