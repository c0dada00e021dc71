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
	var marks []byte
	for k := i; k < i+text.LongestRun && f.Has(k) && (k == i || f.Glued(k)); k++ {
		switch c := f.Mark(k); {
		case f.Number(k):
			r.digits += f.Digits(k)
			r.longest = max(r.longest, f.Digits(k))
			r.groups++
			r.end = k + 1
		case f.Word(k):
			if r.digits > 0 && f.next(k) {
				r.marks = string(marks)
				return r
			}
			r.letters += len(f.Str(k))
			r.end = k + 1
		case k > i && f.Tight(k) && strings.IndexByte("-/._:", c) >= 0 && f.Mark(k+1) == 0:
			marks = append(marks, c)
			continue
		default:
			r.marks = string(marks)
			return r
		}
	}
	r.marks = string(marks)
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
	if r.end == i || r.longest > mostGroupDigits || strings.ContainsAny(r.marks, "/:") {
		return r
	}
	for range mostGroups {
		k := r.end
		if !f.Here(k) || f.Tokens[k].Start-f.Tokens[k-1].End != 1 || !f.Number(k) || f.Glued(k+1) && f.Mark(k+1) != ',' && f.Mark(k+1) != '.' &&
			f.Mark(k+1) != ')' && f.Mark(k+1) != ';' || f.Tight(k+1) || f.Here(k+1) && f.In(k+1, unit|counted) {
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
	return r
}

// quantity reports whether the code at token i is a date, a time, a decimal, a ratio or an
// amount and no identifier.
func (f *finder) quantity(i int, r run) bool {
	switch {
	case f.Mark(i-1) == '$', f.Mark(r.end) == '%', f.Mark(r.end) == '+' && r.digits < 5:
		return true
	case r.letters > 0:
		return f.wordAndDate(i, r)
	case f.Here(r.end) && f.In(r.end, unit|counted) && f.Case(r.end) != text.Upper:
		return true
	case r.marks == "":
		return false
	case f.date(i, r):
		return true
	}
	if strings.Contains(r.marks, ".") && r.longest < 3 {
		return true
	}
	return strings.Trim(r.marks, ":") == "" && r.longest <= 2 || r.marks == "." && r.digits < 7 || r.marks == "/" && r.digits < 6
}

// wordAndDate reports whether a code is a word and, glued to it, a date with slashes and a year of
// four digits.
func (f *finder) wordAndDate(i int, r run) bool {
	if !f.Word(i) || r.end != i+6 || r.marks != "//" || f.Digits(i+5) != 4 {
		return false
	}
	return f.date(i+1, r)
}

// date reports whether a code is a date in figures.
func (f *finder) date(i int, r run) bool {
	if r.groups != 3 || len(r.marks) != 2 || r.marks[0] != r.marks[1] || r.end != i+5 {
		return false
	}
	a, b, c := f.Value(i), f.Value(i+2), f.Value(i+4)
	day := func(n int) bool { return n >= 1 && n <= 31 }
	switch da, dc := f.Digits(i), f.Digits(i+4); {
	case da == 4:
		return a >= 1850 && a < 2150 && day(b) && day(c)
	case f.Digits(i+2) > 2 || da > 2:
		return false
	case dc == 4:
		return day(a) && day(b) && c >= 1850 && c < 2150
	default:
		return dc == 2 && day(a) && day(b) && (a <= 12 || b <= 12) && r.marks != "--"
	}
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
