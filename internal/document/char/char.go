package char

import (
	"strings"
	"unicode/utf8"
)

// Characters of typography.
const (
	NoBreakSpace = "\u00a0" // shown as a space
	SoftHyphen   = "\u00ad" // shown at the end of a line only: not part of a word
)

// Typographic leaves what matters for how lines are broken out of a text.
var Typographic = strings.NewReplacer(SoftHyphen, "", NoBreakSpace, " ")

// ByteOrderMark is what a document in UTF-8 may begin with.
const ByteOrderMark = "\ufeff"

// HasPrefix reports whether raw begins with s.
func HasPrefix(raw []byte, s string) bool { return len(raw) >= len(s) && string(raw[:len(s)]) == s }

// NewlineAt returns the length of the line break that raw begins with, or 0.
func NewlineAt(raw []byte) int {
	switch {
	case HasPrefix(raw, "\r\n"):
		return 2
	case len(raw) > 0 && (raw[0] == '\n' || raw[0] == '\r'):
		return 1
	}
	return 0
}

// IsSpace reports whether a byte is white space in markup.
func IsSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' }

// Spaces returns how many bytes at the begin of raw are white space.
func Spaces(raw []byte) int {
	n := 0
	for n < len(raw) && IsSpace(raw[n]) {
		n++
	}
	return n
}

// IsLetter reports whether a byte is a letter of ASCII.
func IsLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

// IsDigit reports whether a byte is a digit of ASCII.
func IsDigit(c byte) bool { return '0' <= c && c <= '9' }

// IsAlphanumeric reports whether a byte is a letter or a digit of ASCII.
func IsAlphanumeric(c byte) bool { return IsLetter(c) || IsDigit(c) }

// HexDigit returns the value of a hexadecimal digit, or -1.
func HexDigit(c byte) int {
	switch {
	case IsDigit(c):
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

// IsNewline reports whether a byte ends a line.
func IsNewline(c byte) bool { return c == '\r' || c == '\n' }

// InvalidAt returns the offset of the first byte that is not UTF-8.
func InvalidAt(data []byte) int {
	for i := 0; i < len(data); {
		r, n := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return len(data)
}
