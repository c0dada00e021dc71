package address

import (
	"github.com/pgdeid/pgdeid/ensemble/rules/label"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// Bounds of an address: a house's number has at most six digits (five and a half of "123456
// County Road" is the longest in rural grids), a street's name at most five words.
const (
	mostHouseDigits = 6
	mostWords       = 5
)

// street returns the token behind the street whose house number is token i, or 0.
func (f *finder) street(i int) int {
	if f.Digits(i) > mostHouseDigits || f.Glued(i) && !f.opens(i-1) {
		return 0
	}
	from := f.house(i)
	if !f.Here(from) || f.Glued(from) && from == i+1 {
		return 0
	}
	end := f.named(i, from)
	if end == 0 || f.Digits(i) == 1 && f.In(from, measure|counted) {
		return 0
	}
	if f.In(end, compass) && f.Case(end) != text.Lower && f.Here(end) && f.Mark(end+1) != '/' {
		end++
	}
	return f.parts(end)
}

// opens reports whether an address may follow mark i without a blank.
func (f *finder) opens(i int) bool {
	switch f.Mark(i) {
	case '(', ':', ',', '"', '=', '|', '#', '_':
		return true
	}
	return false
}

// house returns the token behind a house's number: "12", "12B", "12-14", "12 1/2".
func (f *finder) house(i int) int {
	j := i + 1
	if (f.Mark(j) == '-' || f.Mark(j) == '/') && f.Tight(j) && f.Number(j+1) {
		j += 2
	}
	if f.Word(j) && f.Glued(j) && len(f.Str(j)) == 1 && (f.Case(j) == text.Upper || f.Capital(j+1)) {
		j++
	}
	if f.Number(j) && f.Mark(j+1) == '/' && f.Tight(j+1) && f.Number(j+2) {
		j += 3
	}
	return j
}

// named returns the token behind the name and the type of a street from token j on, or 0.
func (f *finder) named(house, j int) int {
	count, end := 0, 0
	k := j
	for ; count < mostWords && f.Here(k); k++ {
		switch {
		case f.Mark(k) == '.' && f.Glued(k) && len(f.Str(k-1)) <= 4 && f.Here(k+1) && f.In(k-1, compass|small|road|way):
			if end == k {
				return end // the stop of "St." ends the name
			}
			continue
		case f.Mark(k) == '\'' && f.Tight(k), f.Mark(k) == '-' && f.Tight(k):
			continue
		case f.In(k, numbered) && f.routeNumber(k+1):
			return k + 2
		case count > 0 && f.ends(house, j, k):
			end = k + 1
		case !f.inName(j, k):
			return f.untyped(house, j, k, end)
		case end > 0:
			// A word behind the type goes on the name only if another type follows.
			if !f.In(k+1, road) || f.Case(k) == text.Lower {
				return end
			}
		}
		count++
	}
	return f.untyped(house, j, k, end)
}

// routeNumber reports whether token i is the number of a road: digits, or a capital.
func (f *finder) routeNumber(i int) bool {
	return f.Here(i) && (f.Number(i) && f.Digits(i) <= 4 || f.Letter(i) && !f.Glued(i+1))
}

// inName reports whether token k can be a word of the name of a street that begins at token j.
func (f *finder) inName(j, k int) bool {
	switch {
	case f.Number(k):
		return f.In(k+1, ordinal) && f.Glued(k+1)
	case !f.Word(k) || f.In(k, notName):
		return false
	case f.Glued(k) && f.Number(k-1):
		return f.In(k, ordinal)
	case f.Case(k) != text.Lower:
		return true
	}
	return f.In(k, small|compass) || k <= j+2 && !f.In(k, measure|counted) && f.In(k+1, road) && f.Case(k+1) == text.Lower
}

// ends reports whether word k is the type of the street of which the name begins at token j.
func (f *finder) ends(house, j, k int) bool {
	named := f.Case(j) != text.Lower || f.Number(j)
	switch s := f.Sets(k); {
	case s&road != 0 && named && f.Case(k) != text.Lower:
		return !f.doctor(k)
	case s&road != 0:
		return f.Digits(house) >= 2 && !f.In(j, measure|counted|notName) && len(f.Str(k)) > 1 && (len(f.Str(k)) > 3 || f.Ends(k+1) || f.isUnit(k+1))
	case s&way != 0 && named && f.Case(k) != text.Lower:
		return label.Before(f.View, house).Kind == label.Address || f.goesOn(k+1) || f.Digits(house) >= 3 && f.Ends(k+1)
	}
	return false
}

// doctor reports whether word k, the short form of "drive", is the title of a name behind it.
func (f *finder) doctor(k int) bool {
	n := f.Skip(k+1, ".")
	return f.Equal(k, "dr") && f.Capital(n) && f.Here(n) && !f.In(n, compass) && !f.goesOn(n)
}

// untyped returns the token behind a street without a type, the tokens [j, k), if it was
// announced as an address or goes on as one; end if it has a type.
func (f *finder) untyped(house, j, k, end int) int {
	if end > 0 {
		return end
	}
	for k > j && f.Mark(k-1) != 0 {
		k--
	}
	for u := j + 1; u < k; u++ {
		if f.isUnit(u) && f.In(u, sureUnit) {
			k = u
		}
	}
	if k == j || !f.Capital(j) || f.Digits(house) < 2 {
		return 0
	}
	if f.isUnit(k) && (f.In(k, sureUnit) || f.Mark(k) == '#') || label.Before(f.View, house).Kind == label.Address || f.coded(k) {
		return k
	}
	return 0
}

// goesOn reports whether an address goes on at token i: with a part of the house, or with a
// town and its postal code.
func (f *finder) goesOn(i int) bool { return f.isUnit(f.Skip(i, ",.")) || f.coded(i) }

// coded reports whether a state and its postal code follow within six tokens of token i.
func (f *finder) coded(i int) bool {
	for k := i; k < i+6 && f.Has(k); k++ {
		if f.Number(k) {
			return f.stateBefore(k) > 0
		}
		if !f.Word(k) && f.Mark(k) != ',' && f.Mark(k) != '.' {
			return false
		}
	}
	return false
}

// isUnit reports whether a part of a house is at token i: "Apt 4", "# 5".
func (f *finder) isUnit(i int) bool {
	end := f.part(i)
	return end > i
}

// parts returns the token behind up to two parts of a house from token end on: "Bldg 2, Apt 4B".
func (f *finder) parts(end int) int {
	for range 2 {
		j := f.Skip(end, ",.")
		next := f.part(j)
		if next <= j {
			return end
		}
		end = next
	}
	return end
}

// part returns the token behind the part of a house at token i, or i.
func (f *finder) part(i int) int {
	if !f.Here(i) || !f.In(i, unit) && (f.Mark(i) != '#' || f.Glued(i)) {
		return i
	}
	j := i + 1
	for f.Mark(j) == '.' || f.Mark(j) == '#' {
		j++
	}
	number := f.Number(j) || f.Word(j) && len(f.Str(j)) <= 2 && f.Case(j) == text.Upper
	if !f.Here(j) || !number {
		return i
	}
	end := j + 1
	for end < j+6 && f.Glued(end) && (f.Word(end) || f.Number(end) || f.Mark(end) == '-' && f.Tight(end)) {
		end++
	}
	return end
}

// streetFirst returns the token behind a street whose type, at word i, is before its name
// and whose number is behind it: "Calle Carmen Romero, 23".
func (f *finder) streetFirst(i int) int {
	if !f.In(i, first) || f.Case(i) == text.Lower {
		return 0
	}
	for k := i + 1; k < i+2+mostWords && f.Here(k); k++ {
		switch {
		case f.Number(k) && k > i+1 && f.Digits(k) <= 4:
			return k + 1
		case f.Mark(k) == ',', f.Mark(k) == '.', f.Capital(k), f.In(k, small):
		default:
			return 0
		}
	}
	return 0
}
