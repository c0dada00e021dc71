package synth

import (
	"hash/fnv"
	"math/rand/v2"
	"sync"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
)

// Lists are the names that a hospital is peopled with. Those of the Census groups,
// the places, streets and jobs must not be empty.
type Lists struct {
	Surnames     [lexicon.NumGroups][]string    // in title case, frequent ones first
	FirstNames   [lexicon.NumGroups][2][]string // of men, of women; same
	WordSurnames []string                       // surnames that are also words
	WordFirsts   [2][]string                    // first names that are also words
	Places       []lexicon.Place                // large ones first
	Streets      []string                       // without number and kind: "Oak"
	Jobs         []string
	Facilities   []string // whole names of hospitals, clinics and homes; may be empty
	Employers    []string // may be empty
	Universities []string // may be empty
	Countries    []string // may be empty
	// Even draws every group and every name of a group equally often. Otherwise
	// frequent names are drawn more often, and groups as a city hospital sees them.
	Even bool
}

// LexiconLists are the lists of the default hospital: those built into the project.
func LexiconLists() Lists {
	l := Lists{WordSurnames: wordNames, WordFirsts: wordFirsts, Places: lexicon.Places(), Streets: streetWords, Jobs: jobs}
	for g := range lexicon.NumGroups {
		l.Surnames[g] = lexicon.Surnames(g)
		l.FirstNames[g] = [2][]string{lexicon.FirstNames(g, false), lexicon.FirstNames(g, true)}
	}
	return l
}

var lexiconLists = sync.OnceValue(func() *Lists {
	l := LexiconLists()
	return &l
})

// Fold is a part of all names. A name is always in the same fold, whatever its
// case and accents, so that a model can be measured on names that it never met.
type Fold uint8

// The folds. TrainNames and HeldOutNames are disjoint, about four to one.
const (
	AllNames Fold = iota
	TrainNames
	HeldOutNames
)

// Has reports whether a name is in the fold.
func (f Fold) Has(name string) bool {
	if f == AllNames {
		return true
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(lexicon.Fold(name))) // a hash's Write never fails
	return (h.Sum64()>>7%5 == 0) == (f == HeldOutNames)
}

// Fold returns the lists with the names of a fold only. Jobs, countries and
// streets stay whole: they are words that everybody knows.
func (l Lists) Fold(f Fold) Lists {
	if f == AllNames {
		return l
	}
	for g := range l.Surnames {
		l.Surnames[g] = f.keep(l.Surnames[g])
		for sex := range l.FirstNames[g] {
			l.FirstNames[g][sex] = f.keep(l.FirstNames[g][sex])
		}
	}
	l.WordSurnames = f.keep(l.WordSurnames)
	l.WordFirsts = [2][]string{f.keep(l.WordFirsts[0]), f.keep(l.WordFirsts[1])}
	l.Facilities, l.Employers, l.Universities = f.keep(l.Facilities), f.keep(l.Employers), f.keep(l.Universities)
	var places []lexicon.Place
	for _, p := range l.Places {
		if f.Has(p.City) {
			places = append(places, p)
		}
	}
	l.Places = places
	return l
}

func (f Fold) keep(names []string) []string {
	var out []string
	for _, n := range names {
		if f.Has(n) {
			out = append(out, n)
		}
	}
	return out
}

// draw returns a name, frequent ones more often than rare ones unless the lists
// are even.
func (l *Lists) draw(rng *rand.Rand, names []string) string {
	if len(names) == 0 {
		return inventName(rng, lexicon.White, 'l')
	}
	x := rng.Float64()
	if !l.Even {
		x *= x
	}
	return accented(rng, names[int(x*float64(len(names)))])
}

func (l *Lists) group(rng *rand.Rand) lexicon.Group {
	if l.Even {
		return lexicon.Group(rng.IntN(int(lexicon.NumGroups)))
	}
	n := rng.IntN(100)
	for g, share := range groupShares {
		if n -= share; n < 0 {
			return lexicon.Group(g)
		}
	}
	return lexicon.White
}
