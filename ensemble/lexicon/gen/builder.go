package main

import (
	"fmt"
	"math"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
)

// word collects the data on a word before scaling. Surname, first, lower and capital are counts.
type word struct {
	surname, first, female float64
	lower, capital         float64
	group                  lexicon.Group
	share                  float64 // share of group among the bearers
	flags                  lexicon.Flags
}

// builder collects words. The totals turn counts into rates.
type builder struct {
	src    sources
	words  map[string]*word
	totals struct{ surname, first, text float64 }
	// surnameGroup and firstGroup hold the share of each group among the bearers.
	surnameGroup, firstGroup map[string][lexicon.NumGroups]float64
	towns                    []town
}

func newBuilder(src sources) *builder {
	return &builder{
		src: src, words: map[string]*word{},
		surnameGroup: map[string][lexicon.NumGroups]float64{},
		firstGroup:   map[string][lexicon.NumGroups]float64{},
	}
}

// word returns the record of a word, or nil if it can't be a key: a key consists of folded
// letters, and of blanks in places of several words.
func (b *builder) word(s string) *word {
	key := key(s)
	if key == "" || len(key) > 40 {
		return nil
	}
	w := b.words[key]
	if w == nil {
		w = &word{}
		b.words[key] = w
	}
	return w
}

// flag sets flags of a word.
func (b *builder) flag(s string, f lexicon.Flags) {
	if w := b.word(s); w != nil {
		w.flags |= f
	}
}

// key folds a word or phrase: hyphens and dots separate words, apostrophes are dropped.
func key(s string) string {
	s = strings.NewReplacer("-", " ", ".", " ", "'", "", "’", "", "ʻ", "").Replace(lexicon.Fold(s))
	fields := strings.Fields(s)
	for _, f := range fields {
		for _, r := range f {
			if r < 'a' || r > 'z' {
				return ""
			}
		}
	}
	return strings.Join(fields, " ")
}

// scale returns a rate on the table's scale: 8*log2 of the rate per 10 million, at least 1 if it
// is not 0.
func scale(count, total float64) uint8 {
	if count <= 0 || total <= 0 {
		return 0
	}
	return uint8(max(1, min(255, math.Round(8*math.Log2(count/total*1e7)))))
}

func (b *builder) entry(w *word) lexicon.Entry {
	e := lexicon.Entry{
		Surname: scale(w.surname, b.totals.surname),
		First:   scale(w.first, b.totals.first),
		Common:  scale(w.lower, b.totals.text),
		Capital: scale(w.capital, b.totals.text),
		Group:   w.group,
		Flags:   w.flags,
	}
	if w.first > 0 {
		e.Female = uint8(math.Round(100 * w.female / w.first))
	}
	return e
}

func (b *builder) report(size int) {
	var surnames, firsts, common, clinical int
	for _, w := range b.words {
		if w.surname > 0 {
			surnames++
		}
		if w.first > 0 {
			firsts++
		}
		if w.lower > 0 {
			common++
		}
		if w.flags&(lexicon.Clinical|lexicon.Eponym) != 0 {
			clinical++
		}
	}
	fmt.Printf("%d words: %d surnames, %d first names, %d ordinary, %d clinical; %d towns; %d bytes\n",
		len(b.words), surnames, firsts, common, clinical, len(b.towns), size)
}
