package surrogate

import (
	"strings"

	"github.com/pgdeid/pgdeid/ensemble"
)

// facilityKinds say what an organisation is; they stay.
var facilityKinds = set(`hospital hospitals hosp medical med center centre ctr clinic clinics health healthcare care system systems
	pharmacy drug drugs drugstore nursing home homes rehab rehabilitation associates association group of the at and for on in to
	university univ college school academy institute inc llc llp ltd corp corporation company co pc pllc foundation church temple
	department dept office offices practice physicians physician surgery surgical surgeons cardiology oncology pediatrics pediatric
	orthopedics orthopaedics radiology imaging dialysis urgent emergency primary family internal medicine hospice assisted living
	senior laboratory laboratories lab labs services service cancer heart eye dental eyecare women womens children childrens
	behavioral mental psychiatric psychiatry outpatient inpatient infirmary sanatorium icu micu sicu ccu ed er or unit ward floor
	st saint mt mount store shop restaurant bank insurance hotel factory plant police fire station agency network alliance
	partners trust board county city state rx facility residence manor village gardens house apartments pavilion tower building wing
	room bed suite base camp a an dr doctor his her their our my s supply products industries manufacturing international`)

// weakKinds are modifiers that stay beside a name, and are one where no other is:
// "Community Hospital", "the Medical Center".
var weakKinds = set("general memorial regional community national american central united veterans va north south east west northern southern eastern western")

// facility replaces the name of a hospital or an organisation by a made-up one and
// keeps what kind it is. An abbreviation ("MGH") becomes the initials of the
// surrogate, where the record tells what it abbreviates, or other letters.
func (w *work) facility(text string) string {
	if isCode(strings.TrimSpace(text)) && !facilityKinds[strings.ToLower(strings.TrimSpace(text))] {
		return w.facilityCode(text)
	}
	if hasCore(text, true) {
		return w.reworded(text, allFacilityKinds, kindFacility)
	}
	return w.reworded(text, facilityKinds, kindFacility)
}

var allFacilityKinds = func() map[string]bool {
	all := map[string]bool{}
	for _, m := range []map[string]bool{facilityKinds, weakKinds} {
		for w := range m {
			all[w] = true
		}
	}
	return all
}()

// hasCore reports whether words are left when those that say the kind are taken away.
func hasCore(text string, weak bool) bool {
	keep := facilityKinds
	if weak {
		keep = allFacilityKinds
	}
	return len(coreRuns(text, keep)) > 0
}

func (w *work) facilityCode(text string) string {
	letters := alnum(text)
	rec := w.who.Record()
	for _, role := range []ensemble.Role{ensemble.Facility, ensemble.Employer} {
		for _, full := range rec[role] {
			if len(letters) > 1 && abbreviation(full) == letters {
				if to := abbreviation(w.facility(full)); to != letters {
					return overlay(text, text, to)
				}
			}
		}
	}
	return w.number(text)
}

// abbreviation is the first letters of a name's words, small words left out.
func abbreviation(name string) string {
	var out strings.Builder
	for word := range words(plain(name)) {
		switch word {
		case "of", "the", "and", "at", "for", "in":
		default:
			out.WriteString(word[:1])
		}
	}
	return out.String()
}

var streetKinds = set(`street st str avenue ave av road rd drive dr lane ln boulevard blvd court ct place pl square sq terrace ter way
	circle cir highway hwy parkway pkwy turnpike tpke expressway expy freeway fwy alley route rt rte interstate trail trl loop plaza
	crossing xing bridge pike row path walk state county us county po p o box rural rr apartment apt unit suite ste
	floor fl room rm building bldg number no lot spc space trailer hc n s e w ne nw se sw north south east west northeast northwest
	southeast southwest upper lower old new the of and at on attn c care`)

var streetNames = strings.Fields(`Acorn Alder Alpine Apple Arbor Arlington Ashland Aspen Autumn Bayberry Beacon Beech Belmont Berkshire
	Birch Bluff Briar Bristol Brookside Cambria Canal Canterbury Cardinal Carlton Cedar Chapel Charles Cherry Chestnut Church
	Clark Cliff Clinton Clover College Concord Copper Cottage Cottonwood Court Creek Crescent Crestview Cypress Dale Deer
	Dogwood Douglas Eastwood Edgewood Elm Evergreen Fairview Fern Fieldstone Forest Franklin Fulton Garden Garfield Glenwood
	Grant Green Grove Hampton Harbor Harrison Hawthorne Hazel Heather Hemlock Henry Heritage Hickory Highland Hillcrest Hillside
	Holly Hudson Iris Ivy Jackson Jasmine Jefferson Juniper Kingston Lafayette Lakeview Lancaster Laurel Lawrence Liberty Lilac Lincoln
	Linden Locust Lotus Madison Magnolia Main Maple Marion Meadow Mill Monroe Mulberry Myrtle Oak Olive Orchard Oxford Park
	Pearl Penn Pheasant Pine Pleasant Plum Poplar Prairie Primrose Prospect Quail Quarry Railroad Redwood Ridge River Roosevelt Rose
	Salem Sherwood Silver Spring Spruce Summit Sunset Sycamore Taylor Union Valley Vernon Victoria Vine Virginia Walnut Washington
	Water Webster Willow Wilson Windsor Winding Woodland York`)

// street replaces an address line: house numbers digit by digit, the street's name
// by another; what kind of street it is stays ("500 State Highway 72").
func (w *work) street(text string) string {
	var out strings.Builder
	at := 0
	for _, run := range coreRuns(text, streetKinds) {
		out.WriteString(text[at:run.Start])
		core := text[run.Start:run.End]
		if core[0] <= '9' || len(core) == 1 { // "7A", "12", and "B" after "Apt"
			out.WriteString(w.number(core))
		} else {
			out.WriteString(w.streetName(core))
		}
		at = run.End
	}
	out.WriteString(text[at:])
	if at == 0 && alnum(text) != "" {
		return w.streetName(text) + " " + text
	}
	return out.String()
}

func (w *work) streetName(core string) string {
	to := w.find(kindStreet, squeeze(plain(core)), func(c *choices, try int) string {
		if try < 3*len(streetNames) {
			return c.oneOf(streetNames)
		}
		return placeName(c, try)
	})
	return inCaseOf(to, core)
}
