package ensemble

import (
	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// initialsPair tells the dictator's and typist's initials, "JCS/abc", that stand
// alone in a line or after a credential.
func (f *nameFinder) initialsPair(i int) bool {
	if !f.glued(i) || !f.glued(i+1) || !f.word(i-1) || !f.word(i+1) {
		return false
	}
	a, b := f.str(i-1), f.str(i+1)
	if len(a) < 2 || len(a) > 4 || len(b) < 2 || len(b) > 4 || f.caseOf(i-1) != Upper || f.caseOf(i+1) == Title {
		return false
	}
	if b == "hpf" || b == "lpf" {
		return false // "2-5 WBC/hpf", cells in a microscope's field
	}
	if f.number(i-2) && (f.punct(i-3, '/') || f.punct(i-3, '-') || f.punct(i-3, '.')) && f.spaced(i-1) && f.endsLine(i+2) && f.inLower(i+1) {
		return true // "T: 8/27/17 LA/hs"
	}
	if f.number(i-2) && f.spaced(i-1) && f.endsLine(i+2) && !f.entry(i-1).Is(lexicon.Clinical) && !f.entry(i+1).Is(lexicon.Clinical) { // "T: 02/26/2024 GYH/ee"
		return true
	}
	if f.opensLine(i-1) && f.punct(i+2, ':') && f.number(i+3) && f.glued(i+3) { // "RFD/WK:61039"
		return true
	}
	alone := f.opensLine(i-1) && (f.endsLine(i+2) || f.equal(i+2, "D") || f.equal(i+2, "dd") || f.equal(i+2, "job"))
	return alone && !f.entry(i-1).Is(clinicalOnly) && f.entry(i-1).Common == 0
}

// initialsColon tells the dictator's and typist's initials of "AS:le 2021-09-30":
// a date follows, or the line ends.
func (f *nameFinder) initialsColon(i int) bool {
	a, b := i-1, i+1
	if !f.glued(i) || !f.glued(b) || !f.word(b) || f.glued(a) || f.caseOf(a) != Upper || f.caseOf(b) == Title {
		return false
	}
	n, m := len(f.str(a)), len(f.str(b))
	if n < 2 || n > 3 || m < 2 || m > 3 || !f.begins(a) {
		return false
	}
	return f.endsLine(b+1) || f.number(b+1) && f.spaced(b+1)
}

// bracketed finds initials that close a line of a message: "needs appt. (DK)".
func (f *nameFinder) bracketed(i int) {
	n := len(f.str(i))
	if n < 2 || n > 3 || f.caseOf(i) != Upper || !f.punct(i-1, '(') || !f.punct(i+1, ')') || !f.endsLine(i+2) || f.roles(i) != 0 {
		return
	}
	if (f.punct(i-2, '.') || f.opensLine(i-1)) && (n == 2 || f.entry(i) == (lexicon.Entry{})) {
		f.add(i, i+1, phi.Username, guess)
	}
}

// signOff finds initials that end a line behind a sentence, or the note: "call
// light in reach. jp", "Thanks -- MA".
func (f *nameFinder) signOff(i int) {
	n := len(f.str(i))
	if n < 2 || n > 3 || f.caseOf(i) == Title || !f.endsLine(i+1) && !f.dashed(i) || f.roles(i)&^cueWeakCred != 0 {
		return
	}
	p := i - 1
	if f.punct(p, '-') && f.glued(i) && f.spaced(p) && f.entry(i).Common < 24 { // "-gyh"
		f.add(i, i+1, phi.Username, guess)
		return
	}
	behind := f.number(p) && len(f.str(p)) > 3 && f.caseOf(i) == Upper && !f.entry(i).Is(lexicon.Clinical) || f.punct(p, '.') && f.spaced(i) && !f.opensLine(i) || f.punct(p, '-') && f.punct(p-1, '-')
	last := i+1 == len(f.tokens) && f.opensLine(i)
	if n == 3 && f.caseOf(i) == Upper && f.entry(i).Is(lexicon.Clinical) {
		return
	}
	if behind && (f.entry(i).Common == 0 || f.punct(p, '-')) && !f.entry(i).Is(lexicon.Month) || last && f.entry(i).Common < 24 {
		f.add(i, i+1, phi.Username, guess)
	}
}

// dashed tells initials between a dash that begins a line and a date: "-AC
// 12/20/2016".
func (f *nameFinder) dashed(i int) bool {
	return f.punct(i-1, '-') && f.glued(i) && f.opensLine(i-1) && f.number(i+1) && f.spaced(i+1)
}

// initialsAfter finds the initials in "verified tp.": two or three letters at the
// end of a sentence that are no word.
func (f *nameFinder) initialsAfter(i int) {
	j := i + 1
	if f.word(j) && f.follows(j) && (f.endsLine(j+1) || f.punct(j+1, '.')) && len(f.str(j)) <= 3 {
		f.initialsAt(j)
	}
}

// initialsAt takes token j for somebody's initials if it can be nothing else.
func (f *nameFinder) initialsAt(j int) {
	n := len(f.str(j))
	if !f.word(j) || n < 2 || n > 4 || f.caseOf(j) == Title || f.entry(j).Common > 48 || f.is(j, cueStop|cueCredential) || n > 2 && f.caseOf(j) == Upper && f.entry(j).Is(lexicon.Clinical) {
		return
	}
	f.spans = append(f.spans, f.span(j, j+1, phi.Username))
}

// login finds a user name beside a person's: "(zded07)", "| ecof22 |".
func (f *nameFinder) login(i int) {
	n := len(f.str(i))
	if n < 3 || n > 8 || !f.inLower(i) || !f.number(i+1) || !f.glued(i+1) || f.glued(i+2) && !f.punct(i+2, ')') {
		return
	}
	open := f.punct(i-1, '(') && f.punct(i+2, ')') || f.punct(i-1, '|') && f.punct(i+2, '|')
	if open && f.capital(i-2) && f.entry(i).Common == 0 && !f.entry(i).Is(lexicon.Clinical) && len(f.str(i+1)) <= 4 {
		f.add(i, i+2, phi.Username, guess)
	}
}
