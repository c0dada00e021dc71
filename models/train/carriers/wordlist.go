package main

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/features"
	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// wordList collects the words of all files, to write what the lexicon knows of them.
type wordList map[string]struct{}

func (f wordList) add(s sentence) {
	for _, w := range s.Words {
		if f != nil {
			f[strings.ToLower(w)] = struct{}{}
		}
	}
}

// lines are "word<TAB>numbers", the columns of package features that follow from a word
// alone; words of which nothing is known are left out, and numbers, which are not looked up.
func (f wordList) lines() [][]byte {
	var out [][]byte
	for _, word := range slices.Sorted(maps.Keys(f)) {
		e, known := lexicon.Lookup(word)
		if !known || text.Tokenize(word)[0].Kind != text.Word {
			continue
		}
		columns := features.WordColumns(&e)
		line := append([]byte(word), '\t')
		for i, n := range columns {
			if i > 0 {
				line = append(line, ' ')
			}
			line = strconv.AppendUint(line, uint64(n), 10)
		}
		out = append(out, append(line, '\n'))
	}
	return out
}
