package surrogate

import (
	"maps"
	"slices"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/surrogate/letter"
	"github.com/pgdeid/pgdeid/surrogate/place"
)

// isBritish reports whether a state is a nation of the United Kingdom.
func isBritish(state int) bool {
	return state >= 0 && place.States()[state].Country == place.UnitedKingdom
}

// county replaces a county of the United Kingdom by that of the surrogate of the town, or the postcode, beside it. Other counties
// become made-up ones.
func (w *work) county(text string, s *prepared) string {
	name, known := place.ReadCounty(letter.Plain(squeeze(text)))
	if !known || w.actions[phi.City] != Replace || w.wasNamed(text) {
		return w.place(text)
	}
	to := w.newCounty(name, s)
	if to == "" || to == name {
		return w.place(text)
	}
	return letter.InCaseOf(to, squeeze(text))
}

// wasNamed reports whether a county has a made-up name already, as all of them had in earlier versions: it keeps it.
func (w *work) wasNamed(text string) bool {
	return slices.ContainsFunc(coreRuns(text, placeKinds), func(run phi.Range) bool {
		name, _ := w.source.derive(kindPlace, squeeze(letter.Plain(text[run.Start:run.End])))
		return w.isOriginal(name)
	})
}

// newCounty returns the county that takes the place of one, or "" if what is beside it is in another country.
func (w *work) newCounty(county string, s *prepared) string {
	if s.town != "" {
		return w.countyOfNew(squeeze(letter.Plain(s.town)), s.at)
	}
	if area := areaOf(s.at.Zip); area != nil {
		return countyIn("", w.newArea(area))
	}
	british := false
	for _, t := range w.knownTowns() {
		state := w.townState(t.name, t.at)
		british = british || isBritish(state)
		if isBritish(state) && place.CountyOf(t.name, w.townArea(t.name, state, t.at)) == county {
			return w.countyOfNew(t.name, t.at)
		}
	}
	if british || slices.ContainsFunc(w.recordStates(), isBritish) {
		return countyIn("", w.newArea(place.CountyHome(county)))
	}
	return ""
}

// countyOfNew returns the county of a town's surrogate, or "" if that is not in the United Kingdom.
func (w *work) countyOfNew(town string, at Address) string {
	to, area := w.newTown(town, at)
	return countyIn(squeeze(letter.Plain(to)), area)
}

func countyIn(town string, area *place.Area) string {
	if area == nil {
		return ""
	}
	return place.CountyOf(town, area)
}

// knownTown is a town that the record or the text names, folded, and what the text has with it.
type knownTown struct {
	phi.Redacted

	name string
	at   Address
}

// knownTowns returns the towns of the record and of the text in an order that does not depend on that of the text.
func (w *work) knownTowns() []knownTown {
	towns := map[string]Address{}
	for name := range w.recordTowns() {
		towns[name] = Address{}
	}
	for i := range w.spans {
		s := &w.spans[i]
		if s.typ != phi.City && s.typ != phi.Street {
			continue
		}
		town, at := s.address()
		if name := squeeze(letter.Plain(town)); name != "" && towns[name] == (Address{}) {
			towns[name] = at
		}
	}
	var list []knownTown
	for _, name := range slices.Sorted(maps.Keys(towns)) {
		list = append(list, knownTown{name: name, at: towns[name]})
	}
	return list
}

// dialling returns the beginning of the number for drama that a British number becomes: with the dialling code of the surrogate
// of its town, where the record or the text has a town with the number's code, and all such towns become towns with one code;
// else a number that belongs to no area, which goes with any town.
func (w *work) dialling(national string) string {
	own := place.Drama(national)
	if own == "" {
		return place.Nowhere()
	}
	if w.actions[phi.City] != Replace { // as the towns that are shown
		return own
	}
	found := ""
	for _, t := range w.knownTowns() {
		if place.DramaOf(t.name, w.townState(t.name, t.at)) != own {
			continue
		}
		drama := place.Nowhere()
		if to, area := w.newTown(t.name, t.at); area != nil {
			if code := place.DramaOf(squeeze(letter.Plain(to)), area.State); code != "" {
				drama = code
			}
		}
		if found != "" && drama != found {
			return place.Nowhere()
		}
		found = drama
	}
	if found == "" {
		return place.Nowhere()
	}
	return found
}
