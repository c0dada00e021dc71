package ensemble

import (
	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// credential finds the name before "MD" or ", RN".
func (f *nameFinder) credential(i int) {
	if f.caseOf(i) == Lower && !f.punct(i-1, ',') && !f.endsLine(i+1) {
		return
	}
	if f.lineName(i) {
		return
	}
	if f.is(i, cueWeakCred) && (f.caseOf(i) == Lower || !f.punct(i-1, ',') && (!f.title(i-1) || !f.endsLine(i+1))) {
		return
	}
	f.nameBefore(i, f.is(i, cueWeakCred))
}

// lineName finds the name that fills a line with its credential, however strange:
// "Chaynitan Peshlakai, DO", "nolan z. vervefield, do".
func (f *nameFinder) lineName(i int) bool {
	if !f.endsLine(i+1) && !f.punct(i+1, ',') && !f.punct(i+1, '.') && !f.number(i+1) {
		return false
	}
	end := i
	if f.punct(end-1, ',') {
		end--
	}
	start := end
	words := 0
	for start > 0 && end-start < 9 {
		k := start - 1
		switch {
		case f.word(k):
			e := f.entry(k)
			if e.Common > 24 && len(f.str(k)) > 1 || f.is(k, cueStop|cueCredential|cueWeakCred) && len(f.str(k)) > 1 || e.Is(clinicalOnly) && f.odds(k) < 16 {
				return false
			}
			if len(f.str(k)) > 1 {
				words++
			}
		case !f.punct(k, '.') && !f.punct(k, '-') && !f.apostrophe(k):
			return false
		}
		start = k
		if f.opensLine(k) {
			break
		}
	}
	if !f.opensLine(start) || words < 2 || words > 4 {
		return false
	}
	f.add(start, end, phi.Doctor, hint)
	return true
}

// dottedCredential handles "M.D.", "R.N." and "Ph.D.": i is the first full stop.
func (f *nameFinder) dottedCredential(i int) {
	if !f.glued(i) || !f.glued(i+1) || !f.letter(i+1) || !f.capital(i-1) {
		return
	}
	if dottedCredentials[f.str(i-1)+f.str(i+1)] {
		f.nameBefore(i-1, f.str(i-1) == "P")
	}
}

// nameBefore finds the name that ends before the credential at token i. A weak
// credential, which may be something else, needs a first name and a surname.
func (f *nameFinder) nameBefore(i int, weak bool) {
	if f.opensLine(i) {
		return
	}
	end := i
	if f.punct(end-1, ',') {
		end--
	}
	start := end
	for start > 0 && end-start < 9 && f.follows(start) && f.namePiece(start-1) {
		start--
	}
	for ; start < end; start++ {
		if !f.word(start) || f.letter(start) && f.apostrophe(start-1) {
			continue
		}
		if f.parsesTo(start, end, weak) {
			f.add(start, end, phi.Doctor, firm)
			return
		}
	}
	f.plainBefore(end, weak)
}

// plainBefore finds the name before a credential whose surname is a word: "Anthony
// D. Loud, M.D.", for a first name or an initial stands before it.
func (f *nameFinder) plainBefore(end int, weak bool) {
	last := end - 1
	if weak || !f.title(last) || f.roles(last)&^cueStreet != 0 || f.entry(last).Is(lexicon.Org) {
		return
	}
	start := last
	for f.follows(start) && (f.letter(start-1) || f.punct(start-1, '.') && f.letter(start-2)) {
		start--
	}
	first := f.entry(start - 1)
	if f.follows(start) && f.title(start-1) && !f.is(start-1, cueStop) && (first.First >= 60 && f.odds(start-1) > 24 || start < last && f.unknown(start-1)) {
		f.add(start-1, end, phi.Doctor, hint)
	}
}

// namePiece tells a token that can stand inside a name.
func (f *nameFinder) namePiece(i int) bool {
	switch {
	case f.word(i):
		return f.letter(i) || f.capital(i) && !f.is(i, cueStop|cueDoctorTitle|cuePersonTitle) || f.is(i, cueParticle)
	case f.punct(i, '.'):
		return f.glued(i) && f.letter(i-1)
	case f.punct(i, '-'), f.apostrophe(i):
		return f.glued(i) && f.glued(i+1)
	case f.punct(i, ','):
		return f.entry(i-1).Surname >= 40 && f.odds(i-1) > 16 && f.entry(i+1).First >= 60
	}
	return false
}

func (f *nameFinder) parsesTo(start, end int, weak bool) bool {
	got := f.parse(start, hint)
	if got < end && f.punct(got, ',') {
		got = f.reversed(got, hint)
	}
	if f.letter(got) && (got+1 == end || got+2 == end && f.punct(got+1, '.')) && f.entry(start).First >= 40 {
		got = end // "Eusebio C."
	}
	if got != end {
		return false
	}
	if !weak {
		return true
	}
	if f.punct(end, ',') && f.strange(start) && f.strange(end-1) && end-start >= 2 {
		return true // "Olunionda Trelowell, DO"
	}
	return end-start >= 2 && f.entry(start).First >= 30 && f.odds(start) > 24
}
