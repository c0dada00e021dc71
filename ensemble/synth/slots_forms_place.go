package synth

import (
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// placeCore draws what comes before "Hospital", "Manor" or "High School" in a name.
func (s *scene) placeCore() string {
	return either(s.rng, s.h.lists.town(s.rng).City, s.h.lists.town(s.rng).City, s.anySurname(),
		either(s.rng, townParts[0]...)+either(s.rng, townParts[1]...), either(s.rng, townParts[0]...)+" "+either(s.rng, "Ridge", "Creek", "Hollow", "Point", "Meadows", "Grove", "Glen", "Bay"),
		either(s.rng, "St. ", "St ", "Saint ")+s.firstOf(oneIn(s.rng, 2)),
		either(s.rng, "Good Shepherd", "Holy Family", "Our Lady of Mercy", "Mount Carmel", "Bethel", "Trinity", "Grace", "Sunrise", "Golden Years", "Harmony", "Heritage", "Evergreen", "Lakeside", "Bayview"))
}

// acronym makes up what the staff says for a hospital.
func (s *scene) acronym() string {
	site := s.h.newSite(s.rng, 2*s.rng.IntN(3))
	if len(site.Abbrev) > 1 && !oneIn(s.rng, 3) {
		return site.Abbrev
	}
	letters := "ABCEFGHKLMNPRSTUVW"
	text := ""
	for range 1 + s.rng.IntN(3) {
		text += string(letters[s.rng.IntN(len(letters))])
	}
	return text + either(s.rng, "H", "MC", "GH", "RMC", "MH", "CH", "UH")
}

func (s *scene) hospitalName() string {
	return s.placeCore() + " " + either(s.rng, "Hospital", "Medical Center", "General Hospital", "Memorial Hospital", "Regional Medical Center", "General", "Memorial",
		"Regional", "Med Center", "Community Hospital", "Children's Hospital", "Hosp", "Medical Ctr", "Health System", "VA", "VA Medical Center", "County Hospital", "Infirmary", "Cancer Center", "University Hospital")
}

// facilityForms write hospitals, clinics, homes and the places in them.
func facilityForms() map[string]func(*scene) {
	hospital := func(draw func(*scene) string) func(*scene) {
		return func(s *scene) { s.mark(phi.Hospital, draw(s)) }
	}
	return map[string]func(*scene){
		"f.hosp": hospital(func(s *scene) string {
			return s.fromList(4, s.h.lists.Facilities, s.hospitalName)
		}),
		"f.hosp.core": hospital((*scene).placeCore),
		"f.hosp.abbr": hospital((*scene).acronym),
		"f.hosp.lower": hospital(func(s *scene) string {
			return strings.ToLower(s.placeCore() + either(s.rng, " hospital", " general", "", " medical center", " clinic"))
		}),
		"f.clinic": hospital(func(s *scene) string {
			return s.placeCore() + " " + either(s.rng, "Clinic", "Family Practice", "Urgent Care", "Internal Medicine Associates", "Pediatrics", "Women's Health", "Health Center", "Medical Group", "Eye Associates",
				"Cardiology", "Orthopaedics", "Dermatology", "Physical Therapy", "Imaging", "Surgery Center", "Pain Clinic", "Dental", "Behavioral Health", "Counseling Center", "OB/GYN", "Walk-In", "Endoscopy Center")
		}),
		"f.clinic.short": hospital(func(s *scene) string {
			return either(s.rng, s.placeCore(), "Medi"+either(s.rng, "Quick", "First", "Now"), "Care"+either(s.rng, "Now", "Spot", "Point"), "Doc"+either(s.rng, "Express", "Stop"), "Minute Clinic", "Prompt"+either(s.rng, "Care", "Med"))
		}),
		"f.va": hospital(func(s *scene) string {
			return s.h.lists.town(s.rng).City + either(s.rng, " VA", " VAMC", " VA Clinic", " Veterans Hospital")
		}),
		"f.snf": hospital(func(s *scene) string {
			return s.placeCore() + " " + either(s.rng, "Manor", "Nursing and Rehab", "Nursing Home", "Care Center", "Rehab", "Rehabilitation Center", "Healthcare Center", "Skilled Nursing", "Assisted Living",
				"Village", "Lodge", "House", "Place", "Court", "Terrace", "Senior Living", "Memory Care", "Convalescent Home", "Health & Rehab", "Commons", "at "+s.h.lists.town(s.rng).City)
		}),
		"f.snf.short": hospital(func(s *scene) string {
			return either(s.rng, s.placeCore(), s.placeCore()+" "+either(s.rng, "Manor", "House", "Village", "Commons"), "the "+either(s.rng, "Willows", "Arbors", "Cedars", "Atrium", "Meadows", "Gables", "Birches"))
		}),
		"f.dialysis": hospital(func(s *scene) string {
			return s.placeCore() + " " + either(s.rng, "Dialysis", "Dialysis Center", "Kidney Center", "Renal Care", "Dialysis Unit", "Kidney Care")
		}),
		"f.hospice": hospital(func(s *scene) string {
			return s.placeCore() + " " + either(s.rng, "Hospice", "Home Health", "VNA", "Home Care", "Hospice House", "Home Health & Hospice", "Palliative Care", "Visiting Nurses")
		}),
		"f.detox": hospital(func(s *scene) string {
			return s.placeCore() + " " + either(s.rng, "Recovery Center", "Detox", "House", "Treatment Center", "rehab", "Recovery", "Behavioral Hospital", "Psychiatric Hospital", "State Hospital", "sober house")
		}),
		"f.ward": func(s *scene) {
			s.mark(phi.LocationOther, either(s.rng, itoa(2+s.rng.IntN(11))+" "+either(s.rng, "West", "East", "North", "South", "Tower", "Main"), itoa(2+s.rng.IntN(11))+either(s.rng, "A", "B", "C", "D", "E", "W"),
				either(s.rng, "Tower ", "Unit ", "Ward ", "Floor ", "Pod ")+itoa(1+s.rng.IntN(12)), s.anySurname()+" "+itoa(2+s.rng.IntN(14)), s.anySurname()+" "+either(s.rng, "Pavilion", "Wing", "Building", "Tower")))
		},
		"f.bed": func(s *scene) {
			s.mark(phi.LocationOther, either(s.rng, "bed ", "Bed ", "room ", "rm ", "Rm ", "Room ", "bay ", "OR ", "Trauma ", "RM")+either(s.rng, digits(s.rng, 1), "1"+digits(s.rng, 1), "4"+digits(s.rng, 2), "8"+digits(s.rng, 2)+"-"+either(s.rng, "A", "B", "1", "2"), itoa(2+s.rng.IntN(9))+either(s.rng, "A", "B", "W")))
		},
	}
}

// geographyForms write where people live, travel and fall.
func geographyForms() map[string]func(*scene) {
	place := func(t phi.Type, draw func(*scene) string) func(*scene) {
		return func(s *scene) { s.mark(t, draw(s)) }
	}
	return map[string]func(*scene){
		"f.country": func(s *scene) {
			s.markBare(phi.Country, s.fromList(3, s.h.lists.Countries, func() string { return either(s.rng, countries...) }))
		},
		"f.abroad":    place(phi.City, func(s *scene) string { return either(s.rng, foreignCities...) }),
		"f.abroadlow": place(phi.City, func(s *scene) string { return strings.ToLower(either(s.rng, foreignCities...)) }),
		"f.camp": place(phi.LocationOther, func(s *scene) string {
			return "Camp " + either(s.rng, s.anySurname(), inventName(s.rng, lexicon.Native, 'l'), s.h.lists.town(s.rng).City)
		}),
		// Nationality and descent tell no place of residence: not marked.
		"f.nationality": func(s *scene) { s.put(either(s.rng, nationalities...)) },
		"f.road": place(phi.Street, func(s *scene) string {
			return either(s.rng, "", "", "", "North ", "Old ", "E. ", "South ") + either(s.rng, either(s.rng, s.h.lists.Streets...), s.anySurname(), ordinal(1+s.rng.IntN(60))) + " " + either(s.rng, streetKinds...)
		}),
		"f.highway": place(phi.Street, func(s *scene) string {
			n := itoa(1 + s.rng.IntN(99))
			return either(s.rng, "I-"+n, "Interstate "+n, "Route "+n, "Rt "+n, "Highway "+n, "Hwy "+n, "US-"+n, "State Route "+n, "County Road "+n, "I"+n, s.anySurname()+" Expressway", "the "+s.anySurname()+" Parkway")
		}),
		"f.corner": func(s *scene) {
			s.mark(phi.Street, either(s.rng, s.h.lists.Streets...))
			s.put(either(s.rng, " and ", " & ", " and "))
			s.mark(phi.Street, either(s.rng, ordinal(1+s.rng.IntN(60)), either(s.rng, s.h.lists.Streets...)))
		},
		"f.neigh": place(phi.LocationOther, func(s *scene) string {
			return either(s.rng, either(s.rng, townParts[0]...)+" "+either(s.rng, "Heights", "Hill", "Park", "Village", "Flats", "Square", "Side", "Bottoms"), s.anySurname()+" "+either(s.rng, "Park", "Heights", "Square"))
		}),
		"f.park": place(phi.LocationOther, func(s *scene) string {
			return s.placeCore() + " " + either(s.rng, "Park", "State Park", "Beach", "Lake", "Pond", "Reservoir", "Playground", "Trail", "Mall", "Stadium", "Bridge", "Fairgrounds", "Campground", "Airport", "Zoo")
		}),
		"f.towers": place(phi.LocationOther, func(s *scene) string {
			return s.placeCore() + " " + either(s.rng, "Apartments", "Towers", "Estates", "Trailer Park", "Homes", "Gardens", "Housing", "Mobile Home Park", "Condos")
		}),
		"f.base": place(phi.LocationOther, func(s *scene) string {
			return either(s.rng, "Fort ", "Ft. ", "Camp ", "Naval Station ", "FOB ") + either(s.rng, s.h.lists.town(s.rng).City, s.anySurname())
		}),
		"f.reservation": place(phi.LocationOther, func(s *scene) string {
			return inventName(s.rng, lexicon.Native, 'l') + " " + either(s.rng, "Reservation", "reservation", "Pueblo", "Nation", "Rancheria")
		}),
		"f.town.lower": place(phi.City, func(s *scene) string { return strings.ToLower(s.h.lists.town(s.rng).City) }),
		"f.county": place(phi.County, func(s *scene) string {
			return s.h.lists.town(s.rng).City + either(s.rng, " County", " Co.", " county", " Parish")
		}),
	}
}
