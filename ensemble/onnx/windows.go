package onnx

// overlap is how many words or wordpieces two neighbouring windows share.
const overlap = 32

// noteOverlap is how many words two neighbouring windows of a note share.
const noteOverlap = 16

// window is a stretch [start, end) of a sequence that a network sees at once. What it
// says of [from, to) counts: there it has more context on its worse side than any
// other window. These cores are disjoint and cover the sequence.
type window struct{ start, end, from, to int }

// windows cuts a sequence of n into windows of at most size that overlap by half of
// size at most.
func windows(n, size int) []window {
	if n <= size {
		return []window{{0, n, 0, n}}
	}
	shared := min(overlap, size/2)
	var out []window
	for start, from := 0, 0; ; {
		end := min(start+size, n)
		if end == n {
			return append(out, window{start, end, from, n})
		}
		to := end - shared/2
		out = append(out, window{start, end, from, to})
		start, from = end-shared, to
	}
}
