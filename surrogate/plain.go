package surrogate

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// plain returns the form in which originals and surrogates are compared: folded, without
// apostrophes, so that O'Brien and OBRIEN are one name.
func plain(s string) string {
	if isASCII(s) {
		return lowerASCII(s, func(c byte) bool { return c != '\'' && c != '`' })
	}
	s = lexicon.Fold(s)
	if strings.IndexFunc(s, isApostrophe) < 0 {
		return s
	}
	return strings.Map(func(r rune) rune {
		if isApostrophe(r) {
			return -1
		}
		return r
	}, s)
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// lowerASCII is a fast lexicon.Fold for ASCII that retains the bytes accepted by keep.
func lowerASCII(s string, keep func(byte) bool) string {
	same := true
	for i := range len(s) {
		same = same && keep(s[i]) && !isUpperASCII(s[i])
	}
	if same {
		return s
	}
	out := make([]byte, 0, len(s))
	for i := range len(s) {
		c := s[i]
		if isUpperASCII(c) {
			c += 'a' - 'A'
		}
		if keep(c) {
			out = append(out, c)
		}
	}
	return string(out)
}

func isApostrophe(r rune) bool { return r == '\'' || r == '’' || r == '‘' || r == '`' || r == 'ʼ' }

// words returns the runs of letters and digits of a text.
func words(s string) iter.Seq[string] {
	return strings.FieldsFuncSeq(s, func(r rune) bool { return !isAlnum(r) })
}

func isAlnum(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// alnum returns the letters and digits of a text, folded: the form in which numbers are compared.
func alnum(s string) string {
	if isASCII(s) {
		return lowerASCII(s, func(c byte) bool { return isAlnum(rune(c)) })
	}
	return strings.Map(func(r rune) rune {
		if isAlnum(r) {
			return r
		}
		return -1
	}, lexicon.Fold(s))
}

// letterCase returns the case of a word. Scripts without case count as Title, as surrogates are
// Latin.
func letterCase(word string) text.Case {
	upper, lower, n := 0, 0, 0
	first := false
	for _, r := range word {
		switch {
		case unicode.IsUpper(r) || unicode.IsTitle(r):
			upper++
			first = first || n == 0
		case unicode.IsLower(r):
			lower++
		}
		n++
	}
	switch {
	case upper == 0 && lower == 0:
		return text.Title
	case upper == 0:
		return text.Lower
	case lower == 0:
		return text.Upper
	case upper == 1 && first:
		return text.Title
	default:
		return text.Mixed
	}
}

// inCase writes a surrogate, given in title case, in the case of the original.
func inCase(surrogate string, c text.Case) string {
	switch c {
	case text.Lower:
		return strings.ToLower(surrogate)
	case text.Upper:
		return strings.ToUpper(surrogate)
	default:
		return surrogate
	}
}

// inCaseOf is inCase for several words: "MASS. GENERAL" is upper case.
func inCaseOf(surrogate, original string) string { return inCase(surrogate, letterCase(original)) }

// titled capitalises each word of a lower-case text.
func titled(s string) string {
	start := true
	return strings.Map(func(r rune) rune {
		at := start
		start = !isAlnum(r) && !isApostrophe(r)
		if at {
			return unicode.ToTitle(r)
		}
		return r
	}, s)
}

func isUpperASCII(c byte) bool { return 'A' <= c && c <= 'Z' }
func isDigit(c byte) bool      { return '0' <= c && c <= '9' }
