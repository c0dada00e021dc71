package ensemble

import (
	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// regime tells how a note uses capitals, on which most rules rely.
type regime uint8

const (
	bothCases regime = iota
	onlyLower
	onlyUpper
)

// leastWords is how many words of three letters or more a note must have for its
// cases to tell a habit.
const leastWords = 12

// regime looks at the words of three letters or more: where hardly any has a
// capital, or nearly all are in capitals, the note knows one case only.
func (r *reading) regime() regime {
	lower, upper, all := 0, 0, 0
	for _, t := range r.tokens {
		if t.Kind != Word || t.End-t.Start < 3 {
			continue
		}
		all++
		switch t.Case {
		case Lower:
			lower++
		case Upper:
			upper++
		}
	}
	switch {
	case all < leastWords:
		return bothCases
	case lower*100 >= all*97:
		return onlyLower
	case upper*100 >= all*90:
		return onlyUpper
	}
	return bothCases
}

// oneCase finds names in notes that know no second case, where a word is a name
// only if it is never met as anything else: "spoke to rosenberg", "JANE WAS SEEN".
func (f *nameFinder) oneCase(i int) {
	if i < f.done || !f.onlyName(i) || f.is(i-1, cueArticle|cuePlaceTop) || f.glued(i) && f.word(i-1) || f.glued(i+1) && f.punct(i+1, '-') {
		return
	}
	end := i + 1
	for end < i+3 && f.word(end) && f.follows(end) && f.spaced(end) && f.roles(end)&^cueParticle == 0 && (f.onlyName(end) || f.nameInside(end)) {
		end++
	}
	e := f.entry(i)
	if end == i+1 && (e.First < 84 && e.Surname < 80 || e.Is(lexicon.City) && e.First < 104) {
		return
	}
	if f.is(end, cueEponymNoun|cueFacility|cueFacilityIn|cueCompany|cueDose|cueStreet) || f.is(end+1, cueEponymNoun) || f.number(end) && !f.opensLine(end) {
		return
	}
	f.add(i, end, f.role(i, end), hint)
}

// onlyName tells a name that is neither word nor drug nor eponym.
func (f *nameFinder) onlyName(i int) bool {
	e := f.entry(i)
	return f.word(i) && len(f.str(i)) > 2 && f.roles(i) == 0 && max(e.First, e.Surname) >= 48 && max(e.Common, e.Capital) == 0 &&
		!e.Is(eitherClinical|clinicalOnly|calendarWord|lexicon.State|lexicon.Country|lexicon.BigCity|lexicon.Job)
}

// nameInside tells a word that goes on a name in one case: borne by many, or
// unheard of and spelt like a name.
func (f *nameFinder) nameInside(i int) bool {
	e := f.entry(i)
	if e == (lexicon.Entry{}) {
		return len(f.str(i)) > 3 && lexicon.Likeness(f.str(i)) >= likely
	}
	return e.Surname >= 32 && f.odds(i) > 24 && !e.Is(lexicon.Clinical)
}

// oneCase finds towns, states and countries in notes that know no second case.
func (f *placeFinder) oneCase(i int) {
	if i < f.done || f.roles(i)&^(cuePlaceTop|cueParticle) != 0 || len(f.str(i)) < 4 && !f.is(i, cuePlaceTop|cueParticle) {
		return
	}
	for n := 3; n >= 1; n-- {
		if !f.words(i, n) {
			continue
		}
		e, ok := f.phrase(i, i+n)
		if !ok || !e.Is(lexicon.City|lexicon.State|lexicon.Country) || f.is(i+n, cueFacility|cueFacilityIn|cueCompany|cueEponymNoun|cueStreet) {
			continue
		}
		if t, ok := f.placeInOneCase(i, n, e); ok {
			f.add(i, i+n, t)
			return
		}
	}
}

func (f *placeFinder) placeInOneCase(i, n int, e lexicon.Entry) (phi.Type, bool) {
	if n > 1 {
		rare := false
		for j := i; j < i+n; j++ {
			w := f.entry(j)
			rare = rare || max(w.Common, w.Capital) < 16 && !w.Is(eitherClinical) && !f.is(j, cuePlaceTop|cueParticle|cueGeo)
		}
		switch {
		case e.Is(lexicon.State) && !e.Is(lexicon.City):
			return phi.State, true
		case e.Is(lexicon.Country):
			return phi.Country, !f.equal(i, "united") || f.dwelling(i)
		}
		return phi.City, rare
	}
	other, borne := max(e.Common, e.Capital), max(e.Surname, e.First)
	placed := f.is(i-1, cuePlacePrep|cueFrom) && other < 16
	if e.Is(eitherClinical|clinicalOnly) || other > 0 && !placed || borne >= 64 && !placed || borne >= 90 {
		return phi.None, false
	}
	switch {
	case e.Is(lexicon.State):
		return phi.State, len(f.str(i)) > 3
	case e.Is(lexicon.Country):
		return phi.Country, !demonym(f.str(i))
	}
	return phi.City, e.Is(lexicon.BigCity) || placed || len(f.str(i)) > 6
}
