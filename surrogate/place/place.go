// Package place knows the geography that surrogates of addresses need: which towns, prefixes of postal codes and area codes
// of telephones go together, and which prefixes Safe Harbor does not let stand. States, prefixes and area codes are in
// states.txt and zip3.txt, towns of the United States in the lexicon, Canada and the United Kingdom in lists of their own. It
// knows nothing of patients and keys.
package place

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
)

//go:embed states.txt
var stateList string

// State is a state of the United States, the District of Columbia or Puerto Rico; a province of Canada, or a nation of the United
// Kingdom.
type State struct {
	Country    Country
	Abbr, Name string
	Codes      []string // area codes of its telephones
	Areas      []*Area
	Towns      []string // in title case, the largest first
	// Open are the areas that surrogates may be in: with prefixes that Safe Harbor lets stand and, where the state has
	// such areas, with some towns to choose from.
	Open []*Area
}

// Area is a part of a state: prefixes of ZIP codes that the same large post office or neighbouring ones serve, or letters with
// which postal codes abroad begin, and the towns there.
type Area struct {
	State    int // index in [States]
	Nth      int // among the areas of its state
	Prefixes []string
	Shown    []string // the prefixes that Safe Harbor lets stand
	Towns    []string // in title case, the largest first
}

// Town is a town that the lexicon has.
type Town struct {
	Area *Area
	Nth  int // among the towns of its area
}

// atlas is all that is known.
type atlas struct {
	states  []State // by country
	prefix  map[string]*Area
	letters map[letters]*Area       // with which postal codes abroad begin
	code    map[string]int          // area code of telephones to the state's index
	towns   map[string]map[int]Town // by folded name, then by state
	home    map[string]int          // folded name to the state of the largest town of this name, in the United States if there is one
}

var world = sync.OnceValue(func() *atlas {
	a := &atlas{prefix: map[string]*Area{}, letters: map[letters]*Area{}, code: map[string]int{}, towns: map[string]map[int]Town{}, home: map[string]int{}}
	for _, entry := range entries(stateList) {
		if err := a.addState(entry); err != nil {
			panic(fmt.Sprintf("states.txt: %q: %v", entry, err)) //nolint:forbidigo // embedded, and every test reads it
		}
	}
	for _, p := range lexicon.Places() {
		a.addTown(p)
	}
	for country, list := range abroad {
		if err := a.addCountry(Country(country), list); err != nil {
			panic(fmt.Sprintf("list of country %d: %v", country, err)) //nolint:forbidigo // embedded, and every test reads it
		}
	}
	for i := range a.states {
		a.states[i].open()
	}
	return a
})

// someTowns is how many towns an area has to choose from.
const someTowns = 3

func (s *State) open() {
	for least := someTowns; least >= 0 && len(s.Open) == 0; least-- {
		for _, area := range s.Areas {
			if len(area.Shown) > 0 && len(area.Towns) >= least {
				s.Open = append(s.Open, area)
			}
		}
	}
}

// entries returns the lines of a list without comments, each with the indented lines behind it.
func entries(list string) []string {
	var out []string
	for line := range strings.Lines(list) {
		switch {
		case strings.HasPrefix(line, "#") || strings.TrimSpace(line) == "":
		case strings.HasPrefix(line, " ") && len(out) > 0:
			out[len(out)-1] += " " + strings.TrimSpace(line)
		default:
			out = append(out, strings.TrimSpace(line))
		}
	}
	return out
}

// addState reads "VT Vermont | 802 | 050 051-052,054".
func (a *atlas) addState(entry string) error {
	parts := strings.Split(entry, "|")
	if len(parts) != 3 {
		return fmt.Errorf("%d parts, want three", len(parts))
	}
	abbr, name, _ := strings.Cut(strings.TrimSpace(parts[0]), " ")
	s := State{Abbr: abbr, Name: name, Codes: strings.Fields(parts[1])}
	n := len(a.states)
	for _, code := range s.Codes {
		if _, twice := a.code[code]; twice {
			return fmt.Errorf("area code %s is there twice", code)
		}
		a.code[code] = n
	}
	for _, ranges := range strings.Fields(parts[2]) {
		area := &Area{State: n, Nth: len(s.Areas)}
		if err := a.addPrefixes(area, ranges); err != nil {
			return err
		}
		s.Areas = append(s.Areas, area)
	}
	a.states = append(a.states, s)
	return nil
}

