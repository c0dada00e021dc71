package features

import (
	"strconv"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// longest is the number of bytes of a word that are used.
const longest = 48

func (s *Sheet) word(buf []byte, i int) []byte {
	if s.tokens[i].Kind == text.Number {
		return s.lower(buf, i)
	}
	return append(buf, clip(s.text(i))...)
}

// clip cuts a long word at a rune border.
func clip(word string) string {
	if len(word) <= longest {
		return word
	}
	end := longest
	for !utf8.RuneStart(word[end]) {
		end--
	}
	return word[:end]
}

// fold returns the folded form of token i, which stays valid until the next call.
func (s *Sheet) fold(i int) []byte {
	if s.at == i {
		return s.folded
	}
	s.at = i
	word := clip(s.text(i))
	if cap(s.folded) < longest {
		s.folded = make([]byte, longest)
	}
	if key, ok := lexicon.LowerASCII(s.folded[:longest], word); ok {
		s.folded = key
	} else {
		s.folded = append(s.folded[:0], clip(lexicon.Fold(word))...)
	}
	if s.tokens[i].Kind == text.Number && len(s.folded) > 2 {
		for j, c := range s.folded {
			if c >= '0' && c <= '9' {
				s.folded[j] = '0'
			}
		}
	}
	return s.folded
}

func (s *Sheet) lower(buf []byte, i int) []byte { return append(buf, s.fold(i)...) }

// endings of English grammar, longest first.
var endings = []string{"ations", "ation", "ings", "edly", "ing", "ies", "ed", "es", "ly", "'s", "s"}

// stem removes an ending from a word, leaving at least three letters.
func (s *Sheet) stem(buf []byte, i int) []byte {
	if s.tokens[i].Kind != text.Word {
		return buf
	}
	word := s.fold(i)
	for _, end := range endings {
		if n := len(word) - len(end); n >= 3 && string(word[n:]) == end {
			return append(buf, word[:n]...)
		}
	}
	return buf
}

func prefix(n int) func(*Sheet, []byte, int) []byte {
	return func(s *Sheet, buf []byte, i int) []byte {
		word := s.fold(i)
		if s.tokens[i].Kind != text.Word || len(word) <= n {
			return buf
		}
		return append(buf, word[:ceil(word, n)]...)
	}
}

func suffix(n int) func(*Sheet, []byte, int) []byte {
	return func(s *Sheet, buf []byte, i int) []byte {
		word := s.fold(i)
		if s.tokens[i].Kind != text.Word || len(word) <= n {
			return buf
		}
		return append(buf, word[ceil(word, len(word)-n):]...)
	}
}

// ceil returns the first rune border at or after n.
func ceil(word []byte, n int) int {
	for n < len(word) && !utf8.RuneStart(word[n]) {
		n++
	}
	return n
}

func (s *Sheet) form(buf []byte, i int) []byte {
	t := &s.tokens[i]
	switch t.Kind {
	case text.Punct:
		return append(buf, s.text(i)...)
	case text.Number:
		for range min(t.End-t.Start, 12) {
			buf = append(buf, '0')
		}
		return buf
	}
	return append(buf, wordForm(t)...)
}

func wordForm(t *text.Token) string {
	switch {
	case t.Case == text.Upper && t.End-t.Start == 1:
		return "X"
	case t.Case == text.Upper:
		return "XX"
	case t.Case == text.Title:
		return "Xx"
	case t.Case == text.Mixed:
		return "xX"
	case t.End-t.Start == 1:
		return "x"
	}
	return "xx"
}

func (s *Sheet) length(buf []byte, i int) []byte {
	if s.tokens[i].Kind != text.Word {
		return buf
	}
	return strconv.AppendInt(buf, int64(min(utf8.RuneCountInString(clip(s.text(i))), 12)), 10)
}

// chunkTokens is how many tokens of a chunk its form shows.
const chunkTokens = 8

// chunk writes the form of the text between blanks, without marks at its end, and the token's
// position in it. A token on its own has none: see Form.
func (s *Sheet) chunk(buf []byte, i int) []byte {
	m := &s.marks[i]
	from, to := int(m.chunkStart), max(int(m.chunkEnd), i+1)
	if to-from < 2 {
		return buf
	}
	from = max(from, i-chunkTokens/2)
	for j := from; j < min(to, from+chunkTokens); j++ {
		buf = s.form(buf, j)
	}
	return strconv.AppendInt(append(buf, ' '), int64(i-from), 10)
}

// number writes what a number may be: a day, a month, an hour, a year, an age.
func (s *Sheet) number(buf []byte, i int) []byte {
	t := &s.tokens[i]
	if t.Kind != text.Number {
		return buf
	}
	n, err := strconv.Atoi(s.text(i))
	digits := t.End - t.Start
	switch {
	case err != nil || digits > 4:
		return append(buf, "long"...)
	case digits == 4 && n >= 1880 && n <= 2100:
		return append(buf, "year"...)
	case digits >= 3 && n > 120:
		return append(buf, "large"...)
	case n == 0:
		return append(buf, "zero"...)
	case n <= 12:
		return append(buf, "month"...)
	case n <= 31:
		return append(buf, "day"...)
	case n < 60:
		return append(buf, "minute"...)
	case n <= 89:
		return append(buf, "age"...)
	}
	return append(buf, "old"...)
}
