package lexicon

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

// nicknameList has a first name and its short forms on each line.
//
//go:embed nicknames.txt
var nicknameList string

var nicknames = sync.OnceValue(func() map[string][]string {
	m := map[string][]string{}
	add := func(a, b string) {
		if a != b && !slices.Contains(m[a], b) {
			m[a] = append(m[a], b)
		}
	}
	for line := range strings.Lines(nicknameList) {
		name, rest, ok := strings.Cut(line, ":")
		if !ok {
			continue
		}
		for _, short := range strings.Fields(rest) {
			add(name, short)
			add(short, name)
		}
	}
	return m
})

// Nicknames returns the short forms of a first name and the names of which it is a short form
// ("william": "bill", "will", …; "bill": "william"), all folded.
func Nicknames(first string) []string { return nicknames()[Fold(first)] }
