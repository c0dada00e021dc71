package onnx

// Encoding is a text cut into wordpieces; its slices have the same length.
type Encoding struct {
	IDs     []uint32 // in the tokenizer's vocabulary
	Offsets [][2]int // half-open ranges of bytes of the text; 0, 0 for special tokens
}
