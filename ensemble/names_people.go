package ensemble

import (
	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// by finds the name after "signed by", "seen by", "accompanied by".
func (f *nameFinder) by(i int) {
	j := i + 1
	if f.punct(j, ':') {
		j++
	}
	if !f.word(j) || f.is(j, cueDoctorTitle|cuePersonTitle) {
		return
	}
	how := hint
	if f.is(i-1, cueSigning) || f.is(i-2, cueSigning) {
		how = firm
	}
	if how < firm && (!f.follows(j) || !f.is(i-1, cueSeen) && !f.afterTime(i) && (f.unknown(j) || f.entry(j).Is(lexicon.Eponym) || f.entry(j).First < 60 && !f.capital(j+1))) {
		return
	}
	if f.is(j, cuePossessive|cueKin|cueStaffTitle) || f.entry(j).Is(clinicalOnly) && f.odds(j) < 24 {
		return
	}
	if how == firm && f.caseOf(j) != Lower && f.odds(j) < 0 {
		how = hint
	}
	end := f.parse(j, how)
	if end == j {
		if how == firm {
			f.initialsAt(j)
		}
		return
	}
	if how < firm && end == j+1 && !f.is(i-1, cueSeen) && !f.afterTime(i) {
		return // "presentation vertex by Leopold"
	}
	end2 := f.reversed(end, how)
	f.add(j, end2, phi.Doctor, how)
	if f.is(end2, cueAnd) {
		f.strung(end2, phi.Doctor, hint)
	}
}

// afterTime reports whether a date or a time stands before "by": "at 2:59 pm on
// 3/28 by Coffee".
func (f *nameFinder) afterTime(i int) bool {
	return f.number(i-1) || f.equal(i-1, "pm") || f.equal(i-1, "am") || f.equal(i-1, "m") || f.equal(i-1, "hours") || f.equal(i-1, "rx") || f.equal(i-1, "note")
}

// baby finds the surname in "Baby Jones", "Baby Boy Smith", "Baby Girl A Smith".
func (f *nameFinder) baby(i int) {
	j := i + 1
	for f.is(j, cueSex) && f.follows(j) || f.letter(j) && f.title(j+1) {
		j++
	}
	if e := f.entry(j); f.inLower(i) && f.inLower(j) && f.equal(i, "baby") && e.Surname >= 80 && e.Common < 40 && f.odds(j) > 40 && f.roles(j) == 0 {
		f.add(j, j+1, phi.Patient, hint)
		return
	}
	if !f.capital(i) || !f.capital(j) || !f.follows(j) || f.is(j, cueFacility|cueFacilityIn|cueStop) || f.caseOf(j) == Upper && f.odds(j) < 40 {
		return
	}
	if e := f.entry(j); !f.unknown(j) && (f.odds(j) <= 0 && (e.Surname < 90 || f.odds(j) < -20) || e.Is(lexicon.Clinical) && f.odds(j) < 40) {
		return
	}
	end := max(f.parse(j, hint), j+1)
	f.add(j, end, phi.Patient, hint)
}

// kin finds the name beside "wife", "his friend", "son (".
func (f *nameFinder) kin(i int) {
	f.kinAfter(i)
	// "Mary, his wife"
	j := i - 1
	for f.is(j, cuePossessive) || f.apostrophe(j) {
		j--
	}
	if j < i-1 && f.punct(j, ',') && f.title(j-1) && f.odds(j-1) > 24 && !f.is(j-1, cueStop|cueGreeting) && f.entry(j-1).First >= 50 {
		start := j - 1
		if f.title(j-2) && f.odds(j-2) > 24 && f.follows(j-1) {
			start--
		}
		f.add(start, j, phi.Patient, hint)
	}
}

func (f *nameFinder) kinAfter(i int) {
	j := i + 1
	open := false
	switch {
	case f.apostrophe(j) && f.equal(j+1, "s") && (f.equal(j+2, "name") || f.equal(j+2, "names")):
		j += 3
		if f.is(j, cueIs) {
			j++
		}
	case f.is(j, cueIs|cueNamed) && f.follows(j+1) && f.entry(j+1).First >= 60 && f.odds(j+1) > 40:
		j++
	case f.punct(j, '('):
		open = true
		j++
	case f.punct(j, ','), f.punct(j, ':') && f.kinLabel(i):
		j++
	case f.punct(j, '-') && f.equal(j+1, "in") && f.punct(j+2, '-'):
		return // the "law" that follows is kin as well
	}
	if !f.has(j) || !f.follows(j) || f.is(j, cueGreeting|cueRace) {
		return
	}
	direct := j == i+1 && !f.begins(i) && !f.entry(j).Is(lexicon.Clinical) && f.entry(j).Surname >= 50 && f.odds(j) > 0
	ok := f.title(j) && (f.odds(j) > 16 || direct || open && f.odds(j) > -10 && f.entry(j).Surname+f.entry(j).First > 60 || f.unknown(j) && !f.punct(j-1, ','))
	if !ok && f.caseOf(j) == Upper && len(f.str(j)) > 2 {
		ok = f.entry(j).First >= 40 && f.odds(j) > 24
	}
	if !ok && (j == i+1 || f.punct(i+1, ',') && f.entry(j).First >= 72) {
		ok = f.inLower(j) && f.fits(j, hint) && f.entry(j).First >= 56
	}
	if !ok || f.entry(j).Is(calendarWord) && f.odds(j) < 40 {
		return
	}
	end := f.parse(j, hint)
	if end == j && (open || direct) {
		end = j + 1
	}
	if end > j {
		f.add(j, end, phi.Patient, hint)
		f.strung(end, phi.Patient, hint)
	}
}

// kinLabel reports whether "Wife:" begins a line, as in a list of contacts.
func (f *nameFinder) kinLabel(i int) bool { return f.begins(i) || f.entry(i+2).First >= 40 }
