package place

import (
	_ "embed" // counties and dialling codes
	"fmt"
	"slices"
	"strings"
	"sync"
)

var (
	//go:embed britain-counties.txt
	countyList string
	//go:embed britain-dialling.txt
	diallingList string
)

// townIn is a town of an area by its folded name.
type townIn struct {
	area *Area
	name string
}

// britain is what is known of the United Kingdom besides its post.
type britain struct {
	county map[*Area]string  // of most towns of an area
	towns  map[townIn]string // counties of the others
	named  map[string]string // counties by all their names, folded
	home   map[string]*Area  // an area of each county
	codes  []dialling
	called map[townIn]string // drama numbers of towns
	nation map[int]string    // and of all towns of a nation
	spare  string
}

// dialling is a dialling code with the numbers for drama that begin with it.
type dialling struct{ code, drama string }

var kingdom = sync.OnceValue(func() *britain {
	b := &britain{
		county: map[*Area]string{}, towns: map[townIn]string{}, named: map[string]string{}, home: map[string]*Area{},
		called: map[townIn]string{}, nation: map[int]string{},
	}
	for _, list := range []struct {
		text string
		add  func(entry string) error
	}{{countyList, b.addCounty}, {diallingList, b.addDialling}} {
		for _, entry := range entries(list.text) {
			if err := list.add(entry); err != nil {
				panic(fmt.Sprintf("%q: %v", entry, err)) //nolint:forbidigo // embedded, and every test reads it
			}
		}
	}
	return b
})

// addCounty reads "Lancashire, Lancs | BB FY | Ormskirk, Skelmersdale".
func (b *britain) addCounty(entry string) error {
	parts := strings.Split(entry, "|")
	if len(parts) < 2 || len(parts) > 3 {
		return fmt.Errorf("%d parts, want names, areas and towns", len(parts))
	}
	names := list(parts[0])
	for _, name := range names {
		if b.named[foldCounty(name)] != "" {
			return fmt.Errorf("county %s is there twice", name)
		}
		b.named[foldCounty(name)] = names[0]
	}
	for letters := range strings.FieldsSeq(parts[1]) {
		area := areaOfLetters(letters)
		if area == nil {
			return fmt.Errorf("no area has the letters %s", letters)
		}
		if was := b.county[area]; was != "" && was != names[0] {
			return fmt.Errorf("area %s is in %s already", letters, was)
		}
		b.county[area] = names[0]
		b.addHome(names[0], area)
	}
	if len(parts) < 3 {
		return nil
	}
	for _, town := range list(parts[2]) {
		at, err := britishTown(town)
		if err != nil {
			return err
		}
		if b.towns[at] != "" {
			return fmt.Errorf("town %s is there twice", town)
		}
		b.towns[at] = names[0]
		b.addHome(names[0], at.area)
	}
	return nil
}

func (b *britain) addHome(county string, area *Area) {
	if b.home[county] == nil {
		b.home[county] = area
	}
}

// addDialling reads "113 1134960 Leeds, Pudsey", and "- 1632960" for the numbers of no area.
func (b *britain) addDialling(entry string) error {
	code, rest, _ := strings.Cut(entry, " ")
	drama, towns, _ := strings.Cut(rest, " ")
	if code == "-" {
		b.spare = drama
		return nil
	}
	if !strings.HasPrefix(drama, code) || len(drama) != dramaStart {
		return fmt.Errorf("%s is not the beginning of a number with the code %s", drama, code)
	}
	b.codes = append(b.codes, dialling{code, drama})
	if n := OfName(strings.ToLower(towns)); n >= 0 && States()[n].Country == UnitedKingdom {
		b.nation[n] = drama
		return nil
	}
	for _, town := range list(towns) {
		at, err := britishTown(town)
		if err != nil {
			return err
		}
		b.called[at] = drama
	}
	return nil
}

// dramaStart is the length of a number for drama without its last three digits.
const dramaStart = 7

// list splits what is divided by commas.
func list(text string) []string {
	var out []string
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}

func areaOfLetters(prefix string) *Area { return world().letters[letters{UnitedKingdom, prefix}] }

// britishTown finds a town by its name, before which the letters of its area may be.
func britishTown(text string) (townIn, error) {
	if prefix, name, ok := strings.Cut(text, " "); ok && areaOfLetters(prefix) != nil {
		if at := (townIn{areaOfLetters(prefix), fold(name)}); slices.Contains(at.area.Towns, name) {
			return at, nil
		}
	}
	var found []townIn
	for n, t := range Namesakes(fold(text)) {
		if States()[n].Country == UnitedKingdom && t.Area != nil {
			found = append(found, townIn{t.Area, fold(text)})
		}
	}
	if len(found) != 1 {
		return townIn{}, fmt.Errorf("%d areas have a town %s", len(found), text)
	}
	return found[0], nil
}

// foldCounty returns the form in which names of counties are compared.
func foldCounty(name string) string { return fold(strings.ReplaceAll(name, ".", " ")) }

// ReadCounty returns the name of a county of the United Kingdom in any spelling: "W. Yorks" is West Yorkshire.
func ReadCounty(text string) (name string, ok bool) {
	name, ok = kingdom().named[foldCounty(text)]
	return name, ok
}

// CountyOf returns the county of a town of an area, by its folded name, or that of most towns there; "" outside of the United
// Kingdom.
func CountyOf(town string, area *Area) string {
	if county, ok := kingdom().towns[townIn{area, town}]; ok {
		return county
	}
	return kingdom().county[area]
}

// CountyHome returns an area with towns of a county.
func CountyHome(county string) *Area { return kingdom().home[county] }

// Nation returns the index of the nation of a town, by its folded name, that is in a county; -1 if there is no such town.
func Nation(town, county string) int {
	for n, t := range Namesakes(town) {
		if States()[n].Country == UnitedKingdom && CountyOf(town, t.Area) == county {
			return n
		}
	}
	return -1
}

// Drama returns the beginning of the numbers for drama with the dialling code of a British number, given without the trunk prefix
// 0; "" if there are none. Three digits follow.
func Drama(national string) string {
	for _, d := range kingdom().codes {
		if strings.HasPrefix(national, d.code) {
			return d.drama
		}
	}
	return ""
}

// DramaOf returns the same for the numbers of a town, by its folded name, in a nation.
func DramaOf(town string, nation int) string {
	if drama, ok := kingdom().nation[nation]; ok {
		return drama
	}
	return kingdom().called[townIn{TownOf(town, nation).Area, town}]
}

// Nowhere is the beginning of the numbers for drama that belong to no area.
func Nowhere() string { return kingdom().spare }

// Dramas returns the beginnings of all numbers for drama that belong to an area.
func Dramas() []string {
	var all []string
	for _, d := range kingdom().codes {
		all = append(all, d.drama)
	}
	return all
}
