package rules

import "github.com/pgdeid/pgdeid/ensemble/text"

// has reports whether token i exists and has any of the bits.
func (s *scan) has(i int, b text.Classes) bool {
	return uint(i) < uint(len(s.marks)) && s.marks[i].Classes&b != 0
}

// numAt reports whether token i is a Number.
func (s *scan) numAt(i int) bool {
	return uint(i) < uint(len(s.marks)) && s.marks[i].Digits != 0
}

// c returns the punctuation mark at token i, or 0.
func (s *scan) c(i int) byte {
	if uint(i) < uint(len(s.marks)) {
		return s.marks[i].Punct
	}
	return 0
}

// glued reports whether token i exists and nothing stands between it and the one
// before it.
func (s *scan) glued(i int) bool {
	return uint(i) < uint(len(s.toks)) && !s.toks[i].Space
}

// wordAt reports whether token i is a Word.
func (s *scan) wordAt(i int) bool {
	return uint(i) < uint(len(s.toks)) && s.toks[i].Kind == text.Word
}

// tok returns the text of token i.
func (s *scan) tok(i int) string {
	t := &s.toks[i]
	return s.text[t.Start:t.End]
}

// sameLine reports whether token i exists and stands on the line of the one
// before it.
func (s *scan) sameLine(i int) bool {
	return uint(i) < uint(len(s.toks)) && !s.toks[i].Line
}

// runEnds reports whether no letter or digit is glued to the token before i.
func (s *scan) runEnds(i int) bool { return !s.glued(i) || s.toks[i].Kind == text.Punct }

// ends reports whether nothing that could continue a value follows before token
// i: the text or line ends, or a mark that closes a phrase comes.
func (s *scan) ends(i int) bool {
	if i >= len(s.toks) || s.toks[i].Line {
		return true
	}
	switch s.c(i) {
	case ',', ';', ')', ']', '?', '!':
		return true
	case '.':
		return i+1 >= len(s.toks) || s.runEnds(i+1)
	default:
		return false
	}
}
