package fold

import (
	"html"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
)

// Characters reads a text of valid UTF-8 without its markup and in plain characters:
// entities are the characters that they mean, tags are gone (those that end a line end one),
// letters in another dress are letters, what is invisible is left out, and what a control
// character turns round is turned round.
func Characters(s string) Text {
	w := writer{original: s}
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c >= utf8.RuneSelf:
			i = w.character(i)
		case c == '&':
			i = w.entity(i)
		case c == '<':
			i = w.tag(i)
		case (c == '[' || c == ']') && i+1 < len(s) && s[i+1] == c:
			w.put(i, i+2, "")
			i += 2
		default:
			i++
		}
	}
	return w.text()
}

const (
	turnRound  = '\u202e' // right-to-left override
	popControl = '\u202c'
)

// character reads the character at i that is not ASCII and returns where it ends.
func (w *writer) character(i int) int {
	r, size := utf8.DecodeRuneInString(w.original[i:])
	if r == turnRound {
		return w.turned(i, i+size)
	}
	if plain, changed := visible(r); changed {
		w.put(i, i+size, plain)
	}
	return i + size
}

// visible returns what is seen of a character, and whether that is another text.
func visible(r rune) (plain string, changed bool) {
	if plain, ok := lexicon.Plain(r); ok {
		return plain, true
	}
	if r == '\ufeff' { // a blank to all who read tokens
		return "", false
	}
	filler := r == '\u034f' || r == '\u115f' || r == '\u1160' || r == '\u3164'
	return "", filler || unicode.Is(unicode.Cf, r) || r >= '\ufe00' && r <= '\ufe0f' // variation selectors
}

// turned reads what follows the control character that begins at i, up to the one
// that ends its effect or the end of the line, from its end to its start.
func (w *writer) turned(i, inside int) int {
	s := w.original
	end := inside
	var runes []string
	for end < len(s) {
		r, size := utf8.DecodeRuneInString(s[end:])
		if r == '\n' || r == '\r' {
			break
		}
		end += size
		if r == popControl {
			break
		}
		if plain, changed := visible(r); changed {
			runes = append(runes, plain)
		} else {
			runes = append(runes, string(r))
		}
	}
	var b strings.Builder
	for k := len(runes) - 1; k >= 0; k-- {
		b.WriteString(runes[k])
	}
	w.put(i, end, b.String())
	return end
}

// longestEntity is the length of the longest entity's name, with its marks.
const longestEntity = 33

// entity reads "&#x5a;" and "&eacute;", also where their own "&" is an entity.
func (w *writer) entity(i int) int {
	s := w.original
	plain, size := decodeEntity(s[i:])
	if plain == "&" {
		if again, more := decodeEntity("&" + s[i+size:min(len(s), i+size+longestEntity)]); more > 0 {
			plain, size = again, size+more-1
		}
	}
	if size == 0 {
		return i + 1
	}
	var b strings.Builder
	for _, r := range plain {
		if seen, changed := visible(r); changed {
			b.WriteString(seen)
		} else if r != 0 {
			b.WriteRune(r)
		}
	}
	w.put(i, i+size, b.String())
	return i + size
}

// decodeEntity returns what the entity at the start of s means and its length, or 0.
func decodeEntity(s string) (string, int) {
	end := 1
	for end < len(s) && end < longestEntity && (s[end] == '#' || isLetter(s[end]) || isDigit(s[end])) {
		end++
	}
	if end < 3 || end == len(s) || s[end] != ';' {
		if end < 3 || s[1] != '#' {
			return "", 0
		}
	} else {
		end++
	}
	plain := html.UnescapeString(s[:end])
	if plain == s[:end] || !utf8.ValidString(plain) || strings.HasPrefix(plain, "&") && len(plain) > 1 {
		return "", 0
	}
	return plain, end
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
