package ensemble

import (
	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// atCapital looks for a name that begins at the capitalised word i without any
// cue: "John Smith", "SMITH, JOHN", "J. Smith", "Jane was brought in".
func (f *nameFinder) atCapital(i int) {
	if i < f.done || f.glued(i) && (f.word(i-1) || f.number(i-1) || f.punct(i-1, '@') || f.punct(i-1, '-')) {
		return
	}
	e := f.entry(i)
	switch {
	case f.letter(i):
		f.initialSurname(i)
		f.initialSubject(i)
	case f.caseOf(i) == Upper && f.capitalsLine(i):
	case e.First >= 40 && f.pair(i):
	case f.strangePair(i):
	case f.surnameFirst(i):
	case e.Surname >= 40 || e.First >= 80 || f.unknown(i):
		f.listed(i)
	}
	if e.First >= 64 && i >= f.done {
		f.subject(i)
	}
	if i >= f.done && f.caseOf(i) == Title {
		f.strangeSubject(i)
		if i >= f.done {
			f.alone(i)
		}
	}
}

// pair finds a first name with a surname behind it.
func (f *nameFinder) pair(i int) bool {
	e, odds := f.entry(i), f.odds(i)
	if odds <= 24 || f.is(i, cueStop|cueFacilityIn|cueFacility) || e.Is(eitherClinical) && odds < 48 {
		return false
	}
	end := f.parse(i, guess)
	if end <= f.hyphens(i+1) {
		return false // "Mallory-Weiss" is no first name and surname
	}
	last := end - 1
	for f.punct(last, '.') || f.is(last, cueSuffix) {
		last--
	}
	if last <= i || f.letter(last) || !f.likelySurname(i, last) || f.isPlace(i, end) {
		return false
	}
	if f.number(end) && f.is(end+1, cueDose) {
		return false
	}
	if f.is(end, cueFacility|cueCompany|cueEponymNoun) && !f.is(end, cueFacilityIn&cueStop) || f.punct(i-1, '-') && f.glued(i) {
		return false
	}
	if f.equal(i-1, "st") || f.punct(i-1, '.') && f.equal(i-2, "st") {
		return false
	}
	if f.entry(last).Surname < 110 && e.Is(lexicon.Eponym) && e.First < 96 && f.role(i, end) == phi.Patient && f.inLower(end) && f.describes(end-1) {
		return false // "Braxton Hicks discussed"
	}
	how := guess
	if f.caseOf(i) == Title {
		how = hint
	}
	f.add(i, end, f.role(i, end), how)
	return true
}

// likelySurname weighs the last word of a pair. In capitals, where every heading
// looks like a name, both words must be names beyond doubt.
func (f *nameFinder) likelySurname(i, last int) bool {
	e := f.entry(last)
	if f.caseOf(i) == Upper {
		return f.caseOf(last) == Upper && f.odds(i) > 48 && f.entry(i).First >= 72 &&
			e.Surname >= 56 && f.odds(last) > 40
	}
	if f.surnameAfterFirst(last, guess) {
		return true
	}
	if f.unknown(last) {
		return f.entry(i).First >= 60 && f.odds(i) > 40 || f.spelling(last) >= 12
	}
	if f.entry(i).First < 60 && f.odds(last) < 40 {
		return false
	}
	return max(e.Surname, e.First-min(e.First, 20)) >= 30 && f.odds(last) > 8
}

// isPlace tells places whose names read like those of people: "St. Paul",
// "Virginia Beach", "San Jose".
func (f *nameFinder) isPlace(i, end int) bool {
	if end-i != 2 || !f.entry(i).Is(lexicon.PlaceTop) {
		return false
	}
	e, ok := f.phrase(i, end)
	return ok && e.Is(lexicon.City|lexicon.State|lexicon.Country)
}

// role tells a member of the staff from a patient by what stands around a name.
func (f *nameFinder) role(i, end int) phi.Type {
	j := f.back(i, ",:.(")
	k := end
	if f.punct(k, ',') {
		k++
	}
	if f.is(j, cueStaffTag|cueStaffTitle|cueSigning|cueBy) && !f.is(j, cueKin) || f.credentialAt(k) {
		return phi.Doctor
	}
	return phi.Patient
}

// credentialAt tells "MD", "M.D." and the like.
func (f *nameFinder) credentialAt(k int) bool {
	return f.is(k, cueCredential) && f.capital(k) || f.is(k, cueWeakCred) && f.punct(k-1, ',') && f.caseOf(k) == Upper || dottedCredentials[f.str(k)+f.str(k+2)] && f.punct(k+1, '.')
}

// listed finds "SMITH, JOHN C" and "Smith, John".
func (f *nameFinder) listed(i int) {
	e := f.entry(i)
	if f.is(i, cueStop|cueStreet|cueFacility|cueFacilityIn|cueGreeting|cueKin) || len(f.str(i)) < 2 || e.Is(calendarWord|lexicon.State) {
		return
	}
	end := f.hyphens(i + 1)
	if f.is(end, cueSuffix) && f.capital(end) && f.follows(end) {
		end++ // "WELLS JR, JESSE"
	}
	if !f.punct(end, ',') || !f.capital(end+1) || !f.follows(end+1) {
		return
	}
	first := f.entry(end + 1)
	upper := f.caseOf(i) == Upper
	if upper != (f.caseOf(end+1) == Upper) || f.letter(end+1) {
		return
	}
	if f.number(i-1) && f.follows(i) && !f.glued(i) {
		return // "12 George Street, Adelaide"
	}
	odds := f.odds(i)
	strong := odds > 24 && e.Surname >= 56 && f.odds(end+1) > 40 && first.First >= 60
	if upper && odds > 24 && max(e.Surname, e.First) >= 40 {
		strong = first.First >= 76 && f.odds(end+1) > 40
	}
	if upper && f.unknown(i) {
		strong = first.First >= 84 && f.odds(end+1) > 60
	}
	// In running text a comma parts names of a list more often than it turns one
	// around: then both are names on their own.
	if !strong || !upper && !f.begins(i) && (e.First > e.Surname || f.punct(end+2, ',')) || first.Is(eitherClinical|lexicon.State) && f.odds(end+1) < 70 {
		return
	}
	if got := f.reversed(end, hint); got > end {
		f.add(i, got, phi.Patient, hint)
	}
}

// mostInitials is the number of initials before one surname.
const mostInitials = 5

// initialSurname finds "J. Smith" and "J. W. Smith".
func (f *nameFinder) initialSurname(i int) {
	if !f.punct(i+1, '.') || !f.glued(i+1) || f.begins(i) && !f.opensLine(i) && !f.punct(i-1, ':') && !f.punct(i-1, '(') {
		return
	}
	j := i + 2
	for j < i+2*mostInitials && f.letter(j) && f.punct(j+1, '.') && f.follows(j) {
		j += 2
	}
	e := f.entry(j)
	if !f.title(j) || !f.follows(j) || e.Surname < 56 || f.odds(j) < 40 || e.Is(eitherClinical) && f.odds(j) < 64 || f.is(j, cueStop) {
		return
	}
	if end := f.parse(j, hint); end > j && !f.is(end, cueFacility|cueEponymNoun) {
		f.add(i, end, phi.Doctor, hint)
	}
}

// initialSubject finds a patient that is called by a letter: "PLOF: X was
// independent".
func (f *nameFinder) initialSubject(i int) {
	if i >= f.done && f.is(i+1, cueIs) && f.inLower(i+1) && f.begins(i) && !f.equal(i, "i") && !f.equal(i, "a") &&
		(f.punct(i-1, ':') || i == 0 || f.opensLine(i)) {
		f.add(i, i+1, phi.Patient, guess)
	}
}

// subject finds a first name that is the subject of a sentence: "Jane is brought
// in", "Then Marcus denied it".
func (f *nameFinder) subject(i int) {
	if f.caseOf(i) != Title || !f.is(i+1, cueSubjectVerb) || !f.inLower(i+1) || !f.follows(i+1) {
		return
	}
	e, odds := f.entry(i), f.odds(i)
	if odds < 40 || e.First < 72 || e.Is(lexicon.Month|lexicon.Weekday|lexicon.State|lexicon.Country|lexicon.Clinical) && odds < 72 || f.is(i, cueStop|cueGreeting) {
		return
	}
	f.add(i, i+1, phi.Patient, hint)
}

// lowerPair finds "john smith" in notes that know no capitals.
func (f *nameFinder) lowerPair(i int) {
	e, next := f.entry(i), f.entry(i+1)
	if i < f.done || e.Common != 0 || e.Capital > 24 || e.Is(lexicon.Clinical) || !f.follows(i+1) || !f.inLower(i+1) {
		return
	}
	switch {
	case e.Is(lexicon.City) && e.First < 96:
	case e.First >= 96 && f.plainSurname(i+1) && next.Common < 84:
		f.add(i, i+2, phi.Patient, hint)
	case next.Surname >= 80 && !next.Is(lexicon.Clinical) && f.odds(i+1) > 50 && !f.is(i+2, cueEponymNoun) && !f.is(i+1, cueStop):
		f.add(i, i+2, phi.Patient, hint)
	case e.First >= 96 && f.is(i+1, cueIs) && !f.is(i-1, cueArticle) && !f.is(i-1, cuePlacePrep):
		f.add(i, i+1, phi.Patient, hint) // "sarah is a 27-year-old"
	}
}
