package html

import (
	"html"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/internal/document/char"
	"github.com/pgdeid/pgdeid/internal/document/markup"
)

// text takes text between tags.
func (h *reader) text(raw []byte) {
	pre := h.open.pre > 0
	if h.newline && pre {
		n := char.NewlineAt(raw)
		h.b.Keep(raw[:n])
		raw = raw[n:]
	}
	h.newline = false
	h.flow.Characters(raw, markup.Rules{Pre: pre, Reference: h.reference})
}

// reference takes a character reference, or an ampersand that begins none, and returns its length.
//
// What an ampersand and the letters behind it mean can depend on what follows them, unless a semicolon ends them: only then
// they stay as they are.
func (h *reader) reference(raw []byte) int {
	n := 1
	if n < len(raw) && raw[n] == '#' {
		n++
	}
	for n < len(raw) && char.IsAlphanumeric(raw[n]) {
		n++
	}
	if n < len(raw) && raw[n] == ';' {
		n++
	}
	shown := html.UnescapeString(canonical(string(raw[:n])))
	whole := raw[n-1] == ';' && (!strings.HasSuffix(shown, ";") || string(raw[:n]) == "&semi;") && n <= longestEntity &&
		!strings.ContainsRune(shown, utf8.RuneError)
	shown = char.Typographic.Replace(shown)
	switch {
	case whole:
		h.flow.Unit(shown, raw[:n])
	case shown == "":
		h.b.Drop(raw[:n])
	default:
		h.flow.Rewritten(shown, raw[:n])
	}
	return n
}

// longestEntity is the length of the longest named character reference of HTML. A longer one has zeros before its number.
const longestEntity = len("&CounterClockwiseContourIntegral;")

// canonical returns a numeric reference without zeros before its number, and in the place of one beyond all characters that of
// the replacement character. UnescapeString does not notice when a number overflows, and takes one without digits for one.
func canonical(reference string) string {
	number, isNumber := strings.CutPrefix(reference, "&#")
	if !isNumber {
		return reference
	}
	base, digits := 10, "0123456789"
	if number != "" && (number[0] == 'x' || number[0] == 'X') {
		number, base, digits = number[1:], 16, "0123456789abcdefABCDEF"
	}
	n := len(number) - len(strings.TrimLeft(number, digits))
	if n == 0 {
		return "&amp;" + reference[1:]
	}
	code, err := strconv.ParseUint(number[:n], base, 32)
	if err != nil || code > utf8.MaxRune {
		code = utf8.RuneError
	}
	return "&#" + strconv.FormatUint(code, 10) + ";" + strings.TrimPrefix(number[n:], ";")
}
