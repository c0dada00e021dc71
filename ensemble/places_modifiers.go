package ensemble

import (
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
)

// modifiers walks back from a facility word over the words of its name. own tells
// whether one of them sets it apart from every other facility.
func (f *placeFinder) modifiers(i int) (start int, own bool) {
	start = i
	for j := i - 1; j >= 0 && i-j <= 8 && f.follows(j+1); j-- {
		switch {
		case f.nameMark(j):
		case !f.word(j):
			return start, own
		case f.inLower(j):
			if ok, sets := f.lowerModifier(j, i); ok {
				start, own = j, own || sets
				continue
			}
			if !f.equal(j, "of") && !f.equal(j, "the") && !f.equal(j, "and") && !f.equal(j, "s") || !f.capital(j-1) && !f.apostrophe(j-1) {
				return start, own
			}
			if f.equal(j, "s") {
				continue
			}
			if !f.is(j-1, cueFacilityIn|cueFacility|cueInstitute) {
				return start, own
			}
		case f.caseOf(i) == Upper && f.title(j) && len(f.str(i)) > 3:
			return start, own
		case f.townIn(j):
			start, own = j-1, true
		case f.title(j) && f.title(i) && f.title(j-1) && f.is(j-1, cueInstitute) && f.follows(j) && !f.entry(j).Is(lexicon.Clinical):
			start, own = j, true // "Holy Cross Care Center"
		case f.streetIn(j, i):
			return j - 1, true
		case f.is(j, cueStop|cueStreet) && !f.is(j, cueFacilityIn|cueFacility|cuePlaceTop), f.is(j, cueGreeting|cueDoctorTitle|cuePersonTitle|cueStaffTag|cuePatientTag) && !f.is(j, cueFacilityIn):
			return start, own
		case f.caseOf(j) == Upper && f.caseOf(i) != Upper && len(f.str(j)) > 1 && !f.is(i, cueFacility) && !f.unknown(j):
			return start, own
		default:
			ok, sets := f.modifier(j, i)
			if !ok && own && f.title(j) && f.title(i) && !f.begins(j) && !f.entry(j).Is(lexicon.Clinical) {
				ok = true // "Three Rivers Hospital"
			}
			if !ok {
				return start, own
			}
			start, own = j, own || sets
		}
	}
	return start, own
}

// lowerModifier is modifier for names without capitals: "st. mary's hospital".
func (f *placeFinder) lowerModifier(j, i int) (ok, own bool) {
	if !f.inLower(i) || f.weakHead(i) && !f.is(i-1, cueFacilityIn) {
		return false, false
	}
	e := f.entry(j)
	if f.ownInstitute(j) && (j+1 == i || f.is(j+1, cueFacilityIn|cueFacility)) && !f.is(j-1, cueArticle) && !f.weakHead(i) {
		return true, true // "mercy hospital"
	}
	if f.punct(j-1, '.') && f.equal(j-2, "st") && (e.First >= 40 || e.Surname >= 40 || f.unknown(j)) && e.Common < 24 {
		return true, true // "st. niki regional medical center"
	}
	if town, ok := f.phrase(j-1, j+1); ok && f.inLower(j-1) && f.follows(j) && town.Is(lexicon.City) && e.Common < 24 {
		return true, true // "las cruces hospital"
	}
	if f.is(j, cueFacilityIn) && !f.is(j, cuePlacePrep|cueArticle|cueAnd) && len(f.str(j)) > 3 {
		return true, false // "susan moore care center"
	}
	switch {
	case f.equal(j, "st") && f.punct(j+1, '.'), f.is(j, cueInstitute) && f.equal(j, "memorial"):
		return true, false
	case e.Common == 0 && !e.Is(lexicon.Clinical) && f.roles(j)&^cueParticle == 0:
		named := max(e.Surname, e.First) >= 64 && f.odds(j) > 16
		named = named || e.Is(lexicon.BigCity) || e.Is(lexicon.City) && f.is(j-1, cuePlacePrep|cueFrom)
		return named || e.Is(lexicon.PlaceTop), named
	}
	return false, false
}

