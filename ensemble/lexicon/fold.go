package lexicon

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Fold returns the form under which a word is looked up: lower case, without diacritics and
// invisible joiners, in plain letters (see [Plain]). In a word that mixes Latin letters with
// Cyrillic or Greek ones of the same shape, these become Latin.
func Fold(s string) string {
	if isFolded(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	mixed := mixesScripts(s)
	for _, r := range s {
		foldRune(&b, r, mixed)
	}
	return b.String()
}

func isFolded(s string) bool {
	for i := range len(s) {
		if c := s[i]; c >= utf8.RuneSelf || 'A' <= c && c <= 'Z' {
			return false
		}
	}
	return true
}

// LowerASCII writes the [Fold]ed form of an ASCII word to buf; ok is false if the word is not
// ASCII or too long for buf.
func LowerASCII(buf []byte, s string) (key []byte, ok bool) {
	if len(s) > len(buf) {
		return nil, false
	}
	for i := range len(s) {
		c := s[i]
		if c >= utf8.RuneSelf {
			return nil, false
		}
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		buf[i] = c
	}
	return buf[:len(s)], true
}

func foldRune(b *strings.Builder, r rune, mixed bool) {
	if plain, ok := Plain(r); ok {
		b.WriteString(strings.ToLower(plain))
		return
	}
	r = unicode.ToLower(r)
	switch {
	case r < utf8.RuneSelf:
		b.WriteByte(byte(r))
	case unicode.Is(unicode.Mn, r), unicode.Is(unicode.Cf, r):
	default:
		if to, ok := foldings()[r]; ok && (r < 0x250 || r >= 0x1e00 || mixed) {
			b.WriteString(to)
			return
		}
		b.WriteRune(r)
	}
}

func mixesScripts(s string) bool {
	latin, other := false, false
	for _, r := range s {
		latin = latin || unicode.Is(unicode.Latin, r)
		other = other || unicode.Is(unicode.Cyrillic, r) || unicode.Is(unicode.Greek, r)
	}
	return latin && other
}
