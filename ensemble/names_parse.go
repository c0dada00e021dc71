package ensemble

import "github.com/pgdeid/pgdeid/ensemble/lexicon"

// maxNameWords bounds a name: "Maria del Carmen Lopez Garcia" has four words
// without its particles.
const maxNameWords = 4

// fits reports whether word i can begin a name, given how firm its cue is.
func (f *nameFinder) fits(i int, how trust) bool {
	if !f.word(i) || f.is(i, cueStop) || how < firm && f.is(i, cueStreet) || f.glued(i) && f.number(i-1) {
		return false
	}
	e, odds := f.entry(i), f.odds(i)
	borne := max(e.Surname, e.First)
	if f.caseOf(i) == Lower {
		return f.fitsLower(i, how, int(borne), odds)
	}
	switch how {
	case firm:
		if borne == 0 {
			return e.Common < 24 && e.Capital < 40
		}
		return odds > -60
	case hint:
		if borne == 0 {
			return f.unknown(i) && f.caseOf(i) == Title
		}
		return odds > 8 && !(e.Is(eitherClinical) && odds < 40)
	default:
		return borne >= 30 && odds > 24
	}
}

func (f *nameFinder) fitsLower(i int, how trust, borne, odds int) bool {
	switch how {
	case firm:
		return borne > 0 && odds > 16 || f.unknown(i) && len(f.str(i)) > 3
	case hint:
		return borne >= 64 && odds > 60 && f.entry(i).Common == 0
	default:
		return false
	}
}

// goesOn reports whether word i can be a further part of a name that began in
// the given case.
func (f *nameFinder) goesOn(i int, how trust, began Case) bool {
	if f.word(i) && f.caseOf(i) == Upper && f.surnameAfterFirst(i, how) {
		return true
	}
	if !f.word(i) || f.is(i, cueStop|cueStreet|cueKin|cueFacility|cueEponymNoun|cueSubjectVerb) {
		return false
	}
	c := f.caseOf(i)
	if began == Lower {
		if how >= hint && f.entry(i).Common == 0 && f.roles(i) == 0 && !f.entry(i).Is(lexicon.Clinical) {
			return c == Lower && (f.entry(i).Surname >= 40 || f.unknown(i))
		}
		return c == Lower && f.entry(i).Surname >= 70 && f.odds(i) > 60
	}
	if c == Lower || began != Upper && c == Upper && !f.letter(i) {
		return false
	}
	e, odds := f.entry(i), f.odds(i)
	switch {
	case f.is(i, cueCredential) && c == Upper, e.Is(calendarWord) && odds < 0:
		return false
	case f.surnameAfterFirst(i, how):
		return true
	case e.Is(clinicalOnly) && odds < 24:
		return false
	case max(e.Surname, e.First) == 0:
		return f.unknown(i)
	case how == firm:
		return odds > -20
	default:
		return odds > 8
	}
}

// surnameAfterFirst tells a word that is a surname because a first name beyond
// doubt stands before it: "Dr. Angelica Crohn", "Eusebio Coffee, MD".
func (f *nameFinder) surnameAfterFirst(i int, how trust) bool {
	first := f.entry(i - 1)
	if f.caseOf(i) == Upper {
		return f.plainSurname(i) && f.caseOf(i-1) == Upper && first.First >= 84 && f.odds(i-1) > 60
	}
	if !f.title(i) || !f.title(i-1) || first.First < 40 || f.odds(i-1) < 40 || f.roles(i) != 0 {
		return false
	}
	if how == firm && (f.entry(i).Common < 32 || f.sureFirst(i-1) && !f.entry(i).Is(clinicalOnly) && (!f.inLower(i+1) || f.is(i+1, cueStop|cueSubjectVerb))) {
		return true // "Dr. Henry Seven |"
	}
	if f.entry(i).Surname < 32 {
		return false
	}
	if how == guess {
		if first.First >= 84 && f.odds(i-1) > 60 && f.is(i-2, cueWith|cueBy|cueFrom) && !f.entry(i).Is(lexicon.Org) && !f.eponymNounNear(i+1) {
			return true // "sent home with Amanda Hand"
		}
		if f.endsLine(i+1) && first.First >= 84 && f.entry(i).Surname >= 56 && f.entry(i).Common < 112 && !f.entry(i).Is(eitherClinical) {
			return true // a line such as "2024-02-26 - Grace Weeks"
		}
		return first.First >= 84 && f.odds(i-1) > 60 && f.entry(i).Common < 64 && !f.entry(i).Is(lexicon.Clinical|lexicon.Org) && !f.eponymNounNear(i+1)
	}
	return f.entry(i).Common < 100
}

