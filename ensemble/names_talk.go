package ensemble

import (
	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// with finds the name in "discussed with Smith", "lives with John".
func (f *nameFinder) with(i int) {
	if f.inLower(i+1) && f.follows(i+1) {
		f.withLower(i)
		return
	}
	if !f.capital(i+1) || !f.follows(i+1) || f.caseOf(i+1) == Upper && f.caseOf(i) != Upper {
		return
	}
	who := phi.None
	if f.punct(i-1, '/') {
		who = phi.Doctor // "d/w Smith"
	}
	for j := i - 1; j >= max(0, i-4) && f.follows(j+1); j-- {
		if f.is(j, cueMeet) {
			who = phi.Doctor
			if c := f.str(j); c[0] == 'l' || c[0] == 's' && len(c) > 4 && c[1] == 't' {
				who = phi.Patient
			}
			break
		}
	}
	if who == phi.None || f.odds(i+1) < 24 && !f.unknown(i+1) {
		return
	}
	if end := f.parse(i+1, hint); end > i+1 {
		f.add(i+1, end, who, hint)
		f.strung(end, who, hint)
	}
}

// withLower finds "spoke with john sours": a first name that is no word with a
// surname, whatever else that means, behind a word of talking.
func (f *nameFinder) withLower(i int) {
	j := i + 1
	e, next := f.entry(j), f.entry(j+1)
	if e.First < 84 || e.Common != 0 || e.Capital > 24 || e.Is(lexicon.Clinical) || f.roles(j) != 0 || !f.is(i-1, cueMeet) {
		return
	}
	end := j + 1
	if f.word(end) && f.follows(end) && f.roles(end) == 0 && (next.Surname >= 40 && next.Common < 84 || next.Surname > 0 && next.Common < 16 || f.unknown(end)) && !next.Is(eitherClinical) {
		end++
	}
	f.add(j, end, phi.Patient, hint)
}

// object finds the name after "called", "paged", "per".
func (f *nameFinder) object(i int) {
	j := i + 1
	if f.punct(j, ':') && f.equal(i, "attn") {
		j++
	}
	if f.equal(i, "per") && f.caseOf(j) == Upper && len(f.str(j)) <= 3 && (f.punct(j+1, '.') || f.endsLine(j+1)) && !f.is(j, cueWeakCred|cueDoctorTitle|cuePersonTitle) {
		f.initialsAt(j)
		return
	}
	if !f.capital(j) || !f.follows(j) || f.caseOf(j) == Upper || f.is(j, cueGreeting|cueKin) {
		return
	}
	if f.odds(j) < 16 && !(f.unknown(j) && !f.opensLine(i) && f.caseOf(i) == Lower) || f.entry(j).Is(calendarWord) {
		return
	}
	if end := f.parse(j, hint); end > j && !f.is(end, cueFacility) {
		f.add(j, end, phi.Doctor, hint)
	}
}

// named finds the name after "named", "called", "a.k.a.", "goes by".
func (f *nameFinder) named(i int) {
	j := i + 1
	if f.is(j, cueBy) {
		j++
	}
	if f.punct(j, '"') || f.punct(j, ':') {
		j++
	}
	if f.equal(i-1, "dog") || f.equal(i-1, "cat") {
		return
	}
	if f.title(j) && f.follows(j) && (f.odds(j) > 16 || f.unknown(j) && !f.equal(i, "called")) {
		f.add(j, f.parse(j, hint), phi.Patient, hint)
	}
}

// greeting finds the name in "Dear Harry and Yair", "Hi Sophia", "Thanks, Ann".
func (f *nameFinder) greeting(i int) {
	how, j := hint, i+1
	if f.equal(i, "dear") {
		how = firm
	} else if !f.begins(i) && f.caseOf(i) == Lower && !f.equal(i, "hi") && !f.equal(i, "hello") && !f.equal(i, "hey") {
		how = guess
	}
	if f.equal(j, "you") || f.equal(j, "there") {
		j++
	}
	if f.punct(j, ',') {
		j++
	}
	if f.closing(i, j) {
		return
	}
	if !f.title(j) || f.is(j, cueDoctorTitle|cuePersonTitle|cueGreeting|cueKin) || f.opensLine(j) && how < hint {
		return
	}
	if how < firm && (f.odds(j) < 32 || f.entry(j).First < 50 && f.entry(j).Surname < 60) || f.odds(j) < -20 {
		return
	}
	if end := f.parse(j, max(how, hint)); end > j {
		who := phi.Patient
		if how == firm {
			who = phi.Doctor
		}
		f.add(j, end, who, how)
		f.strung(end, who, how)
	}
}

// closing finds the name under "Thanks," or "Regards," that has a line, or the end
// of one, to itself.
func (f *nameFinder) closing(i, j int) bool {
	switch {
	case !f.title(j), !f.endsLine(j + 1), f.is(j, cueGreeting|cueStop):
		return false
	case f.equal(i, "thanks"), f.equal(i, "thx"), f.equal(i, "sincerely"), f.equal(i, "regards"), f.equal(i, "best"):
		if f.odds(j) > 0 || f.unknown(j) {
			f.add(j, j+1, phi.Doctor, hint)
			return true
		}
	}
	return false
}

// introduced finds the name in "my name is", "this is … from", "I am".
func (f *nameFinder) introduced(i int) {
	j := i + 1
	if !f.word(j) || !f.follows(j) {
		return
	}
	switch {
	case f.equal(i-1, "name"):
		if end := f.parse(j, firm); (f.title(j) || f.odds(j) > 40 || f.unknown(j)) && end > j {
			f.add(j, end, phi.Patient, firm)
		}
	case f.equal(i-1, "this") && f.title(j) && f.odds(j) > 24 && f.entry(j).First >= 50:
		f.add(j, f.parse(j, hint), phi.Doctor, hint)
	}
}
