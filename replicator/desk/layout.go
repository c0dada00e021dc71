package desk

import (
	"hash/fnv"
	"strings"
	"unicode"
)

// formRunes bounds the form of a line: what is behind is prose.
const formRunes = 40

// layout returns hashes of the forms of a text's lines, none twice.
func layout(text string) []uint64 {
	var list []uint64
	seen := map[uint64]bool{}
	for line := range strings.Lines(text) {
		f := form(line)
		if f == "" {
			continue
		}
		h := fnv.New64a()
		_, _ = h.Write([]byte(f)) // it can't fail
		if sum := h.Sum64(); !seen[sum] {
			seen[sum] = true
			list = append(list, sum)
		}
	}
	return list
}

// form returns what a line looks like: a letter for each word, by its case, a digit for each number, and punctuation as it is.
func form(line string) string {
	var b strings.Builder
	last, n := rune(0), 0
	for _, r := range strings.TrimSpace(line) {
		switch {
		case unicode.IsUpper(r) && last != 'a':
			r = 'A'
		case unicode.IsLetter(r) || unicode.IsMark(r):
			r = 'a'
		case unicode.IsDigit(r):
			r = '9'
		case unicode.IsSpace(r):
			r = ' '
		}
		if n == formRunes {
			break
		}
		if r != last || r != 'a' && r != 'A' && r != '9' && r != ' ' {
			b.WriteRune(r)
			n++
		}
		last = r
	}
	return b.String()
}
