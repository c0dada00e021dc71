package address

import (
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/text"
)

// Bounds of an address: a house's number has at most six digits, as in the grids of counties, a street's name at
// most five words.
const (
	mostHouseDigits = 6
	mostWords       = 5
	shortStreet     = 2 // behind a unit and a slash
)

// street returns the token behind the street whose house number is token i, or 0.
func (f *finder) street(i int) int {
	if f.Digits(i) > mostHouseDigits || f.Glued(i) && !f.opens(i-1) {
		return 0
	}
	from := f.house(i)
	if !f.Here(from) || f.Glued(from) && from == i+1 || f.Digits(i) == 1 && f.In(from, measure|counted) {
		return 0
	}
	end := f.named(i, from)
	if end == 0 {
		end = f.typeFirst(from)
	}
	if end == 0 || f.Mark(i+1) == '/' && (end > from+shortStreet || !f.Title(from)) {
		return 0 // behind a date words in capitals may follow
	}
	if f.In(end, compass) && f.Case(end) != text.Lower && f.Here(end) {
		end++
	}
	return f.parts(end)
}

// opens reports whether an address may follow mark i without a blank. A mark behind a number is part of a time, a
// date or a ratio.
func (f *finder) opens(i int) bool {
	c := f.Mark(i)
	return c != 0 && strings.IndexByte(`(:,"=|#_`, c) >= 0 && !(f.Glued(i) && f.Number(i-1))
}

// house returns the token behind a house's number: "12", "12B", "12-14", and the unit and the number of "5/22".
func (f *finder) house(i int) int {
	j := i + 1
	if c := f.Mark(j); (c == '-' || c == '/') && f.Tight(j) && f.Number(j+1) && f.Plain(j + 1)[0] != '0' {
		j += 2
	}
	if f.Letter(j) && f.Glued(j) {
		j++
	}
	return j
}

// named returns the token behind the name and the type of a street from token j on, or 0.
func (f *finder) named(house, j int) int {
	count, end := 0, 0
	for k := j; count < mostWords && f.Here(k); k++ {
		switch {
		case f.Mark(k) == '.' && f.Glued(k) && f.Here(k+1) && f.In(k-1, compass|small|road|way):
			if end == k {
				return end // the stop of "St." ends the name
			}
			continue
		case (f.Mark(k) == '\'' || f.Mark(k) == '-') && f.Tight(k):
			continue
		case f.In(k, numbered) && f.Here(k+1) && f.Number(k+1):
			return k + 2
		case count > 0 && f.ends(house, k):
			end = k + 1
		case !f.inName(k), end > 0 && (!f.In(k+1, road) || f.Case(k) == text.Lower):
			return end // a word behind the type goes on the name only if another type follows
		}
		count++
	}
	return end
}

// inName reports whether token k can be a word of the name of a street.
func (f *finder) inName(k int) bool {
	switch {
	case f.Number(k):
		return f.In(k+1, ordinal) && f.Glued(k+1)
	case !f.Word(k) || f.In(k, notName):
		return false
	case f.Glued(k) && f.Number(k-1):
		return f.In(k, ordinal)
	}
	return f.Case(k) != text.Lower || f.In(k, small)
}

// leastWay is the least digits of a house's number before a type that is another word too, where nothing else says
// that it is an address.
const leastWay = 3

// ends reports whether word k is the type of a street.
func (f *finder) ends(house, k int) bool {
	switch {
	case f.Case(k) == text.Lower:
		return false
	case f.In(k, road):
		return !f.doctor(k)
	}
	return f.In(k, way) && (f.part(f.Skip(k+1, ",.")) > 0 || f.Digits(house) >= leastWay && f.Ends(k+1))
}

// doctor reports whether word k, the short form of "drive", is the title of a name behind it.
func (f *finder) doctor(k int) bool {
	n := f.Skip(k+1, ".")
	return f.Equal(k, "dr") && f.Capital(n) && f.Here(n) && !f.In(n, compass|unit)
}

// mostParts is how many parts of a house an address names at most: "Bldg 2, Apt 4B".
const mostParts = 2

// parts returns the token behind the parts of a house from token end on.
func (f *finder) parts(end int) int {
	for range mostParts {
		next := f.part(f.Skip(end, ",."))
		if next == 0 {
			break
		}
		end = next
	}
	return end
}

// longestPart is how many tokens the number of a part of a house has at most.
const longestPart = 5

// part returns the token behind the part of a house at token i, "Apt 4B" or "# 5", or 0.
func (f *finder) part(i int) int {
	if !f.Here(i) || !f.In(i, unit) && (f.Mark(i) != '#' || f.Glued(i)) {
		return 0
	}
	j := i + 1
	for f.Mark(j) == '.' || f.Mark(j) == '#' {
		j++
	}
	if !f.Here(j) || !f.Number(j) && !f.Letter(j) {
		return 0
	}
	end := j + 1
	for end < j+longestPart && f.Glued(end) && (f.Word(end) || f.Number(end) || f.Mark(end) == '-' && f.Tight(end)) {
		end++
	}
	return end
}

// streetFirst returns the token behind a street whose type, at word i, is before its name and whose number is behind
// it: "Calle Carmen Romero, 23".
func (f *finder) streetFirst(i int) int {
	if f.Case(i) != text.Title || !f.In(i, first) {
		return 0
	}
	for k := i + 1; k < i+2+mostWords && f.Here(k); k++ {
		switch {
		case f.Number(k) && k > i+1 && f.Digits(k) <= mostHouseDigits:
			return k + 1
		case f.Mark(k) == ',', f.Mark(k) == '.', f.Capital(k), f.In(k, small):
		default:
			return 0
		}
	}
	return 0
}

// typeFirst returns the token behind the street whose type, at word j, is between its number and its name:
// "1250 rue Guy".
func (f *finder) typeFirst(j int) int {
	end := 0
	if !f.In(j, first) || f.Equal(j, "via") && !f.Title(j) {
		return end
	}
	for k := j + 1; k <= j+mostWords && f.Here(k); k++ {
		switch {
		case f.Number(k) && end > 0 && f.Digits(k) <= mostHouseDigits:
			return k + 1
		case f.Capital(k) && !f.In(k, unit):
			end = k + 1
		case !f.In(k, small) && !((f.Mark(k) == '-' || f.Mark(k) == '\'') && f.Tight(k)):
			return end
		}
	}
	return end
}

// leastBox is the least length of a word that is a box of the post without "PO" before it: "pobox", not "bx".
const leastBox = 5

// box returns the tokens of the box of the post that word i is: "P.O. Box 123".
func (f *finder) box(i int) (from, end int) {
	if !f.In(i, box) {
		return 0, 0
	}
	j := i + 1
	for f.Mark(j) == '#' || f.Mark(j) == ':' {
		j++
	}
	if !f.Number(j) || !f.Here(j) {
		return 0, 0
	}
	from = f.postOffice(i)
	if from == i && len(f.Str(i)) < leastBox {
		return 0, 0
	}
	end = j + 1
	for f.Glued(end) && (f.Letter(end) || f.Mark(end) == '-' && f.Tight(end) || f.Number(end)) {
		end++
	}
	return from, end
}

// postOffice returns the first token of "PO" or "P.O." before token i, or i.
func (f *finder) postOffice(i int) int {
	j := f.Back(i, ".")
	switch {
	case f.Equal(j, "po") && f.Here(i):
		return j
	case f.Equal(j, "o") && f.Equal(f.Back(j, "."), "p"):
		return f.Back(j, ".")
	}
	return i
}
