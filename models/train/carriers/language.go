package main

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// leastCount is how often a word must be met to be a candidate for the vocabulary.
const leastCount = 3

// mostWords is how many candidates are kept, the most frequent first.
const mostWords = 30_000

// language collects text for the masked-language-model stage and counts its words.
type language struct {
	lines  [][]byte
	have   *seen
	counts map[string]int
}

func newLanguage() *language { return &language{have: newSeen(1), counts: map[string]int{}} }

// text adds sentences as text and as words.
func (l *language) text(all []sentence) {
	for _, s := range all {
		if len(s.Words) < 4 || l.have.enough(s) {
			continue
		}
		l.lines = append(l.lines, append([]byte(strings.Join(s.Words, " ")), '\n'))
		l.words(s)
	}
}

// words counts the words of a sentence as the network looks them up: in lower case,
// with every digit a 0. Words that are PHI are counted only if they are met outside
// of it too: a vocabulary of names would teach that only known names are names.
func (l *language) words(s sentence) {
	for i, w := range s.Words {
		if s.Tags[i] == "O" {
			l.counts[lookupForm(w)]++
		}
	}
}

// lookupForm is the form in which the network knows a word.
func lookupForm(word string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return '0'
		}
		return r
	}, strings.ToLower(word))
}

// writeLanguage writes lm.txt, a sentence a line with its words parted by blanks,
// and words.txt, candidates for the vocabulary with their counts, frequent ones
// first.
func (w *world) writeLanguage(dir string, l *language) error {
	texts, err := readAnswers(w.data, w.set.Answers)
	if err != nil {
		return err
	}
	for _, text := range texts {
		l.text(cut("medquad", text, nil, nil))
	}
	rng := rand.New(rand.NewPCG(w.set.Seed, 4))
	rng.Shuffle(len(l.lines), func(i, j int) { l.lines[i], l.lines[j] = l.lines[j], l.lines[i] })
	if err := writeLines(dir, "lm.txt", forAll, l.lines); err != nil {
		return err
	}
	return writeLines(dir, "words.txt", forAll, l.candidates())
}

// candidates are lines "word<TAB>count".
func (l *language) candidates() [][]byte {
	words := slices.SortedFunc(maps.Keys(l.counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(l.counts[b], l.counts[a]), cmp.Compare(a, b))
	})
	var out [][]byte
	for _, word := range words {
		if l.counts[word] < leastCount || len(out) == mostWords {
			break
		}
		var b bytes.Buffer
		fmt.Fprintf(&b, "%s\t%s\n", word, strconv.Itoa(l.counts[word]))
		out = append(out, b.Bytes())
	}
	return out
}
