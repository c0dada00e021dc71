package document

import (
	"html"
	"strconv"
	"strings"
)

// htmlWriter writes text of HTML. White space that a reader of HTML would take for less than it is becomes a character
// reference.
type htmlWriter struct{}

func (htmlWriter) write(dst []byte, s string) []byte {
	last := rune(' ')
	for i, r := range s {
		switch r {
		case '&':
			dst = append(dst, "&amp;"...)
		case '<':
			dst = append(dst, "&lt;"...)
		case '>':
			dst = append(dst, "&gt;"...)
		case 0:
			dst = append(dst, "\uFFFD"...)
		case ' ':
			if last == ' ' || i+1 == len(s) || s[i+1] == ' ' {
				dst = append(dst, "&#32;"...)
			} else {
				dst = append(dst, ' ')
			}
		default:
			if r < ' ' {
				dst = append(strconv.AppendInt(append(dst, "&#"...), int64(r), 10), ';')
			} else {
				dst = append(dst, string(r)...)
			}
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

// text takes text between tags.
func (h *htmlReader) text(raw []byte) {
	pre := h.open.pre > 0
	if h.newline && pre {
		n := newlineAt(raw)
		h.b.keep(raw[:n])
		raw = raw[n:]
	}
	h.newline = false
	for len(raw) > 0 {
		n := 1
		switch c := raw[0]; {
		case c == '&':
			n = h.reference(raw)
		case c == '<':
			h.flow.rewritten("<", raw[:1])
		case c == '\r' && pre:
			n = newlineAt(raw)
			h.flow.unit("\n", raw[:n])
		case isSpace(c) && !pre:
			n = spaces(raw)
			h.flow.space(raw[:n])
		case hasPrefix(raw, noBreakSpace):
			n = len(noBreakSpace)
			h.flow.unit(" ", raw[:n])
		case hasPrefix(raw, softHyphen):
			n = len(softHyphen)
			h.flow.unit("", raw[:n])
		default:
			n = plainHTML(raw, pre)
			h.flow.plain(raw[:n])
		}
		raw = raw[n:]
	}
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

// plainHTML returns how much of raw, at least one byte, is shown as it is written.
func plainHTML(raw []byte, pre bool) int {
	for i := 1; i < len(raw); i++ {
		switch c := raw[i]; {
		case c == '&', c == '<', c == '\r', c == 0xC2 && (hasPrefix(raw[i:], noBreakSpace) || hasPrefix(raw[i:], softHyphen)):
			return i
		case pre || !isSpace(c):
		case c != ' ' || i+1 == len(raw) || isSpace(raw[i+1]) || raw[i+1] == '&' || raw[i+1] == '<':
			return i
		}
	}
	return len(raw)
}

// reference takes a character reference, or an ampersand that begins none, and returns its length.
//
// What an ampersand and the letters behind it mean can depend on what follows them, unless a semicolon ends them: only then
// they stay as they are.
func (h *htmlReader) reference(raw []byte) int {
	n := 1
	if n < len(raw) && raw[n] == '#' {
		n++
	}
	for n < len(raw) && isAlphanumeric(raw[n]) {
		n++
	}
	if n < len(raw) && raw[n] == ';' {
		n++
	}
	shown := html.UnescapeString(string(raw[:n]))
	if hasPrefix(raw, "&#x;") || hasPrefix(raw, "&#X;") {
		shown = string(raw[:n]) // a number without digits, which UnescapeString takes for one
	}
	whole := raw[n-1] == ';' && (!strings.HasSuffix(shown, ";") || string(raw[:n]) == "&semi;")
	shown = typographic.Replace(shown)
	switch {
	case whole:
		h.flow.unit(shown, raw[:n])
	case shown == "":
		h.b.drop(raw[:n])
	default:
		h.flow.rewritten(shown, raw[:n])
	}
	return n
}

func isAlphanumeric(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }
