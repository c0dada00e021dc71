package date

// year reads a year that stands without day and month. It is one behind a preposition or
// another word of time, next to another year in a list or a range, alone in brackets, or at
// the end of a phrase as histories list them: "appendectomy 1995,".
func (f *finder) year(i int) int {
	if f.Digits(i) == 2 {
		return f.sinceShort(i)
	}
	if !f.bare4(i) || f.goesOn(i+1) || f.Number(i+1) && f.Here(i+1) || f.In(i-1, label) && !f.In(i-1, preposition) {
		return 0
	}
	if (f.measured(i+1) || f.In(i+1, road)) && !f.ofTest(i) {
		return 0
	}
	if f.Glued(i) && f.Mark(i-1) != '(' && f.Mark(i-1) != ',' && f.Mark(i-1) != '-' && f.Mark(i-1) != '/' {
		return 0
	}
	if f.timeWord(i) || f.ofTest(i) || f.neighbour(i) || f.bracketed(i) || f.endOfPhrase(i) {
		return i + 1
	}
	return 0
}

// round reports whether number i is a multiple of fifty, as amounts are, but for the years
// around the turn of the century.
func (f *finder) round(i int) bool { return f.Value(i)%50 == 0 && f.Value(i) != 2000 }

// timeWord reports whether the word before token i is one that a year follows. Those that
// amounts follow too need a year that is not round.
func (f *finder) timeWord(i int) bool {
	j := i - 1
	if f.Mark(j) == '-' && f.In(j-1, part) {
		return true
	}
	switch {
	case f.In(j, yearWord|part|season) || f.In(j, within) && !f.In(j-1, vital):
		return true
	case f.In(j, whose|preposition|event|near) && f.Here(i):
		return !f.round(i) && f.Value(i) != 2000 && !f.In(j, vital)
	case f.In(j, the):
		return f.In(j-1, preposition)
	case f.In(j, of):
		return f.In(j-1, part|season|month) || f.Title(j-1) && !f.Begins(j-1) ||
			f.Value(i) > 1930 && !f.round(i) && f.Ends(i+1) && !f.In(j-1, vital)
	}
	return false
}

// ofTest reports whether the year at token i follows a test, a procedure or an illness, perhaps
// with its count between: colonoscopy 2009, CABG x3 2010. Only a unit of more than a letter makes
// it an amount there.
func (f *finder) ofTest(i int) bool {
	j := i - 1
	if f.Number(j) && f.Glued(j) && f.Equal(j-1, "x") {
		j -= 2
	}
	if f.Here(i+1) && f.In(i+1, unit|counted) && len(f.Str(i+1)) > 1 {
		return false
	}
	return f.In(j, test) && f.past(i) && f.Here(i)
}

// neighbour reports whether the year at token i goes on a list or a range of years, or begins a
// range: 2009, 2010 and 2011; 1960-1990. Behind a comma and any date in figures it may be earlier.
func (f *finder) neighbour(i int) bool {
	j := i - 1
	if f.In(j, conjunction|rangeWord) && f.Mark(j-1) == ',' {
		j--
	}
	if f.Mark(j) == ',' && f.last == j && f.Number(j-1) && f.past(i) && f.Here(i) {
		return true
	}
	if j > 0 && f.last == j && f.Digits(j-1) == 4 && f.Value(i) >= f.Value(j-1) &&
		(f.Mark(j) == ',' || f.Mark(j) == '-' || f.Mark(j) == '/' || f.Mark(j) == '&' || f.In(j, conjunction|rangeWord)) {
		return true
	}
	ranged := f.Mark(i+1) == '-' || f.Mark(i-1) == '(' && f.Equal(i+1, "to")
	return ranged && f.Joins(i+1) && f.bare4(i+2) && f.Value(i) > 1930 && f.Value(i+2) > f.Value(i) && f.Value(i)%100 != 0 &&
		!f.measured(i+3)
}

// lastPast is the last year that an event of a history is taken to have: a list of histories
// has amounts, too.
const lastPast = 2040

// bracketed reports whether the year at token i stands in brackets: (2008), (2008, remote).
func (f *finder) bracketed(i int) bool {
	return f.Mark(i-1) == '(' && f.Glued(i) && f.past(i) && (f.Ends(i+1) || f.Title(i+1)) && !f.In(i-2, label)
}

func (f *finder) past(i int) bool {
	return f.Value(i) > 1930 && f.Value(i) <= lastPast && !f.round(i)
}

// endOfPhrase reports whether the year at token i ends a phrase whose word before it is no
// measurement and announces no other number.
func (f *finder) endOfPhrase(i int) bool {
	if !f.past(i) || !f.Ends(i+1) && !f.In(i+1, conjunction) || !f.Here(i) {
		return false
	}
	j := i - 1
	if c := f.Mark(j); (c == ',' || c == '-') && !f.Glued(i) {
		j--
	}
	return f.Word(j) && len(f.Str(j)) > 2 && !f.In(j, unit|score|vital|label|road|counted)
}

// sinceShort reads a year of two digits behind "since", or behind "in" if it begins with a
// zero or is beyond the hours and most ages: since 98, in 08.
func (f *finder) sinceShort(i int) int {
	if !f.Here(i) || !f.Ends(i+1) && !f.In(i+1, conjunction) {
		return 0
	}
	v, zero := f.Value(i), f.Plain(i)[0] == '0'
	switch {
	case f.Equal(i-1, "since") && (zero || v > 31):
	case f.Equal(i-1, "in") && !f.In(i-2, vital) && !f.Number(i-2) && (zero || v >= 60 || f.In(i-2, event) || f.In(i-3, event)):
	default:
		return 0
	}
	return i + 1
}

// shortYear reads '98 and '80s at the apostrophe. A title before it and a capital behind make
// it the year of a thing's make, which is no date of a person.
func (f *finder) shortYear(i int) int {
	if !f.Glued(i+1) || !f.year2(i+1) || f.Glued(i) && (f.Number(i-1) || f.Word(i-1)) {
		return 0
	}
	end := i + 2
	if f.Glued(end) && f.Equal(end, "s") {
		return end + 1
	}
	if f.Glued(end) && (f.Word(end) || f.Mark(end) == '\'' || f.Mark(end) == '"') {
		return 0
	}
	if f.Title(end) && f.Here(end) && !f.announced(i) && f.Mark(i-1) != '(' {
		return 0
	}
	return end
}

// decade reads 1980s and, as years and not somebody's age, the 60s or the late 60s.
func (f *finder) decade(i int) int {
	end := f.Skip(i+1, "'")
	if !f.Equal(end, "s") || !f.Glued(end) || end == i+2 && !f.Glued(i+1) || f.Value(i)%10 != 0 {
		return 0
	}
	end++
	if f.bare4(i) {
		return end
	}
	if f.Digits(i) != 2 || f.Value(i) < 20 {
		return 0
	}
	j := i - 1
	for f.In(j, part) || f.Mark(j) == '-' {
		j--
	}
	if f.In(j, the) && (f.In(j-1, within) || j < i-2) && !f.measuredBefore(j) {
		return end
	}
	return 0
}

// measuredBefore reports whether one of the four words before token j is a vital sign.
func (f *finder) measuredBefore(j int) bool {
	for k := j - 1; k >= 0 && k > j-5; k-- {
		if f.In(k, vital) {
			return true
		}
	}
	return false
}
