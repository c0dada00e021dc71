package ensemble

import (
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
)

// facility finds the name that ends at the facility word i: "Samson rehab", "San
// Rafael Mount Hospital", "Trioki Rx", "Mass General".
func (f *placeFinder) facility(i int) {
	if f.punct(i+1, ':') || f.punct(i+1, '-') && f.glued(i+2) {
		return // a heading, or "drug-eluting"
	}
	if f.is(i+1, cueFacility) && f.follows(i+1) && f.tokens[i+1].Case == f.tokens[i].Case && !f.is(i+1, cueCompany) && f.extends(i+1) {
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
	f.add(start, end, Hospital)
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

// modifiers walks back from a facility word over the words of its name. own tells
// whether one of them sets it apart from every other facility.
func (f *placeFinder) modifiers(i int) (start int, own bool) {
	start = i
	for j := i - 1; j >= 0 && i-j <= 8 && f.follows(j+1); j-- {
		switch {
		case f.nameMark(j):
		case !f.word(j):
			return start, own
		case f.inLower(j):
			if ok, sets := f.lowerModifier(j, i); ok {
				start, own = j, own || sets
				continue
			}
			if !f.equal(j, "of") && !f.equal(j, "the") && !f.equal(j, "and") && !f.equal(j, "s") || !f.capital(j-1) && !f.apostrophe(j-1) {
				return start, own
			}
			if f.equal(j, "s") {
				continue
			}
			if !f.is(j-1, cueFacilityIn|cueFacility|cueInstitute) {
				return start, own
			}
		case f.tokens[i].Case == Upper && f.title(j) && len(f.str(i)) > 3:
			return start, own
		case f.townIn(j):
			start, own = j-1, true
		case f.title(j) && f.title(i) && f.title(j-1) && f.is(j-1, cueInstitute) && f.follows(j) && !f.entries[j].Is(lexicon.Clinical):
			start, own = j, true // "Holy Cross Care Center"
		case f.streetIn(j, i):
		case f.is(j, cueStop) && !f.is(j, cueFacilityIn|cueFacility|cuePlaceTop), f.is(j, cueGreeting|cueDoctorTitle|cuePersonTitle|cueStaffTag|cuePatientTag) && !f.is(j, cueFacilityIn):
			return start, own
		case f.tokens[j].Case == Upper && f.tokens[i].Case != Upper && len(f.str(j)) > 1 && !f.is(i, cueFacility) && !f.unknown(j):
			return start, own
		default:
			ok, sets := f.modifier(j, i)
			if !ok && own && f.title(j) && f.title(i) && !f.begins(j) && !f.entries[j].Is(lexicon.Clinical) {
				ok = true // "Three Rivers Hospital"
			}
			if !ok {
				return start, own
			}
			start, own = j, own || sets
		}
	}
	return start, own
}

// lowerModifier is modifier for names without capitals: "st. mary's hospital".
func (f *placeFinder) lowerModifier(j, i int) (ok, own bool) {
	if !f.inLower(i) || f.weakHead(i) && !f.is(i-1, cueFacilityIn) {
		return false, false
	}
	e := f.entries[j]
	if town, ok := f.phrase(j-1, j+1); ok && f.inLower(j-1) && f.follows(j) && town.Is(lexicon.City) && e.Common < 24 {
		return true, true // "las cruces hospital"
	}
	if f.is(j, cueFacilityIn) && !f.is(j, cuePlacePrep|cueArticle|cueAnd) && len(f.str(j)) > 3 {
		return true, false // "susan moore care center"
	}
	switch {
	case f.equal(j, "st") && f.punct(j+1, '.'), f.is(j, cueInstitute) && f.equal(j, "memorial"):
		return true, false
	case e.Common == 0 && !e.Is(lexicon.Clinical) && f.cues[j]&^cueParticle == 0:
		named := max(e.Surname, e.First) >= 64 && f.odds(j) > 16
		named = named || e.Is(lexicon.BigCity) || e.Is(lexicon.City) && f.is(j-1, cuePlacePrep|cueFrom)
		return named || e.Is(lexicon.PlaceTop), named
	}
	return false, false
}

// townIn tells the second word of a town of two: "LAS CRUCES HOSPITAL".
func (f *placeFinder) townIn(j int) bool {
	if !f.capital(j-1) || !f.follows(j) || !f.entries[j-1].Is(lexicon.PlaceTop) {
		return false
	}
	e, ok := f.phrase(j-1, j+1)
	return ok && e.Is(lexicon.City|lexicon.State) && max(f.entries[j].Common, f.entries[j].Capital) < 72
}

// streetIn tells the street in "Main Street Pharmacy".
func (f *placeFinder) streetIn(j, i int) bool {
	return f.title(j) && f.title(j-1) && f.follows(j) && (f.equal(j, "street") || f.equal(j, "avenue") || f.equal(j, "road")) && f.title(i)
}

// nameMark tells punctuation inside a facility's name: "St. Mary's", "Jewett-Cole".
func (f *placeFinder) nameMark(j int) bool {
	switch {
	case f.punct(j, '.'):
		return f.glued(j) && (f.equal(j-1, "st") || f.letter(j-1))
	case f.punct(j, '-'), f.apostrophe(j):
		return f.glued(j) && f.glued(j+1) || f.apostrophe(j) && f.glued(j)
	case f.punct(j, '&'):
		return f.capital(j - 1)
	}
	return false
}

// modifier reports whether word j can stand in the name of the facility at i, and
// whether it sets that name apart.
func (f *placeFinder) modifier(j, i int) (ok, own bool) {
	e := f.entries[j]
	if f.is(j, cueInstitute) {
		return true, f.title(i) && f.title(j) || f.equal(j, "st") || f.equal(j, "saint") || f.tokens[j].Case == Upper && f.is(j, cueInstitute) && f.tokens[i].Case == Upper && !f.equal(j, "university")
	}
	if f.is(j, cueFacilityIn|cueFacility) || f.letter(j) {
		return true, false
	}
	if f.unknown(j) {
		return true, f.title(j) || len(f.str(j)) > 3
	}
	borne := max(e.Surname, e.First)
	other := int(max(e.Common, e.Capital))
	if e.Is(lexicon.Clinical) && int(borne) < other+40 {
		return false, false
	}
	place := e.Is(lexicon.City | lexicon.County | lexicon.State | lexicon.BigCity)
	floor := 16
	if f.tokens[j].Case == Upper {
		floor = 40
	}
	if f.tokens[i].Case == Lower || f.weakHead(i) {
		floor = max(floor, 24)
	}
	switch {
	case borne > 0 && int(borne)-other > floor, place && other < 64:
		return true, f.title(j) || f.tokens[i].Case != Lower
	case f.title(j) && f.title(i) && other < 72 && !f.begins(j):
		return true, false
	}
	return false, false
}

// weakHead tells words that end other phrases as often as names of facilities.
func (f *placeFinder) weakHead(i int) bool {
	switch strings.ToLower(f.str(i)) {
	case "general", "medical", "rx", "er", "ed", "icu", "care", "practice", "hall", "memorial", "associates", "health", "institute", "campus", "drugs", "center", "centre", "va":
		return true
	}
	return false
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
		e := f.entries[end]
		own = own || f.unknown(end) || f.odds(end) > 24 || e.Is(lexicon.City|lexicon.State) && e.Common < 60
		end++
	}
	if own {
		f.add(i, end, Hospital)
	}
	return own
}

// initials finds the short name of a facility: "admitted to TCH", "Hospitalized
// 2115 TCH": capitals that nothing else is written with.
func (f *placeFinder) initials(i int) {
	n := len(f.str(i))
	if f.tokens[i].Case != Upper || n < 3 || n > 5 || f.cues[i] != 0 || f.entries[i].Is(clinicalOnly|lexicon.State|lexicon.Country) ||
		max(f.entries[i].Common, f.entries[i].Capital) > 16 || f.glued(i) && !f.punct(i-1, '(') || !f.follows(i) {
		return
	}
	j := i - 1
	if f.is(j, cuePlacePrep|cueFrom) {
		j--
	} else if !f.number(j) {
		return
	} else {
		j--
	}
	if f.is(j, cueHome) && f.tokens[j].Case != Upper {
		f.add(i, i+1, Hospital)
		f.learn(i)
	}
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
	f.add(i, i+1, Hospital)
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
	if !f.capital(j) || !f.follows(j) || f.glued(j) || f.is(j, cueStop) || f.tokens[j].Case != Upper && f.tokens[i].Case == Upper ||
		f.tokens[j].Case == Upper && f.tokens[i].Case != Upper {
		return
	}
	e, ok := f.phrase(i, j+1)
	switch {
	case ok && e.Is(lexicon.City):
		f.add(i, j+1, City)
	case f.entries[j].First > 0 && f.odds(j) > 24:
		f.add(i, f.afterHead(j+1), Hospital)
	}
}

// theVA finds "the VA", "at VA".
func (f *placeFinder) theVA(i int) {
	if f.str(i) == "VAMC" || f.str(i) == "VA" && (f.equal(i-1, "the") || f.equal(i-1, "at") || f.equal(i-1, "to")) && !f.number(i+1) {
		f.add(i, i+1, Hospital)
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
	SortSpans(f.spans)
	found := f.spans[:len(f.spans):len(f.spans)]
	for i, t := range f.tokens {
		if t.Kind != Word || t.Case == Lower || !f.own[f.str(i)] || covered(found, t) || t.Case != Upper && !f.is(i-1, cuePlacePrep|cueFrom|cueArticle) {
			continue
		}
		end := i + 1
		for f.title(end) && f.follows(end) && (f.own[f.str(end)] || f.is(end, cueFacility|cueFacilityIn)) {
			end++
		}
		f.spans = append(f.spans, f.span(i, end, Hospital))
	}
}
