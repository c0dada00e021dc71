package ensemble

import (
	"strconv"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// oldest is more than any age that a note tells: the oldest person on record reached
// 122.
const oldest = 125

// refuted reports whether a span for which only learned members voted is of a kind
// that networks get wrong and a list gets right: "called 911" as an age, "LFTs" as a
// hospital, "VNA" as a state, "Pathologist" as a name. Rules have looked at their
// context before they vote, so that nothing of this is asked of them.
func (v *vocabulary) refuted(s phi.Span) bool {
	from, to := v.tokensOf(s)
	if from == to {
		return false
	}
	if s.Type == phi.Age {
		if to == from+1 && v.letter(from) || v.yearsInJob(from, to) {
			return true // "in the 60s"
		}
		n, err := strconv.Atoi(v.str(from))
		return v.number(from) && (err != nil || n > oldest)
	}
	if v.unitOnly(s.Type, from, to) {
		return true
	}
	if c := s.Type.Class(); v.listItem(from, to) && (c == phi.ClassName || c == phi.ClassLocation) && s.Type != phi.Username {
		return true
	}
	if to > from+1 || !v.word(from) {
		return false
	}
	if c := s.Type.Class(); (c == phi.ClassName || c == phi.ClassLocation) && s.Type != phi.Username && !v.addressed(from) && (v.medicine(from) || c == phi.ClassName && (v.abbreviation(from) || v.listedThings(from))) {
		return true
	}
	e := v.entry(from)
	place := e.Is(lexicon.City | lexicon.State | lexicon.Country | lexicon.County)
	switch s.Type {
	case phi.State:
		return !place && v.caseOf(from) != Title && s.End-s.Start <= 4
	case phi.Hospital, phi.Organization, phi.City, phi.Country, phi.LocationOther:
		return !place && e.Is(eitherClinical) && max(e.Surname, e.First) < 56 && s.End-s.Start <= 5
	case phi.Patient, phi.Doctor:
		if v.equal(from, "aadhaar") || v.equal(from, "abha") || v.equal(from, "iban") {
			return true // labels of numbers
		}
		if v.caseOf(from) == Upper && e.Is(eitherClinical) && max(e.Surname, e.First) < 24 && s.End-s.Start <= 5 {
			return true // "male with NEC"
		}
		known := e.Is(lexicon.Job|lexicon.Org) && v.odds(from) <= 0 || e.Is(lexicon.Eponym) && max(e.Surname, e.First) < 48
		return known && !v.is(v.back(from, "."), cueDoctorTitle|cuePersonTitle)
	default:
		return false
	}
}

// longestCareer is in years. What is more may be an age that is PHI.
const longestCareer = 60

// yearsInJob tells how long somebody did what he does: "mechanic (16yrs)".
func (v *vocabulary) yearsInJob(from, to int) bool {
	years := to
	if v.equal(to-1, "yrs") || v.equal(to-1, "years") {
		years--
	} else if !v.equal(to, "yrs") && !v.equal(to, "years") {
		return false
	}
	n, err := strconv.Atoi(v.str(from))
	return err == nil && n <= longestCareer && years == from+1 && v.punct(from-1, '(') && v.punct(years+1, ')') &&
		v.entry(from-2).Is(lexicon.Job) && !v.is(from-2, cueKin)
}

// unseconded reports whether a word that rules took for a name, because it begins a
// sentence and is hardly ever anything else, goes on as no name does: "Amber urine".
// No network, which reads the sentence, voted for it.
func (v *vocabulary) unseconded(s phi.Span) bool {
	from, to := v.tokensOf(s)
	if s.Type != phi.Patient && s.Type != phi.Doctor || to != from+1 || !v.begins(from) || v.addressed(from) {
		return false
	}
	next := strings.ToLower(v.str(to))
	if personVerbs[next] || modalVerbs[next] || personPredicates[next] || strings.HasSuffix(next, "ed") || strings.HasSuffix(next, "ly") {
		return false
	}
	return v.inLower(to) && v.follows(to) && !v.glued(to) && !v.is(to, cueSubjectVerb|cueWith|cueAnd|cueBy|cueFrom|cueStop)
}
