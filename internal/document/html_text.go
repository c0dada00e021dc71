package document

import (
	"html"
	"strings"
)

// text takes text between tags.
func (h *htmlReader) text(raw []byte) {
	pre := h.open.pre > 0
	if h.newline && pre {
		n := newlineAt(raw)
		h.b.keep(raw[:n])
		raw = raw[n:]
	}
	h.newline = false
	h.flow.characters(raw, characters{pre: pre, reference: h.reference})
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

func isAlphanumeric(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
