package surrogate

import (
	"sync"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/surrogate/letter"
)

// nameRole is the role of a word within a name.
type nameRole uint8

const (
	anyName nameRole = iota // unknown
	givenName
	familyName
)

// stratum holds the names of one role, Census group, sex and frequency band: the names from which
// a leaked one cannot be distinguished.
type stratum struct {
	names []string // title case
	role  nameRole
}

// The lower bounds of the frequency bands, as scores (8*log2 of bearers per 10 million), and the
// least number of names in a band.
var bandFloors = [...]uint8{80, 64, 48}

const bandSize = 48

// nameRef is the position of a name in the pools.
type nameRef struct{ stratum, index uint16 }

// namePools are the lexicon's pools divided into strata.
type namePools struct {
	strata []stratum
	// bands maps role, group and sex to the first of consecutive strata.
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

// add divides a list, ordered by falling frequency, into bands.
func (p *namePools) add(id poolID, list []string) {
	list = p.fresh(id.role, list)
	for start := 0; start < len(list); {
		end := p.bandEnd(id.role, list, start)
		at := uint16(len(p.strata))
		p.strata = append(p.strata, stratum{names: list[start:end], role: id.role})
		p.bands[id] = append(p.bands[id], at)
		for i, name := range list[start:end] {
			p.index(id.role)[letter.Plain(name)] = nameRef{at, uint16(i)}
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

// fresh removes names that an earlier pool of the role contains: a name belongs to one stratum, or
// rotations of two strata could collide.
func (p *namePools) fresh(role nameRole, list []string) []string {
	var out []string
	for _, name := range list {
		if _, dup := p.index(role)[letter.Plain(name)]; !dup {
			out = append(out, name)
		}
	}
	return out
}

// bandEnd returns the end of the band that starts at start.
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

// floorOf returns the lower bound of the band of a score.
func floorOf(score uint8) uint8 {
	for _, floor := range bandFloors {
		if score >= floor {
			return floor
		}
	}
	return 0
}

// score returns how frequent a word is as a name of a role.
func score(role nameRole, name string) uint8 {
	e, _ := lexicon.LookupFolded(letter.Plain(name))
	if role == givenName {
		return e.First
	}
	return e.Surname
}

// stratumFor returns the stratum whose names are about as frequent as the score want; ok is false
// if a pool is empty.
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

// coin makes up a name that no one bears, for pools that are empty or exhausted.
func coin(c *choices) string {
	starts := []string{
		"Bar", "Cal", "Dor", "Fen", "Gar", "Hal", "Kel", "Lan", "Mar", "Nor", "Pel", "Quin", "Ren", "Sel", "Tal", "Var",
		"Wen", "Yar",
	}
	middles := []string{"a", "e", "i", "o", "be", "da", "di", "la", "li", "lo", "ma", "mi", "na", "ri", "ro", "sa", "ti", "va"}
	ends := []string{
		"bury", "dell", "der", "field", "ford", "ham", "land", "ley", "lin", "man", "mere", "mond", "ner", "ster", "ton",
		"vin", "well", "wick",
	}
	return c.oneOf(starts) + c.oneOf(middles) + c.oneOf(ends)
}
