package json

import (
	"strconv"
	"unicode/utf16"
)

// escapes are the short escapes of JSON's strings.
var escapes = map[byte]rune{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// escape returns the character that is escaped at the reader's position, and how many bytes that takes.
func (r *reader) escape() (char rune, size int, err error) {
	in := r.Input()[r.pos:]
	if len(in) < 2 {
		return 0, 0, r.wrong("an escape without an end")
	}
	if char, ok := escapes[in[1]]; ok {
		return char, 2, nil
	}
	char, ok := hexEscape(in)
	switch {
	case !ok:
		return 0, 0, r.wrong("an escape in no form of JSON")
	case char == 0:
		return 0, 0, r.wrong("a NUL character, which no text can have")
	case !utf16.IsSurrogate(char):
		return char, 6, nil
	}
	low, ok := hexEscape(in[6:])
	if pair := utf16.DecodeRune(char, low); ok && pair != '\ufffd' {
		return pair, 12, nil
	}
	return 0, 0, r.wrong("half of a surrogate pair")
}

// hexEscape reads \uXXXX.
func hexEscape(in []byte) (rune, bool) {
	if len(in) < 6 || in[0] != '\\' || in[1] != 'u' {
		return 0, false
	}
	n := rune(0)
	for _, c := range in[2:6] {
		digit, err := strconv.ParseUint(string(c), 16, 8)
		if err != nil {
			return 0, false
		}
		n = n<<4 | rune(digit)
	}
	return n, true
}

// stringText writes text in a string, as PostgreSQL writes jsonb.
type stringText struct{}

func (stringText) Append(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	for i := range len(s) {
		switch c := s[i]; c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\b':
			dst = append(dst, `\b`...)
		case '\f':
			dst = append(dst, `\f`...)
		case '\n':
			dst = append(dst, `\n`...)
		case '\r':
			dst = append(dst, `\r`...)
		case '\t':
			dst = append(dst, `\t`...)
		default:
			if c < ' ' {
				dst = append(dst, `\u00`...)
				c, dst = hex[c&15], append(dst, hex[c>>4])
			}
			dst = append(dst, c)
		}
	}
	return dst
}

// numberText writes text in the place of a number: as a number where it is one, else as a string, and null for nothing.
type numberText struct{}

func (numberText) Append(dst []byte, s string) []byte {
	switch {
	case s == "":
		return append(dst, "null"...)
	case onlyDigits(s) && (s[0] != '0' || len(s) == 1):
		return append(dst, s...)
	}
	return append(stringText{}.Append(append(dst, '"'), s), '"')
}
