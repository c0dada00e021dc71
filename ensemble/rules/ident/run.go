package ident

import (
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/rules/label"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// run is a code: letters, digits and marks without blanks, or groups one blank apart.
type run struct {
	end     int // the token behind it
	digits  int
	letters int
	longest int // the most digits in a row
	groups  int // of digits
	marks   string
}

// read reads the code without blanks at token i. A capitalised word, or a label, behind its
// digits belongs to what follows.
func (f *finder) read(i int) run {
	r := run{end: i}
	for k := i; k < i+text.LongestRun && f.Has(k) && (k == i || f.Glued(k)); k++ {
		switch c := f.Mark(k); {
		case f.Number(k):
			r.digits += f.Digits(k)
			r.longest = max(r.longest, f.Digits(k))
			r.groups++
			r.end = k + 1
		case f.Word(k):
			if r.digits > 0 && f.next(k) {
				return r
			}
			r.letters += len(f.Str(k))
			r.end = k + 1
		case k > i && f.Tight(k) && strings.IndexByte("-/._:", c) >= 0 && f.Mark(k+1) == 0:
			r.marks += string(c)
		default:
			return r
		}
	}
	return r
}

// next reports whether word k, glued to digits, is the name of the next field.
func (f *finder) next(k int) bool {
	return len(f.Str(k)) >= 3 && (f.Title(k) || f.Case(k) == text.Lower || label.At(f.View, k) != label.None)
}

// Bounds of groups that are one blank apart: "5 172 052", "XYZ 123 456".
const (
	mostGroups      = 5
	mostGroupDigits = 5
	mostDigits      = 20
)

// readGroups reads a code at token i with further groups of digits, each one blank apart. A
// group that is part of something else, as of a date, is none.
func (f *finder) readGroups(i int) run {
	r := f.read(i)
	if r.end == i || r.longest > mostGroupDigits && !f.birthNumber(i) || strings.ContainsAny(r.marks, "/:") {
		return r
	}
	for range mostGroups {
		k := r.end
		if !f.Here(k) || f.Tokens[k].Start-f.Tokens[k-1].End != 1 || !f.Number(k) || f.Glued(k+1) && f.Mark(k+1) != ',' && f.Mark(k+1) != '.' &&
			f.Mark(k+1) != ')' && f.Mark(k+1) != ';' || f.Tight(k+1) || f.Here(k+1) && f.In(k+1, unit|counted) && !f.checkLetter(k+1) {
			break
		}
		n := f.Digits(k)
		if n > 9 || n < 2 && r.digits < 5 || r.digits+n > mostDigits {
			break
		}
		r.digits += n
		r.longest = max(r.longest, n)
		r.groups++
		r.end = k + 1
	}
	if r.letters > 0 && f.Number(r.end-1) && f.Spaced(r.end-1) && r.end > i+1 && f.checkLetter(r.end) {
		r.letters++
		r.end++
	}
	return r
}

// birthNumber reports whether number i is the day, month and year of a birth, and four digits follow: the number of a
// person in Scotland and the Nordic countries.
func (f *finder) birthNumber(i int) bool {
	d := f.Plain(i)
	return len(d) == 6 && d[:2] > "00" && d[:2] < "32" && d[2:4] > "00" && d[2:4] < "13" && f.Here(i+1) && f.Digits(i+1) == 4
}

// checkLetter reports whether a single capital at token i ends what was written in groups: "AB 12 34 56 C".
func (f *finder) checkLetter(i int) bool { return f.Here(i) && f.Letter(i) && f.Ends(i+1) }

// Least digits of codes with a full stop or a slash, below which they are decimals, ratios and pressures.
const (
	leastDotted  = 7
	leastSlashed = 6
)

// quantity reports whether the code at token i is a time, a decimal, a ratio or an amount and no identifier.
func (f *finder) quantity(i int, r run) bool {
	switch {
	case f.Mark(i-1) == '$', f.Mark(r.end) == '%':
		return true
	case r.letters > 0 || r.marks == "":
		return r.letters == 0 && f.Here(r.end) && f.In(r.end, unit|counted) && !f.Letter(r.end)
	case r.longest < 3 && strings.Trim(r.marks, ".:/") == "":
		return true
	}
	return r.marks == "." && r.digits < leastDotted || r.marks == "/" && r.digits < leastSlashed
}

// ended reports whether a code ends before token i: no letter, digit or digit behind a mark
// goes on with it.
func (f *finder) ended(i int) bool {
	if !f.Glued(i) {
		return true
	}
	if f.Mark(i) == 0 {
		return f.Word(i) && f.next(i)
	}
	return !f.Tight(i) || !f.Number(i+1) || strings.IndexByte("-./:,", f.Mark(i)) < 0
}
