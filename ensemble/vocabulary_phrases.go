package ensemble

import (
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// clinicalName reports whether a span lies within a clinical name of the lexicon's
// vocabulary: "Whipple" in "Whipple procedure", "May" in "May-Thurner syndrome". A
// single word, "Lovenox", is asked more: it is one for which only learned members
// voted, or that is rarely a name.
func (v *vocabulary) clinicalName(s phi.Span, learned phi.Votes) bool {
	from, to := v.tokensOf(s)
	if from == to || to-from > 2*lexicon.LongestPhrase {
		return false
	}
	if to-from == 2 && v.is(from, cueArticle) {
		from++ // "the Shewanella"
	}
	if v.titled(from) || v.travelled(from) {
		return false
	}
	if v.inPhrase(from, to) {
		return true
	}
	if to != from+1 || !v.word(from) || v.addressed(from) {
		return false
	}
	if c := s.Type.Class(); c != phi.ClassName && c != phi.ClassLocation || s.Type == phi.Username {
		return false
	}
	if v.punct(from-1, '/') || v.punct(to, '/') {
		return false // "RN/OSA": initials of who signs
	}
	e := v.entry(from)
	if name := max(e.Surname, e.First); name >= 64 || name >= 24 && !v.shouted(from) {
		return false // ANA is a test, and Ana a patient
	}
	if s.By&^learned != 0 && (v.odds(from) > 0 || s.End-s.Start <= longestAbbreviation) {
		return false
	}
	return lexicon.ClinicalPhrases().Word(lexicon.Fold(v.str(from)))
}

// shouted reports whether word i alone is in capitals, as abbreviations are: "had JIA
// since", where Jia may be a patient.
func (v *vocabulary) shouted(i int) bool {
	return v.caseOf(i) == Upper && (v.inLower(i-1) || v.inLower(i+1))
}

// titled reports whether a title, or the given name of somebody, stands before token
// i, or who saw the patient.
func (v *vocabulary) titled(i int) bool {
	if v.is(v.back(i, "."), cueDoctorTitle|cuePersonTitle) || v.is(i-1, cueBy) && v.is(i-2, cueSeen|cueSigning) {
		return true
	}
	return v.follows(i) && v.title(i-1) && v.spaced(i) && v.likelyPerson(i-1) && v.odds(i-1) > 0
}

// travelled tells a place where somebody went, lives, or comes from: "moved to Kansas".
func (v *vocabulary) travelled(i int) bool {
	return (v.equal(i-1, "to") || v.equal(i-1, "in") || v.equal(i-1, "from") || v.equal(i-1, "near")) && travels[strings.ToLower(v.str(i-2))]
}

var travels = wordSet(`moved moving moves flew flies went goes going travelled traveled travels travel trip drove drives returned returning
came comes coming lives lived living resides resided born raised grew relocated visited visiting works worked family friends`)

// inPhrase reports whether the tokens [from, to) lie within a phrase.
func (v *vocabulary) inPhrase(from, to int) bool {
	var words [lexicon.LongestPhrase]string
	var ends [lexicon.LongestPhrase]int
	steps := 0
	for start := from; start >= 0 && steps < lexicon.LongestPhrase; start-- {
		if v.word(start) || v.number(start) {
			steps++
			n := v.phraseWords(start, words[:], ends[:])
			m := lexicon.ClinicalPhrases().Match(words[:n])
			if m > 0 && m <= n && v.covers(start, from, to, ends[m-1]) { //nolint:gosec // a match has at most n words
				return true
			}
		}
		if !v.follows(start) || v.stops(start-1) {
			return false
		}
	}
	return false
}

// covers reports whether a phrase of the tokens [start, end) makes [from, to) a part of
// a clinical name.
func (v *vocabulary) covers(start, from, to, end int) bool {
	return end >= to && (start == from || !v.titled(start)) && !v.reported(end) && !v.owned(to, end)
}

// phraseWords collects words from token i on as [lexicon.PhraseWords] does, and the
// token after each.
func (v *vocabulary) phraseWords(i int, words []string, ends []int) (n int) {
	for first := i; n < len(words) && v.has(i); i++ {
		if i > first && !v.follows(i) {
			return n
		}
		switch {
		case v.apostrophe(i):
			if v.equal(i+1, "s") && v.glued(i+1) {
				i++
			}
		case v.word(i), v.number(i):
			words[n], ends[n] = lexicon.Fold(v.str(i)), i+1
			n++
		case v.punct(i, '&'):
			words[n], ends[n] = "and", i+1
			n++
		case v.stops(i):
			return n
		}
	}
	return n
}

// stops reports whether no phrase goes on over a mark: over any but those that join
// words.
func (v *vocabulary) stops(i int) bool {
	return v.has(i) && v.tokens[i].Kind == Punct && !v.apostrophe(i) &&
		!v.punct(i, '-') && !v.punct(i, '/') && !v.punct(i, '&') && !v.punct(i, '.') && v.str(i) != "–"
}

// reported tells "Allen's test results", which may be those of a patient.
func (v *vocabulary) reported(i int) bool {
	return v.equal(i, "result") || v.equal(i, "results") || v.equal(i, "called") || v.equal(i, "asked")
}

// owned tells what patients have and undergo, behind a possessive: "Miller's
// hysterectomy", "Jackson's drain".
func (v *vocabulary) owned(to, end int) bool {
	return v.apostrophe(to) && v.equal(to+1, "s") && end == to+3 && belongings[strings.TrimSuffix(strings.ToLower(v.str(to+2)), "s")]
}

var belongings = wordSet(`drain tube catheter brace splint prosthesi cannula stent balloon sling collar pump bandage
dressing wire pin nail screw plate suture lamp frame amputation operation repair graft flap hysterectomy procedure resection
bypass shunt pouch fusion gastrectomy surgery closure scan milk culture smear assessment trial survey
questionnaire checklist profile disorder calculator regimen category battery schedule`)
