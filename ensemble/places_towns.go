package ensemble

import (
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// stops tells a word that no town begins with; "St." is short for street, too.
func (f *placeFinder) stops(i int) bool {
	return f.is(i, cueStop|cueGreeting|cueStreet) && !f.is(i, cuePlaceTop)
}

// afterPreposition finds the town after "lives in", "moved from", "visiting", and
// after a bare "in" or "from" where the word is first of all a town.
func (f *placeFinder) afterPreposition(i int) {
	j := i + 1
	if f.inLower(j) || f.caseOf(i) == Upper {
		f.plainTown(i, j)
		return
	}
	if !f.follows(j) || !f.capital(j) || f.stops(j) || f.is(j, cueDoctorTitle|cuePersonTitle|cueRoom) {
		return
	}
	dwells := f.is(i, cueDwell) && !f.is(i, cuePlacePrep)
	if dwells && f.caseOf(j) == Upper && f.caseOf(i) == Upper {
		return
	}
	if !dwells {
		for k := i - 1; k >= max(0, i-5) && f.follows(k+1) && !dwells; k-- {
			dwells = f.is(k, cueDwell)
		}
	}
	if f.cityState(j); f.done > j {
		return
	}
	for n := 3; n >= 1; n-- {
		if f.placeOf(i, j, n, dwells) {
			return
		}
	}
	if f.is(j, cuePlaceTop) && f.title(j) && f.title(j+1) && f.follows(j+1) && f.is(i, cuePlacePrep|cueFrom) &&
		!f.is(j+1, cueFacility|cueStop|cueFacilityIn) && f.entry(j+1).Common < 40 && !f.entry(j+1).Is(eitherClinical) {
		f.add(j, j+2, phi.City)
		return
	}
	if (dwells || f.spelling(j) >= veryLikely) && f.unknown(j) && f.title(j) && !f.is(j+1, cueFacility|cueCompany|cueEponymNoun|cueDose) {
		end := j + 1
		for end < j+3 && f.unknown(end) && f.title(end) && f.follows(end) {
			end++
		}
		f.add(j, end, phi.City)
	}
}

// plainTown finds the town after "lives in" in notes that know one case only.
func (f *placeFinder) plainTown(i, j int) {
	if !f.follows(j) || !f.is(i, cuePlacePrep|cueFrom) || !f.is(i-1, cueDwell) {
		return
	}
	for n := 3; n >= 1; n-- {
		e, ok := f.phrase(j, j+n)
		if !ok || !f.words(j, n) {
			continue
		}
		if e.Is(lexicon.BigCity) && max(e.Common, e.Capital) < 24 || e.Is(lexicon.City) && (n > 1 || max(e.Common, e.Capital) == 0 && f.caseOf(j) == Upper) {
			f.add(j, j+n, phi.City)
			return
		}
		if e.Is(lexicon.State|lexicon.Country) && len(f.str(j)) > 3 && !demonym(f.str(j)) && max(e.Common, e.Capital) < 64 {
			f.add(j, j+n, phi.State)
			return
		}
	}
}

// words reports whether tokens [i, i+n) are words of one line.
func (f *placeFinder) words(i, n int) bool {
	for j := i; j < i+n; j++ {
		if !f.word(j) || !f.follows(j) {
			return false
		}
	}
	return true
}

// placeOf takes n words from j for a town, county or region if the lexicon and
// the preposition at i agree.
func (f *placeFinder) placeOf(i, j, n int, dwells bool) bool {
	if !f.townRun(j, n) {
		return false
	}
	e, ok := f.phrase(j, j+n)
	if !ok || !e.Is(lexicon.City|lexicon.County|lexicon.State|lexicon.Country) {
		return false
	}
	if n == 1 && !f.townHere(i, j, e, dwells) {
		return false
	}
	if f.is(j+n, cueFacility|cueEponymNoun|cueCompany) && f.follows(j+n) {
		return false
	}
	t := phi.City
	switch {
	case f.equal(j+n, "county") && f.capital(j+n):
		t, n = phi.County, n+1
	case e.Is(lexicon.State) && !e.Is(lexicon.BigCity) && n == 1:
		t = phi.State
	case e.Is(lexicon.Country) && !e.Is(lexicon.BigCity):
		if demonym(f.str(j)) {
			return false
		}
		t = phi.Country
	case e.Is(lexicon.City):
	case e.Is(lexicon.State):
		t = phi.State
	default:
		return false
	}
	f.add(j, j+n, t)
	return true
}

// townRun is run that lets "St." have its full stop.
func (f *placeFinder) townRun(i, n int) bool {
	for j := i; j < i+n; j++ {
		if f.punct(j, '.') && f.glued(j) && f.equal(j-1, "st") {
			continue
		}
		if !f.capital(j) || j > i && !f.follows(j) {
			return false
		}
	}
	return !f.punct(i+n-1, '.')
}

// townHere weighs a single word after a preposition.
func (f *placeFinder) townHere(i, j int, e lexicon.Entry, dwells bool) bool {
	if f.caseOf(j) == Upper || len(f.str(j)) < 3 {
		return false
	}
	other := int(max(e.Common, e.Capital))
	if dwells {
		return other < 90
	}
	if e.Is(lexicon.Month | lexicon.Weekday | lexicon.Clinical) {
		return false
	}
	if e.Is(lexicon.BigCity) && e.Is(lexicon.City) && !f.is(j+1, cueEponymNoun) && f.equal(i, "in") && (f.punct(j+1, ';') || f.punct(j+1, '.') || f.punct(j+1, ',')) {
		return other < 64
	}
	if f.is(i, cueFrom) || f.equal(i, "in") || f.equal(i, "near") {
		return other < 40 && (e.Is(lexicon.BigCity) || e.First < 80)
	}
	return other < 30 && e.Is(lexicon.BigCity) && e.First < 90
}

// townEnds are what names of towns end in; the first ones hardly end other words.
var townEnds = [...]string{
	"ville", "burg", "burgh", "town", "boro", "borough", "shire", "polis", "haven", "mouth", "bury", "chester", "stead", "furt",
	"port", "field", "brook", "wood", "ford", "dale", "ton",
}

const firmTownEnds = 14

// townLike tells a word that ends as towns do and is no usual surname or word:
// "Smallville". The weak endings need the lexicon to know a town.
func (r *reading) townLike(i int) bool {
	s, e := r.str(i), r.entry(i)
	if len(s) < 7 || max(e.Common, e.Capital) > 0 || max(e.Surname, e.First) > 48 || r.is(i+1, cueEponymNoun) {
		return false
	}
	for k, end := range townEnds {
		if strings.HasSuffix(s, end) {
			return k < firmTownEnds && (e == (lexicon.Entry{}) || e.Is(lexicon.City)) || e.Is(lexicon.City) && e.Surname < 40
		}
	}
	return false
}

// nationality finds the country in "59 yo Haitian male": an adjective that is no
// race before a noun of sex, known or ending like one.
func (f *placeFinder) nationality(i int) {
	j := i - 1
	if !f.title(j) || !f.follows(i) || f.is(j, cueRace|cueStop) || f.equal(j, "american") || len(f.str(i)) == 1 {
		return
	}
	e := f.entry(j)
	s := f.str(j)
	strange := f.unknown(j) && f.afterAge(j) && (strings.HasSuffix(s, "ani") || strings.HasSuffix(s, "ian") || strings.HasSuffix(s, "ese") || strings.HasSuffix(s, "can"))
	if e.Is(lexicon.Country) || strange {
		f.add(j, j+1, phi.Country)
	}
}

func (f *placeFinder) afterAge(j int) bool {
	for k := j - 1; k >= max(0, j-6); k-- {
		if f.number(k) {
			return true
		}
	}
	return false
}
