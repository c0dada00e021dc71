package date

import "github.com/pgdeid/pgdeid/ensemble/spelled"

// monthFirst reads a date that begins with the name of a month: March 5th, 2014, Mar '14,
// JAN 05, July the twentieth.
func (f *finder) monthFirst(i int) int {
	if f.Glued(i) && (f.Word(i-1) || f.Mark(i-1) == '_' || f.Mark(i-1) == '\'') {
		return 0
	}
	j := f.behind(i)
	if end := f.dayBehind(i, j); end > 0 {
		return end
	}
	if end := f.yearBehind(i, j); end > 0 {
		return end
	}
	if f.monthAlone(i) {
		return i + 1
	}
	return 0
}

// behind returns the token behind the word i and the full stop that shortens it.
func (f *finder) behind(i int) int {
	if f.Mark(i+1) == '.' && f.Glued(i+1) && f.Here(i+2) {
		return i + 2
	}
	return i + 1
}

// sure reports whether the word i is written as the name of a month, not as another word: it is
// no other word, has a capital or comes behind a preposition.
func (f *finder) sure(i int) bool {
	return !f.In(i, doubtful) || f.Capital(i) || f.In(i-1, preposition|within|event)
}

// dayBehind reads the day at token j behind a month, a range of days, and their year.
func (f *finder) dayBehind(month, j int) int {
	if c := f.Mark(j); c == '-' || c == '/' || c == ',' {
		j++
	}
	if f.In(j, the) {
		j++
	}
	if !f.Here(j) {
		return 0
	}
	if end := f.dayInWords(j); end > 0 {
		if y := f.yearOf(end); y > 0 {
			return y
		}
		if f.sure(month) && f.Mark(j-1) != ',' && (f.Ends(end) || !f.Word(end) || f.In(end, preposition|within|conjunction|event)) {
			return end
		}
		return 0
	}
	if !f.day2(j) || f.minutes(j+1) || f.Mark(j+1) == '.' && f.Tight(j+1) && f.Number(j+2) && f.Digits(j+2) < 4 {
		return 0
	}
	end := f.moreDays(f.suffix(j))
	if y := f.yearOf(end); y > 0 {
		return y
	}
	bare := end == j+1
	if bare && f.Mark(j-1) == '-' && f.Digits(j) == 1 || bare && !f.sure(month) || f.measured(end) || f.Mark(end) == '/' && f.Tight(end) {
		return 0
	}
	return end
}

// suffix returns the token behind the day j and its ordinal ending.
func (f *finder) suffix(j int) int {
	if f.In(j+1, ordinal) && (f.Glued(j+1) || f.InLower(j+1)) {
		return j + 2
	}
	return j + 1
}

// minutes reports whether minutes follow at token i, so that the number before it is an hour.
func (f *finder) minutes(i int) bool { return f.Mark(i) == ':' && f.Tight(i) && f.Number(i+1) }

// moreDays takes in the rest of a range of days that begins before token end: -7, to 9. Behind a
// word the range needs its year, for "May 5 to 9 tablets" has none.
func (f *finder) moreDays(end int) int {
	dash := f.Mark(end) == '-' && f.Joins(end)
	if !dash && !f.In(end, rangeWord) && f.Mark(end) != '&' || !f.Here(end) || !f.day2(end+1) || !f.Here(end+1) {
		return end
	}
	after := f.suffix(end + 1)
	switch {
	case f.Mark(after) == '/' || f.Mark(after) == ':' || f.measured(after):
		return end
	case !dash && after == end+2 && f.yearOf(after) == 0:
		return end
	}
	return after
}

// yearOf reads the year at token j behind a day: ", 2014", "-14", " '14", "of 2014". Without a
// mark that touches both, a year has four digits.
func (f *finder) yearOf(j int) int {
	tight := false
	switch c := f.Mark(j); {
	case c == ',' || c == '-' || c == '/' || c == '.':
		tight = c != ',' && f.Tight(j)
		if c == '.' && !tight {
			return 0
		}
		j++
	case f.In(j, of|within):
		j++
	}
	if end := f.quoted(j); end > 0 {
		return end
	}
	if f.year4(j) && !f.minutes(j+1) || tight && f.year2(j) {
		return j + 1
	}
	return f.yearInWords(j)
}

// yearBehind reads the year at token j behind a month: 2014, ", 2014", "of 2014", '14, -14, and
// a year of two digits beyond the days if nothing goes on behind it.
func (f *finder) yearBehind(month, j int) int {
	tight := false
	if c := f.Mark(j); c == ',' || c == '-' || c == '/' {
		tight = f.Tight(j)
		j++
	}
	for f.In(j, of|the) || f.Equal(j, "year") {
		j++
	}
	switch {
	case !f.Has(j) || f.OpensLine(j) && f.Mark(j-1) != ',' && !f.In(j-1, of):
		return 0
	case f.quoted(j) > 0:
		return j + 2
	case f.year4(j) && !f.measured(j+1):
		return j + 1
	case f.year2(j) && f.Value(j) > 31 && (tight || !f.In(month, doubtful) && f.Ends(j+1)):
		return j + 1
	}
	return f.yearInWords(j)
}