// addPrefixes reads "020-022,024".
func (a *atlas) addPrefixes(area *Area, ranges string) error {
	for part := range strings.SplitSeq(ranges, ",") {
		from, to, isRange := strings.Cut(part, "-")
		if !isRange {
			to = from
		}
		first, err := strconv.Atoi(from)
		if err != nil {
			return err
		}
		last, err := strconv.Atoi(to)
		if err != nil {
			return err
		}
		for n := first; n <= last; n++ {
			zip3 := fmt.Sprintf("%03d", n)
			if a.prefix[zip3] != nil {
				return fmt.Errorf("prefix %s is there twice", zip3)
			}
			a.prefix[zip3] = area
			area.Prefixes = append(area.Prefixes, zip3)
			if !smallZip3[zip3] {
				area.Shown = append(area.Shown, zip3)
			}
		}
	}
	return nil
}

// addTown puts a town of the lexicon where its ZIP codes are, or, where these are another state's, in its state alone.
func (a *atlas) addTown(p lexicon.Place) {
	n := a.stateOf(p.State)
	if n < 0 || !isTownName(p.City) {
		return
	}
	name := fold(p.City)
	if a.towns[name] == nil {
		a.towns[name], a.home[name] = map[int]Town{}, n
	}
	if _, known := a.towns[name][n]; known {
		return
	}
	state := &a.states[n]
	state.Towns = append(state.Towns, p.City)
	town := Town{}
	if area := a.prefix[p.Zip3]; area != nil && area.State == n {
		town = Town{area, len(area.Towns)}
		area.Towns = append(area.Towns, p.City)
	}
	a.towns[name][n] = town
}

func (a *atlas) stateOf(abbr string) int {
	return slices.IndexFunc(a.states, func(s State) bool { return s.Abbr == abbr && s.Country == UnitedStates })
}

// fold returns the form in which names of towns are compared: in small letters without accents and apostrophes.
func fold(s string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(lexicon.Fold(s), "'", "")), " ")
}

// isTownName reports whether a name is free of the gazetteer's annotations ("Ranson corporation").
func isTownName(s string) bool {
	for word := range strings.FieldsSeq(s) {
		switch word {
		case "of", "the", "de", "la", "del", "du", "and", "on", "in":
		default:
			if word[0] < 'A' || word[0] > 'Z' {
				return false
			}
		}
	}
	return s != "" && !strings.ContainsAny(s, "()0123456789")
}

// States returns the states of all countries, in an order that does not change, those of the United States first. Read only.
func States() []State { return world().states }

// Peers returns the range of indexes of the states that are in one country with a state.
func Peers(state int) (first, n int) {
	states := world().states
	for first = state; first > 0 && states[first-1].Country == states[state].Country; {
		first--
	}
	for n = 1; first+n < len(states) && states[first+n].Country == states[state].Country; {
		n++
	}
	return first, n
}

// OfPrefix returns the area of a ZIP code's first three digits, or nil.
func OfPrefix(zip3 string) *Area { return world().prefix[zip3] }

// OfCode returns the index of the state, or province, of a telephone's area code, or -1.
func OfCode(code string) int {
	if n, ok := world().code[code]; ok {
		return n
	}
	return -1
}

// Namesakes returns the towns of a folded name by state. Read only.
func Namesakes(name string) map[int]Town { return world().towns[name] }

// TownOf returns a town of a state by its folded name. Its area is nil where the lexicon does not know it.
func TownOf(name string, state int) Town { return Namesakes(name)[state] }

// InState reports whether the lexicon knows a town of this folded name in a state.
func InState(name string, state int) bool {
	_, ok := Namesakes(name)[state]
	return ok
}

// Home returns the index of the state of the largest town of a folded name, in the United States if there is one, or -1.
func Home(name string) int {
	if n, ok := world().home[name]; ok {
		return n
	}
	return -1
}