// sureFirst tells a first name that is hardly anything else.
func (f *nameFinder) sureFirst(i int) bool { return f.entry(i).First >= 84 && f.odds(i) > 60 }

// plainSurname tells a surname that is also a word, "White" or "Chambers", for
// texts without two cases: it is borne by many and not too frequent as a word.
func (f *nameFinder) plainSurname(i int) bool {
	e := f.entry(i)
	return f.roles(i)&^cueStreet == 0 && !e.Is(clinicalOnly|lexicon.State) && f.follows(i) && !f.eponymNounNear(i+1) &&
		(e.Surname >= 72 && e.Common < 72 || e.Surname >= 100 && e.Common < 108)
}

// eponymNounNear reports whether token i, or the one after it, makes an eponym of
// what stands before.
func (f *nameFinder) eponymNounNear(i int) bool {
	return f.is(i, cueEponymNoun) || f.is(i+1, cueEponymNoun)
}

// parse reads a name that begins at token i and returns the token after it, or i.
func (f *nameFinder) parse(i int, how trust) int {
	if !f.has(i) {
		return i
	}
	end, words, began := i, 0, Lower
	for j := i; words < maxNameWords; {
		next, full := f.part(j, how, words > 0, began)
		if next == j {
			break
		}
		if full {
			if words == 0 {
				began = f.caseOf(j)
			}
			words++
		}
		end, j = next, next
		if k := f.petName(j); k > j && words == 1 {
			end, j = k, k
		}
		if !f.has(j) || !f.follows(j) && !f.wraps(j, how) {
			break
		}
	}
	if words == 0 && (how < firm || end == i) {
		return i
	}
	return f.suffix(end)
}

// part reads a word of a name with what is tied to it; full is false for
// initials and particles.
func (f *nameFinder) part(j int, how trust, later bool, began Case) (end int, full bool) {
	switch {
	case f.letter(j) && f.apostrophe(j+1) && f.glued(j+1) && f.glued(j+2) && f.word(j+2) && len(f.str(j+2)) > 1: // O'Brien
		return f.hyphens(j + 3), true
	case f.letter(j):
		return f.initials(j, how, later), false
	case f.particle(j) && f.punct(j+1, '-') && f.glued(j+1) && f.glued(j+2): // "Al-Chua"
		return f.hyphens(j + 1), true
	case f.particle(j):
		return j + 1, false
	case later && f.goesOn(j, how, began), !later && f.fits(j, how):
		return f.hyphens(j + 1), true
	}
	return j, false
}

// particle tells "van" before another word with a capital.
func (f *nameFinder) particle(j int) bool {
	if !f.is(j, cueParticle) || !f.follows(j+1) {
		return false
	}
	k := j + 1
	if f.is(k, cueParticle) {
		k++
	}
	if f.punct(k, '-') || f.apostrophe(k) {
		k++
	}
	return f.title(k) && !f.is(k, cueStop|cueFacility) && (f.entry(k).Surname > 0 || f.unknown(k))
}

// initials reads "J.", "W.B." or a bare "W". At the end of a name a bare letter
// counts only if nothing hangs on it.
func (f *nameFinder) initials(j int, how trust, later bool) int {
	end := j
	if later && f.punct(j+1, '.') && dottedCredentials[f.str(j)+f.str(j+2)] {
		return j
	}
	for f.letter(end) && (end == j || f.glued(end)) {
		if !f.punct(end+1, '.') || !f.glued(end+1) {
			if !later && how < firm && !f.title(end+1) || f.glued(end+1) && !f.punct(end+1, ',') && !f.punct(end+1, ')') {
				return j
			}
			return end + 1
		}
		end += 2
	}
	if how == firm && !later && !(f.title(end) && f.follows(end) && f.fits(end, hint)) {
		return end - 1 // "Dr. X." ends a sentence
	}
	if how < firm && !later && !f.surnameAt(end) {
		return j
	}
	if later && !f.surnameAt(end) && f.punct(end-1, '.') && how < firm && f.title(end) && !f.is(end, cueCredential|cueWeakCred) {
		return j
	}
	return end
}

// surnameAt tells a word that is likely a surname with a capital.
func (f *nameFinder) surnameAt(i int) bool {
	return f.title(i) && f.follows(i) && (f.entry(i).Surname > 0 && f.odds(i) > 8 || f.unknown(i) && len(f.str(i)) > 3)
}
