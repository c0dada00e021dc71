// Package letter compares and writes words: folded, in the case of another word, letters and digits alone.
package letter

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// CaseOfWord is Case, except that a single capital counts as title case.
func CaseOfWord(word string) text.Case {
	if c := Case(word); c != text.Upper || utf8.RuneCountInString(word) > 1 {
		return c
	}
	return text.Title
}

// Plain returns the form in which originals and surrogates are compared: folded, without
// apostrophes, so that O'Brien and OBRIEN are one name.
func Plain(s string) string {
	if isASCII(s) {
		return lowerASCII(s, func(c byte) bool { return c != '\'' && c != '`' })
	}
	s = lexicon.Fold(s)
	if strings.IndexFunc(s, IsApostrophe) < 0 {
		return s
	}
	return strings.Map(func(r rune) rune {
		if IsApostrophe(r) {
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
		same = same && keep(s[i]) && !IsUpperASCII(s[i])
	}
	if same {
		return s
	}
	out := make([]byte, 0, len(s))
	for i := range len(s) {
		c := s[i]
		if IsUpperASCII(c) {
			c += 'a' - 'A'
		}
		if keep(c) {
			out = append(out, c)
		}
	}
	return string(out)
}

// IsApostrophe reports whether a rune is written for an apostrophe.
func IsApostrophe(r rune) bool { return r == '\'' || r == '’' || r == '‘' || r == '`' || r == 'ʼ' }

// Words returns the runs of letters and digits of a text.
func Words(s string) iter.Seq[string] {
	return strings.FieldsFuncSeq(s, func(r rune) bool { return !IsAlnum(r) })
}

// IsAlnum reports whether a rune belongs to words and numbers: letters, digits and marks of any script.
func IsAlnum(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// Alnum returns the letters and digits of a text, folded: the form in which numbers are compared.
func Alnum(s string) string {
	if isASCII(s) {
		return lowerASCII(s, func(c byte) bool { return IsAlnum(rune(c)) })
	}
	return strings.Map(func(r rune) rune {
		if IsAlnum(r) {
			return r
		}
		return -1
	}, lexicon.Fold(s))
}

// Case returns the case of a word. Scripts without case count as Title, as surrogates are
// Latin.
func Case(word string) text.Case {
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

// InCase writes a surrogate, given in title case, in the case of the original.
func InCase(surrogate string, c text.Case) string {
	switch c {
	case text.Lower:
		return strings.ToLower(surrogate)
	case text.Upper:
		return strings.ToUpper(surrogate)
	default:
		return surrogate
	}
}

// InCaseOf is inCase for several words: "MASS. GENERAL" is upper case.
func InCaseOf(surrogate, original string) string { return InCase(surrogate, Case(original)) }

// Titled capitalises each word of a lower-case text.
func Titled(s string) string {
	start := true
	return strings.Map(func(r rune) rune {
		at := start
		start = !IsAlnum(r) && !IsApostrophe(r)
		if at {
			return unicode.ToTitle(r)
		}
		return r
	}, s)
}

// IsUpperASCII reports whether a byte is A to Z.
func IsUpperASCII(c byte) bool { return 'A' <= c && c <= 'Z' }

// IsDigit reports whether a byte is 0 to 9.
func IsDigit(c byte) bool { return '0' <= c && c <= '9' }
