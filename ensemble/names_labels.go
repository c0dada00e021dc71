package ensemble

import "github.com/pgdeid/pgdeid/ensemble/phi"

// label finds the name in "Patient: Smith, John", "cc: J. Smith", "Sophia: Hello".
func (f *nameFinder) label(i int) {
	if i == 0 || f.glued(i+1) && f.number(i+1) {
		return
	}
	k := i - 1
	if f.punct(k, ')') || f.punct(k, '.') {
		k--
	}
	switch {
	case f.is(k, cuePatientTag):
		f.field(i, k, phi.Patient)
	case f.is(k, cueStaffTag):
		f.field(i, k, phi.Doctor)
	case f.is(k, cueBy):
		// see by
	case f.initialsColon(i):
		f.spans = append(f.spans, f.span(i-1, i+2, phi.Doctor))
	default:
		f.speaker(i)
	}
}

// field reads the value of a label whose last word is token k.
func (f *nameFinder) field(i, k int, who phi.Type) {
	j := i + 1
	if !f.word(j) || f.opensLine(j) && !f.nextLine(i, j) || f.is(j, cueDoctorTitle|cuePersonTitle) {
		return
	}
	if who == phi.Doctor && f.is(k, cueFrom) && f.caseOf(k) == Lower {
		return
	}
	if who == phi.Doctor && f.is(k, cueTypist) && f.caseOf(j) == Upper && len(f.str(j)) <= 3 && f.roles(j)&cueCredential == 0 {
		f.spans = append(f.spans, f.span(j, j+1, phi.Doctor))
		return
	}
	how := hint
	if f.equal(k, "name") || f.equal(k, "cc") || f.unknown(j) && f.capital(j) && (who == phi.Patient || f.caseOf(j) == Upper) {
		how = firm
	}
	if f.equal(k, "name") && f.fullField(j) {
		return
	}
	if f.caseOf(j) == Lower && (f.caseOf(k) == Lower && f.odds(j) < 80 || f.caseOf(k) == Title && f.unknown(j)) {
		return
	}
	if how == firm && f.odds(j) < 0 {
		how = hint
	}
	end := f.parseField(j, how)
	if end == j {
		return
	}
	if end == j+1 && f.entry(j).Is(eitherClinical) && f.odds(j) < 50 {
		return
	}
	f.add(j, end, who, how)
	f.strung(end, who, hint)
}

// fullField takes two to four words with capitals, whatever they mean, that fill
// the field behind "Name:" to its end: "NAME: STENT ARIF".
func (f *nameFinder) fullField(j int) bool {
	end := j
	for end < j+9 && (end == j || f.follows(end)) && (f.namePiece(end) || f.capital(end) && !f.is(end, cueStop) || f.punct(end, ',') && f.capital(end+1)) {
		end++
	}
	if end-j < 2 || !f.endsLine(end) && !f.number(end) && !f.punct(end, '|') && !f.punct(end, '(') {
		return false
	}
	if f.odds(j) < 0 && f.odds(end-1) < 0 && !f.unknown(j) && !f.unknown(end-1) {
		return false
	}
	f.add(j, end, phi.Patient, hint)
	return true
}

// parseField reads a name that fills a field: in any order, in any case.
func (f *nameFinder) parseField(j int, how trust) int {
	end := f.parse(j, how)
	if end == j && f.caseOf(j) == Lower && (f.odds(j) > 16 && f.entry(j).Surname >= 40 || f.unknown(j)) {
		end = j + 1 // "ACT : rosenberg"
	}
	if end == j && f.capital(j) && !f.is(j, cueGreeting) && f.punct(j+1, ',') && f.capital(j+2) && f.entry(j+2).First >= 80 && f.odds(j+2) > 40 {
		end = j + 1 // "Long, Mary": the first name tells what the surname does not
	}
	if end > j {
		end = f.reversed(end, max(how, hint))
	}
	return end
}

// nextLine reports whether the value of the label before colon i stands in the
// line after it: nothing but the label is in the label's line.
func (f *nameFinder) nextLine(i, j int) bool {
	return f.is(i-1, cuePatientTag) && f.equal(i-1, "name") && f.odds(j) > 24
}

// speaker finds the name before a colon: in a dialogue or as a salutation.
func (f *nameFinder) speaker(i int) {
	j := i - 1
	if !f.title(j) || !f.glued(i) || !f.has(i+1) || f.glued(i+1) {
		return
	}
	e := f.entry(j)
	if e.Is(eitherClinical|clinicalOnly|calendarWord) || f.is(j, cueFacility|cueStop|cueFacilityIn) {
		return
	}
	if start := j; f.opensLine(j) || f.begins(j) {
		if e.First >= 70 && f.odds(j) > 40 {
			f.add(start, i, phi.Patient, hint)
		}
	} else if max(e.Surname, e.First) >= 16 && f.odds(j) > 16 && f.inLower(i+1) {
		if f.title(j-1) && f.odds(j-1) > 24 && f.entry(j-1).First >= 60 && f.follows(j) {
			start--
		}
		f.add(start, i, phi.Patient, guess)
	}
}

// slash finds the name in "Consumer/Pat" and the initials in "JCS/abc" and "/ray".
func (f *nameFinder) slash(i int) {
	switch {
	case f.signature(i):
		f.add(i+1, i+2, phi.Doctor, hint)
	case f.is(i-1, cuePatientTag) && f.glued(i) && f.glued(i+1) && f.title(i+1):
		e := f.entry(i + 1)
		if !f.is(i+1, cueKin|cuePatientTag|cueStop) && e.First >= 60 && e.Common < 90 {
			f.add(i+1, i+2, phi.Patient, hint)
		}
	case f.has(i) && f.spaced(i) && f.glued(i+1) && f.word(i+1) && f.endsLine(i+2) && len(f.str(i+1)) <= 4:
		f.add(i+1, i+2, phi.Username, guess)
	case f.initialsPair(i):
		f.spans = append(f.spans, f.span(i-1, i+2, phi.Doctor))
	}
}

// signature tells "/s/ Adeyemo" and "// Adeyemo" at the end of a line.
func (f *nameFinder) signature(i int) bool {
	open := f.punct(i-1, '/') && f.glued(i) || f.equal(i-1, "s") && f.punct(i-2, '/') && f.glued(i)
	return open && f.title(i+1) && f.spaced(i+1) && f.endsLine(i+2) && !f.is(i+1, cueStop)
}

// endsLine reports whether token i begins a line or is beyond the text.
func (r *reading) endsLine(i int) bool { return !r.has(i) || r.opensLine(i) }

// demographics finds the name before ", M, DOB": the head of a printed page.
func (f *nameFinder) demographics(i int) {
	if !f.punct(i-1, ',') || !f.punct(i+1, ',') || f.str(i) != "M" && f.str(i) != "F" {
		return
	}
	start := i - 1
	for start > 0 && i-start < 7 && f.follows(start) && f.namePiece(start-1) {
		start--
	}
	for start < i-1 && !f.word(start) {
		start++
	}
	if i-1-start >= 2 && (f.odds(start) > 8 || f.unknown(start) || f.equal(i+2, "dob")) {
		f.add(start, i-1, phi.Patient, hint)
	}
}
