package lexicon

import (
	_ "embed"
	"strings"
	"sync"
	"unicode/utf8"
)

// compatList has, on each line, plain letters or digits and their variants.
//
//go:embed compat.txt
var compatList string

var compatible = sync.OnceValue(func() map[rune]string {
	m := make(map[rune]string, 1500)
	for line := range strings.Lines(compatList) {
		plain, dressed, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok || plain == "#" {
			continue
		}
		for _, r := range dressed {
			m[r] = plain
		}
	}
	return m
})

// Plain returns the letters or digits of which a character is a variant, in their case:
// mathematical, circled and full-width forms, small capitals, ligatures.
func Plain(r rune) (string, bool) {
	if r < utf8.RuneSelf {
		return "", false
	}
	if r >= 0xff01 && r <= 0xff5e { // full-width forms
		return string(r - 0xff01 + 0x21), true
	}
	plain, ok := compatible()[r]
	return plain, ok
}
