package ensemble

import (
	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// cityState finds "Flint, MI" and "St. Louis, Missouri" from the town's first
// word.
func (f *placeFinder) cityState(i int) {
	end := f.townWords(i)
	if end == i || !f.punct(end, ',') || !f.follows(end+1) {
		return
	}
	n := f.stateAt(end + 1)
	if n == 0 || f.punct(end+2, '-') && f.glued(end+2) || n == 1 && !f.sureState(end+1) && f.capital(i-1) && f.follows(i) {
		return // "Betty Ross, PA-C"
	}
	e, _ := f.phrase(i, end)
	if n == 1 && len(f.str(end+1)) == 2 && !e.Is(lexicon.City|lexicon.County) && !f.sureState(end+1) {
		return
	}
	f.add(i, end, phi.City)
	f.add(end+1, end+1+n, phi.State)
}

// townWords returns the end of a run of up to four words with capitals: the town
// before a comma and a state.
func (f *placeFinder) townWords(i int) int {
	end := i
	for end < i+4 && f.capital(end) && !f.stops(end) {
		end++
		if f.punct(end, '.') && f.glued(end) && len(f.str(end-1)) <= 2 {
			end++
		}
		if !f.follows(end) {
			break
		}
	}
	return end
}

// stateAt returns how many tokens the state's name at i takes, 0 for none.
func (f *placeFinder) stateAt(i int) int {
	for n := 2; n >= 1; n-- {
		if !f.run(i, n) {
			continue
		}
		e, ok := f.phrase(i, i+n)
		if ok && e.Is(lexicon.State|lexicon.Country) && (n > 1 || len(f.str(i)) > 3 || f.caseOf(i) == Upper) {
			return n
		}
	}
	return 0
}

// sureState tells an abbreviation that can hardly be anything else here: a ZIP
// code follows, or it is no credential and no word.
func (f *placeFinder) sureState(i int) bool {
	if f.number(i+1) && len(f.str(i+1)) == 5 {
		return true
	}
	switch f.str(i) {
	case "MD", "PA", "MA", "OR", "IN", "ME", "OK", "HI", "CO", "DE", "AL", "LA", "MS", "MT", "NE", "ND", "VA", "ID", "DC", "SC", "CT", "PR":
		return false
	}
	return true
}
