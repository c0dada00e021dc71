package text

import (
	"unicode"
	"unicode/utf8"
)

// TokenKind says what a token is made of.
type TokenKind uint8

// The kinds of tokens.
const (
	// Word is a maximal run of letters and combining marks, but for a label that is glued
	// to the word before it: "MossMC # 12" has the words Moss and MC.
	Word TokenKind = iota
	// Number is a maximal run of decimal digits (of any script); invisible joiners
	// between its digits are part of it.
	Number
	// Punct is a single rune that is neither letter, digit nor white space.
	Punct
)

// Case says how a Word token is written.
type Case uint8

// The cases of words. A single capital is Upper.
const (
	Lower Case = iota // "smith", and scripts without case
	Title             // "Smith"
	Upper             // "SMITH", "J"
	Mixed             // "McDonald", "iPhone"
)

// Token is a piece of a note's text. Tokens never span kinds: "53RHM" is the
// Number "53" and the Word "RHM", "O'Brien" is three tokens. White space makes
// no token; Space and Line say that it precedes one.
type Token struct {
	Start, End int
	Kind       TokenKind
	Case       Case // of a Word
	Space      bool // white space precedes the token, or it is the first
	Line       bool // a line break precedes the token, or it is the first
}

// Tokenize splits a text into tokens. Their offsets are bytes of s.
func Tokenize(s string) []Token {
	tokens := make([]Token, 0, len(s)/7*2+8)
	space, line := true, true
	for i := 0; i < len(s); {
		class, size := ClassOf(s[i:])
		if class == SpaceRune || class == LineRune {
			space = true
			line = line || class == LineRune
			i += size
			continue
		}
		t := Token{Start: i, Space: space, Line: line}
		space, line = false, false
		switch class {
		case UpperRune, LowerRune, OtherLetter:
			t.End, t.Case = scanWord(s, i)
			if cut := gluedLabel(s, i, t.End); t.Case == Mixed && cut > 0 {
				t.End, t.Case = scanWord(s[:cut], i)
			}
		case DigitRune:
			t.Kind = Number
			t.End = scanDigits(s, i)
		default:
			t.Kind = Punct
			t.End = i + size
		}
		tokens = append(tokens, t)
		i = t.End
	}
	return tokens
}

// RuneClass says what a rune does in a text.
type RuneClass uint8

// The classes of runes.
const (
	PunctRune RuneClass = iota
	SpaceRune
	LineRune
	DigitRune
	UpperRune
	LowerRune
	OtherLetter // letters without case, and combining marks
)

var asciiClass = func() (t [utf8.RuneSelf]RuneClass) {
	for r := range rune(utf8.RuneSelf) {
		t[r] = slowClass(r)
	}
	return t
}()

func slowClass(r rune) RuneClass {
	switch {
	case r == '\n' || r == '\r' || r == '\v' || r == '\f' || r == '\u0085' || r == '\u2028' || r == '\u2029':
		return LineRune
	case unicode.IsSpace(r) || r == '\ufeff':
		return SpaceRune
	case unicode.IsDigit(r):
		return DigitRune
	case unicode.IsUpper(r) || unicode.IsTitle(r):
		return UpperRune
	case unicode.IsLower(r):
		return LowerRune
	case unicode.IsLetter(r) || unicode.IsMark(r) || isJoiner(r):
		return OtherLetter
	default:
		return PunctRune
	}
}

// isJoiner reports whether r is an invisible character inside words: taken as
// part of the word, they can't hide a name by cutting it in two.
func isJoiner(r rune) bool {
	return r == '\u200b' || r == '\u200c' || r == '\u200d' || r == '\u2060' || r == '\u00ad'
}

// ClassOf returns the class of the first rune of a text that is not empty, and its length in
// bytes.
func ClassOf(s string) (RuneClass, int) {
	if c := s[0]; c < utf8.RuneSelf {
		return asciiClass[c], 1
	}
	r, size := utf8.DecodeRuneInString(s)
	return slowClass(r), size
}

// scanDigits returns the end of the run of digits at i. Joiners between two digits belong to the run, so that they
// can't hide a number.
func scanDigits(s string, i int) int {
	end := i
	for i < len(s) {
		class, size := ClassOf(s[i:])
		i += size
		if class == DigitRune {
			end = i
		} else if r, _ := utf8.DecodeRuneInString(s[i-size:]); !isJoiner(r) {
			break
		}
	}
	return end
}

// scanWord returns the end of the run of letters at i, and how it is written.
func scanWord(s string, i int) (end int, c Case) {
	uppers, lowers, start := 0, 0, i
	for i < len(s) {
		class, size := ClassOf(s[i:])
		switch class {
		case UpperRune:
			uppers++
		case LowerRune:
			lowers++
		case OtherLetter:
		default:
			return i, wordCase(s, start, uppers, lowers)
		}
		i += size
	}
	return i, wordCase(s, start, uppers, lowers)
}

// wordCase returns how a word that begins at start and has so many capitals and small letters is written.
func wordCase(s string, start, uppers, lowers int) Case {
	class, _ := ClassOf(s[start:])
	switch {
	case uppers == 0:
		return Lower
	case lowers == 0:
		return Upper
	case uppers == 1 && class == UpperRune:
		return Title
	}
	return Mixed
}
