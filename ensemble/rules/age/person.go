package age

import "github.com/pgdeid/pgdeid/ensemble/text"

const (
	// leastAdult is the least number of two digits: numbers of one digit before a letter count chest tubes, sheaths,
	// stages and lists.
	leastAdult = 10
	// leastFever is the least of the ages that are more often a body temperature before an F.
	leastFever = 95
)

// withSex reads the number of an age and a sex in capitals that touch or have a slash between them: 53RHM, 86F,
// 58/M. Nothing that is measured may be near.
func (f *finder) withSex(i int) int {
	j := f.Skip(i+1, "-/")
	switch v := f.Value(i); {
	case v < leastAdult || !f.Here(j) || !f.In(j, sexLetter) || f.Case(j) != text.Upper:
		return 0
	case f.Glued(i) && (f.Word(i-1) && len(f.Str(i-1)) < 4 || f.Mark(i-1) == '+'), f.measuredBefore(i):
		return 0
	case f.Glued(j+1) && (f.Mark(j+1) == '-' || f.Mark(j+1) == '.' && f.Tight(j+1) || f.Number(j+1)):
		return 0
	case f.Here(j+1) && f.In(j+1, unit|counted) && !f.In(j+1, of|between), v >= leastFever && f.Equal(j, "f"):
		return 0
	case f.Glued(j) || f.Mark(i+1) == '/', len(f.Str(j)) > 2:
		return i + 1
	}
	return 0
}

// measuredBefore reports whether one of the three words before token i is a measurement.
func (f *finder) measuredBefore(i int) bool {
	for k := i - 1; k > i-4 && f.Here(k+1); k-- {
		if f.In(k, score|vital) && !f.In(k, sexLetter) && len(f.Str(k)) > 1 {
			return true
		}
	}
	return false
}

// labelled reads an age behind a label: Age: 45, aged 67, age is about 70, turned 90. A range or a bound behind a
// label is a criterion.
func (f *finder) labelled(i int) int {
	if f.rangeOrUnit(i) || !f.Here(i) && f.Mark(i-1) != ':' {
		return 0
	}
	if f.In(i-1, turned) {
		return i + 1
	}
	j := f.Back(i, ":=-|")
	for k := 0; k < 2 && f.In(j, of|between); k++ {
		j--
	}
	if f.In(j, label) {
		return i + 1
	}
	return 0
}

// rangeOrUnit reports whether what follows number i makes it the begin of a range or an amount.
func (f *finder) rangeOrUnit(i int) bool {
	c := f.Mark(i + 1)
	if c == '%' || f.Glued(i+1) && f.Word(i+1) && !f.In(i+1, sexLetter|years) || c == '-' && f.Tight(i+1) && f.Number(i+2) {
		return true
	}
	return f.Here(i+1) && f.In(i+1, unit|counted) && !f.In(i+1, sexLetter|years|units|of|between)
}

// ofRelative reads the age of a relative right behind the word for it: Sister, 54; father (82).
func (f *finder) ofRelative(i int) int {
	if f.Digits(i) > 2 || f.Value(i) < 1 || !f.Here(i) || f.rangeOrUnit(i) {
		return 0
	}
	switch f.Mark(i - 1) {
	case '(':
		if (f.Mark(i+1) == ')' || f.Mark(i+1) == ',') && f.In(i-2, relative) {
			return i + 1
		}
	case ',', 0:
		if f.Digits(i) == 2 && f.Ends(i+1) && f.In(f.Back(i, ","), relative) {
			return i + 1
		}
	}
	return 0
}
