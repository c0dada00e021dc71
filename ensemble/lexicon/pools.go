package lexicon

import (
	"strings"
	"sync"
)

// The table has the pools in this order: surnames of each group, then for each group the first
// names of men and of women.
func surnamePool(g Group) int { return int(g) }

func firstPool(g Group, female bool) int {
	i := int(NumGroups) + 2*int(g)
	if female {
		i++
	}
	return i
}

var pools = sync.OnceValue(func() [][]string {
	t := load()
	out := make([][]string, 3*int(NumGroups))
	for i := range min(len(out), len(t.pools)) {
		out[i] = lines(t.pools[i])
	}
	return out
})

// Surnames returns surnames of a group in title case, by falling frequency, in an order that is
// fixed within a release. Read only. Names that are also ordinary or clinical words are excluded.
func Surnames(g Group) []string {
	if g >= NumGroups {
		return nil
	}
	return pools()[surnamePool(g)]
}

// FirstNames returns first names of a group and sex, most frequent first, like
// [Surnames].
func FirstNames(g Group, female bool) []string {
	if g >= NumGroups {
		return nil
	}
	return pools()[firstPool(g, female)]
}

// Place is a town with its state (postal abbreviation) and ZIP prefix.
type Place struct{ City, State, Zip3 string }

var places = sync.OnceValue(func() []Place {
	rows := lines(load().places)
	out := make([]Place, 0, len(rows))
	for _, row := range rows {
		city, rest, _ := strings.Cut(row, "|")
		state, zip, _ := strings.Cut(rest, "|")
		out = append(out, Place{City: city, State: state, Zip3: zip})
	}
	return out
})

// Places returns US towns by falling size, as far as populations are known, in a stable order.
// Read only.
func Places() []Place { return places() }
