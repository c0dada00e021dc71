package ensemble

import (
	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// How much a word that the lexicon has not heard of must look like a name, on the
// scale of [lexicon.Likeness], to be taken for one: beside another such word, and
// all alone.
const (
	likely     = 16
	veryLikely = 24
)

// spelling tells how much a word that the lexicon has not heard of looks like a
// name; it is 0 for all others.
func (r *reading) spelling(i int) int {
	if !r.unknown(i) || !r.capital(i) {
		return 0
	}
	return lexicon.Likeness(r.str(i))
}

// strangePair finds names that the lexicon hardly knows, "Yuito Hirai": two or
// three words with capitals that are nothing else, and look like no brand.
func (f *nameFinder) strangePair(i int) bool {
	if !f.strange(i) || !f.strange(i+1) && !f.middle(i+1) || !f.follows(i+1) || !f.spaced(i+1) || f.title(i-1) && f.follows(i) && !f.is(i-1, cuePatientTag|cueStaffTitle|cueKin) {
		return false
	}
	end := i + 2
	if f.letter(i + 1) {
		end++
		if f.punct(i+2, '.') {
			end++
		}
	}
	if f.strange(end) && f.follows(end) && f.spaced(end) && (end == i+2 || !f.strange(i+1)) {
		end++
	}
	if f.capital(end) && f.follows(end) && !f.is(end, cueCredential|cueSuffix) || f.is(end, cueFacility|cueCompany|cueEponymNoun|cueFacilityIn) && !f.is(end, cueStop) || f.glued(end) && f.punct(end, '-') {
		return false
	}
	if !f.likePeople(i, end) {
		return false
	}
	f.add(i, end, f.role(i, end), guess)
	return true
}

// surnameFirst finds "Sun Xiaoya": a surname before a word that is spelt like a
// name, as the languages of East Asia and lists put them.
func (f *nameFinder) surnameFirst(i int) bool {
	e := f.entry(i)
	if !f.title(i) || e.Surname < 56 || f.odds(i) <= 24 || f.roles(i) != 0 || e.Is(eitherClinical|clinicalOnly|lexicon.State|lexicon.Country) {
		return false
	}
	end := i + 2
	if f.spelling(i+1) < likely/2 || !f.title(i+1) || !f.follows(i+1) || !f.spaced(i+1) || f.capital(end) && f.follows(end) || f.title(i-1) && f.follows(i) ||
		f.is(end, cueFacility|cueCompany|cueEponymNoun|cueStreet) || f.punct(end, '-') && f.glued(end) {
		return false
	}
	f.add(i, end, f.role(i, end), guess)
	return true
}

// likePeople weighs the words [i, end) of a strange name: one that some people
// bear is enough inside a sentence, and so is their spelling.
func (f *nameFinder) likePeople(i, end int) bool {
	known, spelt, words := 0, 0, 0
	for j := i; j < end; j++ {
		if !f.word(j) || f.letter(j) {
			continue
		}
		words++
		known = max(known, int(max(f.entry(j).Surname, f.entry(j).First)))
		spelt += min(f.spelling(j), 2*veryLikely)
	}
	switch {
	case f.begins(i) && !f.endsLine(end):
		return known >= 48 || known >= 16 && spelt >= likely || spelt >= 2*likely
	case known >= 16:
		return true
	}
	return words > 1 && spelt >= likely
}

// middle tells an initial between two strange names: "Jacinta F Lakunle".
func (f *nameFinder) middle(i int) bool {
	next := i + 1
	if f.punct(next, '.') {
		next++
	}
	return f.letter(i) && f.strange(next) && f.follows(next)
}

// strange tells a word that is a rare name or none at all.
func (f *nameFinder) strange(i int) bool {
	if !f.title(i) || f.caseOf(i) == Mixed || f.roles(i) != 0 {
		return false
	}
	e := f.entry(i)
	if n := len(f.str(i)); n < 2 || n == 2 && e.Surname < 48 { // "Xin Li"
		return false
	}
	return max(e.Common, e.Capital) == 0 && e.Flags&^(lexicon.City|lexicon.Nickname|lexicon.County|lexicon.PlaceTop) == 0 &&
		(e.Surname|e.First != 0 || f.unknown(i))
}

// alone finds a single word with a capital that is hardly ever anything but a
// name, inside a sentence: "given to Katrine".
func (f *nameFinder) alone(i int) {
	if f.roles(i) != 0 || !f.hardlyOther(i) || !f.unaccompanied(i) {
		return
	}
	how := guess
	if f.spelling(i) >= veryLikely {
		how = hint // nothing else tells it where it begins a sentence
	}
	f.add(i, i+1, phi.Patient, how)
}

// strangeSubject finds a word that is spelt like a name and does what people do:
// "Alvir denies pain".
func (f *nameFinder) strangeSubject(i int) {
	if !f.is(i+1, cueSubjectVerb) || !f.inLower(i+1) || !f.follows(i+1) || f.title(i-1) && f.follows(i) || f.is(i-1, cueArticle) || f.inLower(i-1) && f.device(i-1) {
		return
	}
	if f.spelling(i) >= veryLikely || f.strange(i) && !f.unknown(i) && max(f.entry(i).Surname, f.entry(i).First) >= 32 && !f.entry(i).Is(lexicon.City) {
		f.add(i, i+1, phi.Patient, hint)
	}
}

// hardlyOther tells a word that as it stands is more likely a name than anything
// else.
func (f *nameFinder) hardlyOther(i int) bool {
	e, odds := f.entry(i), f.odds(i)
	if e.Is(calendarWord | lexicon.State | lexicon.Country) {
		return false
	}
	if f.begins(i) {
		return e.First >= 84 && max(e.Common, e.Capital) <= 8 && !e.Is(eitherClinical|clinicalOnly|lexicon.BigCity)
	}
	switch {
	case e.First >= 100 && odds >= 56, e.First >= 84 && odds >= 64:
		return !e.Is(lexicon.BigCity)
	case max(e.Common, e.Capital) > 8 || e.Is(eitherClinical|clinicalOnly|lexicon.BigCity):
		return false
	case e.First >= 32, e.Surname >= 72 && !e.Is(lexicon.City):
		return true
	}
	return f.spelling(i) >= veryLikely
}

// unaccompanied reports whether nothing beside word i makes it a part of
// something else: a brand, a dose, an eponym, a place, a facility.
func (f *nameFinder) unaccompanied(i int) bool {
	e := f.entry(i)
	switch {
	case f.is(i-1, cueArticle): // "a Minerva attendant", "the Glenn"
		return false
	case f.device(i - 1), f.unknown(i) && f.amongDrugs(i):
		return false
	case f.number(i+1) || f.is(i+1, cueDose):
		return false
	case (e.Is(lexicon.City) || f.unknown(i)) && f.is(i-1, cuePlacePrep|cueFrom) && !f.equal(i-1, "to"):
		return false
	case f.townLike(i), f.unknown(i) && (f.punct(i-1, '/') || f.punct(i+1, '/')):
		return false
	case f.glued(i) && f.punct(i-1, '-') || f.punct(i+1, '-') && f.glued(i+1):
		return false
	case f.capital(i+1) && f.follows(i+1) && !f.letter(i+1), f.capital(i-1) && f.follows(i) && !f.begins(i-1):
		return false
	case f.is(i+1, cueEponymNoun|cueFacility|cueCompany) || f.is(i+2, cueEponymNoun):
		return false
	case f.unknown(i) && f.punct(i+1, ':'), f.inLower(i+1) && f.describes(i):
		return false
	case e.Is(lexicon.Eponym) && (f.apostrophe(i+1) || f.is(i+3, cueEponymNoun)):
		return false
	}
	return true
}

// device tells words that stand before instruments, operations and scores named
// after people: "a modified Bassini", "2-0 Tevdek", "the right Glenn".
func (f *nameFinder) device(i int) bool {
	if f.number(i) {
		return true
	}
	switch {
	case f.equal(i, "right"), f.equal(i, "left"), f.equal(i, "modified"), f.equal(i, "round"), f.equal(i, "normal"), f.equal(i, "mean"), f.equal(i, "elevated"):
		return true
	case f.punct(i, ':'):
		return f.is(i-1, cueProcedure)
	}
	return false
}

// amongDrugs reports whether a drug stands beside word i in a list, or before it
// what is done with drugs.
func (f *nameFinder) amongDrugs(i int) bool {
	drug := func(j int) bool { return f.entry(j).Is(lexicon.Clinical) && f.odds(j) < 16 }
	if f.punct(i-1, ',') && drug(i-2) || f.punct(i+1, ',') && drug(i+2) {
		return true
	}
	return f.is(i-1, cueDrugUse) || f.equal(i-1, "of") && f.is(i-2, cueDose|cueDrugUse)
}

// describes reports whether word i stands before what it qualifies, as in "a
// dressing of Owen silk": nothing that leads to a person or goes on from one is
// beside it.
func (r *reading) describes(i int) bool {
	return r.inLower(i-1) && !r.is(i+1, cueSubjectVerb|cueStop|cueBy|cueWith|cueAnd|cueFrom|cuePlacePrep|cueReach|cueKin|cueNamed|cueStaffTitle|cueWork) &&
		!r.is(i-1, cueStop|cueBy|cueWith|cueAnd|cueFrom|cueReach|cueKin|cueNamed|cueStaffTitle|cueSubjectVerb)
}
