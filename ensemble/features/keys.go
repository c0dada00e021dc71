package features

// Keys appends the keys of some attributes of tokens [from, to) to dst, token by token:
// [Sheet.Rows] for a model that uses fewer attributes.
func (s *Sheet) Keys(dst []Key, attributes []Attribute, from, to int) []Key {
	var buf [64]byte
	for i := from; i < to; i++ {
		for _, a := range attributes {
			dst = append(dst, hash(uint64(a), writers[a](s, buf[:0], i)))
		}
	}
	return dst
}
