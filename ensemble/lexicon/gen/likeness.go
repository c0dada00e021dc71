package main

import (
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
)

const (
	rounds    = 6    // over all words
	firstStep = 0.12 // of the descent; it shrinks to a tenth
	decay     = 1e-6 // of the weights with each word
)

// likeness learns how names are spelt: a logistic regression over letter sequences of names and
// other words, and a list of the English words that it gets wrong. The order of words, and so the
// result, is deterministic.
func (b *builder) likeness() ([]byte, error) {
	sample, err := b.spellings()
	if err != nil {
		return nil, err
	}
	weights := make([]float64, lexicon.LikenessSize)
	var buf [256]uint16
	steps := rounds * len(sample)
	for n := range steps {
		// A stride coprime to the number of words visits each once per round.
		s := sample[(n*stride(len(sample)))%len(sample)]
		buckets := lexicon.LetterSequences(buf[:0], s.word)
		sum := 0.0
		for _, k := range buckets {
			sum += weights[k]
		}
		want := 0.0
		if s.name {
			want = 1
		}
		step := firstStep * (1 - 0.9*float64(n)/float64(steps)) * s.weight
		slope := step * (want - 1/(1+math.Exp(-sum)))
		for _, k := range buckets {
			weights[k] += slope - decay*weights[k]
		}
	}
	packed := make([]byte, 2*lexicon.LikenessSize)
	for i, w := range weights {
		packed[i] = byte(int8(max(-127, min(127, math.Round(w*32)))))
	}
	for _, s := range sample {
		if !s.name && math.Log2(math.E)*margin(weights, s.word) > deceiving {
			for _, bit := range lexicon.FilterBits(s.word) {
				packed[lexicon.LikenessSize+bit/8] |= 1 << (bit % 8)
			}
		}
	}
	return packed, nil
}

// deceiving is the score, in powers of two, from which an English word is spelt so much like a
// name that it must be listed.
const deceiving = 0.5

func margin(weights []float64, word string) float64 {
	var buf [256]uint16
	sum := 0.0
	for _, k := range lexicon.LetterSequences(buf[:0], word) {
		sum += weights[k]
	}
	return sum
}

// stride returns a number near 0.38 n that is coprime to n.
func stride(n int) int {
	k := max(1, n*382/1000)
	for gcd(k, n) != 1 {
		k++
	}
	return k
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// spelling is a word of the sample that likeness learns from.
type spelling struct {
	word   string
	name   bool
	weight float64
}

// spellings returns the sample: the words of the table, and the English words that are not in it.
// Words that are frequent in lower case do not count as names; drugs and diseases have a higher
// weight, as notes contain them.
func (b *builder) spellings() ([]spelling, error) {
	var sample []spelling
	seen := map[string]bool{}
	for _, k := range slices.Sorted(maps.Keys(b.words)) {
		w := b.words[k]
		if len(k) < 3 || strings.Contains(k, " ") {
			continue
		}
		seen[k] = true
		e := b.entry(w)
		borne, other := int(max(e.Surname, e.First)), int(max(e.Common, e.Capital))
		switch {
		case e.Is(lexicon.Clinical) && borne < 40:
			sample = append(sample, spelling{word: k, weight: 2})
		case borne > 0 && borne > other+8, other == 0 && e.Is(lexicon.City):
			sample = append(sample, spelling{word: k, name: true, weight: 1})
		case borne == 0:
			sample = append(sample, spelling{word: k, weight: 1})
		}
	}
	err := b.src.lines("english-words/words_alpha.txt.gz", func(line string) {
		if k := key(line); len(k) >= 3 && !seen[k] {
			sample = append(sample, spelling{word: k, weight: 0.6})
		}
	})
	return sample, err
}
