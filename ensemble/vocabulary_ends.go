package ensemble

// cutEnds takes off the ends of learned votes what is no part of a name: the label of
// the next field in "Moss, Ann MC # 412", the unit of "Elm Clinic Department of
// Radiology", the first word of the next sentence, which networks can't tell from a
// town in "on Elm St. There is". Rules know where a name ends.
func cutEnds(note *Note, votes []Span, learned Votes) {
	v := vocabulary{reading: read(note)}
	last := 0
	for i := range votes {
		start := votes[i].Start
		if start < last {
			v.at = 0 // the next member's votes
		}
		if last = start; votes[i].By&learned != 0 {
			v.cutEnds(&votes[i])
		}
	}
}

func (v *vocabulary) cutEnds(s *Span) {
	from, to := v.tokensOf(*s)
	first, last := from, to
	if c := s.Type.Class(); to-from < 2 || c != ClassName && c != ClassLocation {
		return
	}
	to = v.unitOf(s.Type, from, to)
	for to-from > 1 && v.foreignEnd(s.Type, to-1) {
		to--
	}
	for to-from > 1 && v.foreignStart(s.Type, from, to) {
		from++
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

// fieldLabel reports whether word i is a label: "MC #", "MRN:".
func (v *vocabulary) fieldLabel(i int) bool {
	label := v.equal(i, "mc") || v.equal(i, "mrn") || v.equal(i, "dob") || v.equal(i, "acct")
	return label && (v.punct(i+1, '#') || v.punct(i+1, ':'))
}

// unitOf returns where the name of a facility ends and that of a unit begins, which
// every hospital has.
func (v *vocabulary) unitOf(t Type, from, to int) int {
	if t != Hospital && t != Organization {
		return to
	}
	for i := from + 1; i < to; i++ {
		if v.equal(i, "department") || v.equal(i, "dept") || v.equal(i, "emergency") && v.equal(i+1, "department") {
			return i
		}
	}
	return to
}

// foreignEnd reports whether word i, the last of a span, belongs to what comes after.
func (v *vocabulary) foreignEnd(t Type, i int) bool {
	if t.Class() == ClassName && (v.fieldLabel(i) || v.is(i, cueCredential) && v.caseOf(i) == Upper || v.sexOf(i)) {
		return true
	}
	return v.functionWord(i) && (v.inLower(i) || v.punct(i-1, '.') && v.title(i) && v.tokens[i].End-v.tokens[i].Start > 1)
}

// sexOf reports whether letter i is a sex behind a name: "Moss, Ann, F, DOB".
func (v *vocabulary) sexOf(i int) bool {
	return (v.equal(i, "f") || v.equal(i, "m")) && v.punct(i-1, ',') && v.punct(i+1, ',')
}

// foreignStart reports whether word i, the first of a span, belongs to what stands
// before: the baby of "Baby Moss", "at Elm Clinic", "Hospice at Elm Clinic".
func (v *vocabulary) foreignStart(t Type, i, to int) bool {
	if t.Class() == ClassName {
		return v.is(i, cueBaby) && v.capital(i+1)
	}
	at := v.inLower(i+1) && v.equal(i+1, "at")
	return v.inLower(i) && v.functionWord(i) || at && to-i > 2
}

// functionWord reports whether a word is never part of a name. Words that also end the
// names of places do not count.
func (v *vocabulary) functionWord(i int) bool {
	return v.is(i, cueStop) && !v.is(i, cueFacility|cueFacilityIn|cueCompany|cueRoom|cueParticle) || v.equal(i, "of") || v.equal(i, "and")
}