// townIn tells the second word of a town of two: "LAS CRUCES HOSPITAL".
func (f *placeFinder) townIn(j int) bool {
	if !f.capital(j-1) || !f.follows(j) || !f.entry(j-1).Is(lexicon.PlaceTop) {
		return false
	}
	e, ok := f.phrase(j-1, j+1)
	return ok && e.Is(lexicon.City|lexicon.State) && max(f.entry(j).Common, f.entry(j).Capital) < 72
}

// streetIn tells the street in "Main Street Pharmacy".
func (f *placeFinder) streetIn(j, i int) bool {
	return f.title(j) && f.title(j-1) && f.follows(j) && (f.equal(j, "street") || f.equal(j, "avenue") || f.equal(j, "road")) && f.title(i)
}

// nameMark tells punctuation inside a facility's name: "St. Mary's", "Jewett-Cole".
func (f *placeFinder) nameMark(j int) bool {
	switch {
	case f.punct(j, '.'):
		return f.glued(j) && (f.equal(j-1, "st") || f.letter(j-1))
	case f.punct(j, '-'), f.apostrophe(j):
		return f.glued(j) && f.glued(j+1) || f.apostrophe(j) && f.glued(j)
	case f.punct(j, '&'):
		return f.capital(j - 1)
	}
	return false
}

// modifier reports whether word j can stand in the name of the facility at i, and
// whether it sets that name apart.
func (f *placeFinder) modifier(j, i int) (ok, own bool) {
	e := f.entry(j)
	if f.is(j, cueInstitute) && f.title(j) && f.inLower(i) && !f.is(j, cueFacilityIn) {
		return true, true // "Sacred Heart rehab"
	}
	if f.ownInstitute(j) && f.title(j) && f.emergency(i) {
		return true, true // "Mercy ED"
	}
	if f.is(j, cueInstitute) {
		return true, f.title(i) && f.title(j) || f.equal(j, "st") || f.equal(j, "saint") || f.caseOf(j) == Upper && f.is(j, cueInstitute) && f.caseOf(i) == Upper && !f.equal(j, "university")
	}
	if f.is(j, cueFacilityIn|cueFacility) || f.letter(j) {
		return true, false
	}
	if f.unknown(j) {
		return true, f.title(j) || len(f.str(j)) > 3
	}
	borne := max(e.Surname, e.First)
	other := int(max(e.Common, e.Capital))
	if e.Is(lexicon.Clinical) && int(borne) < other+40 && !(f.title(j) && f.title(j+1) && e.Is(lexicon.City) && borne > 0 && i-j > 1) {
		return false, false
	}
	place := e.Is(lexicon.City | lexicon.County | lexicon.State | lexicon.BigCity)
	floor := 16
	if f.caseOf(j) == Upper {
		floor = 40
	}
	if f.caseOf(i) == Lower || f.weakHead(i) {
		floor = max(floor, 24)
	}
	switch {
	case borne > 0 && int(borne)-other > floor, place && other < 64:
		return true, f.title(j) || f.caseOf(i) != Lower
	case f.title(j) && f.title(i) && other < 72 && !f.begins(j):
		return true, false
	}
	return false, false
}

// weakHead tells words that end other phrases as often as names of facilities.
func (f *placeFinder) weakHead(i int) bool {
	switch strings.ToLower(f.str(i)) {
	case "general", "medical", "rx", "er", "ed", "icu", "care", "practice", "hall", "memorial", "associates", "health", "institute", "campus", "drugs", "center", "centre", "va":
		return true
	}
	return false
}

// ownInstitute tells the words that whole chains of hospitals are called by and
// that mean no kind of institution.
func (f *placeFinder) ownInstitute(j int) bool {
	if !f.is(j, cueInstitute) {
		return false
	}
	switch strings.ToLower(f.str(j)) {
	case "mercy", "providence", "baptist", "methodist", "lutheran", "presbyterian", "adventist", "episcopal", "deaconess", "shriners", "kaiser":
		return true
	}
	return false
}

// emergency tells "ED", "ER" and "ICU".
func (f *placeFinder) emergency(i int) bool {
	return f.str(i) == "ED" || f.str(i) == "ER" || f.str(i) == "ICU"
}
