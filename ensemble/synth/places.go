package synth

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
)

// stateNames are the states of the United States by postal abbreviation.
var stateNames = map[string]string{
	"AL": "Alabama", "AK": "Alaska", "AZ": "Arizona", "AR": "Arkansas", "CA": "California", "CO": "Colorado", "CT": "Connecticut",
	"DE": "Delaware", "DC": "District of Columbia", "FL": "Florida", "GA": "Georgia", "HI": "Hawaii", "ID": "Idaho", "IL": "Illinois",
	"IN": "Indiana", "IA": "Iowa", "KS": "Kansas", "KY": "Kentucky", "LA": "Louisiana", "ME": "Maine", "MD": "Maryland",
	"MA": "Massachusetts", "MI": "Michigan", "MN": "Minnesota", "MS": "Mississippi", "MO": "Missouri", "MT": "Montana",
	"NE": "Nebraska", "NV": "Nevada", "NH": "New Hampshire", "NJ": "New Jersey", "NM": "New Mexico", "NY": "New York",
	"NC": "North Carolina", "ND": "North Dakota", "OH": "Ohio", "OK": "Oklahoma", "OR": "Oregon", "PA": "Pennsylvania",
	"RI": "Rhode Island", "SC": "South Carolina", "SD": "South Dakota", "TN": "Tennessee", "TX": "Texas", "UT": "Utah",
	"VT": "Vermont", "VA": "Virginia", "WA": "Washington", "WV": "West Virginia", "WI": "Wisconsin", "WY": "Wyoming",
}

var townParts = [2][]string{
	strings.Fields("Harrow Small Fern Copper Dun Mill Eagle Stony Maple Cold Lark Ash Wolf Bri Thorn Elder Pine Clear Gran Shel Quarry Otter"),
	strings.Fields("ville ton field burg dale ford port mont wick ham stead brook"),
}

// town draws a place: large ones often, small and made-up ones too.
func (l *Lists) town(rng *rand.Rand) lexicon.Place {
	places := l.Places
	if len(places) == 0 || oneIn(rng, 12) {
		return lexicon.Place{
			City:  either(rng, townParts[0]...) + either(rng, townParts[1]...) + either(rng, "", "", "", " Falls", " Heights", " Springs"),
			State: either(rng, "OH", "MN", "WI", "TX", "PA", "GA", "AZ", "ME", "MO"), Zip3: digits(rng, 3),
		}
	}
	x := rng.Float64()
	if !l.Even {
		x *= x
	}
	return places[int(x*float64(len(places)))]
}

var (
	streetWords = strings.Fields(`Oak Maple Cedar Main Elm Washington Lincoln Park Lake Hill River Church Willow Birch Spruce
		Sunset Highland Prospect Williams Jackson Adams Madison Franklin Meadow Chestnut Walnut Juniper Magnolia Orchard Quarry
		Ridge Valley Fairview Hickory Aspen Dogwood Mulberry Garfield Grant Harrison Larkspur Tamarack`)
	streetKinds = strings.Fields("St Street Ave Avenue Rd Road Dr Drive Ln Lane Ct Court Blvd Boulevard Way Pl Place Ter Terrace Cir Circle Pkwy Trl")
)

func (l *Lists) street(rng *rand.Rand) string {
	n := 1 + rng.IntN(9899)
	switch k := rng.IntN(100); {
	case k < 5:
		return fmt.Sprintf("PO Box %d", n)
	case k < 8:
		return fmt.Sprintf("P.O. Box %d", n)
	case k < 12:
		return fmt.Sprintf("%d %s %d", n, either(rng, "State Highway", "County Road", "Hwy", "State Route", "County Rd", "FM", "US Highway"), 2+rng.IntN(400))
	case k < 14:
		return fmt.Sprintf("%s %d Box %d", either(rng, "RR", "Rural Route", "HC"), 1+rng.IntN(9), 1+rng.IntN(400))
	case k < 22:
		return fmt.Sprintf("%d %s%s %s", n, either(rng, "", "N ", "S ", "E ", "West ", "NW "), ordinal(1+rng.IntN(120)), either(rng, streetKinds[:6]...))
	}
	name := either(rng, l.Streets...)
	if oneIn(rng, 4) {
		name = either(rng, "Old", "North", "Upper", "Saint", "Mount", "Van") + " " + name
	}
	if oneIn(rng, 5) {
		name = l.draw(rng, l.Surnames[lexicon.White])
	}
	s := fmt.Sprintf("%d %s%s %s", n, either(rng, "", "", "", "N ", "S. ", "E ", "W. "), name, either(rng, streetKinds...))
	if oneIn(rng, 4) {
		s += either(rng, fmt.Sprintf(" Apt %d", 1+rng.IntN(400)), fmt.Sprintf(", Apt. %d%c", 1+rng.IntN(30), 'A'+rune(rng.IntN(6))),
			fmt.Sprintf(" #%d", 1+rng.IntN(99)), fmt.Sprintf(" Unit %d", 1+rng.IntN(60)), fmt.Sprintf(", Lot %d", 1+rng.IntN(60)))
	}
	return s
}

