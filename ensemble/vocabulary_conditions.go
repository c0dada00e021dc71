package ensemble

import (
	"slices"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// shortest and longest lengths of what is looked at as an abbreviation.
const (
	shortestAbbreviation = 2
	longestAbbreviation  = 5
)

// abbreviation reports whether a word, for which only networks voted, is a short form
// of something clinical: "Pt with OSA", "re JIA". The lexicon knows it as such and as a
// rare name at most, or it stands where a condition does and is no word at all.
func (v *vocabulary) abbreviation(i int) bool {
	n := len(v.str(i))
	if n < shortestAbbreviation || n > longestAbbreviation || v.punct(i-1, '/') || v.punct(i+1, '/') {
		return false
	}
	e := v.entry(i)
	borne := max(e.Surname, e.First)
	switch {
	case e.Is(lexicon.Clinical) && borne < 24:
		return true
	case v.caseOf(i) == Upper && v.regime() == bothCases:
		said := v.inLower(i-1) && v.follows(i)
		return e.Is(eitherClinical) && borne < 64 && (said || v.punct(i-1, '-') && v.spaced(i)) || borne == 0 && said
	}
	return v.condition(i) && (e.Is(eitherClinical) && borne < 64 || borne == 0)
}

// addressed reports whether a person is expected at token i: behind a title, "by",
// "per", "spoke with", before a credential.
func (v *vocabulary) addressed(i int) bool {
	p := v.back(i, ".:")
	if v.is(p, cueDoctorTitle|cuePersonTitle|cueBy|cueReach|cueSigning|cueKin|cueStaffTitle|cueNamed|cueGreeting) || v.is(p, cueWith) && v.is(p-1, cueMeet) {
		return true
	}
	return v.is(i+1, cueCredential) && v.capital(i+1) || v.punct(i+1, ',') && v.is(i+2, cueCredential|cueWeakCred) && v.capital(i+2)
}

// condition reports whether what stands at token i is what a patient has: "pt with",
// "62 yo woman with".
func (v *vocabulary) condition(i int) bool {
	if !v.is(i-1, cueWith) {
		return false
	}
	switch strings.ToLower(v.str(i - 2)) {
	case "pt", "patient", "pts", "patients", "male", "female", "man", "woman", "m", "f", "gentleman", "lady", "boy", "girl", "infant", "consistent", "diagnosed", "presents", "presented":
		return true
	}
	return false
}

// medicine reports whether a word that is hardly a name stands where a drug does:
// "Calan was held", "a rash to Entyvio".
func (v *vocabulary) medicine(i int) bool {
	e := v.entry(i)
	if max(e.Surname, e.First) > 40 && v.odds(i) > 16 {
		return false
	}
	if v.equal(i-1, "to") && slices.Contains(reactions, strings.ToLower(v.str(i-2))) {
		return true
	}
	j := i + 1
	if !v.is(j, cueIs) && !v.equal(j, "were") || !v.follows(j) {
		return false
	}
	if v.equal(j+1, "not") {
		j++
	}
	return slices.Contains(withDrugs, strings.ToLower(v.str(j+1))) && !v.is(j+2, cueBy) && !v.equal(j+2, "on") && !v.equal(j+2, "off") && !v.equal(j+2, "to")
}

var (
	reactions = strings.Fields("rash allergy allergies allergic reaction reactions intolerance intolerant sensitivity sensitive hypersensitivity anaphylaxis hives")
	withDrugs = strings.Fields("held discontinued tapered titrated uptitrated refilled increased decreased reduced stopped resumed dosed infused")
)

// unitOnly reports whether a span is what every hospital has: "the infusion center",
// "pain service".
func (v *vocabulary) unitOnly(t phi.Type, from, to int) bool {
	if v.ordinary(from, to) && to-from > 1 && (t == phi.Hospital || t == phi.Organization) {
		return true
	}
	if !v.inLower(from) || v.regime() != bothCases {
		return false
	}
	for i := from; i < to; i++ {
		if !v.inLower(i) {
			return false
		}
	}
	switch t {
	case phi.Patient, phi.Doctor:
		return to-from > 1 && v.unitWord(to-1)
	case phi.Hospital, phi.Organization:
		return v.is(from, cueArticle)
	}
	return false
}

// ordinary reports whether words in small letters are frequent ones and no names: "the
// ethics committee".
func (v *vocabulary) ordinary(from, to int) bool {
	for i := from; i < to; i++ {
		if e := v.entry(i); !v.inLower(i) || e.Common < 40 || v.odds(i) > -20 || v.is(i, cueInstitute|cueFacilityIn|cueFacility|cueCompany) || e.Is(lexicon.City|lexicon.State) {
			return false
		}
	}
	return true
}

// listItem reports whether the words [from, to) are one item of a list of problems,
// procedures or drugs, alone in its line.
func (v *vocabulary) listItem(from, to int) bool {
	mark := from - 1
	if !v.endsLine(to) || to-from != 1 && !v.hyphenated(from, to) || !v.punct(mark, '-') && !v.punct(mark, '*') && !(v.punct(mark, '.') && v.number(mark-1)) {
		return false
	}
	if v.odds(from) > 72 && !v.hyphenated(from, to) {
		return false
	}
	for i := mark; i >= max(0, mark-listReach); i-- {
		if v.opensLine(i) && v.word(i) {
			return listHeads[strings.ToLower(v.str(i))] || listHeads[strings.ToLower(v.str(i+1))]
		}
	}
	return false
}

// listReach is how many tokens before an item its heading is looked for.
const listReach = 60

var listHeads = wordSet("procedures procedure surgeries operations problems problem diagnoses diagnosis medications meds medicines drugs labs history allergies")

// unitWord tells the last word of "pain service".
func (v *vocabulary) unitWord(i int) bool {
	return slices.Contains(unitWords, strings.ToLower(v.str(i)))
}

var unitWords = strings.Fields("service services team clinic unit department dept ward desk staff line program center centre therapy nursing medicine surgery")

// listedThings reports whether a word that is also a name is in a pair of plain words:
// "Rivers and lakes", "rice and beans".
func (v *vocabulary) listedThings(i int) bool {
	if e := v.entry(i); e.Common < 24 || !v.is(i+1, cueAnd) || !v.follows(i+2) {
		return false
	}
	next := i + 2
	if v.is(next, cueKin|cueStaffTitle|cuePossessive|cueStop) || v.caseOf(next) == Title || !v.word(next) {
		return false
	}
	e := v.entry(next)
	return v.stuff(next) || e.Common > 24 && v.odds(next) < 0 && !e.Is(lexicon.Job)
}
