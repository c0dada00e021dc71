package features

// Keys appends the keys of some attributes of tokens [from, to) to dst, one token after
// the other: what [Sheet.Rows] gives, for a model that looks at fewer.
func (s *Sheet) Keys(dst []Key, attributes []Attribute, from, to int) []Key {
	var buf [64]byte
	for i := from; i < to; i++ {
		for _, a := range attributes {
			dst = append(dst, hash(uint64(a), writers[a](s, buf[:0], i)))
		}
	}
	return dst
}
