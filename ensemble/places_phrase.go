package ensemble

import "github.com/pgdeid/pgdeid/ensemble/lexicon"

// phrase looks tokens [i, end) up as a place of several words: "new york",
// "st louis". Punctuation between the words does not matter.
func (r *reading) phrase(i, end int) (lexicon.Entry, bool) {
	var buf [48]byte
	n := 0
	for ; i < end; i++ {
		if !r.word(i) {
			continue
		}
		s := r.str(i)
		if n > 0 {
			buf[n] = ' '
			n++
		}
		if n+len(s)+1 > len(buf) {
			return lexicon.Entry{}, false
		}
		key, ok := lexicon.LowerASCII(buf[n:], s)
		if !ok {
			key = buf[n : n+copy(buf[n:len(buf)-1], lexicon.Fold(s))]
		}
		n += len(key)
	}
	return lexicon.LookupKey(buf[:n])
}
