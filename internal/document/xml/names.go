package xml

import (
	"bytes"
	"strconv"
	"unicode"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/internal/document/char"
)

// nameStart and nameMore have the characters that a name begins with and that it may go on with, beyond ASCII (Extensible
// Markup Language 1.0, fifth edition, productions 4 and 4a).
var (
	nameStart = &unicode.RangeTable{
		R16: []unicode.Range16{
			{0xC0, 0xD6, 1},
			{0xD8, 0xF6, 1},
			{0xF8, 0x2FF, 1},
			{0x370, 0x37D, 1},
			{0x37F, 0x1FFF, 1},
			{0x200C, 0x200D, 1},
			{0x2070, 0x218F, 1},
			{0x2C00, 0x2FEF, 1},
			{0x3001, 0xD7FF, 1},
			{0xF900, 0xFDCF, 1},
			{0xFDF0, 0xFFFD, 1},
		},
		R32: []unicode.Range32{{0x10000, 0xEFFFF, 1}},
	}
	nameMore = &unicode.RangeTable{
		R16: []unicode.Range16{{0xB7, 0xB7, 1}, {0x300, 0x36F, 1}, {0x203F, 0x2040, 1}},
	}
)

// nameLength returns the length of the name that raw begins with, or 0.
func nameLength(raw []byte) int {
	i := 0
	for i < len(raw) {
		r, n := utf8.DecodeRune(raw[i:])
		if r == utf8.RuneError && n <= 1 || !inName(r, i == 0) {
			break
		}
		i += n
	}
	return i
}

func inName(r rune, first bool) bool {
	switch {
	case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', r == '_', r == ':':
		return true
	case '0' <= r && r <= '9', r == '-', r == '.':
		return !first
	case r < utf8.RuneSelf:
		return false
	}
	return unicode.Is(nameStart, r) || !first && unicode.Is(nameMore, r)
}

// entities are the entities that XML itself defines.
var entities = map[string]rune{"&lt;": '<', "&gt;": '>', "&amp;": '&', "&apos;": '\'', "&quot;": '"'}

// longestReference is the length of the longest reference that is read: leading zeros can make one longer.
const longestReference = len("&#x0000000010FFFF;")

// referenceAt returns the character and the length of the reference that raw begins with, and whether there is one.
func referenceAt(raw []byte) (rune, int, bool) {
	n := bytes.IndexByte(raw[:min(len(raw), longestReference)], ';') + 1
	if n == 0 {
		return 0, 0, false
	}
	if r, ok := entities[string(raw[:n])]; ok {
		return r, n, true
	}
	number, base := raw[:n-1], 10
	switch {
	case char.HasPrefix(raw, "&#x"):
		number, base = number[len("&#x"):], 16
	case char.HasPrefix(raw, "&#"):
		number = number[len("&#"):]
	default:
		return 0, 0, false
	}
	r, err := strconv.ParseUint(string(number), base, 31)
	if err != nil || !isDigits(number) || !utf8.ValidRune(rune(r)) || !isText(utf8.AppendRune(nil, rune(r))) {
		return 0, 0, false
	}
	return rune(r), n, true
}

// isDigits reports whether a number is written without a sign.
func isDigits(number []byte) bool { return len(number) > 0 && char.IsAlphanumeric(number[0]) }

// references reports whether each ampersand begins a reference.
func references(raw []byte) bool {
	for {
		i := bytes.IndexByte(raw, '&')
		if i < 0 {
			return true
		}
		_, n, ok := referenceAt(raw[i:])
		if !ok {
			return false
		}
		raw = raw[i+n:]
	}
}

// Unescape returns the value of an attribute.
func Unescape(value []byte) string {
	if bytes.IndexByte(value, '&') < 0 {
		return string(value)
	}
	var s []byte
	for len(value) > 0 {
		r, n, ok := referenceAt(value)
		if ok {
			s = utf8.AppendRune(s, r)
		} else {
			s, n = append(s, value[0]), 1
		}
		value = value[n:]
	}
	return string(s)
}

// SplitName returns the prefix of a name and what is behind it.
func SplitName(name []byte) (prefix, local string) {
	before, after, found := bytes.Cut(name, []byte(":"))
	if !found {
		return "", string(name)
	}
	return string(before), string(after)
}
