package synth

import (
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

func placeSlots() map[string]func(*scene) {
	return map[string]func(*scene){
		"address":    func(s *scene) { s.address(s.pt.Home) },
		"street":     func(s *scene) { s.mark(phi.Street, s.pt.Home.Street) },
		"street.any": func(s *scene) { s.mark(phi.Street, s.h.lists.street(s.rng)) },
		"city":       func(s *scene) { s.mark(phi.City, s.pt.Home.City) },
		"state":      func(s *scene) { s.state(s.pt.Home.State) },
		"zip":        func(s *scene) { s.mark(phi.Zip, s.pt.Home.Zip) },
		"town":       func(s *scene) { s.mark(phi.City, s.h.lists.town(s.rng).City) },
		"town.state": func(s *scene) {
			p := s.h.lists.town(s.rng)
			s.mark(phi.City, p.City)
			s.put(", ")
			s.state(p.State)
		},
		"county":   func(s *scene) { s.mark(phi.County, s.h.lists.town(s.rng).City+" County") },
		"anystate": func(s *scene) { s.mark(phi.State, stateNames[s.h.lists.town(s.rng).State]) },
		"country": func(s *scene) {
			if all := s.h.lists.Countries; len(all) > 0 && oneIn(s.rng, 2) {
				s.mark(phi.Country, either(s.rng, all...))
				return
			}
			s.markBare(phi.Country, either(s.rng, "Mexico", "Vietnam", "Nigeria", "Germany", "India", "the Philippines", "Canada", "Somalia",
				"Laos", "Kazakhstan", "Khazakhstan", "Brazil", "Ireland", "Guatemala", "Haiti", "Poland", "Ukraine", "China", "Peru", "Ethiopia"))
		},
		"glasgow": func(s *scene) { // towns that are clinical words, too
			s.mark(phi.City, either(s.rng, "Glasgow", "Lyme", "Bath", "Mobile", "Reading", "Rochester", "Hershey", "Norwalk", "Ada",
				"Marburg", "Bethesda", "Coxsackie", "Framingham", "Nottingham", "Epworth", "Berg", "Clinton", "Lake Placid", "Normal", "Tampa"))
		},
		"country.adj": func(s *scene) {
			s.mark(phi.Country, either(s.rng, "Khazakhstani", "Mexican", "Vietnamese", "Somali", "Korean", "Russian", "Filipino", "Hmong", "Nigerian"))
		},
		"place": func(s *scene) {
			s.markBare(phi.LocationOther, either(s.rng, "Rockefeller Centre", "Lake Harriet", "Yosemite", "the Mall of America", "Grand Canyon", "Camp "+inventName(s.rng, s.h.lists.group(s.rng), 'l'),
				"Mississippi River", "Cape Cod", "Fort "+either(s.rng, townParts[0]...), "Mount Rainier", "Disney World", "O'Hare", "the Outer Banks", "Lake "+either(s.rng, townParts[0]...)+either(s.rng, townParts[1]...)))
		},
	}
}

func siteSlots() map[string]func(*scene) {
	site := func(s *scene) *Site { return &s.h.Sites[s.rng.IntN(len(s.h.Sites))] }
	return map[string]func(*scene){
		"room": func(s *scene) {
			s.mark(phi.LocationOther, either(s.rng, "Room ", "Rm ", "Suite ", "room ", "Bed ")+digits(s.rng, 1+s.rng.IntN(3))+either(s.rng, "", "A", "B", "-2"))
		},
		"building": func(s *scene) {
			s.mark(phi.LocationOther, either(s.rng, "Southwest Building", "North Tower", "Whitfield Pavilion", "Gonda Building", "East Wing", "Outpatient Annex", "Tower B")+either(s.rng, "", " Room 7A", " Suite 210", ", 4th floor", " Rm 12"))
		},
		"hosp":         func(s *scene) { s.mark(phi.Hospital, s.site.Name) },
		"hosp.short":   func(s *scene) { s.mark(phi.Hospital, s.site.Short) },
		"hosp.shorth":  func(s *scene) { s.mark(phi.Hospital, s.site.Short+" Hospital") },
		"hosp.abbr":    func(s *scene) { s.mark(phi.Hospital, s.site.Abbrev) },
		"hosp.street":  func(s *scene) { s.mark(phi.Street, s.site.Address.Street) },
		"hosp.city":    func(s *scene) { s.mark(phi.City, s.site.Address.City) },
		"hosp.address": func(s *scene) { s.address(s.site.Address) },
		"hosp.other":   func(s *scene) { s.mark(phi.Hospital, site(s).Name) },
		"hosp.made": func(s *scene) {
			x := s.h.newSite(s.rng, s.rng.IntN(2))
			if oneIn(s.rng, 8) {
				s.mark(phi.Hospital, x.Short)
				s.put(" ED")
				return
			}
			s.mark(phi.Hospital, either(s.rng, x.Name, x.Name, x.Short+either(s.rng, " rehab", " Nursing Home", " Hospice", " Care Center")))
		},
		"pharm": func(s *scene) { s.mark(phi.Organization, s.h.lists.pharmacy(s.rng)) },
		"org": func(s *scene) {
			s.markBare(phi.Organization, either(s.rng, "GO GIRLS!", "the Elks Lodge", "YMCA", "Meals on Wheels", "AA", "Kiwanis", "Boys & Girls Club", s.h.lists.town(s.rng).City+" High School",
				"St. Paul Lutheran Church", "Minerva", "Bright Horizons", "VFW Post "+digits(s.rng, 4), s.h.employer(s.rng), "Girl Scouts", "Lutheran Social Services", "Weight Watchers"))
		},
		"univ": func(s *scene) {
			s.mark(phi.Organization, "University of "+stateNames[s.h.lists.town(s.rng).State])
		},
		"employer.any": func(s *scene) { s.mark(phi.Organization, s.h.employer(s.rng)) },
	}
}

func (s *scene) state(abbrev string) {
	if oneIn(s.rng, 3) && stateNames[abbrev] != "" {
		abbrev = stateNames[abbrev]
	}
	s.mark(phi.State, abbrev)
}

func (s *scene) address(a Address) {
	s.mark(phi.Street, a.Street)
	s.put(either(s.rng, ", ", ", ", "\n", "  ", " "))
	s.mark(phi.City, a.City)
	s.put(either(s.rng, ", ", ", ", " "))
	s.state(a.State)
	s.put(either(s.rng, " ", "  ", " "))
	s.mark(phi.Zip, a.Zip)
}
