package address

import (
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/rules/label"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// zip appends the postal code at number i, with the town and the state before it, and
// returns the token behind it, or 0.
func (f *finder) zip(i int) int {
	if f.Glued(i) && f.Mark(i-1) != ',' && f.Mark(i-1) != '.' {
		return 0
	}
	end := f.plusFour(i)
	if f.continues(end) || f.Here(end) && f.In(end, measure|counted) {
		return 0
	}
	if st := f.stateBefore(i); st > 0 {
		f.place(st, i)
		return f.add(i, end, phi.Zip)
	}
	n := f.Digits(i)
	switch l := label.Before(f.View, i); {
	case l.Kind == label.Zip && n >= 4 && n <= 6:
		return f.add(i, end, phi.Zip)
	case l.Kind == label.None && n == 5 && end > i+1 && f.Digits(i+2) == 4:
		return f.add(i, end, phi.Zip)
	case n == 5 && f.afterStreet(i):
		if town := f.Back(i, ",") + 1; f.Back(town-1, ",") >= f.last {
			f.place(i, i)
		}
		return f.add(i, end, phi.Zip)
	}
	return 0
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

// widest is how many bytes may be between a state and its code.
const widest = 4

// stateBefore returns the token of the state whose postal code is number i, or 0. Short
// forms are in capitals, or behind a comma, and behind a name.
func (f *finder) stateBefore(i int) int {
	st := f.Back(i, ",.-")
	if n := f.Digits(i); !f.Has(st) || n != 5 && !(n == 4 && f.In(st, australia)) || !f.In(st, state|second) || !f.Here(i) && f.Mark(i-1) != ',' || f.Tokens[i].Start-f.Tokens[st].End > widest {
		return 0
	}
	comma := f.Mark(st-1) == ','
	switch long := len(f.Str(st)) > 3; {
	case f.In(st, second) && !f.In(st, state) && !f.In(st-1, firstOfState):
		return 0
	case f.Case(st) == text.Lower:
		if !comma || f.In(st, measure) {
			return 0
		}
	case !long && f.Case(st) != text.Upper && !comma:
		return 0
	case !long && !comma && !f.Capital(st-1) && f.last != st:
		return 0
	case !long && label.At(f.View, st) != label.None && !f.afterStreet(st):
		return 0
	}
	return st
}

// afterStreet reports whether nothing but up to three words in capitals and commas is
// between the street that was found last and token i.
func (f *finder) afterStreet(i int) bool {
	if len(f.dst) == 0 || f.dst[len(f.dst)-1].Type != phi.Street || f.last == 0 || i > f.last+6 {
		return false
	}
	count := 0
	for j := f.last; j < i; j++ {
		switch c := f.Mark(j); {
		case c == ',' || c == '.' && f.Glued(j):
		case f.Capital(j) && (j == f.last || !f.OpensLine(j) || f.Mark(j-1) == ',' || f.last == j):
			count++
		default:
			return false
		}
	}
	return count <= 3
}

// place appends the state at token st, before a code at token code, and the town before it:
// words in capitals between a street, a comma or the line's beginning and the state. Where
// there is no state, st is the code.
func (f *finder) place(st, code int) {
	from := st
	if f.In(st, second) && f.In(st-1, firstOfState) {
		from--
	}
	town := f.Back(from, ",.") + 1
	begin := town
	for begin > f.last && begin > town-4 && f.Word(begin-1) && f.Capital(begin-1) && (begin == town || !f.OpensLine(begin)) {
		begin--
	}
	bounded := begin == f.last && begin > 0 || f.Mark(begin-1) == ',' || f.OpensLine(begin)
	if begin < town && bounded && town-begin <= 3 && !f.announced(begin) {
		f.add(begin, town, phi.City)
	}
	if st < code && from >= f.last {
		f.add(from, st+1, phi.State)
	}
}

// announced reports whether word i is a label, as in "Medical record OK 12345".
func (f *finder) announced(i int) bool { return label.Announces(f.View, i) }

// letters returns the token behind the British or Canadian code whose first letters are word
// i: "SW1A 2AA", "K1A 0B1"; 0 if there is none.
func (f *finder) letters(i int) int {
	if f.Case(i) != text.Upper || f.Glued(i) && f.Mark(i-1) == 0 || !f.Number(i+1) || !f.Glued(i+1) || len(f.Str(i)) > 2 {
		return 0
	}
	j := i + 2
	if f.Glued(j) && f.Letter(j) {
		j++
	}
	if !f.Here(j) || f.Digits(j) != 1 || f.Glued(j) && j == i+2 || !f.Word(j+1) || !f.Glued(j+1) || f.Case(j+1) != text.Upper {
		return 0
	}
	inward := f.Str(j + 1)
	switch {
	case len(inward) == 2 && !f.Glued(j) && f.In(i, postcodeArea) && f.Digits(i+1) <= 2 && !strings.ContainsAny(inward, "CIKMOV"):
		if f.continues(j + 2) {
			return 0
		}
		return j + 2
	case len(inward) == 1 && f.Spaced(j) && j == i+3 && len(f.Str(i)) == 1 && f.Digits(i+1) == 1 && f.Digits(j+2) == 1 && f.Glued(j+2) &&
		!strings.ContainsAny(f.Str(i)+f.Str(i+2)+inward, "DFIOQU"):
		if f.continues(j + 3) {
			return 0
		}
		return j + 3
	}
	return 0
}
