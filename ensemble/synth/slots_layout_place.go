package synth

import (
	"fmt"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// freshSite draws a facility: the note's own, another of the hospital's, or one that
// no table knows.
func (s *scene) freshSite() Site {
	switch s.rng.IntN(4) {
	case 0:
		return *s.site
	case 1:
		return s.h.Sites[s.rng.IntN(len(s.h.Sites))]
	default:
		return s.h.newSite(s.rng, s.rng.IntN(2))
	}
}

func (s *scene) facility() {
	x := s.freshSite()
	name := either(s.rng, x.Name, x.Name, x.Name, x.Short+" "+either(s.rng, "Clinic", "Hosp", "Med Ctr", "Medical Ctr", "Health", "Hospice", "Rehab", "Nursing Home", "Manor", "Care Center",
		"Surgery Center", "Urgent Care", "Imaging", "Health System", "Medical Associates", "Children's Hospital", "Cancer Center", "Heart Institute", "Dialysis"), x.Short, x.Abbrev)
	if oneIn(s.rng, 3) {
		name = strings.ToUpper(name)
	}
	s.mark(phi.Hospital, name)
}

// laboratory names a reference laboratory.
func (s *scene) laboratory() {
	x := s.freshSite()
	name := either(s.rng, x.Short+" Reference Laboratory", x.Short+" Laboratories", x.Short+" Labs", x.Abbrev+" Lab", s.h.lists.surname(s.rng, s.h.lists.group(s.rng))+" Diagnostics",
		s.h.lists.town(s.rng).City+" Pathology Associates", x.Name+" Laboratory", s.h.lists.surname(s.rng, s.h.lists.group(s.rng))+" Clinical Labs", x.Name)
	if oneIn(s.rng, 3) {
		name = strings.ToUpper(name)
	}
	s.mark(phi.Hospital, name)
}

func (s *scene) payer() {
	name := either(s.rng, s.pt.Plan.Payer, "Blue Cross of "+stateNames[s.h.lists.town(s.rng).State], s.h.lists.surname(s.rng, lexicon.White)+" Mutual", s.h.lists.town(s.rng).City+" Health Plan",
		s.h.lists.surname(s.rng, lexicon.White)+" Life & Casualty", stateNames[s.h.lists.town(s.rng).State]+" Physicians Plan", "Pine"+either(s.rng, "Care", "Health", "Shield"), "UnitedCare", "Aetna", "Cigna", "Humana", "BCBS", "Tricare", "Kaiser")
	if name == "Medicare" || name == "Medicaid" {
		s.put(name)
		return
	}
	s.mark(phi.Organization, s.someCase(name))
}

// cityStateZip writes the last line of an address in one of its forms; up puts it in
// capitals.
func (s *scene) cityStateZip(a Address, up bool) {
	fold := func(t string) string { return t }
	if up {
		fold = strings.ToUpper
	}
	s.mark(phi.City, fold(a.City))
	s.put(either(s.rng, ", ", ", ", ", ", " ", ",", "  "))
	if name := stateNames[a.State]; name != "" && oneIn(s.rng, 4) {
		s.mark(phi.State, fold(name))
	} else {
		s.mark(phi.State, either(s.rng, a.State, a.State, a.State, a.State, a.State[:1]+strings.ToLower(a.State[1:]), strings.ToLower(a.State)))
	}
	if oneIn(s.rng, 12) {
		return
	}
	s.put(either(s.rng, " ", " ", "  ", ", ", " - "))
	s.mark(phi.Zip, a.Zip)
}

// postal writes an address with what stands between street and city.
func (s *scene) postal(between ...string) {
	a := s.h.address(s.rng)
	if oneIn(s.rng, 3) {
		a = s.pt.Home
	}
	up := oneIn(s.rng, 3)
	if up {
		a.Street = strings.ToUpper(a.Street)
	}
	s.mark(phi.Street, a.Street)
	s.put(either(s.rng, between...))
	s.cityStateZip(a, up)
}

// armed writes an address of the armed forces abroad.
func (s *scene) armed() {
	box := digits(s.rng, 2+s.rng.IntN(3))
	s.mark(phi.Street, either(s.rng, "PSC "+digits(s.rng, 3)+" Box "+box, "Unit "+digits(s.rng, 4)+" Box "+box, "CMR "+digits(s.rng, 3)+", Box "+box, "USS "+s.h.lists.surname(s.rng, lexicon.White)))
	s.put(either(s.rng, "\n", ", ", " "))
	s.mark(phi.City, either(s.rng, "APO", "FPO", "DPO"))
	s.put(either(s.rng, " ", ", "))
	region := either(s.rng, "AE", "AP", "AA")
	s.mark(phi.State, region)
	s.put(" ")
	s.mark(phi.Zip, map[string]string{"AE": "09", "AP": "96", "AA": "34"}[region]+digits(s.rng, 3))
}

// foreign are towns with a postal code in the form of their country.
var foreign = []struct{ city, code, country string }{
	{"Toronto", "M5G 2C4", "Canada"},
	{"Winnipeg, MB", "R3E 0W2", "Canada"},
	{"Leeds", "LS1 4AP", "United Kingdom"},
	{"Bristol", "BS2 8HW", "UK"},
	{"Monterrey, NL", "64000", "Mexico"},
	{"Guadalajara", "44100", "MX"},
	{"Hamburg", "20251", "Germany"},
	{"Lagos", "101241", "Nigeria"},
	{"Pune", "411001", "India"},
	{"Hanoi", "100000", "Vietnam"},
	{"Manila", "1000", "Philippines"},
	{"Utrecht", "3584 CX", "Netherlands"},
	{"Cork", "T12 X70A", "Ireland"},
	{"Osaka", "530-0001", "Japan"},
	{"Lyon", "69003", "France"},
	{"Perth, WA", "6000", "Australia"},
	{"Seoul", "03080", "South Korea"},
}

// abroad writes an address of another country.
func (s *scene) abroad() {
	at := foreign[s.rng.IntN(len(foreign))]
	country := at.country
	if all := s.h.lists.Countries; len(all) > 0 && oneIn(s.rng, 2) {
		country = either(s.rng, all...)
	}
	word := either(s.rng, s.h.lists.Streets...)
	n := 1 + s.rng.IntN(400)
	s.mark(phi.Street, either(s.rng, fmt.Sprintf("%d %s Road", n, word), fmt.Sprintf("%s 14 No. %d", word, n), fmt.Sprintf("Calle %s %d", s.h.lists.surname(s.rng, lexicon.Hispanic), n),
		fmt.Sprintf("%sstrasse %d", inventName(s.rng, lexicon.White, 'l'), n), fmt.Sprintf("Flat %d, %d %s Lane", 1+n%40, n, word), fmt.Sprintf("%d rue de %s", n, s.h.lists.surname(s.rng, lexicon.White))))
	s.put(either(s.rng, ", ", "\n"))
	s.mark(phi.City, at.city)
	s.put(either(s.rng, " ", ", "))
	s.mark(phi.Zip, at.code)
	s.put(either(s.rng, ", ", "\n", " "))
	s.mark(phi.Country, s.someCase(country))
}

func layoutPlaces() map[string]func(*scene) {
	return map[string]func(*scene){
		"l.hosp":  (*scene).facility,
		"l.lab":   (*scene).laboratory,
		"l.payer": (*scene).payer,
		"l.org":   func(s *scene) { s.mark(phi.Organization, s.someCase(s.h.employer(s.rng))) },
		"l.pharm": func(s *scene) { s.mark(phi.Organization, s.someCase(s.h.lists.pharmacy(s.rng))) },
		"l.street": func(s *scene) {
			s.mark(phi.Street, s.someCase(either(s.rng, s.pt.Home.Street, s.h.lists.street(s.rng), s.h.lists.street(s.rng))))
		},
		"l.city": func(s *scene) {
			s.mark(phi.City, s.someCase(either(s.rng, s.pt.Home.City, s.h.lists.town(s.rng).City)))
		},
		"l.state": func(s *scene) {
			st := s.h.lists.town(s.rng).State
			s.mark(phi.State, either(s.rng, st, st, stateNames[st], strings.ToUpper(stateNames[st])))
		},
		"l.zip":   func(s *scene) { s.mark(phi.Zip, digits(s.rng, 5)+either(s.rng, "", "", "", "-"+digits(s.rng, 4))) },
		"l.csz":   func(s *scene) { s.cityStateZip(s.h.address(s.rng), oneIn(s.rng, 3)) },
		"l.addr":  func(s *scene) { s.postal(", ", ", ", " ", "  ", "; ", " - ", " | ") },
		"l.addr2": func(s *scene) { s.postal("\n", "\n", "\n  ", "\n\t", "\n         ") },
		"l.addr3": func(s *scene) {
			s.mark(phi.Street, s.h.lists.street(s.rng))
			s.put("\n")
			s.mark(phi.Street, either(s.rng, "Apt ", "Unit ", "Suite ", "Ste ", "# ", "Bldg ", "APT ", "Lot ")+digits(s.rng, 1+s.rng.IntN(3))+either(s.rng, "", "B", "-C"))
			s.put("\n")
			s.cityStateZip(s.h.address(s.rng), false)
		},
		"l.armed":  (*scene).armed,
		"l.abroad": (*scene).abroad,
		"l.country": func(s *scene) {
			all := s.h.lists.Countries
			if len(all) == 0 || oneIn(s.rng, 3) {
				all = []string{"USA", "United States", "Mexico", "Vietnam", "Canada", "India", "Germany", "Haiti", "Laos", "Peru", "US", "Kenya", "Cuba"}
			}
			s.mark(phi.Country, s.someCase(either(s.rng, all...)))
		},
		"l.county": func(s *scene) {
			s.mark(phi.County, s.someCase(either(s.rng, s.h.lists.town(s.rng).City, inventName(s.rng, lexicon.White, 'l'))))
		},
		"l.bed": func(s *scene) {
			n := digits(s.rng, 3+s.rng.IntN(2))
			s.mark(phi.LocationOther, either(s.rng, n, n+"A", n+"-1", n+"-B", n+"/2", n[:1]+"W"+n[1:], n[:2]+"-"+n[2:], "Bed "+n[:1]))
		},
		"l.pobox": func(s *scene) {
			s.mark(phi.Street, either(s.rng, "PO Box ", "P.O. Box ", "P O BOX ", "Box ", "PO BOX ", "POB ", "Post Office Box ")+digits(s.rng, 2+s.rng.IntN(4)))
		},
		"l.suite": func(s *scene) {
			s.mark(phi.Street, either(s.rng, "Suite ", "Ste ", "STE ", "Ste. ", "Floor ", "Rm ")+digits(s.rng, 1+s.rng.IntN(4)))
		},
	}
}
