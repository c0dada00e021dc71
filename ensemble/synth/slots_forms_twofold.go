package synth

import (
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// eponyms are clinicians and patients that signs, tools and diseases are called
// after; living people have these names, too.
var eponyms = strings.Fields(`Murphy Foley Bell Parkinson Crohn Graves Turner Down Wilson Addison Cushing Hodgkin Barrett Baker Marshall Kelly Allis Mayo
	Miller Macintosh Jackson Pratt Harrison Thompson Thomas Hawkins Neer Homan Levine Osler Grey Cullen Braden Norton Morse Glasgow Wells Ranson Gleason
	Bishop Tanner Clark Fisher Hunt Hess Killip Framingham Duke Light Kelley Allen Bennett Jones Smith Monteggia Salter Harris Gardner Kocher Bovie Penrose
	Hickman Swan Quinton Yankauer Berg Beck Columbia Simpson Adams Marfan Alport Conn Carney Noonan Hunter Hurler Ewing Burkitt Paget Bowen Sweet Merkel`)

// tradeNames are surnames that are also trades.
var tradeNames = strings.Fields(`Baker Carpenter Cook Taylor Tailor Farmer Fisher Hunter Mason Miller Potter Shepherd Smith Weaver Butcher Butler Barber Porter Gardener
	Glover Cooper Carter Fowler Piper Painter Plumber Singer Sawyer Turner Wheeler Driver Brewer Chandler Judge Major Marshall Pope Priest Bishop Deacon Dean Page Walker Abbott Nurse Doctor`)

var monthNames = strings.Fields("April May June August January Summer Autumn Winter Augusta Julius Wednesday Friday Monday Sunday Easter Noel")

// twofoldForms write names that are words as well: trades, months, towns, eponyms.
func twofoldForms() map[string]func(*scene) {
	word := func(s *scene) string { return either(s.rng, s.h.lists.WordSurnames...) }
	first := func(s *scene) string {
		female := s.rng.IntN(2)
		return either(s.rng, s.h.lists.WordFirsts[female]...)
	}
	return map[string]func(*scene){
		"f.long":         func(s *scene) { s.patient(either(s.rng, "Long", "Long", "Longo", "Short", "Young", "Little")) },
		"f.wordlast":     func(s *scene) { s.patient(word(s)) },
		"f.wordlast.dr":  func(s *scene) { s.doctor(word(s)) },
		"f.wordfirst":    func(s *scene) { s.patient(first(s)) },
		"f.wordfirst.dr": func(s *scene) { s.doctor(first(s)) },
		"f.wordfull":     func(s *scene) { s.patient(first(s) + " " + word(s)) },
		"f.epolast":      func(s *scene) { s.doctor(either(s.rng, eponyms...)) },
		"f.epolast.pt":   func(s *scene) { s.patient(either(s.rng, eponyms...)) },
		"f.monthname":    func(s *scene) { s.patient(either(s.rng, monthNames...)) },
		"f.cityname":     func(s *scene) { s.patient(s.h.lists.town(s.rng).City) },
		"f.cityname.dr":  func(s *scene) { s.doctor(s.h.lists.town(s.rng).City) },
		"f.jobname":      func(s *scene) { s.patient(either(s.rng, tradeNames...)) },
		"f.jobname.dr":   func(s *scene) { s.doctor(either(s.rng, tradeNames...)) },
		"f.town.spell": func(s *scene) {
			city := s.h.lists.town(s.rng).City
			s.mark(phi.City, city)
			s.put(either(s.rng, ", ", ", spelled ", ", that is "))
			s.mark(phi.City, s.spelled(city))
		},
		"f.nickquoted": func(s *scene) {
			s.put(`"`)
			s.patient(either(s.rng, s.firstOf(s.pt.Female), "Red", "Bud", "Doc", "Slim", "Tiny", "Mouse", "Papa "+s.firstOf(s.pt.Female), "Big "+s.firstOf(s.pt.Female)))
			s.put(`"`)
		},
		"f.her.full": func(s *scene) { s.patient(s.firstOf(true) + " " + s.anySurname()) },
		"f.him.full": func(s *scene) { s.patient(s.firstOf(false) + " " + s.anySurname()) },
		"f.full3": func(s *scene) {
			female := oneIn(s.rng, 2)
			s.patient(s.firstOf(female) + " " + s.firstOf(female) + " " + s.anySurname())
		},
		"f.kin": func(s *scene) { s.patient(s.firstOf(oneIn(s.rng, 2)) + " " + s.pt.Name.Last) },
	}
}
