package harvest

// hashText is FNV-1a of 64 bits, mixed so that every bit depends on every byte. Its values are
// stored, so the function must not change. A collision only adds a candidate: pass 2 counts by the
// texts themselves.
func hashText[T ~string | ~[]byte](text T) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(text) {
		h = (h ^ uint64(text[i])) * 1099511628211
	}
	h ^= h >> 32
	h *= 0xd6e8feb86659fd93
	return h ^ h>>32
}
