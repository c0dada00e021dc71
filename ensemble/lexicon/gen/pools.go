package main

import (
	"cmp"
	"slices"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
)

// A pool has the most frequent names of which at least a given share of bearers belongs to a
// group. The shares are lower for groups with few distinctive names.
var (
	surnameShare = [lexicon.NumGroups]float64{
		lexicon.White: 0.75, lexicon.Black: 0.45, lexicon.Hispanic: 0.85, lexicon.Asian: 0.85, lexicon.Native: 0.40,
	}
	firstShare = [lexicon.NumGroups]float64{
		lexicon.White: 0.80, lexicon.Black: 0.25, lexicon.Hispanic: 0.60, lexicon.Asian: 0.60, lexicon.Native: 0.006,
	}
)

const (
	surnamesInPool = 2000
	firstsInPool   = 800
)

// pools returns the surnames of each group, then the first names of the men and
// of the women of each.
func (b *builder) pools() [][]string {
	var out [][]string
	for g := range lexicon.NumGroups {
		out = append(out, b.pool(surnamesInPool, func(k string, w *word) float64 {
			if b.surnameGroup[k][g] < surnameShare[g] || g == lexicon.White && b.isIrish(k) {
				return 0
			}
			return w.surname
		}))
	}
	for g := range lexicon.NumGroups {
		for _, female := range []bool{false, true} {
			out = append(out, b.pool(firstsInPool, func(k string, w *word) float64 {
				return b.firstRate(k, w, g, female)
			}))
		}
	}
	return out
}

// firstRate is the frequency of a first name that fits a group and a sex, or 0.
func (b *builder) firstRate(k string, w *word, g lexicon.Group, female bool) float64 {
	shares := b.firstGroup[k]
	if shares[g] < firstShare[g] || w.first <= 0 {
		return 0
	}
	if g == lexicon.Native && shares[lexicon.Asian] > 0.1 {
		return 0
	}
	share := w.female / w.first
	if !female {
		share = 1 - share
	}
	if share < 0.9 {
		return 0
	}
	return w.first
}

// pool returns the words with the highest rates, in title case, highest first, without words that
// have another meaning.
func (b *builder) pool(size int, rate func(k string, w *word) float64) []string {
	type ranked struct {
		k    string
		rate float64
	}
	var all []ranked
	for k, w := range b.words {
		if r := rate(k, w); r > 0 && b.onlyName(k, w) {
			all = append(all, ranked{k, r})
		}
	}
	slices.SortFunc(all, func(x, y ranked) int {
		return cmp.Or(cmp.Compare(y.rate, x.rate), strings.Compare(x.k, y.k))
	})
	var names []string
	for _, r := range all[:min(size, len(all))] {
		names = append(names, titleCase(r.k))
	}
	return names
}

// onlyName reports whether a word is only a name, of 3 to 13 letters.
func (b *builder) onlyName(k string, w *word) bool {
	const otherwise = lexicon.State | lexicon.Country | lexicon.Clinical | lexicon.Eponym | lexicon.Org | lexicon.Month |
		lexicon.Weekday | lexicon.BigCity
	return len(k) >= 3 && len(k) <= 13 && !strings.Contains(k, " ") &&
		w.flags&otherwise == 0 && scale(w.lower, b.totals.text) < 24 && scale(w.capital, b.totals.text) < 40
}

// isIrish reports whether a word is a name such as "obrien", which lost its apostrophe in the
// Census's table.
func (b *builder) isIrish(k string) bool {
	if len(k) < 5 || k[0] != 'o' || strings.ContainsRune("aeiou", rune(k[1])) {
		return false
	}
	w := b.words[k[1:]]
	return w != nil && w.surname > 0
}

func titleCase(k string) string {
	if len(k) > 4 && strings.HasPrefix(k, "mc") {
		return "Mc" + strings.ToUpper(k[2:3]) + k[3:]
	}
	return strings.ToUpper(k[:1]) + k[1:]
}
