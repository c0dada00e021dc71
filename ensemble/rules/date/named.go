package date

// monthFirst reads a date that begins with the name of a month: March 5th, 2014, Mar '14, JAN 05.
func (f *finder) monthFirst(i int) int {
	j := f.behind(i)
	if end := f.dayBehind(i, f.Skip(j, "-/,")); end > 0 {
		return end
	}
	if end := f.yearBehind(j); end > 0 {
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

// sure reports whether the word i is written as the name of a month, not as another word.
func (f *finder) sure(i int) bool { return !f.In(i, doubtful) || f.Capital(i) }

// dayBehind reads the day at token j behind a month, and the year behind it.
func (f *finder) dayBehind(month, j int) int {
	if !f.day2(j) || !f.Here(j) || f.decimal(j+1) {
		return 0
	}
	end := f.suffix(j)
	if y := f.yearBehind(end); y > 0 {
		return y
	}
	bare := end == j+1
	if bare && (!f.sure(month) || f.Mark(j-1) == '-' && f.Digits(j) == 1) || f.measured(end) || f.Mark(end) == '/' && f.Tight(end) {
		return 0
	}
	return end
}

// decimal reports whether minutes or decimals follow at token i, so that the number before it is an hour or an
// amount.
func (f *finder) decimal(i int) bool {
	c := f.Mark(i)
	return (c == ':' || c == '.' && f.Digits(i+1) < 4) && f.Tight(i) && f.Number(i+1)
}

// suffix returns the token behind the day j and its ordinal ending.
func (f *finder) suffix(j int) int {
	if f.In(j+1, ordinal) && (f.Glued(j+1) || f.InLower(j+1)) {
		return j + 2
	}
	return j + 1
}

// yearBehind reads the year at token j behind a month or a day: 2014, ", 2014", "of 2014", '14. One of two digits
// touches the mark before it and what is before the mark, as in 5-Mar-14.
func (f *finder) yearBehind(j int) int {
	tight := false
	switch c := f.Mark(j); {
	case c == ',' || c == '-' || c == '/' || c == '.' && f.Tight(j):
		tight = c != ',' && f.Tight(j)
		j++
	case f.In(j, of):
		j++
	}
	switch end := f.quoted(j); {
	case !f.Has(j) || f.OpensLine(j) && f.Mark(j-1) != ',' && !f.In(j-1, of):
		return 0
	case end > 0:
		return end
	case f.year4(j) && !f.decimal(j+1) && !f.measured(j+1), tight && f.year2(j):
		return j + 1
	}
	return 0
}

// longestShort is the length of the longest short form of a month.
const longestShort = 4

// monthAlone decides on a month without day and year. One that is no other word is a date if it is written in full
// or has a capital; the others need a capital, a word of time before them and no name behind them.
func (f *finder) monthAlone(i int) bool {
	if !f.In(i, doubtful) {
		return len(f.Str(i)) > longestShort || f.Title(i)
	}
	return f.Title(i) && f.Here(i) && f.In(f.Back(i, "-"), before|beforeYear|event) && (!f.Capital(i+1) || f.Ends(i+1))
}

// dayFirst reads a date that begins with a day and goes on with the name of a month: 5 Mar 2014, 11-July-2013,
// 12OCT15, the 5th of March.
func (f *finder) dayFirst(i int) int {
	if !f.day2(i) {
		return 0
	}
	j := f.suffix(i)
	certain := j > i+1
	if c := f.Mark(j); c == '-' || c == '/' || c == '.' && f.Glued(j+1) {
		j++
	}
	if f.In(j, of) {
		j, certain = j+1, true
	}
	if !f.In(j, month) || !f.Here(j) {
		return 0
	}
	k := f.behind(j)
	if end := f.yearBehind(k); end > 0 {
		return end
	}
	switch {
	case f.year2(k) && f.Glued(k) && f.Glued(j):
		return k + 1
	case f.day2(k) && f.Here(k) || !certain && !f.sure(j):
		return 0 // the number before a month with a day behind it is another's
	}
	return j + 1
}
