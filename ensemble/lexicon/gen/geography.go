package main

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
)

// town is a US town that can be a surrogate.
type town struct {
	name, state, zip3 string
	people, zips      int
}

// demonyms are the adjectives of countries, which are in none of the sources.
const demonyms = `afghan albanian algerian american angolan argentine argentinian armenian australian austrian
azerbaijani bahamian bahraini bangladeshi barbadian belarusian belgian belizean bolivian bosnian brazilian british bulgarian
burmese burundian cambodian cameroonian canadian chilean chinese colombian congolese costarican croatian cuban cypriot czech
danish dominican dutch ecuadorian egyptian english eritrean estonian ethiopian fijian filipino filipina finnish french gambian
georgian german
ghanaian greek grenadian guatemalan guinean guyanese haitian honduran hungarian icelandic indian indonesian iranian iraqi irish
israeli italian ivorian jamaican japanese jordanian kazakh kazakhstani kenyan korean kosovar kuwaiti kyrgyz laotian latvian
lebanese liberian libyan lithuanian macedonian malawian malaysian malian maltese mexican moldovan mongolian
moroccan mozambican namibian nepalese nepali nicaraguan nigerian norwegian omani pakistani palestinian panamanian
paraguayan persian peruvian polish portuguese qatari romanian russian rwandan salvadoran samoan saudi scottish senegalese serbian
singaporean slovak slovenian somali spanish sudanese swedish swiss syrian taiwanese tajik tanzanian thai tibetan togolese tongan
trinidadian tunisian turkish turkmen ugandan ukrainian uruguayan uzbek venezuelan vietnamese welsh yemeni zambian zimbabwean`

// otherCountries are common names that the list of countries spells differently.
const otherCountries = `usa,england,scotland,wales,northern ireland,russia,south korea,north korea,vietnam,laos,syria,iran,
bolivia,venezuela,tanzania,moldova,taiwan,palestine,ivory coast,czech republic,burma,puerto rico,hong kong,macedonia,congo,
united states,united states of america,united kingdom,great britain,kazakhstan`

// places marks states, countries, counties and towns, and collects the towns.
func (b *builder) places() error {
	if err := b.states(); err != nil {
		return err
	}
	if err := b.src.records("us-geo/us_cities.csv.gz", func(get func(string) string) {
		b.place(get("CITY"), lexicon.City)
		b.place(get("COUNTY"), lexicon.County)
	}); err != nil {
		return err
	}
	people := map[string]int{}
	if err := b.src.rows("alvearie-ibm/en_city_list.csv.gz", func(row []string) {
		flags := lexicon.City
		n, err := strconv.Atoi(row[4])
		if err == nil && n >= 100_000 {
			flags |= lexicon.BigCity
		}
		if row[3] == "US" {
			people[key(row[0])] = max(n, people[key(row[0])])
		}
		b.place(row[0], flags)
	}); err != nil {
		return err
	}
	return b.zips(people)
}

func (b *builder) states() error {
	if err := b.src.rows("alvearie-ibm/en_states_us.csv", func(row []string) {
		b.place(row[0], lexicon.State)
		b.flag(row[1], lexicon.State)
	}); err != nil {
		return err
	}
	for _, s := range []string{"DC", "PR", "District of Columbia", "Guam"} {
		b.place(s, lexicon.State)
	}
	for _, c := range strings.Split(otherCountries, ",") {
		b.place(c, lexicon.Country)
	}
	for _, c := range strings.Fields(demonyms) {
		b.flag(c, lexicon.Country)
	}
	return b.src.rows("alvearie-ibm/en_country_list.csv", func(row []string) { b.place(row[0], lexicon.Country) })
}

// place marks a name of one or several words.
func (b *builder) place(name string, f lexicon.Flags) {
	name, _, _ = strings.Cut(name, "(")
	k := key(name)
	if len(k) < 2 {
		return
	}
	b.flag(k, f)
	if first, _, several := strings.Cut(k, " "); several {
		b.flag(first, lexicon.PlaceTop)
	}
}

// zips finds the ZIP codes of towns. Where a town's population is unknown, the number of its codes
// indicates its size.
func (b *builder) zips(people map[string]int) error {
	type id struct{ name, state string }
	codes := map[id]map[string]int{}
	err := b.src.records("synthea/zipcodes.csv.gz", func(get func(string) string) {
		zip, at := get("ZCTA5"), id{get("NAME"), get("ST")}
		if len(zip) != 5 || key(at.name) == "" {
			return
		}
		if codes[at] == nil {
			codes[at] = map[string]int{}
		}
		codes[at][zip[:3]]++
	})
	if err != nil {
		return err
	}
	largest := map[string]int{}
	for at, zip3 := range codes {
		n := 0
		for _, c := range zip3 {
			n += c
		}
		b.towns = append(b.towns, town{name: at.name, state: at.state, zip3: mostFrequent(zip3), zips: n})
		largest[key(at.name)] = max(largest[key(at.name)], n)
	}
	for i := range b.towns {
		if t := &b.towns[i]; t.zips == largest[key(t.name)] {
			t.people = people[key(t.name)]
		}
	}
	slices.SortFunc(b.towns, func(x, y town) int {
		return cmp.Or(y.people-x.people, y.zips-x.zips, strings.Compare(x.name, y.name), strings.Compare(x.state, y.state))
	})
	b.towns = b.towns[:min(len(b.towns), 8000)]
	return nil
}

func mostFrequent(counts map[string]int) string {
	best := ""
	for _, k := range slices.Sorted(maps.Keys(counts)) {
		if best == "" || counts[k] > counts[best] {
			best = k
		}
	}
	return best
}
