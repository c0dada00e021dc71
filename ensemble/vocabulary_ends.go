package ensemble

import (
	"slices"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// cutEnds takes off the ends of learned votes what is no part of a name: the label of
// the next field in "Moss, Ann MC # 412", the unit of "Elm Clinic Department of
// Radiology", the first word of the next sentence, which networks can't tell from a
// town in "on Elm St. There is". Rules know where a name ends.
func cutEnds(note *Note, votes []phi.Span, learned phi.Votes) {
	v := vocabulary{reading: read(note)}
	last := 0
	for i := range votes {
		start := votes[i].Start
		if start < last {
			v.at = 0 // the next member's votes
		}
		last = start
		if !votes[i].Sure {
			v.cutEnds(&votes[i], votes[i].By&learned != 0)
		}
	}
}

func (v *vocabulary) cutEnds(s *phi.Span, learned bool) {
	from, to := v.tokensOf(*s)
	first, last := from, to
	if c := s.Type.Class(); to-from < 2 || c != phi.ClassName && c != phi.ClassLocation {
		return
	}
	if s.Type == phi.Hospital || s.Type == phi.Organization {
		to = v.facilityEnd(from, to)
	}
	if learned {
		from, to = v.learnedEnds(s.Type, from, to)
	}
	for to < last && to-from > 1 && v.tokens[to-1].Kind == Punct && !v.punct(to-1, ')') {
		to--
	}
	if from != first {
		s.Start = v.tokens[from].Start
	}
	if to != last {
		s.End = v.tokens[to-1].End
	}
}

// facilityEnd returns where the name of a facility ends and what every facility has
// begins: "Mercy ED", "attends Elks Lodge on Thursdays", "Weight Watchers weekly". What
// is left in the text tells nobody where it was.
func (v *vocabulary) facilityEnd(from, to int) int {
	for to-from > 1 {
		switch last := v.str(to - 1); {
		case last == "ED" || last == "ER" || last == "ICU" || v.equal(to-1, "weekly"):
			to--
		case to-from > 2 && v.equal(to-2, "on") && v.weekday(to-1):
			to -= 2
		default:
			return to
		}
	}
	return to
}

// weekday tells "Thursdays", "Sat" and "Fris".
func (v *vocabulary) weekday(i int) bool {
	day := strings.TrimSuffix(strings.ToLower(v.str(i)), "s")
	return len(day) >= 3 && slices.ContainsFunc(weekdayNames[:], func(d string) bool {
		return day == d || day == d[:3] || len(day) > 3 && len(day) < 6 && strings.HasPrefix(d, day)
	})
}

var weekdayNames = [...]string{"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"}

// learnedEnds cuts what networks take along and rules do not.
func (v *vocabulary) learnedEnds(t phi.Type, from, to int) (int, int) {
	to = v.unitOf(t, from, to)
	for to-from > 1 && v.foreignEnd(t, to-1) {
		to--
	}
	for to-from > 1 && v.foreignStart(t, from, to) {
		from++
	}
	return from, to
}

// fieldLabel reports whether word i is a label: "MC #", "MRN:", "Birth date".
func (v *vocabulary) fieldLabel(i int) bool {
	if v.equal(i, "birth") && v.equal(i+1, "date") {
		return true
	}
	label := v.equal(i, "mc") || v.equal(i, "mrn") || v.equal(i, "dob") || v.equal(i, "acct")
	return label && (v.punct(i+1, '#') || v.punct(i+1, ':'))
}

// unitOf returns where the name of a facility ends and that of a unit begins, which
// every hospital has.
func (v *vocabulary) unitOf(t phi.Type, from, to int) int {
	if t != phi.Hospital && t != phi.Organization {
		return to
	}
	if to-from > 1 && v.equal(to-1, "fire") && v.punct(to, ')') {
		return to - 1 // "EMS (Elm Springs Fire) brought her": every town has one
	}
	for i := from + 1; i < to; i++ {
		if v.equal(i+1, "medicine") && (v.equal(i, "general") || v.equal(i, "internal")) && v.caseOf(i-1) == Upper {
			return i // "NLMG INTERNAL MEDICINE"
		}
		if v.specialty(i) && i+1 == to && v.caseOf(i-1) == Upper && len(v.str(i-1)) < 6 {
			return i // "NLMG CARDIOLOGY"
		}
		if v.equal(i, "department") || v.equal(i, "dept") || v.equal(i, "emergency") && v.equal(i+1, "department") {
			return i
		}
	}
	return to
}

// specialty tells "Cardiology" and its like.
func (v *vocabulary) specialty(i int) bool {
	return v.word(i) && strings.HasSuffix(strings.ToLower(v.str(i)), "ology")
}

// foreignEnd reports whether word i, the last of a span, belongs to what comes after.
func (v *vocabulary) foreignEnd(t phi.Type, i int) bool {
	if t.Class() == phi.ClassName && (v.fieldLabel(i) || v.is(i, cueCredential) && v.caseOf(i) == Upper || v.sexOf(i)) {
		return true
	}
	if t.Class() == phi.ClassLocation && t != phi.Street && v.behindPlace(i) {
		return true
	}
	if t.Class() == phi.ClassName && v.inLower(i) && (v.equal(i, "good") || v.equal(i, "nice") || v.equal(i, "uh")) {
		return true // "hey ann good to see you"
	}
	return v.functionWord(i) && (v.inLower(i) || v.punct(i-1, '.') && v.title(i) && v.tokens[i].End-v.tokens[i].Start > 1)
}

// behindPlace tells what comes after a place: "from Ukraine originally", "Elm, ND Ph
// 391 463".
func (v *vocabulary) behindPlace(i int) bool {
	if v.equal(i, "ph") || v.equal(i, "tel") || v.equal(i, "phone") {
		next := i + 1
		if v.punct(next, '.') || v.punct(next, ':') {
			next++
		}
		return v.number(next) || v.punct(next, '(')
	}
	return v.inLower(i) && strings.HasSuffix(v.str(i), "ly") && v.odds(i) < 0 && !v.entry(i).Is(lexicon.City|lexicon.County)
}

// sexOf reports whether letter i is a sex behind a name: "Moss, Ann, F, DOB", "MOSS,
// ANN F/79".
func (v *vocabulary) sexOf(i int) bool {
	if !v.equal(i, "f") && !v.equal(i, "m") {
		return false
	}
	return v.punct(i-1, ',') && v.punct(i+1, ',') || v.punct(i+1, '/') && v.number(i+2)
}

// foreignStart reports whether word i, the first of a span, belongs to what stands
// before: the baby of "Baby Moss", "at Elm Clinic", "Hospice at Elm Clinic".
func (v *vocabulary) foreignStart(t phi.Type, i, to int) bool {
	if t.Class() == phi.ClassName {
		return v.is(i, cueBaby) && v.capital(i+1) || v.is(i, cueKin) && v.inLower(i) && v.title(i+1) || v.spoken(i) ||
			v.equal(i, "nurse") && v.capital(i+1)
	}
	if v.is(i+1, cueRoom) && (strings.HasSuffix(v.str(i), "ICU") || v.equal(i, "ccu")) {
		return true // "PICU bed 12"
	}
	if v.is(i, cueAttend) && v.title(i) && (v.title(i+1) || v.is(i+1, cueArticle)) {
		return true // "Attends Elks Lodge"
	}
	at := v.inLower(i+1) && v.equal(i+1, "at")
	return v.inLower(i) && v.functionWord(i) || at && to-i > 2
}

// spoken tells the words before a name in speech: "hi ann", "so ann is", "Dear Ann".
func (v *vocabulary) spoken(i int) bool {
	greeting := v.is(i, cueGreeting) || v.equal(i, "so") || v.equal(i, "uh") || v.equal(i, "um")
	return greeting && (v.inLower(i) || v.equal(i, "dear") && v.title(i+1))
}

// functionWord reports whether a word is never part of a name. Words that also end the
// names of places do not count.
func (v *vocabulary) functionWord(i int) bool {
	return v.is(i, cueStop) && !v.is(i, cueFacility|cueFacilityIn|cueCompany|cueRoom|cueParticle) || v.equal(i, "of") || v.equal(i, "and")
}