// monthAlone decides on a month without day and year. One that is no other word is a date if
// it is not shortened or has a capital; the others need a word before them that times have, or
// say whose, a capital, and no name behind them.
func (f *finder) monthAlone(i int) bool {
	short := len(f.Str(i)) <= 4
	if !f.In(i, doubtful) {
		return !short || f.Title(i)
	}
	if f.In(i-2, part|week) && f.In(i-1, of) || f.Mark(i-1) == '-' && f.In(i-2, part) {
		return f.Capital(i)
	}
	if !f.Title(i) || !f.Here(i) || f.Capital(i+1) && !f.Ends(i+1) {
		return false
	}
	return f.In(i-1, preposition|within|near|part|event) || f.In(i-1, whose) && f.Word(i+1)
}

// dayFirst reads a date that begins with a day and goes on with the name of a month: 5 Mar
// 2014, 11-July-2013, 12OCT15, the 5th day of March.
func (f *finder) dayFirst(i int) int {
	if !f.day2(i) {
		return 0
	}
	j := f.suffix(i)
	certain := j > i+1
	switch c := f.Mark(j); {
	case c == '-' || c == '/' || c == '.' && (f.Glued(j+1) || certain):
		j++
	case c == ',' && certain:
		j++
	}
	if f.Equal(j, "day") && f.In(j+1, of) {
		j++
	}
	if f.In(j, of) {
		j, certain = j+1, true
	}
	if !f.In(j, month) || !f.Here(j) {
		return 0
	}
	return f.monthBehind(j, certain)
}

// monthBehind reads the month at token j behind a day, and the year. A day and a year behind the
// month take it: the number before it is another's.
func (f *finder) monthBehind(j int, certain bool) int {
	k := f.behind(j)
	if end := f.yearBehind(j, k); end > 0 {
		return end
	}
	if f.year2(k) && f.Value(k) > 31 && f.Here(k) && !f.measured(k+1) {
		return k + 1
	}
	if s := f.Skip(k, "-/."); f.year2(s) && f.Glued(s) && f.Glued(j+1) {
		return s + 1
	}
	if end := f.dayBehind(j, k); end > 0 && f.year4(end-1) {
		return 0
	}
	if !certain && (!f.sure(j) || f.In(j, doubtful) && !f.Ends(j+1) && !f.In(j+1, preposition|within|conjunction|event)) {
		return 0
	}
	return j + 1
}

// reader returns the text's words for reading numbers in words.
func (f *finder) reader() spelled.Words { return f.Spelled }

// yearInWords returns the token behind a year in words at token i, or 0.
func (f *finder) yearInWords(i int) int {
	if !f.Word(i) || !f.Here(i) {
		return 0
	}
	if _, end := f.reader().Year(i); end > i {
		return end
	}
	return 0
}

// dayInWords returns the token behind a day of a month in words at token i, or 0.
func (f *finder) dayInWords(i int) int {
	if !f.Word(i) {
		return 0
	}
	if day, end := f.reader().Ordinal(i); day > 0 && day <= 31 {
		return end
	}
	return 0
}

// spelled reads a date that begins with a number in words: twentieth of July, nineteen
// eighty-two; seventy-ninth day of 1981; day 79 of 1981.
func (f *finder) spelled(i int) int {
	if f.Equal(i, "day") {
		return f.yearDay(i, f.count(i+1))
	}
	n, end := f.reader().Ordinal(i)
	if end == i {
		return 0
	}
	if f.Equal(end, "day") {
		if y := f.yearDay(i, end+1); y > 0 {
			return y
		}
		end++
	}
	certain := f.In(end, of)
	if certain {
		end++
	}
	if n > 31 || !f.In(end, month) || !f.Here(end) {
		return 0
	}
	if y := f.yearBehind(end, f.behind(end)); y > 0 {
		return y
	}
	if certain && f.sure(end) {
		return end + 1
	}
	return 0
}

// count returns the token behind a number of up to 366 in figures or in words at token i, or i.
func (f *finder) count(i int) int {
	if f.upTo(i, 366, 3) {
		return i + 1
	}
	_, end := f.reader().Count(i)
	return end
}

// yearDay returns the token behind "of" and a year at token j, behind a day's number.
func (f *finder) yearDay(i, j int) int {
	if j <= i+1 || !f.In(j, of) || !f.Here(j) {
		return 0
	}
	j++
	for f.In(j, the) || f.Equal(j, "year") {
		j++
	}
	if f.year4(j) {
		return j + 1
	}
	return f.yearInWords(j)
}

// dayOfYear reads the number of a day of a year: 79th day of 1981.
func (f *finder) dayOfYear(i int) int {
	j := f.suffix(i)
	if j == i+1 || !f.Equal(j, "day") || !f.upTo(i, 366, 3) {
		return 0
	}
	return f.yearDay(i, j+1)
}