func ordinal(n int) string {
	suffix := "th"
	if n%100 < 11 || n%100 > 13 {
		switch n % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return fmt.Sprintf("%d%s", n, suffix)
}

func (h *Hospital) address(rng *rand.Rand) Address {
	p := h.lists.town(rng)
	a := Address{Street: h.lists.street(rng), City: p.City, State: p.State, Zip: p.Zip3 + digits(rng, 2)}
	if oneIn(rng, 12) {
		a.Zip += "-" + digits(rng, 4)
	}
	return a
}

func (h *Hospital) newSite(rng *rand.Rand, i int) Site {
	a, sex := h.address(rng), 1-i%2
	core := either(rng, a.City, h.lists.surname(rng, lexicon.White), either(rng, "San Rafael", "St. Mary's", "Sacred Heart", "Good Samaritan",
		"Mercy", "Mount Olive", "Providence", "Saint Luke's", "Holy Cross", "Riverbend", "Three Rivers", "Lakeshore", "Northgate"), "St. "+h.lists.draw(rng, h.lists.FirstNames[lexicon.White][sex]))
	inhouse := i%2 == 0
	kind := either(rng, "Family Clinic", "Medical Group", "Health Center", "Clinic", "Family Practice", "Primary Care", "Specialty Associates", "Rehab")
	if inhouse {
		kind = either(rng, "Hospital", "Memorial Hospital", "Medical Center", "Regional Medical Center", "General Hospital", "Community Hospital", "Mount Hospital")
	}
	s := Site{
		ID: int64(11 + i), Name: core + " " + kind, Short: core, Address: a, Phone: phone(rng), Fax: phone(rng), Inhouse: inhouse,
	}
	if all := h.lists.Facilities; len(all) > 0 && oneIn(rng, 2) {
		s.Name = either(rng, all...)
		s.Short = shortFacility(s.Name)
	}
	for _, word := range strings.Fields(s.Name) {
		if c := word[0]; c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' {
			s.Abbrev += strings.ToUpper(word[:1])
		}
	}
	s.URL = "www." + asciiLower(s.Name) + either(rng, ".example.org", ".example.com")
	return s
}

// kindEndings are the words at the end of a facility's name that tell its kind.
var kindEndings = strings.Fields("Hospital Center Clinic Home Care Health Medical Nursing Rehabilitation Rehab and Regional Memorial Community General Hospice Facility Services System Dialysis Urgent Of of The the")

// shortFacility is what people call a facility: its name without its kind.
func shortFacility(name string) string {
	words := strings.Fields(name)
	n := len(words)
	for n > 1 && slices.Contains(kindEndings, words[n-1]) {
		n--
	}
	return strings.Join(words[:n], " ")
}

func (h *Hospital) employer(rng *rand.Rand) string {
	if all := h.lists.Employers; len(all) > 0 && oneIn(rng, 3) {
		return either(rng, all...)
	}
	name := h.lists.surname(rng, h.lists.group(rng))
	return either(rng, name+" & Sons", name+" Logistics", name+" Manufacturing Inc", name+" Foods", name+" Bros. Construction",
		"Bright"+either(rng, "point", "line", "wave"), "Audio"+either(rng, "plex", "mark"), "Tri"+either(rng, "tech", "dyne", "moline"),
		h.townName(rng)+" School District", "City of "+h.townName(rng), h.townName(rng)+" Steel", "University of "+stateNames[either(rng, "OH", "IA", "UT", "ME", "NM")],
		"Veridian "+either(rng, "Systems", "Motors", "Energy"), "Quill & Anchor Press", "Halloway's Diner", "Pinnacle Freight", "Local "+digits(rng, 3)+" Pipefitters")
}

func (h *Hospital) townName(rng *rand.Rand) string { return h.lists.town(rng).City }

func (l *Lists) pharmacy(rng *rand.Rand) string {
	name := l.draw(rng, l.Surnames[lexicon.White])
	return either(rng, "Walgreens", "CVS", "Rite Aid", "Trioki Rx", name+" Drug", name+" Pharmacy", name+"'s Apothecary", either(rng, townParts[0]...)+"care Rx",
		"Main Street Pharmacy", "Family Drug of "+l.town(rng).City, "Hy-Vee Pharmacy", "Costco pharmacy", l.town(rng).City+" Pharmacy", "Medi"+either(rng, "Plus", "Mart", "Serv")+" Rx")
}
