package main

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
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
// alone; words of which nothing is known are left out.
func (f wordList) lines() [][]byte {
	var out [][]byte
	for _, word := range slices.Sorted(maps.Keys(f)) {
		e, known := lexicon.Lookup(word)
		if !known {
			continue
		}
		var b bytes.Buffer
		fmt.Fprintf(&b, "%s\t%d %d %d %d %d %d %d\n", word, rate(e.First), rate(e.Surname), rate(e.Common), rate(e.Capital),
			bits(e, lexicon.City, lexicon.State, lexicon.Country, lexicon.County),
			bits(e, lexicon.Clinical, lexicon.Eponym, lexicon.Org, lexicon.Job),
			bits(e, lexicon.Nickname, lexicon.Month, lexicon.Weekday, lexicon.BigCity))
		out = append(out, b.Bytes())
	}
	return out
}

// rate puts a frequency into one of ten steps, 0 for none.
func rate(n uint8) int {
	if n == 0 {
		return 0
	}
	return 1 + min(9, int(n)/24)
}

func bits(e lexicon.Entry, flags ...lexicon.Flags) int {
	n := 0
	for i, f := range flags {
		if e.Is(f) {
			n |= 1 << i
		}
	}
	return n
}
