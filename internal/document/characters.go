package document

import (
	"strconv"
	"strings"
)

// markupText writes text of HTML and XML. White space that a reader of markup would take for less than it is becomes a
// character reference.
type markupText struct {
	controls bool // whether control characters can be written as references; XML has none
	quotes   bool // whether the text is a value of an attribute
}

func (w markupText) write(dst []byte, s string) []byte {
	last := rune(' ')
	for i, r := range s {
		switch {
		case r == '&':
			dst = append(dst, "&amp;"...)
		case r == '<':
			dst = append(dst, "&lt;"...)
		case r == '>':
			dst = append(dst, "&gt;"...)
		case r == '"' && w.quotes:
			dst = append(dst, "&quot;"...)
		case r == '\'' && w.quotes:
			dst = append(dst, "&apos;"...)
		case r == ' ' && last != ' ' && i+1 < len(s) && s[i+1] != ' ':
			dst = append(dst, ' ')
		case r == ' ', r == '\t', r == '\n', r == '\r', r > 0 && r < ' ' && w.controls:
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

const (
	noBreakSpace = "\u00a0" // shown as a space
	softHyphen   = "\u00ad" // shown at the end of a line only: not part of a word
)

// typographic leaves what matters for how lines are broken out of a text.
var typographic = strings.NewReplacer(softHyphen, "", noBreakSpace, " ")

// characters says how text between tags is written.
type characters struct {
	pre bool // white space stays as it is
	// closes says that a greater-than sign can't stay as it is, since with other text before it, it would be markup.
	closes bool
	// reference takes a character reference, or an ampersand that begins none, and returns its length. Where it is nil,
	// there are no references.
	reference func(raw []byte) int
}

// characters takes text between tags.
func (f *flow) characters(raw []byte, as characters) {
	for len(raw) > 0 {
		n := 1
		switch c := raw[0]; {
		case c == '&' && as.reference != nil:
			n = as.reference(raw)
		case c == '&', c == '<', c == '>' && as.closes:
			f.rewritten(string(c), raw[:1])
		case c == '\r' && as.pre:
			n = newlineAt(raw)
			f.unit("\n", raw[:n])
		case isSpace(c) && !as.pre:
			n = spaces(raw)
			f.space(raw[:n])
		case hasPrefix(raw, noBreakSpace):
			n = len(noBreakSpace)
			f.unit(" ", raw[:n])
		case hasPrefix(raw, softHyphen):
			n = len(softHyphen)
			f.unit("", raw[:n])
		default:
			n = as.plain(raw)
			f.plain(raw[:n])
		}
		raw = raw[n:]
	}
}

// plain returns how much of raw, at least one byte, is shown as it is written.
func (as characters) plain(raw []byte) int {
	for i := 1; i < len(raw); i++ {
		switch c := raw[i]; {
		case c == '&', c == '<', c == '\r', c == '>' && as.closes, hasPrefix(raw[i:], noBreakSpace), hasPrefix(raw[i:], softHyphen):
			return i
		case as.pre || !isSpace(c):
		case c != ' ' || i+1 == len(raw) || isSpace(raw[i+1]) || raw[i+1] == '&' || raw[i+1] == '<':
			return i
		}
	}
	return len(raw)
}

func hasPrefix(raw []byte, s string) bool { return len(raw) >= len(s) && string(raw[:len(s)]) == s }

// newlineAt returns the length of the line break that raw begins with, or 0.
func newlineAt(raw []byte) int {
	switch {
	case hasPrefix(raw, "\r\n"):
		return 2
	case len(raw) > 0 && (raw[0] == '\n' || raw[0] == '\r'):
		return 1
	}
	return 0
}
