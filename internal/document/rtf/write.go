package rtf

import (
	"strconv"
	"unicode/utf16"

	"github.com/pgdeid/pgdeid/internal/document/char"
)

// writer writes text as RTF does where a character outside of ASCII has a number of substitutes behind it.
type writer struct{ fallback uint8 }

func (w writer) Append(dst []byte, s string) []byte {
	for _, r := range s {
		switch {
		case r == '\\' || r == '{' || r == '}':
			dst = append(dst, '\\', byte(r))
		case r == '\n':
			dst = append(dst, `\line `...)
		case r == '\t':
			dst = append(dst, `\tab `...)
		case string(r) == char.NoBreakSpace:
			dst = append(dst, `\~`...)
		case r < ' ' || r == 0x7f:
			// No other control character shows anything.
		case r < 0x7f:
			dst = append(dst, byte(r))
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			dst = w.unicode(w.unicode(dst, high), low)
		default:
			dst = w.unicode(dst, r)
		}
	}
	return dst
}

// unicode writes a UTF-16 code, which RTF takes for a signed number, and its substitutes.
func (w writer) unicode(dst []byte, code rune) []byte {
	dst = append(dst, `\u`...)
	dst = strconv.AppendInt(dst, int64(int16(code)), 10) //nolint:gosec // the sign is meant
	if w.fallback == 0 {
		return append(dst, ' ')
	}
	for range w.fallback {
		dst = append(dst, '?')
	}
	return dst
}
