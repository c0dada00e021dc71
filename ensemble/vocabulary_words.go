package ensemble

import (
	"slices"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
)

// plainWord reports whether the word at from, taken for a name, is used as a word: a
// verb before what is done to it ("Lance the abscess"), a plant or colour before what
// it qualifies ("Rosemary oil", "Amber urine"), a virtue ("Joy in").
func (v *vocabulary) plainWord(from, to int) bool {
	if to != from+1 && !v.hyphenated(from, to) || !v.follows(to) || v.glued(to) {
		return false
	}
	same := v.inLower(to) || v.caseOf(from) == Upper && v.caseOf(to) == Upper
	if !same {
		return false
	}
	w := strings.ToLower(v.str(from))
	switch {
	case v.stuff(to) && !v.is(to+1, cueSubjectVerb&^cueIs) && (v.entry(from).First >= 60 || v.entry(from).Is(lexicon.Country|lexicon.BigCity)):
		return true
	case slices.Contains(colourNames, w) && (v.equal(to, "urine") || v.equal(to, "sputum") || v.equal(to, "fluid") || v.equal(to, "drainage") || v.equal(to, "discharge") || v.equal(to, "stool") || v.equal(to, "colored")):
		return true
	case slices.Contains(virtues, w) && v.equal(to, "in") && v.begins(from):
		return true
	}
	return v.command(from, to) || v.ofSomething(from, to) || v.done(to) || v.consumed(from, to)
}

// ofSomething reports whether "of" and a word in small letters follow a word at the
// beginning of a sentence: "Banks of the wound". "Smith of cardiology" is a colleague.
func (v *vocabulary) ofSomething(from, of int) bool {
	if !v.begins(from) || !v.equal(of, "of") {
		return false
	}
	next := of + 1
	if v.is(next, cueArticle) {
		next++
	}
	return v.word(next) && v.follows(next) && v.caseOf(next) == v.caseOf(of) && !v.service(next, next+1) && !v.is(next, cueFacility|cueFacilityIn) &&
		!v.entry(next).Is(lexicon.City|lexicon.State|lexicon.Country|lexicon.Clinical|lexicon.Org)
}

// done reports whether what follows is said of things alone: "Ross was done without
// complication".
func (v *vocabulary) done(j int) bool {
	if !v.is(j, cueIs) {
		return false
	}
	if v.equal(j+1, "not") {
		j++
	}
	return thingVerbs[strings.ToLower(v.str(j+1))] && !v.equal(j+2, "with") && !v.equal(j+2, "in")
}

var thingVerbs = wordSet("done performed repeated obtained inserted used eaten applied")

// consumed reports whether drugs are meant: "Molly use was denied", "started on Camila".
func (v *vocabulary) consumed(from, to int) bool {
	if v.inLower(to) && (v.equal(to, "use") || v.equal(to, "abuse") || v.equal(to, "exposure")) {
		return true
	}
	switch p := from - 1; {
	case v.equal(p, "on"):
		return v.equal(p-1, "started") || v.equal(p-1, "restarted")
	case v.equal(p, "of"):
		return v.equal(p-1, "out") && (v.equal(p-2, "ran") || v.equal(p-2, "run") || v.equal(p-2, "runs") || v.equal(p-2, "running"))
	case v.equal(p, "for"):
		return (v.equal(p-1, "consent") || v.equal(p-1, "candidate")) && v.odds(from) < 100
	case v.equal(p, "with"):
		return v.equal(p-1, "ahead")
	}
	return false
}

var (
	colourNames = strings.Fields("amber rose ruby rusty hazel olive jade violet ginger sandy coral scarlett")
	virtues     = strings.Fields("joy hope faith grace prudence patience charity mercy comfort")
)

// command reports whether the word at i is a verb at the beginning of a sentence, or
// behind "please": an article and what it is done to follow. "Pat the nurse" is Pat.
func (v *vocabulary) command(i, article int) bool {
	if !v.begins(i) && !v.equal(i-1, "please") && !v.equal(i-1, "then") || !v.is(article, cueArticle) && !v.equal(article, "any") {
		return false
	}
	next := article + 1
	return v.word(next) && v.follows(next) && !v.is(next, cueKin|cueStaffTitle|cueStaffTag|cuePatientTag|cueSex|cueStop|cueDoctorTitle|cueRetired) &&
		!v.entry(next).Is(lexicon.Job) && (v.inLower(next) || v.caseOf(i) == Upper)
}

// service reports whether a word is a specialty or a service of a hospital: "cc:
// chaplaincy", "seen by otolaryngology".
func (v *vocabulary) service(from, to int) bool {
	if e := v.entry(from); to != from+1 || e.Surname > 0 || e.First > 0 {
		return false
	}
	w := strings.ToLower(v.str(from))
	return len(w) > 6 && slices.ContainsFunc(serviceEnds, func(end string) bool { return strings.HasSuffix(w, end) })
}

var serviceEnds = strings.Fields("ology iatry iatrics aplaincy ometry otherapy nursing ologic surgery dontics orthotics")

// classed reports whether a word stands behind what something is classified as.
func (v *vocabulary) classed(from int) bool {
	if !v.equal(from-1, "as") {
		return false
	}
	switch strings.ToLower(v.str(from - 2)) {
	case "classified", "classed", "graded", "staged", "scored", "categorized", "categorised", "coded", "typed", "subtyped":
		return true
	}
	return false
}
