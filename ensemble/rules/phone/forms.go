package phone

import (
	"github.com/pgdeid/pgdeid/ensemble/rules/label"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// Bounds of the digits of a telephone number: E.164 allows 15 behind a plus sign, and local numbers of seven digits
// are the shortest that have groups.
const (
	mostDigits  = 15
	leastGlobal = 8
	leastLocal  = 7
)

// whole adds the number at token i that has the form of a whole one, as long as possible, and returns the token behind
// it, or 0.
func (f *finder) whole(i int) int {
	n := f.read(i)
	for k := len(n.groups); k > 0; k-- {
		c := n.cut(k)
		if f.closed(c.end()) && f.fits(i, c) {
			from, end := f.bare(i, c)
			f.Add(from, end, f.kindOf(c.end()))
			return c.end()
		}
	}
	return 0
}

// closed reports whether a number can end before token i: it does not go on in a word or a number, and no unit
// follows.
func (f *finder) closed(i int) bool {
	c := f.Mark(i)
	switch {
	case f.Glued(i) && f.Number(i):
		return false
	case f.Glued(i) && f.Word(i):
		return f.reaches(i) || f.Case(i) == text.Title
	case (c == '-' || c == '.' || c == ':') && f.Tight(i) && f.Number(i+1), c == '%':
		return false
	}
	return !f.Here(i) || !f.In(i, unit) || f.reaches(i) || f.Case(i) == text.Upper
}

// fits reports whether a number is a telephone number by its form or by what is around it.
func (f *finder) fits(i int, n number) bool {
	said := f.announced() || f.lineWord(n.end()) != 0
	switch {
	case n.plus:
		return n.digits >= leastGlobal && n.digits <= mostDigits && n.groups[0][0] != '0'
	case n.slashes > 1:
		return false
	}
	for _, form := range grammars()[len(n.groups)] {
		if form.fits(n.groups) && (said || form.need != announced && f.alone(i, n) && (form.need == nothing || n.blanks == 0 && !n.round())) {
			return true
		}
	}
	return said && len(n.groups) > 1 && n.digits >= leastLocal && n.digits <= mostDigits && n.slashes == 0 && n.even()
}

// alone reports whether a number is no part of a row of numbers, where only blanks part its groups.
func (f *finder) alone(i int, n number) bool {
	switch {
	case n.broken:
		return false
	case len(n.groups) == 1:
		return f.label.Kind == label.None
	case n.blanks < len(n.groups)-1 || f.Mark(i) == '(':
		return true
	}
	return !(f.Number(i-1) && f.Here(i)) && !(f.Number(n.end()) && f.Here(n.end()))
}

// Bounds of the digits of a pager or an extension: a line's own number, or what follows the "x" behind one.
const (
	leastBehind    = 2 // of an extension behind a number
	leastExtension = 3
	leastX         = 4 // behind an "x" that touches it
	leastMarked    = 5 // of a telephone behind a label with a mark
	mostShort      = 11
)

// short adds the number of a pager or an extension at number i, with one hyphen at most, and returns the token behind
// it, or 0.
func (f *finder) short(i int) int {
	if !f.Number(i) {
		return 0
	}
	end, digits := i+1, f.Digits(i)
	if f.Mark(end) == '-' && f.Tight(end) && f.Number(end+1) {
		digits += f.Digits(end + 1)
		end += 2
	}
	least := f.least(i)
	if end > i+1 && digits < leastX || least == 0 || digits < least || digits > mostShort || !f.closed(end) || f.In(end, unit|counted) && f.Here(end) || f.Mark(end) == '/' {
		return 0
	}
	return f.Add(i, end, f.kindOf(end))
}

// least returns how many digits a short number at token i must have, 0 if it can't be one.
func (f *finder) least(i int) int {
	if f.Equal(i-1, "x") {
		switch {
		case f.Last == i-1:
			return leastBehind
		case f.Glued(i) && !f.Glued(i-1):
			return leastX
		}
		return 0
	}
	switch f.label.Kind {
	case label.Extension:
		if f.Last == f.label.At {
			return leastBehind
		}
		return leastExtension
	case label.Pager:
		return f.label.Least
	case label.Phone, label.Fax:
		if !f.label.Marked {
			return f.label.Least
		}
		return leastMarked
	}
	return 0
}
