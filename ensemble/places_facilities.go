package ensemble

import (
	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// facility finds the name that ends at the facility word i: "Samson rehab", "San
// Rafael Mount Hospital", "Trioki Rx", "Mass General".
func (f *placeFinder) facility(i int) {
	if f.punct(i+1, ':') || f.punct(i+1, '-') && f.glued(i+2) {
		return // a heading, or "drug-eluting"
	}
	if f.is(i+1, cueFacility) && f.follows(i+1) && f.caseOf(i+1) == f.caseOf(i) && !f.is(i+1, cueCompany) && f.extends(i+1) {
		return // a later word ends the name
	}
	if f.hospitalOf(i) {
		return
	}
	if f.inLower(i) && f.weakHead(i) && !f.equal(i, "rx") && !f.equal(i, "ed") && !f.equal(i, "center") {
		return
	}
	start, own := f.modifiers(i)
	if start == i {
		f.theVA(i)
		return
	}
	for f.is(start, cuePlacePrep|cueArticle|cueAnd) || f.equal(start, "of") || f.equal(start, "for") {
		start++
	}
	if start == i || !own && !f.plainHospital(start, i) {
		return
	}
	end := f.afterHead(i + 1)
	f.add(start, end, phi.Hospital)
	f.remember(start, i)
	f.acronym(start, end)
}

// plainHospital reports whether words that no name is among are one all the same:
// "transferred from General Hospital".
func (f *placeFinder) plainHospital(start, i int) bool {
	if !f.title(i) || !f.equal(i, "hospital") && !f.equal(i, "center") || !f.is(start-1, cuePlacePrep|cueFrom) {
		return false
	}
	if i-start == 1 && f.equal(start, "medical") {
		return false
	}
	for j := start; j < i; j++ {
		switch {
		case f.equal(j, "general"), f.equal(j, "community"), f.equal(j, "regional"), f.equal(j, "medical"), f.equal(j, "district"):
		default:
			return false
		}
	}
	return true
}

// extends reports whether facility word i, after another one, goes on with the
// name: "Medical Center", but not "Hospital ED".
func (f *placeFinder) extends(i int) bool {
	return !f.equal(i, "ed") && !f.equal(i, "er") && !f.equal(i, "icu")
}

// afterHead extends a name over what follows its first facility word: "Hospital
// and Clinics", "Hospital of Boston", "Building Room 7A".
func (f *placeFinder) afterHead(i int) int {
	for f.capital(i) && f.follows(i) && f.is(i, cueFacility|cueInstitute|cueFacilityIn) && !f.equal(i, "ed") && !f.equal(i, "er") && !f.equal(i, "icu") && !f.equal(i, "for") {
		i++
	}
	if f.equal(i, "of") && f.capital(i+1) && f.follows(i+1) {
		for n := 3; n >= 1; n-- {
			if f.run(i+1, n) {
				if e, ok := f.phrase(i+1, i+1+n); ok && e.Is(lexicon.City|lexicon.State) {
					return i + 1 + n
				}
			}
		}
	}
	if f.is(i, cueRoom) && f.follows(i) {
		if end := f.roomNumber(i + 1); end > i+1 {
			return end
		}
	}
	return i
}

// hospitalOf finds "Hospital of St. Raphael", "Clinic of Mankato".
func (f *placeFinder) hospitalOf(i int) bool {
	if !f.title(i) || !f.equal(i+1, "of") || !f.capital(i+2) || !f.follows(i+2) {
		return false
	}
	end := i + 2
	if f.is(end, cueParticle) && f.punct(end+1, '.') {
		end += 2
	}
	own := false
	for end < i+7 && f.capital(end) && f.follows(end) {
		e := f.entry(end)
		own = own || f.unknown(end) || f.odds(end) > 24 || e.Is(lexicon.City|lexicon.State) && e.Common < 60
		end++
	}
	if own {
		f.add(i, end, phi.Hospital)
	}
	return own
}

// initials finds the short name of a facility: "admitted to TCH", "Hospitalized
// 2115 TCH for", "TCH Suite 4", "TCH #334": capitals that nothing else is written
// with.
func (f *placeFinder) initials(i int) {
	n := len(f.str(i))
	if f.caseOf(i) != Upper || n < 3 || n > 5 || f.roles(i) != 0 || f.glued(i) && !f.punct(i-1, '(') {
		return
	}
	e := f.entry(i)
	rare := !e.Is(clinicalOnly|lexicon.State|lexicon.Country) && max(e.Common, e.Capital) <= 16
	dated := f.is(i-2, cueHome) && f.number(i-1) && len(f.str(i-1)) == 4 && f.follows(i) && f.equal(i+1, "for")
	if dated || rare && f.stays(i) || f.housed(i) && (rare || e.Common == 0 && !e.Is(lexicon.State)) {
		f.add(i, i+1, phi.Hospital)
		f.learn(i)
	}
}

// stays reports whether somebody was admitted to what token i names.
func (f *placeFinder) stays(i int) bool {
	j := i - 1
	if !f.follows(i) || !f.is(j, cuePlacePrep|cueFrom) && !f.number(j) {
		return false
	}
	return f.is(j-1, cueHome) && f.caseOf(j-1) != Upper
}

// housed reports whether behind token i stands what only a facility has: rooms, or
// numbers of its patients.
func (f *placeFinder) housed(i int) bool {
	j := i + 1
	if f.punct(j, '#') && f.number(j+1) && len(f.str(j+1)) >= 5 {
		return true
	}
	return f.title(j) && f.follows(j) && (f.equal(j, "suite") || f.equal(j, "room")) && f.roomNumber(j+1) > j+1
}

// learn keeps a word that names a facility by itself.
func (f *placeFinder) learn(i int) {
	if f.own == nil {
		f.own = map[string]bool{}
	}
	f.own[f.str(i)] = true
}

// bracketed finds "(PRMC)": capitals in brackets that nothing is known of, and
// that the words before do not spell.
func (f *placeFinder) bracketed(i int) {
	n := len(f.str(i))
	if n < 3 || n > 5 || !f.unknown(i) || !f.glued(i) || !f.punct(i-1, '(') || !f.punct(i+1, ')') {
		return
	}
	first := f.str(i)[0] | 0x20
	for j := i - 2; j >= max(0, i-2-2*n); j-- {
		if f.word(j) && f.str(j)[0]|0x20 == first && len(f.str(j)) > 2 && i-2-j >= n-2 {
			return // "positive end expiratory pressure (PEEP)"
		}
	}
	f.add(i, i+1, phi.Hospital)
	f.learn(i)
}

// acronym learns what the name [start, end) is shortened to: "SRMH".
func (f *placeFinder) acronym(start, end int) {
	var short [8]byte
	n := 0
	for j := start; j < end; j++ {
		if !f.capital(j) || f.letter(j) {
			continue
		}
		if c := f.str(j)[0]; n < len(short) && c < 0x80 {
			short[n] = c
			n++
		}
	}
	if n < 3 || n == len(short) {
		return
	}
	if f.own == nil {
		f.own = map[string]bool{}
	}
	f.own[string(short[:n])] = true
}

// saint finds what is called after a saint: a town that the lexicon knows, or else
// a facility: "Schedule MRI at St. Glen".
func (f *placeFinder) saint(i int) {
	if !f.equal(i, "st") && !f.equal(i, "saint") || f.number(i-1) || f.number(i-2) && f.capital(i-1) {
		return
	}
	j := i + 1
	if f.punct(j, '.') && f.glued(j) {
		j++
	}
	if !f.capital(j) || !f.follows(j) || f.glued(j) || f.is(j, cueStop|cueStreet) || f.caseOf(j) != Upper && f.caseOf(i) == Upper ||
		f.caseOf(j) == Upper && f.caseOf(i) != Upper {
		return
	}
	e, ok := f.phrase(i, j+1)
	switch {
	case f.is(j+1, cueEponymNoun): // "St. Jude valve"
	case ok && e.Is(lexicon.City):
		f.add(i, j+1, phi.City)
	case f.entry(j).First > 0 && f.odds(j) > 24:
		f.add(i, f.afterHead(j+1), phi.Hospital)
	}
}

// theVA finds "the VA", "at VA".
func (f *placeFinder) theVA(i int) {
	if f.str(i) == "VAMC" || f.str(i) == "VA" && (f.equal(i-1, "the") || f.equal(i-1, "at") || f.equal(i-1, "to")) && !f.number(i+1) {
		f.add(i, i+1, phi.Hospital)
	}
}

// remember keeps the distinctive words of a facility's name, as it is often named
// by them alone later: "Rafael Mount", "Rafael Hospital".
func (f *placeFinder) remember(start, end int) {
	for j := start; j < end; j++ {
		if f.title(j) && len(f.str(j)) > 3 && !f.is(j, cueFacilityIn|cueFacility|cueInstitute|cueParticle|cueStop) &&
			(f.unknown(j) || f.odds(j) > 24) {
			f.learn(j)
		}
	}
}

// propagate finds the facilities that were named in full before by their own
// words, where a preposition stands before them.
func (f *placeFinder) propagate() {
	if len(f.own) == 0 {
		return
	}
	phi.SortSpans(f.spans)
	found := f.spans[:len(f.spans):len(f.spans)]
	for i, t := range f.tokens {
		if t.Kind != Word || t.Case == Lower || !f.own[f.str(i)] || covered(found, t) || t.Case != Upper && !f.is(i-1, cuePlacePrep|cueFrom|cueArticle) {
			continue
		}
		end := i + 1
		for f.title(end) && f.follows(end) && (f.own[f.str(end)] || f.is(end, cueFacility|cueFacilityIn)) {
			end++
		}
		f.spans = append(f.spans, f.span(i, end, phi.Hospital))
	}
}

// labelLength bounds the tokens of a name behind "Facility:".
const labelLength = 14

// labelledFacility finds a name of several owners behind "Facility:", of which the
// words before "and" would not be told from names of people: "Valentine, Bush and
// Jones Hospital".
func (f *placeFinder) labelledFacility(from int) {
	end, owners := from, false
	for j := from; f.has(j) && !f.tokens[j].Line && j < from+labelLength; j++ {
		switch {
		case f.punct(j+1, ':'): // the next label
			return
		case f.capital(j):
			owners = owners || f.is(j, cueCompany)
			if f.is(j, cueFacility) {
				end = j + 1
			}
		case f.equal(j, "and"), f.punct(j, ','), f.punct(j, '&'):
			owners = true
		case !f.equal(j, "of") && !f.punct(j, '.') && !f.punct(j, '-') && !f.punct(j, '\''):
			return
		}
	}
	if owners && end > from {
		f.add(from, end, phi.Hospital)
	}
}
