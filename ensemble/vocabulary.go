package ensemble

import (
	"slices"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// protectVocabulary takes back spans that no reader would take for PHI: the
// eponyms of diseases, scores and devices, drugs, laboratory words. It leaves
// alone what a member is sure of, numbers, dates, and names behind a title: Mr.
// Parkinson is a patient who has Parkinson's disease. Spans for which only learned
// members voted are asked more.
func protectVocabulary(note *Note, spans []phi.Span, learned phi.Votes) []phi.Span {
	v := vocabulary{reading: read(note)}
	return slices.DeleteFunc(spans, func(s phi.Span) bool {
		if s.Sure {
			return false
		}
		return v.protects(s) || v.clinicalName(s, learned) || s.By&^learned == 0 && v.refuted(s) || learned != 0 && s.By&learned == 0 && v.unseconded(s)
	})
}

type vocabulary struct {
	*reading
	at int // a token at or before the span looked at: spans come in order
}

func (v *vocabulary) protects(s phi.Span) bool {
	switch s.Type.Class() {
	case phi.ClassName, phi.ClassLocation:
	default:
		return false
	}
	if s.Type == phi.Street || s.Type == phi.Zip || s.Type == phi.Username {
		return false
	}
	from, to := v.tokensOf(s)
	if from == to || v.is(v.back(from, "."), cueDoctorTitle|cuePersonTitle) {
		return false
	}
	if v.thing(s.Type, from, to) || v.classed(from) || v.takesThing(s.Type, from, to) || v.by(s.Type, from, to) {
		return true
	}
	if s.Type == phi.State {
		return false
	}
	if s.Type.Class() == phi.ClassName && (v.plainWord(from, to) || v.service(from, to)) {
		return true
	}
	if v.pet(from, to) || v.car(from, to) {
		return true
	}
	if s.Type == phi.Organization {
		return false
	}
	if et := v.skipComma(to); v.equal(et, "et") && v.equal(et+1, "al") {
		return true // authors of a paper
	}
	if v.equal(from-1, "of") && (v.is(from-2, cueEponymNoun) || v.vessel(from-2)) && s.Type.Class() == phi.ClassName {
		return true // "knot of Henry"
	}
	if s.Type == phi.Hospital && to == from+1 && v.caseOf(from) == Upper {
		return false // the short name of a hospital often is that of a disease, too
	}
	return v.eponym(from, to) || v.onlyClinical(from, to)
}

func (v *vocabulary) skipComma(i int) int {
	if v.punct(i, ',') {
		return i + 1
	}
	return i
}

// tokensOf returns the tokens [from, to) that a span covers.
func (v *vocabulary) tokensOf(s phi.Span) (from, to int) {
	for v.at < len(v.tokens) && v.tokens[v.at].End <= s.Start {
		v.at++
	}
	to = v.at
	for to < len(v.tokens) && v.tokens[to].Start < s.End {
		to++
	}
	return v.at, to
}

// eponym reports whether what follows makes a name that of a disease, a score or
// a device: "Parkinson's disease", "Glasgow Coma Scale", "Hunt & Hess grade",
// "Lewy bodies".
func (v *vocabulary) eponym(from, to int) bool {
	j := to
	if v.apostrophe(j) && v.equal(j+1, "s") {
		j += 2
	}
	single := j
	for range 2 { // further names of the same eponym
		if (v.punct(j, '-') || v.punct(j, '/') || v.punct(j, '&') || v.equal(j, "and")) && v.capital(j+1) {
			j += 2
			if v.apostrophe(j) && v.equal(j+1, "s") {
				j += 2
			}
		}
	}
	if v.inLower(j) && v.inLower(j+1) && v.entry(to-1).Is(lexicon.Eponym) && v.is(j+1, cueEponymNoun) {
		j++ // "Pfannenstiel skin incision"
	}
	if !v.thingNoun(j) || !v.follows(j) {
		return false
	}
	if to-from > 1 && v.likelyPerson(from) {
		return false
	}
	// "Rodriguez exam" is an examination of Rodriguez: there the name itself must be
	// known as an eponym.
	e := v.entry(to - 1)
	owned := single > to // "Allen's": people have tubes, too
	if !owned && v.ownThing(j) && !v.facility(from, to) || v.testNoun(j) && (v.usualEponym(to-1) || v.hyphenated(from, to)) {
		return true
	}
	return v.is(j, cueEponymSure) || j > single+1 || e.Is(lexicon.Eponym) && e.Surname < 96 || e.Capital >= 24 && e.Surname < 120
}

// facility reports whether the words [from, to) end like the name of a hospital.
func (v *vocabulary) facility(from, to int) bool { return to-from > 1 && v.is(to-1, cueFacility) }

// hyphenated reports whether the words [from, to) are two names of an eponym:
// "Weil-Felix".
func (v *vocabulary) hyphenated(from, to int) bool {
	return to-from == 3 && v.punct(from+1, '-') && v.glued(from+1) && v.glued(from+2)
}

// vessel tells parts of the body that are called after who found them: "vein of
// Galen".
func (v *vocabulary) vessel(i int) bool {
	switch strings.ToLower(v.str(i)) {
	case "vein", "veins", "artery", "arteries", "sinus", "valve", "fold", "sphincter", "fossa", "ampulla", "islets", "area", "tubercle", "tail", "cistern", "lacuna", "nerve", "circle", "island", "organ", "trigone", "tract", "sign", "space", "lobe":
		return true
	}
	return false
}

// takesThing reports whether a name takes along the thing that is called after it:
// "By Fridericia formula", "Rome IV".
func (v *vocabulary) takesThing(t phi.Type, from, to int) bool {
	if t.Class() != phi.ClassName || to-from < 2 || v.likelyPerson(from) {
		return false
	}
	return v.ownThing(to-1) && v.entry(to-1).Surname < 48 || v.stuff(to-1) && v.onMaps(from, to-1) || v.code(to-1) && v.onMaps(from, to-1)
}

// by tells "By Lauren type this would be low risk": a name before a thing, where by
// means according to.
func (v *vocabulary) by(t phi.Type, from, to int) bool {
	return t.Class() == phi.ClassName && v.equal(from-1, "by") && !v.is(from-2, cueSeen|cueSigning) && to-from < 4 &&
		v.thingNoun(to) && v.follows(to) && !v.equal(to, "exam") && !v.equal(to, "examination")
}

// likelyPerson tells "John Smith" from "Jackson Pratt" and "Hunt Hess": a full
// name is rarely an eponym.
func (v *vocabulary) likelyPerson(from int) bool {
	first := v.entry(from)
	return first.First > 84 && int(first.First)-int(first.Surname) > 20
}

// onlyClinical reports whether every word of a span is clinical and hardly a
// name.
func (v *vocabulary) onlyClinical(from, to int) bool {
	for i := from; i < to; i++ {
		if v.number(i) {
			return false
		}
		if !v.word(i) {
			continue
		}
		e := v.entry(i)
		if !e.Is(eitherClinical) || v.odds(i) > 0 || e.Is(lexicon.City|lexicon.State|lexicon.Country) && max(e.Common, e.Capital) < 40 {
			return false
		}
	}
	return true
}
