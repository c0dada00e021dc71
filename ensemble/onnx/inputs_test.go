package onnx

import (
	"slices"
	"testing"
)

// testInputs are those of a network that reads all there is.
func testInputs(t *testing.T) map[string]*input {
	t.Helper()
	c := &wordsConfig{Chars: "ab", WordChars: 4, MaxWords: 64, Digits: "0", Features: 10, Pieces: &piecesConfig{
		Most: 6, CLS: 101, SEP: 102,
		Unknown: 100,
	}}
	v, err := newVocabulary(c, []byte("seen\nab\n00\n"))
	if err != nil {
		t.Fatal(err)
	}
	return wordInputs(v, c)
}

// testBatch are two windows: "ab 47" with hits, and "b".
func testBatch() []*job {
	return []*job{
		{
			length: 6, rows: 2, ids: []uint32{101, 7, 8, 9, 10, 102}, begins: []int32{1, 3},
			units: []unit{
				{text: "ab", gap: lineBreak, columns: columns{1, 2, 0, 10, 0, 3, 0, 9, 1, 15}},
				{text: "47", gap: blank, columns: columns{0, 0, 5}},
			},
		},
		{length: 3, rows: 1, ids: []uint32{101, 11, 102}, begins: []int32{1}, units: []unit{{text: "b", gap: noGap}}},
	}
}

// The numbers are worked out by hand: characters from 5 in the order of the alphabet, 3 is
// a digit; words from 2 in that of words.txt, 1 is unknown; features begin at 0, 9, 12,
// 23, 34, 45, 56, 67, 83 and 99.
func TestInputsOfABatch(t *testing.T) {
	t.Parallel()
	inputs, batch, s := testInputs(t), testBatch(), &scratch{}
	e := extentOf(batch)
	if e != (extent{windows: 2, rows: 2, pieces: 6}) {
		t.Fatalf("extent %+v", e)
	}
	for name, c := range map[string]struct{ shape, want []int64 }{
		"chars": {[]int64{2, 2, 4}, []int64{5, 6, 0, 0, 3, 3, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0}},
		"words": {[]int64{2, 2}, []int64{3, 4, 1, 0}},
		"gaps":  {[]int64{2, 2}, []int64{2, 1, 0, 0}},
		"features": {[]int64{2, 2, 10}, []int64{
			1, 11, 12, 33, 34, 48, 56, 76, 84, 114,
			0, 9, 17, 23, 34, 45, 56, 67, 83, 99,
			0, 9, 12, 23, 34, 45, 56, 67, 83, 99, // nothing is known: blanks
			0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // padding
		}},
		"pieces": {[]int64{2, 6}, []int64{101, 7, 8, 9, 10, 102, 101, 11, 102, 0, 0, 0}},
		"begins": {[]int64{2, 2}, []int64{1, 3, 1, 0}},
	} {
		in := inputs[name]
		if shape := in.shape(e); !slices.Equal(shape, c.shape) {
			t.Errorf("%s: shape %v, want %v", name, shape, c.shape)
		}
		dirty := slices.Repeat([]int64{77}, 50)
		if got := in.batch(dirty, batch, e, s); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	if len(inputs) != 6 {
		t.Errorf("%d inputs", len(inputs))
	}
}

func TestInputsThatAreNotConfigured(t *testing.T) {
	t.Parallel()
	c := &wordsConfig{Chars: "ab", WordChars: 4, MaxWords: 64, Digits: "0"}
	v, err := newVocabulary(c, []byte("seen\n"))
	if err != nil {
		t.Fatal(err)
	}
	inputs := wordInputs(v, c)
	for _, name := range []string{"features", "pieces", "begins"} {
		if inputs[name] != nil {
			t.Errorf("a network has the input %s without its block", name)
		}
	}
}

func TestInputsOfWordpieces(t *testing.T) {
	t.Parallel()
	batch, s := []*job{{rows: 3, length: 3, ids: []uint32{5, 6, 7}}, {rows: 1, length: 1, ids: []uint32{8}}}, &scratch{}
	e, inputs := extentOf(batch), pieceInputs(9)
	for name, want := range map[string][]int64{
		"input_ids": {5, 6, 7, 8, 9, 9}, "attention_mask": {1, 1, 1, 1, 0, 0}, "token_type_ids": {0, 0, 0, 0, 0, 0},
	} {
		if got := inputs[name].batch(nil, batch, e, s); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
		if shape := inputs[name].shape(e); !slices.Equal(shape, []int64{2, 3}) {
			t.Errorf("%s: shape %v", name, shape)
		}
	}
}
