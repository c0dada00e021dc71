package ensemble

import (
	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// company finds "Brinker Inc", "Flint High School", "University of Michigan".
func (f *placeFinder) company(i int) {
	if f.equal(i, "university") && f.equal(i+1, "of") && f.capital(i+2) && f.follows(i+2) && f.capital(i) {
		end := i + 3
		for end < i+6 && f.title(end) && f.follows(end) && !f.is(end, cueStop) {
			end++
		}
		f.add(i, f.afterHead(end), phi.Organization)
		return
	}
	if f.equal(i, "university") && f.inLower(i) && f.equal(i+1, "of") && f.entry(i+2).Is(lexicon.State|lexicon.BigCity) {
		f.add(i, i+3, phi.Organization)
		return
	}
	if !f.capital(i) || f.punct(i+1, ':') || f.caseOf(i) == Upper && f.capital(i+1) && f.follows(i+1) {
		return
	}
	if f.equal(i, "district") && !f.equal(i-1, "school") {
		return
	}
	start, own := i, false
	for j := i - 1; j >= 0 && i-j <= 5 && f.follows(j+1) && (f.capital(j) && !f.is(j, cueStop|cueGreeting) || f.nameMark(j) || f.punct(j, ',') && j == i-1); j-- {
		if !f.word(j) {
			continue
		}
		e := f.entry(j)
		if f.is(j, cueSchool) {
			start = j
			continue
		}
		if e.Is(lexicon.Clinical) && f.odds(j) < 24 || e.Common > 80 && j < i-1 {
			break
		}
		start = j
		own = own || f.unknown(j) || f.odds(j) > 16 || e.Is(lexicon.City|lexicon.State) && e.Common < 40 || f.caseOf(i) == Title && !f.begins(j) && e.Common < 72
	}
	if own && start < i {
		end := i + 1
		if f.punct(end, '.') && f.glued(end) && (f.equal(i, "inc") || f.equal(i, "ltd") || f.equal(i, "corp")) {
			end++
		}
		f.add(start, end, phi.Organization)
	}
}

// employer finds the organisation after "works at", "formerly at", "employed by".
func (f *placeFinder) employer(i int) {
	j := i + 1
	if f.equal(i, "retired") && f.is(j, cueFrom) {
		f.named(j+1, false)
		return
	}
	for k := 0; k < 3 && f.inLower(j) && !f.employerPrep(j); k++ {
		if f.is(j, cueAnd|cueWith) {
			return
		}
		j++
	}
	if !f.employerPrep(j) || !f.follows(j+1) {
		return
	}
	j++
	if f.equal(j, "the") {
		j++
	}
	if f.caseOf(i) == Upper && f.caseOf(j) == Upper {
		return
	}
	f.named(j, false)
	if k := f.done; k > j && f.is(k, cueAnd) && f.title(k+1) && !f.is(k+1, cueStop|cueSubjectVerb) {
		f.named(k+1, false) // "worked for Brinker and Audiovox"
	}
}

// letterTo finds the organisation in "school note for Girl Scouts", "order 123 to
// Urenda & Sons", "excused from Kiwanis", "exposed to asbestos at Audiovox".
func (f *placeFinder) letterTo(i int) {
	for j := i + 1; j <= i+4 && f.has(j) && f.follows(j); j++ {
		switch {
		case f.punct(j, '.'), f.punct(j, ','), f.punct(j, ':'):
			return
		case !f.equal(j, "for") && !f.equal(j, "to") && !f.equal(j, "from") && !f.equal(j, "at"), !f.capital(j + 1):
		default:
			if f.addressee(j + 1) {
				f.named(j+1, false)
			}
			return
		}
	}
}

// addressee reports whether a letter can go to the organisation at token k: it is
// no person, no test and no department.
func (f *placeFinder) addressee(k int) bool {
	e := f.entry(k)
	single := !f.capital(k+1) && !f.punct(k+1, '&')
	switch {
	case f.caseOf(k) == Upper && len(f.str(k)) < 4 && single:
		return false
	case e.Is(eitherClinical) && f.odds(k) < 24, single && e.Common > 24, e.First >= 84 && f.odds(k) > 40:
		return false
	}
	return true
}

// named takes the words with capitals from j, and what ties them, for the name of
// an organisation.
// trusted tells that nothing clinical stands here.
func (f *placeFinder) named(j int, trusted bool) {
	if !f.capital(j) || !f.follows(j) || f.is(j, cueStop|cueDoctorTitle|cuePersonTitle) || f.entry(j).Is(calendarWord) {
		return
	}
	if f.is(j, cueFacilityIn|cueFacility|cueStaffTag|cuePatientTag|cueKin) && !f.capital(j+1) {
		return
	}
	if !trusted && f.entry(j).Is(lexicon.Clinical) && f.odds(j) < 24 && f.caseOf(j) != Mixed {
		return
	}
	end := j + 1
	for end < j+7 && f.follows(end) && f.namedPart(end) {
		end++
	}
	if e := f.entry(j); end == j+1 && f.caseOf(j) == Title && e.Common > 24 && f.odds(j) < 0 {
		return // "sent to Pathology"
	}
	f.add(j, end, phi.Organization)
}

func (f *placeFinder) namedPart(j int) bool {
	switch {
	case f.opensLine(j) && !(f.title(j) && (f.equal(j+1, "of") || f.is(j, cueCompany))):
		return false
	case f.is(j, cueSubjectVerb|cueWork|cueAttend|cueDwell) && !f.equal(j, "home"):
		return false // the next sentence begins, "Works nights", though no full stop tells
	case f.equal(j, "street"), f.punct(j, '.') && (f.equal(j-1, "bros") || f.equal(j-1, "st") || f.equal(j-1, "co")):
		return f.capital(j+1) && f.follows(j+1)
	case f.capital(j):
		return !f.is(j, cueStop|cueCredential) && !f.entry(j).Is(calendarWord)
	case f.punct(j, '&'), f.punct(j, '-'), f.apostrophe(j):
		return f.word(j+1) && f.follows(j+1)
	case f.equal(j, "s"):
		return f.apostrophe(j-1) && f.glued(j)
	case f.number(j) && f.equal(j-1, "post"):
		return true
	case f.number(j), f.equal(j, "of"), f.equal(j, "on") && f.capital(j-1) && !f.entry(j+1).Is(calendarWord):
		return f.capital(j+1) && f.follows(j+1) && !f.glued(j+1)
	}
	return false
}

// filledAt finds the pharmacy in "last filled Feb 21 at Rite Aid", "sent to CVS".
func (f *placeFinder) filledAt(i int) {
	if !f.equal(i, "at") && !f.equal(i, "to") && !f.equal(i, "from") || !f.inLower(i) {
		return
	}
	if f.equal(i, "at") && f.is(i-1, cueWeakCred|cueCredential) && f.title(i+1) && f.follows(i+1) && !f.is(i+1, cueStop|cueKin|cueFacilityIn) {
		end := i + 2
		for end < i+5 && f.title(end) && f.follows(end) {
			end++
		}
		f.add(i+1, end, phi.Hospital) // "saw Ann the NP at Maple Grove"
		return
	}
	for j := i - 1; j >= max(0, i-7) && f.follows(j+1); j-- {
		if f.is(j, cueFill) || f.equal(j, "called") && f.equal(j-1, "rx") {
			if !f.is(i+1, cueKin|cuePatientTag|cueStaffTag) {
				f.named(i+1, f.equal(i, "at") || f.title(i+2) || f.equal(i-1, "received"))
			}
			return
		}
		if f.punct(j, '.') && !f.glued(j+1) || f.punct(j, ';') {
			return
		}
	}
}

// county finds "Eloy County".
func (f *placeFinder) county(i int) {
	if !f.title(i) || !f.title(i-1) || !f.follows(i) || f.is(i+1, cueFacility|cueCompany) && f.capital(i+1) {
		return
	}
	start := i - 1
	if f.title(start-1) && f.follows(start) && f.is(start-1, cuePlaceTop|cueParticle) {
		start--
	}
	if e := f.entry(i - 1); e.Is(lexicon.County|lexicon.City) || f.unknown(i-1) || f.odds(i-1) > 24 {
		f.add(start, i+1, phi.County)
	}
}

// sights finds the place in "a trip to the Outer Banks".
func (f *placeFinder) sights(i int) {
	if !f.equal(i+1, "the") || !f.title(i+2) || !f.follows(i+2) || f.is(i+2, cueFacility|cueFacilityIn|cueStop) || f.entry(i+2).Is(clinicalOnly) {
		return
	}
	for k := i - 1; k >= max(0, i-3) && f.follows(k+1); k-- {
		if !f.is(k, cueDwell) {
			continue
		}
		end := i + 3
		for end < i+8 && f.follows(end) && (f.title(end) || f.equal(end, "of") && f.title(end+1) && f.follows(end+1)) {
			end++
		}
		if !f.is(end-1, cueRoom|cueFacility) && !f.equal(end-1, "unit") && !f.equal(end-1, "department") {
			f.add(i+2, end, phi.LocationOther)
		}
		return
	}
}

func (f *placeFinder) employerPrep(j int) bool {
	return f.equal(j, "at") || f.equal(j, "for") || f.equal(j, "by")
}

// namedGroup finds the organisation in "a group called GO GIRLS!".
func (f *placeFinder) namedGroup(i int) {
	j := i + 1
	if !f.is(j, cueNamed) {
		return
	}
	j++
	if f.punct(j, '"') || f.punct(j, '\'') {
		j++
	}
	end := j
	for end < j+6 && f.capital(end) && f.follows(end) {
		end++
	}
	f.add(j, end, phi.Organization)
}

// agency finds the organisation in "a Minerva female attendant".
func (f *placeFinder) agency(i int) {
	j := i - 1
	if f.is(j, cueSex) || f.is(j, cueCare) || f.equal(j, "home") {
		j--
	}
	e := f.entry(j)
	if !f.title(j) || !f.is(j-1, cueArticle) || f.begins(j) || e.Common > 24 || e.Capital > 32 || e.Is(eitherClinical|lexicon.Country) || f.is(j, cueRace) {
		return
	}
	f.add(j, j+1, phi.Organization)
}
