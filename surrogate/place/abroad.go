package place

import (
	_ "embed" // lists of other countries
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// Country is a country of which it is known which towns and postal codes go together.
type Country uint8

// The countries.
const (
	UnitedStates Country = iota
	Canada
	UnitedKingdom
)

var (
	//go:embed canada.txt
	canadaList string
	//go:embed britain.txt
	britainList string
)

// abroad has the list of each country but the United States, whose towns are in the lexicon.
var abroad = [...]string{Canada: canadaList, UnitedKingdom: britainList}

// letters are those with which the postal codes of a country begin.
type letters struct {
	country Country
	prefix  string
}

// addCountry reads the states of a country, each with its areas in indented lines and what an area's line goes on with in lines that
// are indented twice:
//
//	AB Alberta | 368 403
//	  T Calgary, Edmonton
func (a *atlas) addCountry(country Country, list string) error {
	for line := range strings.Lines(list) {
		text := strings.TrimSpace(line)
		var err error
		switch {
		case text == "" || strings.HasPrefix(text, "#"):
		case strings.HasPrefix(line, "    "):
			err = a.addTowns(text)
		case strings.HasPrefix(line, "  "):
			prefixes, towns, _ := strings.Cut(text, " ")
			if err = a.addArea(country, strings.Split(prefixes, ",")); err == nil {
				err = a.addTowns(towns)
			}
		default:
			err = a.addProvince(country, text)
		}
		if err != nil {
			return fmt.Errorf("%q: %w", text, err)
		}
	}
	return nil
}

func (a *atlas) addProvince(country Country, text string) error {
	named, codes, found := strings.Cut(text, "|")
	abbr, name, _ := strings.Cut(strings.TrimSpace(named), " ")
	if !found || name == "" {
		return errors.New("want an abbreviation and a name before area codes")
	}
	s := State{Country: country, Abbr: abbr, Name: name, Codes: strings.Fields(codes)}
	for _, code := range s.Codes {
		if _, twice := a.code[code]; !twice { // two provinces share some: the first one counts
			a.code[code] = len(a.states)
		}
	}
	a.states = append(a.states, s)
	return nil
}

// addArea adds an area to the last state.
func (a *atlas) addArea(country Country, prefixes []string) error {
	n := len(a.states) - 1
	if n < 0 || a.states[n].Country != country {
		return errors.New("it is in no state")
	}
	s := &a.states[n]
	area := &Area{State: n, Nth: len(s.Areas), Prefixes: prefixes, Shown: prefixes}
	for _, p := range prefixes {
		if a.letters[letters{country, p}] != nil {
			return fmt.Errorf("prefix %s is there twice", p)
		}
		a.letters[letters{country, p}] = area
	}
	s.Areas = append(s.Areas, area)
	return nil
}

// addTowns adds towns to the last area.
func (a *atlas) addTowns(list string) error {
	n := len(a.states) - 1
	if n < 0 || len(a.states[n].Areas) == 0 {
		return errors.New("it is in no area")
	}
	s := &a.states[n]
	area := s.Areas[len(s.Areas)-1]
	for town := range strings.SplitSeq(strings.TrimSuffix(list, ","), ", ") {
		name := fold(town)
		if a.towns[name] == nil {
			a.towns[name] = map[int]Town{}
		}
		if _, known := a.home[name]; !known {
			a.home[name] = n
		}
		if _, twice := a.towns[name][n]; twice {
			return fmt.Errorf("town %s is there twice", town)
		}
		a.towns[name][n] = Town{area, len(area.Towns)}
		s.Towns, area.Towns = append(s.Towns, town), append(area.Towns, town)
	}
	return nil
}

// Code is a postal code of Canada or the United Kingdom.
type Code struct {
	Area *Area
	form []string // the characters that each place behind the area's letters may have
}

// Local is how many of a postal code's last characters are written apart from the others.
const Local = 3

// Forms of postal codes in small letters, without what is between their characters.
var (
	canadian = regexp.MustCompile(`^([a-z])[0-9][a-z][0-9][a-z][0-9]$`)
	british  = regexp.MustCompile(`^([a-z]{1,2})([0-9][0-9a-z]?)[0-9][a-z]{2}$`)
)

// Characters of which codes are made. Letters that are easily taken for others are left out.
const (
	figures         = "0123456789"
	figuresNoZero   = "123456789"
	canadianLetters = "abceghjklmnprstvwxyz"
	britishLetters  = "abdefghjlnpqrstuwxyz"
)

// ReadCode reads a postal code in small letters, without what is between its characters. It returns false for ZIP codes, for
// parts of codes, and for codes of other countries.
func ReadCode(norm string) (Code, bool) {
	if m := canadian.FindStringSubmatch(norm); m != nil {
		area := world().letters[letters{Canada, strings.ToUpper(m[1])}]
		return Code{area, []string{figures, canadianLetters, figures, canadianLetters, figures}}, area != nil
	}
	m := british.FindStringSubmatch(norm)
	if m == nil {
		return Code{}, false
	}
	area := world().letters[letters{UnitedKingdom, strings.ToUpper(m[1])}]
	district := []string{figuresNoZero}
	if len(m[2]) > 1 && m[2][1] <= '9' {
		district = []string{"12", figures}
	}
	return Code{area, append(district, figures, britishLetters, britishLetters)}, area != nil
}

// Places returns the characters that each place of a code of an area may have: a code of the same form that begins with prefix.
func (c Code) Places(prefix string) []string {
	var places []string
	for _, letter := range strings.ToLower(prefix) {
		places = append(places, string(letter))
	}
	return append(places, c.form...)
}
