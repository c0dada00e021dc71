package ensemble

import (
	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// headline finds the name in the head of a printed page, where nothing but its
// place and what comes after tell that it is one: "McCuin, Zaquanisha I", "TRAN,
// Kaushik |", "ZHEWAVIR CHIKUMAR MADDALI MC # 6154149".
func (f *nameFinder) headline(i int) {
	if !f.opensField(i) || !f.headWord(i) {
		return
	}
	if f.dated(i) || f.signed(i) {
		return
	}
	end, words, comma, names, strange := i, 0, false, 0, 0
	for end < i+10 && (end == i || f.follows(end)) {
		switch {
		case f.letter(end) && words > 0:
		case f.word(end) && f.headWord(end):
			words++
			if e := f.entry(end); max(e.Surname, e.First) >= 32 && f.odds(end) > 24 {
				names++
			} else if f.strange(end) || f.unknown(end) {
				strange++
			}
		case f.punct(end, ',') && words > 0 && !comma && f.headWord(end+1) && f.follows(end+1):
			comma = true
		case f.punct(end, '-') && f.glued(end) && f.glued(end+1), f.apostrophe(end) && f.glued(end+1), f.punct(end, '.') && f.letter(end-1):
		default:
			f.takeHeadline(i, end, words, names, names+strange == words, comma)
			return
		}
		end++
	}
	f.takeHeadline(i, end, words, names, names+strange == words, comma)
}

// dated takes a word that has a line to itself above a date for a signature.
func (f *nameFinder) dated(i int) bool {
	end := f.hyphens(i + 1)
	if !f.opensLine(i) || !f.title(i) || !f.has(end) || !f.opensLine(end) || !f.number(end) || !f.punct(end+1, '/') || !f.glued(end+1) {
		return false
	}
	if f.odds(i) <= 8 && !f.unknown(i) {
		return false
	}
	f.add(i, end, phi.Doctor, hint)
	return true
}

// signed takes a first name that has a line to itself, with a comma at most: the
// address or the end of a letter.
func (f *nameFinder) signed(i int) bool {
	end := i + 1
	if f.punct(end, ',') {
		end++
	}
	e := f.entry(i)
	if !f.opensLine(i) || !f.title(i) || !f.endsLine(end) || e.First < 72 || f.odds(i) < 48 || e.Is(clinicalOnly|lexicon.State|lexicon.Country|calendarWord) {
		return false
	}
	f.add(i, i+1, phi.Patient, hint)
	return true
}

// takeHeadline accepts two to four words that are closed by what follows a name in
// a head: a number, a rule, the sex, the end of the line after "Last, First".
func (f *nameFinder) takeHeadline(i, end, words, names int, strange, comma bool) {
	for end > i && f.punct(end-1, ',') {
		end--
	}
	if words < 2 || words > 4 {
		return
	}
	closed := f.number(end) && !f.is(end+1, cueDose) || f.punct(end, '|') || f.punct(end, '[') || f.punct(end, '(') && f.number(end+1) ||
		f.equal(end, "mrn") || f.equal(end, "dob") || f.equal(end, "mc") || f.punct(end, ',') && (f.str(end+1) == "F" || f.str(end+1) == "M")
	switch {
	case comma && (closed || f.endsLine(end)) && (names > 0 || closed && strange):
	case closed && (names > 0 || f.equal(end, "mc") || f.equal(end, "mrn") || f.equal(end, "dob")) && f.opensLine(i):
	default:
		return
	}
	f.add(i, end, phi.Patient, hint)
}

// opensField reports whether token i is the first of a line or of a field.
func (f *nameFinder) opensField(i int) bool {
	if i == 0 || f.opensLine(i) {
		return true
	}
	p := i - 1
	if f.headingBefore(i) {
		return true
	}
	return f.number(p) && f.spaced(i) || f.punct(p, '|') || f.punct(p, ']') || f.punct(p, '-') && f.spaced(i) || f.is(p, cuePatientTag) && f.capital(p) || f.equal(p, "note")
}

// headingBefore tells a name behind the kind of the note: "CONSULTATION RAMASWAMY,
// KAVITA".
func (f *nameFinder) headingBefore(i int) bool {
	for p := i - 1; p >= max(0, i-3); p-- {
		if !f.capital(p) || f.entry(p).Common < 32 {
			return false
		}
		if f.opensLine(p) {
			return true
		}
	}
	return false
}

// headWord tells a word with a capital that is no ordinary or clinical one.
func (f *nameFinder) headWord(i int) bool {
	if !f.capital(i) || len(f.str(i)) < 2 || f.roles(i) != 0 {
		return false
	}
	e := f.entry(i)
	if e.Is(clinicalOnly|lexicon.Weekday|lexicon.State) && f.odds(i) < 40 {
		return false
	}
	return e.Common < 24 && e.Capital < 48 || f.odds(i) > 24
}

// capitalsLine finds a name in capitals that has a line to itself, or that stands
// in a sentence which is not in capitals behind a word that leads to people:
// "SCOTT D HORSEMAN", "spoke with JOYCE YAWN today". Its words may mean anything as
// long as one is a name beyond doubt, or all are spelt like names.
func (f *nameFinder) capitalsLine(i int) bool {
	line := f.opensLine(i)
	if !line && !(f.is(i-1, cueWith|cueBy|cueReach) || f.equal(i-1, "to")) || !line && f.caseOf(i-1) == Upper || f.roles(i) != 0 {
		return false
	}
	end, words, sure, strange := i, 0, false, true
	for end < i+6 && (end == i || f.follows(end)) && f.word(end) && f.caseOf(end) == Upper && !f.glued(end) {
		if f.letter(end) {
			end++
			if f.punct(end, '.') {
				end++
			}
			continue
		}
		e := f.entry(end)
		if f.is(end, cueSuffix) && words > 1 {
			end++
			break
		}
		if f.roles(end)&^cueStreet != 0 || e.Is(clinicalOnly|lexicon.State|lexicon.Country|calendarWord) && f.odds(end) < 24 || len(f.str(end)) < 2 {
			return false
		}
		sure = sure || e.First >= 84 && f.odds(end) > 56
		strange = strange && max(e.Common, e.Capital) == 0 && (max(e.Surname, e.First) >= 16 || f.spelling(end) >= likely/2)
		words++
		end++
	}
	if words < 2 || words > 3 || line && !f.endsLine(end) || !sure && !strange || f.eponymNounNear(end) {
		return false
	}
	if !strange && f.entry(i).First < 84 {
		return false
	}
	f.add(i, end, f.role(i, end), hint)
	return true
}
