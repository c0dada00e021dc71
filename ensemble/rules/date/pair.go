package date

// habit is whether a note shows numbers of a form: not looked for yet, no, or yes.
type habit uint8

const (
	unknown habit = iota
	absent
	shown
)

// look sets an unknown habit by whether the note has a slash between two numbers that has accepts, given the token
// of the first, and reports whether it is shown.
func (f *finder) look(h *habit, has func(i int) bool) bool {
	for i := 1; *h == unknown && i < len(f.Tokens); i++ {
		if f.Mark(i) == '/' && f.Tight(i) && has(i-1) {
			*h = shown
		}
	}
	if *h == unknown {
		*h = absent
	}
	return *h == shown
}

// pair reads a month and a day in figures: 3/5.
func (f *finder) pair(i int) int {
	if !f.slashed(i) || f.duration(i) {
		return 0
	}
	if f.announcedPair(i) || f.listed(i) || f.timed(i+3) || f.plausible(i) && f.look(&f.pairs, f.showsDate) {
		return i + 3
	}
	return 0
}

// slashed reports whether a month and a day, or where a date is announced a day and a month, with a slash between
// them begin at token i and are no measurement.
func (f *finder) slashed(i int) bool {
	return f.Mark(i+1) == '/' && f.Tight(i+1) && (f.dayOf(i+2, i) || f.dayOf(i, i+2) && f.announced(i)) && !f.goesOn(i+3) && !f.measurement(i)
}

// showsDate reports whether a complete date, or a pair that words announce, begins at token i.
func (f *finder) showsDate(i int) bool {
	return f.complete(i) > 0 || f.slashed(i) && f.announcedPair(i)
}

// announcedPair reports whether the words before the pair at token i announce a date. Tests and words of amounts do
// not announce what is a usual fraction or score.
func (f *finder) announcedPair(i int) bool {
	weak := f.In(i-1, test|amountWord) || f.In(i-2, test) && !f.In(i-1, before)
	return f.announced(i) && (!weak || !f.usualScore(i))
}

// usualScore reports whether the pair at token i is a usual fraction or score: 1/2, 4/5, 7/10.
func (f *finder) usualScore(i int) bool {
	a, b := f.Value(i), f.Value(i+2)
	return a <= b && (b <= 5 || b == 10)
}

// plausible reports whether a pair that nothing announces is a date in a note that shows such dates. Of a score or a
// fraction the first number is not above the second, which then is one of the usual totals. With the greater number
// first, a second of 5 to 8 is a pressure of ventilation or a strength.
func (f *finder) plausible(i int) bool {
	a, b := f.Value(i), f.Value(i+2)
	switch {
	case f.Plain(i)[0] == '0' || f.Plain(i + 2)[0] == '0':
		return true
	case a > b:
		return b < 5 || b > 8
	case f.usualScore(i):
		return f.begins(i) && f.closed(i)
	}
	switch b {
	case 12, 15, 16, 20, 24, 28, 30:
		return f.closed(i)
	}
	return b > 10 || f.closed(i)
}

// closed reports whether the pair at token i is placed as a date is: it begins a line and text follows, is all that
// brackets hold, or a colon follows.
func (f *finder) closed(i int) bool {
	return f.Mark(i-1) == '(' && f.Mark(i+3) == ')' || f.begins(i) && !f.Ends(i+3) || f.Mark(i+3) == ':' && f.Spaced(i+4)
}

// begins reports whether token i is the first of a line, or of an item of a list or a cell behind its mark.
func (f *finder) begins(i int) bool {
	c := f.Mark(i - 1)
	return f.OpensLine(i) || f.OpensLine(i-1) && f.Spaced(i) && (c == '-' || c == '*' || c == '|')
}

// listed reports whether the pair at token i goes on a list or a range that a date begins, or begins a range whose
// end is a pair, with a number too great for a usual score: 3/1, 3/5 and 3/11-3/15.
func (f *finder) listed(i int) bool {
	if c := f.Mark(i - 1); f.Last == i-1 && (c == ',' || c == '-' || c == '&' || f.Equal(i-1, "and")) {
		return f.Number(i - 2)
	}
	return f.Mark(i+3) == '-' && f.Here(i+4) && f.Mark(i+5) == '/' && f.Tight(i+5) && f.dayOf(i+6, i+4) &&
		max(f.Value(i+2), f.Value(i+6)) > 10
}

// weeksOfYear is what some put a number of weeks over, as they put days over 7 and months over 12: 2/52, 3/7, 6/12.
const weeksOfYear = 52

// duration reports whether the pair at token i is a number of days or months, in a note that counts weeks so.
func (f *finder) duration(i int) bool {
	b := f.Value(i + 2)
	return (b == 7 || b == 12) && f.look(&f.weeks, func(j int) bool { return f.Digits(j) <= 2 && f.Value(j+2) == weeksOfYear })
}

// timed reports whether a time of day follows at token i, perhaps behind "at" or a comma.
func (f *finder) timed(i int) bool {
	if f.Mark(i) == '@' || f.Mark(i) == ',' || f.Equal(i, "at") {
		i++
	}
	switch {
	case !f.Here(i) || f.Value(i) > 2359:
		return false
	case f.Digits(i) == 4:
		return f.Value(i)%100 < 60 && !f.measured(i+1) && !f.goesOn(i+1)
	}
	return f.Number(i) && f.Digits(i) <= 2 && (f.Mark(i+1) == ':' && f.Tight(i+1) && f.Digits(i+2) == 2 || f.Equal(i+1, "am") || f.Equal(i+1, "pm"))
}

// measurement reports whether the pair at token i is a score, a fraction, a dose, a count of days or the revision of
// a form: a unit or what is graded follows, or one of the three words before it names one of them.
func (f *finder) measurement(i int) bool {
	if f.measured(i+3) || f.Equal(i+3, "d") {
		return true
	}
	for j := i - 1; j > i-4 && f.Here(j+1); j-- {
		c := f.Mark(j)
		switch {
		case f.In(j, event|before|test) && !f.In(j, score|vital), f.In(j, shortDay) && f.Title(j):
			return false
		case f.In(j, score|vital|label):
			return true
		case !f.Word(j) && c != ':' && c != '=' && c != '-' && c != '.':
			return false
		}
	}
	return false
}
