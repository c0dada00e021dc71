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
	l := Lists{Places: lexicon.Places()}
	if e, err := loadEngine(); err == nil { // otherwise there will be no hospital, either
		l.WordSurnames, l.Streets, l.Jobs = e.Alternatives("name.words"), e.Alternatives("street.names"), e.Alternatives("jobs")
		l.WordFirsts = [2][]string{e.Alternatives("name.words.men"), e.Alternatives("name.words.women")}
	}
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

// named returns a list by the name that the grammar has for it.
func (l *Lists) named(name string) (list []string, ok bool) {
	switch name {
	case "jobs":
		return l.Jobs, true
	case "streets":
		return l.Streets, true
	case "facilities":
		return l.Facilities, true
	case "employers":
		return l.Employers, true
	case "universities":
		return l.Universities, true
	case "countries":
		return l.Countries, true
	case "wordlast":
		return l.WordSurnames, true
	case "wordmen":
		return l.WordFirsts[0], true
	case "wordwomen":
		return l.WordFirsts[1], true
	default:
		return nil, false
	}
}

// names returns the names of a kind that a person may bear: last names, first names,
// or first names of the largest group.
func (l *Lists) names(kind string, p *person) ([]string, bool) {
	sex := 0
	if p.female {
		sex = 1
	}
	switch kind {
	case "last":
		return l.Surnames[p.group], true
	case "first":
		return l.FirstNames[p.group][sex], true
	case "anyfirst":
		return l.FirstNames[lexicon.White][sex], true
	default:
		return nil, false
	}
}

// draw returns an index below n, low ones more often than high ones unless the lists
// are even.
func (l *Lists) draw(rng *rand.Rand, n int) int {
	x := rng.Float64()
	if !l.Even {
		x *= x
	}
	return int(x * float64(n))
}

// listed draws a name for the person at hand. Some bear their accents.
func (s *scene) listed(kind string) string {
	names, _ := s.h.lists.names(kind, &s.now.who)
	if len(names) == 0 {
		return s.value("invented.last." + groupSlug(s.now.who.group))
	}
	name := names[s.h.lists.draw(s.rng, len(names))]
	if accented, ok := s.tables["accents"][name]; ok && oneIn(s.rng, 3) {
		return accented
	}
	return name
}

// group draws a group of names.
func (s *scene) group() lexicon.Group {
	if s.h.lists.Even {
		return lexicon.Group(s.rng.IntN(int(lexicon.NumGroups)))
	}
	return groupOf[s.value("groups")]
}
