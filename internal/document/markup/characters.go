package markup

import (
	"strconv"

	"github.com/pgdeid/pgdeid/internal/document/char"
)

// Escaper writes text of HTML and XML. White space that a reader of markup would take for less than it is becomes a
// character reference.
type Escaper struct {
	Controls bool // whether control characters can be written as references; XML has none
	Quotes   bool // whether the text is a value of an attribute
}

// Append appends text with escapes.
func (w Escaper) Append(dst []byte, s string) []byte {
	last := rune(' ')
	for i, r := range s {
		switch {
		case r == '&':
			dst = append(dst, "&amp;"...)
		case r == '<':
			dst = append(dst, "&lt;"...)
		case r == '>':
			dst = append(dst, "&gt;"...)
		case r == '"' && w.Quotes:
			dst = append(dst, "&quot;"...)
		case r == '\'' && w.Quotes:
			dst = append(dst, "&apos;"...)
		case r == ' ' && last != ' ' && i+1 < len(s) && s[i+1] != ' ':
			dst = append(dst, ' ')
		case r == ' ', r == '\t', r == '\n', r == '\r', r > 0 && r < ' ' && w.Controls:
			dst = append(strconv.AppendInt(append(dst, "&#"...), int64(r), 10), ';')
		case r < ' ', r == '\uFFFE', r == '\uFFFF':
			dst = append(dst, "\uFFFD"...)
		default:
			dst = append(dst, string(r)...)
		}
		last = r
	}
	return dst
}

// Rules says how text between tags is written.
type Rules struct {
	Pre bool // white space stays as it is
	// closes says that a greater-than sign can't stay as it is, since with other text before it, it would be markup.
	Closes bool
	// reference takes a character reference, or an ampersand that begins none, and returns its length. Where it is nil,
	// there are no references.
	Reference func(raw []byte) int
}

// Characters takes text between tags.
func (f *Flow) Characters(raw []byte, as Rules) {
	for len(raw) > 0 {
		n := 1
		switch c := raw[0]; {
		case c == '&' && as.Reference != nil:
			n = as.Reference(raw)
		case c == '&', c == '<', c == '>' && as.Closes:
			f.Rewritten(string(c), raw[:1])
		case c == '\r' && as.Pre:
			n = char.NewlineAt(raw)
			f.Unit("\n", raw[:n])
		case char.IsSpace(c) && !as.Pre:
			n = char.Spaces(raw)
			f.space(raw[:n])
		case char.HasPrefix(raw, char.NoBreakSpace):
			n = len(char.NoBreakSpace)
			f.Unit(" ", raw[:n])
		case char.HasPrefix(raw, char.SoftHyphen):
			n = len(char.SoftHyphen)
			f.Unit("", raw[:n])
		default:
			n = as.plain(raw)
			f.plain(raw[:n])
		}
		raw = raw[n:]
	}
}

// plain returns how much of raw, at least one byte, is shown as it is written.
func (as Rules) plain(raw []byte) int {
	for i := 1; i < len(raw); i++ {
		switch c := raw[i]; {
		case c == '&', c == '<', c == '\r', c == '>' && as.Closes, char.HasPrefix(raw[i:], char.NoBreakSpace), char.HasPrefix(raw[i:], char.SoftHyphen):
			return i
		case as.Pre || !char.IsSpace(c):
		case c != ' ' || i+1 == len(raw) || char.IsSpace(raw[i+1]) || raw[i+1] == '&' || raw[i+1] == '<':
			return i
		}
	}
	return len(raw)
}
