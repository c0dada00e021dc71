package ensemble

import (
	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// knownTown finds towns by nothing but their names: those of several words, "Long
// Beach", and single ones that are hardly ever anything else: "Saskatoon". It
// also finds those whose names are words or names where only a town can stand:
// behind a street, in "EMS (Arvada Fire)", in "Ohio and Andover".
func (f *placeFinder) knownTown(i int) {
	if f.caseOf(i) == Upper || f.title(i-1) && f.follows(i) && !f.opensLine(i) && !f.is(i-1, cuePlacePrep|cueFrom|cueDwell|cueAnd) {
		return
	}
	for n := 3; n >= 1; n-- {
		if !f.townRun(i, n) {
			continue
		}
		e, ok := f.phrase(i, i+n)
		if !ok || !e.Is(lexicon.City) || !f.freeTown(i, n) {
			continue
		}
		if f.afterStreet(i, n) || f.fireOf(i, n) || f.besideState(i, e) || n > 1 && f.rareWord(i, n) || n == 1 && f.onlyTown(i, e) {
			f.add(i, i+n, phi.City)
			return
		}
	}
}

// freeTown reports whether words [i, i+n) are not the beginning of a longer name:
// of a facility, an eponym, a person.
func (f *placeFinder) freeTown(i, n int) bool {
	end := i + n
	if f.glued(i) && (f.punct(i-1, '-') || f.punct(i-1, '/')) || f.punct(end, '-') && f.glued(end) {
		return false
	}
	if f.fireOf(i, n) {
		return true
	}
	return !f.is(end, cueEponymNoun|cueFacility|cueCompany|cueStreet|cueDose) && !(f.title(end) && f.follows(end) && !f.entry(end).Is(lexicon.State|lexicon.Country))
}

// afterStreet reports whether the words [i, i+n) close an address: "5744 NW 110th
// Rd, Woodridge".
func (f *placeFinder) afterStreet(i, n int) bool {
	if !f.punct(i-1, ',') || !f.follows(i) || f.inLower(i+n) && f.follows(i+n) {
		return false
	}
	j := i - 2
	if f.number(j) && f.is(j-1, cueStreet|cueRoom) || f.number(j) && (f.equal(j-1, "lot") || f.equal(j-1, "box") || f.equal(j-1, "unit") || f.punct(j-1, '#')) {
		return true
	}
	for k := j - 1; k >= max(0, j-6) && f.follows(k+1); k-- {
		if f.number(k) {
			return f.is(j, cueStreet) || f.equal(j, "pl") || f.equal(j, "place") || f.equal(j, "trail") || f.equal(j, "trl") || f.equal(j, "way") || f.equal(j, "cir")
		}
	}
	return false
}

// fireOf tells whose fire brigade it is: "EMS (Arvada Fire)".
func (f *placeFinder) fireOf(i, n int) bool {
	end := i + n
	return f.title(end) && (f.equal(end, "fire") || f.equal(end, "police") || f.equal(end, "pd") || f.equal(end, "ems") || f.equal(end, "ambulance"))
}

// besideState tells the town of "in Ohio and Andover".
func (f *placeFinder) besideState(i int, e lexicon.Entry) bool {
	p := i - 1
	return f.is(p, cueAnd) && f.follows(i) && f.title(p-1) && f.entry(p-1).Is(lexicon.State) && e.Common < 64 && f.is(f.back(p-1, ""), cuePlacePrep|cueFrom|cueStop)
}

// rareWord reports whether a name of several words has one that is no ordinary
// word, or stands where a place does.
func (f *placeFinder) rareWord(i, n int) bool {
	if end := i + n; f.letter(end) && f.punct(end+1, '-') || f.is(i-1, cueArticle) && f.inLower(end) || f.equal(i-1, "used") || f.equal(i-1, "was") {
		return false // "a Santa Barbara T-tube"
	}
	if f.is(i-1, cuePlacePrep|cueFrom|cueDwell) || f.punct(i-1, ',') && f.number(i-2) {
		return true
	}
	for j := i; j < i+n; j++ {
		if e := f.entry(j); f.word(j) && max(e.Common, e.Capital) < 16 && !e.Is(eitherClinical) && !f.is(j, cuePlaceTop|cueParticle|cueGeo) {
			return !f.begins(i) || f.endsLine(i+n)
		}
	}
	return false
}

// onlyTown tells a word that is a town and neither a word nor a usual name.
func (f *placeFinder) onlyTown(i int, e lexicon.Entry) bool {
	if f.inLower(i+1) && f.describes(i) || f.apostrophe(i+1) && f.is(i+3, cueEponymNoun) || f.is(i-1, cueArticle) {
		return false
	}
	if f.begins(i) || len(f.str(i)) < 5 || f.roles(i) != 0 || e.Is(eitherClinical|clinicalOnly|calendarWord) {
		return false
	}
	other, borne := max(e.Common, e.Capital), max(e.Surname, e.First)
	return other == 0 && borne < 64 || e.Is(lexicon.BigCity) && other < 16 && borne < 80
}

// landscape finds "Lake Yundang", "Yundang Lake", "Kaifu District": what is named on
// maps, by a word with a capital that is no ordinary or clinical one.
func (f *placeFinder) landscape(i int) {
	if f.is(i+1, cueFacility|cueCompany|cueEponymNoun|cueStreet) && f.follows(i+1) {
		return
	}
	if j := i - 1; f.title(j) && f.follows(i) && !f.glued(i) && f.mapWord(j) && j >= f.done {
		start := j
		if f.is(j-1, cuePlaceTop) && f.title(j-1) && f.follows(j) {
			start--
		}
		f.add(start, i+1, phi.LocationOther)
		return
	}
	if (f.equal(i, "lake") || f.equal(i, "mount")) && f.title(i+1) && f.follows(i+1) && !f.glued(i+1) && f.mapWord(i+1) && !(f.title(i+2) && f.follows(i+2)) {
		f.add(i, i+2, phi.LocationOther)
	}
}

// mapWord tells a word that can name a lake or a district.
func (f *placeFinder) mapWord(j int) bool {
	e := f.entry(j)
	if f.roles(j) != 0 || e.Is(eitherClinical|clinicalOnly|calendarWord) {
		return false
	}
	return f.unknown(j) && !f.begins(j) || f.unknown(j) && f.spelling(j) >= likely || f.odds(j) > 40 || e.Is(lexicon.City|lexicon.County) && max(e.Common, e.Capital) < 16
}
