package address

import (
	"regexp"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/rules/label"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// zip appends the postal code at number i, with the town and the state before it, and returns the token behind it,
// or 0.
func (f *finder) zip(i int) int {
	if f.Glued(i) && f.Mark(i-1) != ',' && f.Mark(i-1) != '.' {
		return 0
	}
	end := f.plusFour(i)
	if f.continues(end) || f.Here(end) && f.In(end, measure|counted) {
		return 0
	}
	st := f.stateBefore(i)
	switch {
	case st > 0:
		f.place(st)
	case !f.announced(i, end):
		return 0
	}
	return f.Add(i, end, phi.Zip)
}

// announced reports whether the word "zip" is before the code, the tokens [i, end), or it has the form of ZIP+4 and
// nothing else is announced.
func (f *finder) announced(i, end int) bool {
	n, kind := f.Digits(i), label.Before(f.View, i).Kind
	return kind == label.Zip && n >= 4 && n <= 6 || kind == label.None && end > i+1
}

// plusFour returns the token behind the code at number i, with the four digits of ZIP+4.
func (f *finder) plusFour(i int) int {
	if f.Digits(i) == 5 && f.Mark(i+1) == '-' && f.Joins(i+1) && f.Digits(i+2) == 4 {
		return i + 3
	}
	return i + 1
}

// continues reports whether what is before token i goes on as a longer number or a word.
func (f *finder) continues(i int) bool {
	if !f.Glued(i) {
		return false
	}
	c := f.Mark(i)
	return f.Number(i) || f.Word(i) && f.Case(i) != text.Title || (c == '-' || c == '/' || c == '.') && f.Tight(i) && f.Number(i+1)
}

// widest is how many bytes may be between a state and its code: columns of a table are further apart.
const widest = 4

// stateBefore returns the token of the state whose postal code is number i, or 0. Short forms are in capitals, or
// behind a comma, and behind a name.
func (f *finder) stateBefore(i int) int {
	st, n := f.Back(i, ",.-"), f.Digits(i)
	if n != 5 && !(n == 4 && f.In(st, australia)) || !f.In(st, state) || !f.Here(i) || f.Tokens[i].Start-f.Tokens[st].End > widest {
		return 0
	}
	comma := f.Mark(st-1) == ','
	switch short := len(f.Str(st)) <= 3; {
	case f.Case(st) == text.Lower && !comma:
		return 0
	case short && !comma && (f.Case(st) != text.Upper || !f.Capital(st-1) && f.Last != st):
		return 0
	case short && label.At(f.View, st) != label.None:
		return 0
	}
	return st
}

// mostTown is how many words the name of a town has at most.
const mostTown = 3

// place appends the state at token st, which has a code behind it, and the town before it: words in capitals between
// a street, a comma or the line's beginning and the state.
func (f *finder) place(st int) {
	town := f.Back(st, ",.") + 1
	begin := town
	for begin > f.Last && begin >= town-mostTown && f.Capital(begin-1) && (begin == town || !f.OpensLine(begin)) {
		begin--
	}
	bounded := begin == f.Last && begin > 0 || f.Mark(begin-1) == ',' || f.OpensLine(begin)
	if begin < town && bounded && town-begin <= mostTown && !label.Announces(f.View, begin) {
		f.Add(begin, town, phi.City)
	}
	if st >= f.Last {
		f.Add(st, st+1, phi.State)
	}
}

// The forms of British and Canadian postal codes.
var (
	british  = regexp.MustCompile(`^[A-Z]{1,2}[0-9][A-Z0-9]? [0-9][ABD-HJLNP-UW-Z]{2}`)
	canadian = regexp.MustCompile(`^[ABCEGHJ-NPRSTVXY][0-9][ABCEGHJ-NPRSTV-Z] [0-9][ABCEGHJ-NPRSTV-Z][0-9]`)
)

// longestCode is the length of the longest British code.
const longestCode = len("SW1A 2AA")

// letters returns the token behind the British or Canadian code whose first letters are word i: "SW1A 2AA",
// "K1A 0B1"; 0 if there is none.
func (f *finder) letters(i int) int {
	if f.Case(i) != text.Upper || f.Glued(i) && f.Mark(i-1) == 0 || !f.Number(i+1) || !f.Glued(i+1) || len(f.Str(i)) > 2 {
		return 0
	}
	start := f.Tokens[i].Start
	s := f.Text[start:min(start+longestCode, len(f.Text))]
	n := len(canadian.FindString(s))
	if n == 0 && f.In(i, postcodeArea) {
		n = len(british.FindString(s))
	}
	for end := i + 1; n > 0 && f.Has(end-1) && f.Tokens[end-1].End <= start+n; end++ {
		if f.Tokens[end-1].End == start+n && !f.continues(end) {
			return end
		}
	}
	return 0
}
