package ensemble

import (
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

const (
	eitherClinical = lexicon.Clinical | lexicon.Eponym
	clinicalOnly   = lexicon.Clinical | lexicon.Org | lexicon.Month
	calendarWord   = lexicon.Month | lexicon.Weekday
)

// titled finds the name after Dr., Mrs. and the like, and after "Drs." the names
// that are strung together.
func (f *nameFinder) titled(i int) {
	who, how := phi.Patient, firm
	if f.is(i, cueDoctorTitle) {
		who = phi.Doctor
		if f.titleBehind(i) {
			return
		}
	}
	j := i + 1
	switch {
	case f.punct(j, '.') && f.glued(j):
		if len(f.str(i)) > 5 || f.isDrive(i) || f.equal(i, "ms") && f.number(i-1) {
			return
		}
		j++
	case !f.has(j), !f.titleAlone(i):
		return
	case f.equal(i, "ms") && f.number(i-1):
		return // milliseconds
	case len(f.str(i)) > 4 && !(f.entry(j).First >= 60 && f.odds(j) > 60): // "doctor" and "professor" are words, too
		how = hint
	}
	if f.punct(j, ':') || !f.has(j) || f.opensLine(j) && (!f.title(j) || f.odds(j) <= 24 && !f.unknown(j) && !(f.wrapped(j) && f.entry(j).Surname >= 40)) {
		return
	}
	if f.inLower(j) && f.glued(j) {
		return
	}
	end := f.parse(j, how)
	if end == j {
		return
	}
	f.add(j, end, who, how)
	if strings.HasSuffix(f.str(i), "s") && who == phi.Doctor || f.equal(i, "messrs") {
		f.strung(end, who, how)
	}
	f.strungSlash(end, who)
}

// titleBehind finds the name before a title in lists: "Seven , Henry Dr".
func (f *nameFinder) titleBehind(i int) bool {
	j := i - 1
	if !f.title(j) || !f.follows(i) || !f.punct(j-1, ',') || !f.title(j-2) || f.entry(j).First < 60 || f.odds(j) < 40 {
		return false
	}
	f.add(j-2, i, phi.Doctor, hint)
	return true
}

// isDrive tells "12 Healthcare Dr. Portland" from "saw Dr. Portland".
func (f *nameFinder) isDrive(i int) bool {
	return f.equal(i, "dr") && f.capital(i-1) && f.follows(i) && !f.is(i-1, cueStop|cueIs|cueBy|cueWith|cueFrom|cuePlacePrep|cueAnd|cueReach|cueStaffTag) && (f.number(i-2) || f.number(i-3) || f.number(i-4))
}

// titleAlone reports whether a title without a full stop is one: "Dr Smith",
// "DR SMITH", "mr smith", but not the "MS" of multiple sclerosis.
func (f *nameFinder) titleAlone(i int) bool {
	if f.equal(i, "ms") {
		return f.caseOf(i) == Title || f.caseOf(i) == Lower && f.entry(i+1).Surname > 80
	}
	return (!f.equal(i, "sir") && !f.equal(i, "madam") || f.capital(i) && f.capital(i+1)) && (!f.equal(i, "dr") || !f.isDrive(i))
}

// strung adds the names after the first: ", Jones and Brown".
func (f *nameFinder) strung(i int, who phi.Type, how trust) {
	for range 5 {
		j := i
		if f.punct(j, ',') {
			j++
		}
		if f.is(j, cueAnd) || f.punct(j, '&') {
			j++
		}
		if j == i || !f.capital(j) || !f.follows(j) {
			return
		}
		end := f.parse(j, how)
		if end == j {
			return
		}
		f.add(j, end, who, how)
		i = end
	}
}

// strungSlash adds the second name of "Dr. Smith/Jones".
func (f *nameFinder) strungSlash(i int, who phi.Type) {
	if f.punct(i, '/') && f.glued(i) && f.glued(i+1) && f.title(i+1) && f.fits(i+1, hint) {
		f.add(i+1, f.parse(i+1, hint), who, hint)
	}
}

// staffTitle finds the capitalised name after "nurse" or "PA".
func (f *nameFinder) staffTitle(i int) {
	j := i + 1
	if f.punct(j, '.') && f.glued(j) && len(f.str(i)) <= 4 {
		j++
	}
	if !f.capital(j) || !f.follows(j) || f.caseOf(i) == Upper && !f.title(j) || !f.spaced(j) {
		return
	}
	if f.is(j, cueCredential|cueWeakCred|cueStaffTitle|cueFacilityIn) {
		return
	}
	e := f.entry(j)
	if f.odds(j) < 24 && !f.unknown(j) && !(f.odds(j) >= 8 && f.capital(i)) || e.Is(clinicalOnly) && f.odds(j) < 50 {
		return
	}
	f.add(j, f.parse(j, hint), phi.Doctor, hint)
}

// dottedCredentials are written with full stops, by their first two parts.
var dottedCredentials = map[string]bool{
	"MD": true, "RN": true, "DO": true, "NP": true, "PhD": true, "DDS": true, "LPN": true, "PA": true, "DPM": true, "PharmD": true,
	"RD": true, "MA": true, "OT": true, "PT": true,
}
