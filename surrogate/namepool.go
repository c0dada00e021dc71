package surrogate

import (
	"sync"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
)

// nameRole is what a word of a name is.
type nameRole uint8

const (
	anyName nameRole = iota // the position tells nothing
	givenName
	familyName
)

// A stratum holds names of one role, Census group, sex and band of frequency: the
// names among which a leaked one is not to be told apart.
type stratum struct {
	names []string // title case
	role  nameRole
}

// The bands of frequency, as least scores (8*log2 of bearers per 10 million), and
// the least number of names in one.
var bandFloors = [...]uint8{80, 64, 48}

const bandSize = 48

// place of a name in the pools
type nameRef struct{ stratum, index uint16 }

// namePools are the lexicon's pools cut into strata.
type namePools struct {
	strata []stratum
	// bands leads from role, group and sex to the first of consecutive strata.
	bands  map[poolID][]uint16
	given  map[string]nameRef
	family map[string]nameRef
}

type poolID struct {
	role   nameRole
	group  lexicon.Group
	female bool
}

var names = sync.OnceValue(func() *namePools {
	p := &namePools{bands: map[poolID][]uint16{}, given: map[string]nameRef{}, family: map[string]nameRef{}}
	for g := range lexicon.NumGroups {
		p.add(poolID{familyName, g, false}, lexicon.Surnames(g))
		p.add(poolID{givenName, g, false}, lexicon.FirstNames(g, false))
		p.add(poolID{givenName, g, true}, lexicon.FirstNames(g, true))
	}
	return p
})

// add cuts a list, the most frequent first, into bands.
func (p *namePools) add(id poolID, list []string) {
	list = p.fresh(id.role, list)
	for start := 0; start < len(list); {
		end := p.bandEnd(id.role, list, start)
		at := uint16(len(p.strata))
		p.strata = append(p.strata, stratum{names: list[start:end], role: id.role})
		p.bands[id] = append(p.bands[id], at)
		for i, name := range list[start:end] {
			p.index(id.role)[plain(name)] = nameRef{at, uint16(i)}
		}
		start = end
	}
}

func (p *namePools) index(role nameRole) map[string]nameRef {
	if role == givenName {
		return p.given
	}
	return p.family
}

// fresh leaves out names that an earlier pool of the role has: a name stands in
// one stratum, or rotations within strata could meet.
func (p *namePools) fresh(role nameRole, list []string) []string {
	var out []string
	for _, name := range list {
		if _, dup := p.index(role)[plain(name)]; !dup {
			out = append(out, name)
		}
	}
	return out
}

// bandEnd finds where the band that starts at start ends.
func (p *namePools) bandEnd(role nameRole, list []string, start int) int {
	floor := floorOf(score(role, list[start]))
	end := start + 1
	for end < len(list) && (end-start < bandSize || score(role, list[end]) >= floor) {
		end++
	}
	if len(list)-end < bandSize {
		return len(list)
	}
	return end
}

// floorOf returns the floor of the band that a score belongs to.
func floorOf(score uint8) uint8 {
	for _, floor := range bandFloors {
		if score >= floor {
			return floor
		}
	}
	return 0
}

// score is how frequent a word is as a name of a role.
func score(role nameRole, name string) uint8 {
	e, _ := lexicon.LookupFolded(plain(name))
	if role == givenName {
		return e.First
	}
	return e.Surname
}

// stratumFor returns the stratum whose names are about as frequent as score says,
// or ok false where a pool is empty.
func (p *namePools) stratumFor(id poolID, want uint8) (uint16, bool) {
	bands := p.bands[id]
	if len(bands) == 0 {
		bands = p.bands[poolID{id.role, lexicon.White, id.female}]
	}
	for _, at := range bands {
		s := p.strata[at]
		if score(id.role, s.names[len(s.names)-1]) <= want || at == bands[len(bands)-1] {
			return at, true
		}
	}
	return 0, false
}

// coin makes up a name that nobody bears: for pools that are empty or used up.
func coin(c *choices) string {
	starts := []string{"Bar", "Cal", "Dor", "Fen", "Gar", "Hal", "Kel", "Lan", "Mar", "Nor", "Pel", "Quin", "Ren", "Sel", "Tal", "Var", "Wen", "Yar"}
	middles := []string{"a", "e", "i", "o", "be", "da", "di", "la", "li", "lo", "ma", "mi", "na", "ri", "ro", "sa", "ti", "va"}
	ends := []string{"bury", "dell", "der", "field", "ford", "ham", "land", "ley", "lin", "man", "mere", "mond", "ner", "ster", "ton", "vin", "well", "wick"}
	return c.oneOf(starts) + c.oneOf(middles) + c.oneOf(ends)
}
