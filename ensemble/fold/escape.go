package fold

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Escapes reads a text with the characters that its escapes mean: "=C3=B8" of quoted-printable (RFC 2045, section 6.7), with
// lines that end in "=" joined to the next one, "%C3%B8" of addresses (RFC 3986, section 2.1) and "\u00f8" of JSON (RFC 8259,
// section 7). What would mean no visible character is no escape.
func Escapes(s string) Text {
	w := writer{original: s}
	for i := 0; i < len(s); {
		plain, end := "", i+1
		switch s[i] {
		case '=':
			if plain, end = bytesEscape(s, i); end == i+1 {
				end = softBreak(s, i)
			}
		case '%':
			plain, end = bytesEscape(s, i)
		case '\\':
			plain, end = unicodeEscape(s, i)
		}
		if end > i+1 {
			w.put(i, end, plain)
		}
		i = end
	}
	return w.text()
}

// bytesEscape reads the character at i whose bytes are hexadecimal, each after the same mark, and returns where it ends; i+1
// where none is.
func bytesEscape(s string, i int) (plain string, end int) {
	var buf [utf8.UTFMax]byte
	n := 0
	for at := i; n < len(buf) && at+3 <= len(s) && s[at] == s[i]; at += 3 {
		b, err := strconv.ParseUint(s[at+1:at+3], 16, 8)
		if err != nil {
			break
		}
		buf[n] = byte(b)
		n++
		if utf8.FullRune(buf[:n]) {
			r, size := utf8.DecodeRune(buf[:n])
			if size != n || !seen(r) {
				break
			}
			return string(buf[:n]), at + 3
		}
	}
	return "", i + 1
}

// unicodeEscape reads the character at i that JSON names by its number, and returns where it ends; i+1 where none is.
func unicodeEscape(s string, i int) (plain string, end int) {
	const length = len(`\u00f8`)
	if i+length > len(s) || s[i+1] != 'u' {
		return "", i + 1
	}
	n, err := strconv.ParseUint(s[i+2:i+length], 16, 16)
	if err != nil || !seen(rune(n)) {
		return "", i + 1
	}
	return string(rune(n)), i + length
}

// seen reports whether a character is one that is seen, or a blank.
func seen(r rune) bool {
	return r != utf8.RuneError && r != 0 && (unicode.IsPrint(r) || unicode.IsSpace(r))
}

// softBreak returns where the line's end behind the "=" at i ends; i+1 where the line goes on.
func softBreak(s string, i int) int {
	rest := strings.TrimPrefix(s[i+1:], "\r")
	if !strings.HasPrefix(rest, "\n") {
		return i + 1
	}
	return len(s) - len(rest) + 1
}
