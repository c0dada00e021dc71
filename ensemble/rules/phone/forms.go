package phone

import (
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/rules/label"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// full returns the number at token i that has the form of a whole one, as long as possible.
func (f *finder) full(i int) (phi.Span, int) {
	n := f.read(i)
	for k := len(n.groups); k > 0; k-- {
		c := n.cut(k)
		if f.closed(c.end()) && f.whole(i, c) {
			return f.span(i, c, f.kindOf(c.end())), c.end()
		}
	}
	return phi.Span{}, 0
}

// closed reports whether a number can end before token i: it does not go on in a word or a
// number, and no unit follows.
func (f *finder) closed(i int) bool {
	c := f.Mark(i)
	switch {
	case f.Glued(i) && f.Number(i):
		return false
	case f.Glued(i) && f.Word(i):
		return f.isX(i) || f.kind(i) || len(f.Str(i)) > 3 || f.Case(i) == text.Title
	case (c == '-' || c == '.') && f.Tight(i) && f.Number(i+1), c == ':' && f.Tight(i) && f.Number(i+1), c == '%':
		return false
	}
	return !f.Here(i) || !f.In(i, unit) || f.isX(i) || f.kind(i) || f.Case(i) == text.Upper
}

// whole reports whether a number is a telephone number by its form or by what is around it.
func (f *finder) whole(i int, n number) bool {
	switch {
	case n.plus:
		return n.digits >= 8 && n.digits <= 15 // E.164 allows 15
	case f.calendar(n), n.slashes > 1:
		return false
	}
	said := f.announced() || f.lineWord(n.end()) != 0
	for _, form := range grammars()[len(n.groups)] {
		if !form.fits(n.groups) {
			continue
		}
		if said || form.need == nothing && f.stands(i, n) || form.need == joined && n.blanks == 0 && f.stands(i, n) && !f.measured(i, n) {
			return true
		}
	}
	return said && len(n.groups) > 1 && n.digits >= 7 && n.digits <= 15 && !f.decimal(n) && n.slashes == 0 && even(n.groups)
}

// stands reports whether a number is no part of a row of numbers, where only blanks part its
// groups.
func (f *finder) stands(i int, n number) bool {
	if n.broken {
		return false
	}
	if len(n.groups) == 1 {
		return f.label.Kind == label.None
	}
	if n.blanks < len(n.groups)-1 || f.Mark(i) == '(' {
		return true
	}
	return !(f.Number(i-1) && f.Here(i)) && !(f.Number(n.end()) && f.Here(n.end()))
}

// measured reports whether seven digits are a range of values: 200-1000, 150-1050.
func (f *finder) measured(i int, n number) bool {
	if n.digits != 7 {
		return false
	}
	a, b := n.groups[0], n.groups[1]
	round := strings.HasSuffix(a, "0") && strings.HasSuffix(b, "0")
	return a[0] < '2' || round || f.Mark(i-1) == '#' || f.In(i-1, rangeWord) || f.decimal(n)
}

// decimal reports whether two groups are a number with decimals.
func (f *finder) decimal(n number) bool {
	return len(n.groups) == 2 && f.Mark(n.tokens[1]-1) == '.' && n.tokens[1] == n.tokens[0]+2
}

// calendar reports whether groups are a date: 12-03-2005, 2005-12-03.
func (f *finder) calendar(n number) bool {
	if len(n.groups) != 3 {
		return false
	}
	a, b, c := len(n.groups[0]), len(n.groups[1]), len(n.groups[2])
	return a <= 2 && b <= 2 && (c == 4 || c == 2) || a == 4 && b <= 2 && c <= 2
}

// even reports whether every group has at most six digits and at least two behind the first.
func even(groups []string) bool {
	for k, g := range groups {
		if len(g) > 7 || k > 0 && len(g) < 2 {
			return false
		}
	}
	return true
}

// short returns the number of a pager or an extension at number i, of two to seven digits
// with one hyphen at most.
func (f *finder) short(i int) (phi.Span, int) {
	if !f.Number(i) {
		return phi.Span{}, 0
	}
	end, digits := i+1, f.Digits(i)
	if f.Mark(end) == '-' && f.Tight(end) && f.Number(end+1) {
		digits += f.Digits(end + 1)
		end += 2
	}
	least := f.least(i)
	if end > i+1 && digits < 4 {
		return phi.Span{}, 0
	}
	if least == 0 || digits < least || digits > 11 || !f.closed(end) || f.In(end, unit|counted) && f.Here(end) || f.Mark(end) == '/' {
		return phi.Span{}, 0
	}
	return f.Span(i, end, f.kindOf(end)), end
}

// least returns how many digits a short number at token i must have, 0 if it can't be one.
func (f *finder) least(i int) int {
	if f.isX(i - 1) {
		switch {
		case f.Glued(i-1) && f.last == i-1:
			return 2 // behind a number
		case f.Glued(i-1) && f.Mark(i-2) != '(' && f.Mark(i-2) != '/':
			return 0
		case f.last == i-1:
			return 2
		case f.Glued(i):
			return 4
		}
		return 0
	}
	switch f.label.Kind {
	case label.Extension:
		if f.last == f.label.At {
			return 2 // behind a number
		}
		return 3
	case label.Pager:
		return f.label.Least
	case label.Phone, label.Fax:
		if !f.label.Marked {
			return f.label.Least
		}
		return 5
	}
	return 0
}

// vanity returns the number of a free-phone code and seven to ten capitals or digits, of
// which three at least are capitals: "1-800-FLOWERS".
func (f *finder) vanity(i int) (phi.Span, int) {
	code := i
	if f.Plain(i) == "1" && f.Mark(i+1) == '-' && f.Tight(i+1) {
		code = i + 2
	}
	if !freephone(f.Plain(code)) || f.Mark(code+1) != '-' || !f.Tight(code+1) {
		return phi.Span{}, 0
	}
	letters, all, end := 0, 0, code+1
	for j := code + 2; f.Glued(j) && j < code+2+2*mostGroups; j++ {
		switch {
		case f.Word(j) && f.Case(j) == text.Upper:
			letters += len(f.Str(j))
			all += len(f.Str(j))
			end = j + 1
		case f.Number(j):
			all += f.Digits(j)
			end = j + 1
		case f.Mark(j) != '-':
			j = len(f.Tokens)
		}
	}
	if letters < 3 || all < 7 || all > 10 {
		return phi.Span{}, 0
	}
	return f.Span(i, end, phi.Phone), end
}

// freephone reports whether an area code of North America is free of charge: 800 and the
// codes 822 to 888 with two equal digits.
func freephone(code string) bool {
	return len(code) == 3 && code[0] == '8' && (code == "800" || code[1] == code[2] && code[1] >= '2' && code[1] <= '8')
}
