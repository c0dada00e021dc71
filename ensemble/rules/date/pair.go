package date

// habit is whether a note shows dates of a form: not looked for yet, no, or yes.
type habit uint8

const (
	unknown habit = iota
	absent
	shown
)

// pairOf reads a day and a month: 3/5, 13/07, 03-14, and the range 3/5-9. The first is read
// as the month if it can be one.
func (f *finder) pairOf(i int) int {
	sep := f.Mark(i + 1)
	if sep != '/' && sep != '-' || !f.Tight(i+1) || !f.Number(i+2) {
		return 0
	}
	if end := f.daysTo(i + 3); sep == '/' && end > i+3 && f.dayOf(i+2, i) && f.year4(end-1) {
		return end
	}
	if f.goesOn(i+3) || f.measurement(i) {
		return 0
	}
	switch {
	case !f.dayOf(i+2, i) && !(f.dayOf(i, i+2) && f.announced(i)), sep == '/' && f.duration(i):
		return 0
	case sep == '-':
		if !f.announcedDay(i) || f.Digits(i)+f.Digits(i+2) < 4 && !f.In(i-1, weekday|shortDay) {
			return 0
		}
	case !f.announcedPair(i) && !f.heads(i) && !f.listed(i) && !f.timed(i+3) && !(f.shows() && f.plausible(i)):
		return 0
	}
	return f.daysTo(i + 3)
}

// announcedDay reports whether a word that is never before a range of numbers announces the
// date at token i: "on", a weekday or a label of dates, but not "from" or "about".
func (f *finder) announcedDay(i int) bool {
	return f.announced(i) && !f.In(i-1, test) && (!f.In(i-1, preposition|near|within) || f.Equal(i-1, "on") || f.Equal(i-1, "since"))
}

// announcedPair reports whether the words before the pair at token i announce a date. Tests and
// words of amounts, "to" and "from", do not announce what a usual fraction or score is.
func (f *finder) announcedPair(i int) bool {
	if !f.announced(i) {
		return false
	}
	a, b := f.Value(i), f.Value(i+2)
	weak := f.In(i-1, test|rangeWord|amountWord) || f.In(i-2, test) && !f.In(i-1, preposition)
	return !weak || unlikeScore(a, b)
}

// unlikeScore reports whether a/b is neither a usual fraction nor a usual score.
func unlikeScore(a, b int) bool { return a > b || b > 5 && b != 10 }

// heads reports whether the pair at token i begins a line and a colon follows: it heads an entry.
func (f *finder) heads(i int) bool {
	return f.OpensLine(i) && f.Mark(i+3) == ':' && f.Spaced(i+4) && unlikeScore(f.Value(i), f.Value(i+2))
}

// shows reports whether the note shows dates with slashes: a complete one or a pair that a
// preposition, an event or a weekday announces.
func (f *finder) shows() bool {
	if f.pair == unknown {
		f.pair = absent
		for i := range f.Tokens {
			if f.Mark(i) == '/' && f.Tight(i) && f.slashDate(i-1) {
				f.pair = shown
				break
			}
		}
	}
	return f.pair == shown
}

func (f *finder) slashDate(i int) bool {
	if f.Mark(i+3) == '/' {
		return f.complete(i) > 0
	}
	return f.dayOf(i+2, i) && f.announcedPair(i) && !f.goesOn(i+3) && !f.measurement(i)
}

// plausible reports whether a pair that nothing announces is a date in a note that shows such
// dates. Of a score or a fraction the first number is not above the second, which then is at
// most 10 or one of the totals that scores have: 12, 15, 16, 20, 24, 28 and 30. With the
// greater number first, a second of 5 to 8 is a pressure of ventilation or a strength.
func (f *finder) plausible(i int) bool {
	a, b := f.Value(i), f.Value(i+2)
	if f.Plain(i)[0] == '0' || f.Plain(i + 2)[0] == '0' {
		return true
	}
	if a > b {
		return b < 5 || b > 8
	}
	switch b {
	case 2, 3, 4, 5, 10:
		return f.OpensLine(i) && f.closed(i)
	case 12, 15, 16, 20, 24, 28, 30:
		return f.closed(i)
	}
	return b > 10 || f.closed(i)
}

// closed reports whether the pair at token i stands as a date does: it begins a line and text
// follows, is all that brackets hold, or a colon follows.
func (f *finder) closed(i int) bool {
	if f.Mark(i-1) == '(' && f.Mark(i+3) == ')' {
		return true
	}
	return f.OpensLine(i) && !f.Ends(i+3) || f.Mark(i+3) == ':' && f.Spaced(i+4)
}

// listed reports whether the pair at token i goes on a list or a range that a date begins, or
// begins a range whose end is a pair, if words announce it or a number is too great for a usual
// score: 3/1 and 3/5, labs 3/1-3/5.
func (f *finder) listed(i int) bool {
	if f.last == i-1 && (f.Mark(i-1) == ',' || f.Mark(i-1) == '-' || f.Mark(i-1) == '&' || f.In(i-1, rangeWord)) {
		return f.Number(i - 2)
	}
	return f.Mark(i+3) == '-' && f.Here(i+4) && f.Mark(i+5) == '/' && f.Tight(i+5) && f.dayOf(i+6, i+4) &&
		(f.Value(i+2) > 10 || f.Value(i+6) > 10 || f.announced(i))
}

// weeksOfYear is what some put a number of weeks over, as they put days over 7 and months over
// 12: 2/52, 3/7, 6/12.
const weeksOfYear = 52

// duration reports whether the pair at token i is a number of days, weeks or months: "ago"
// follows, or it is one over 7 or 12 in a note that counts weeks in this way.
func (f *finder) duration(i int) bool {
	b := f.Value(i + 2)
	if b != 7 && b != 12 {
		return false
	}
	if f.Equal(i+3, "ago") {
		return true
	}
	if f.weeks == unknown {
		f.weeks = absent
		for j := range f.Tokens {
			if f.Mark(j) == '/' && f.Tight(j) && f.Digits(j-1) <= 2 && f.Digits(j+1) == 2 && f.Value(j+1) == weeksOfYear {
				f.weeks = shown
				break
			}
		}
	}
	return f.weeks == shown
}

// timed reports whether a time of day follows at token i, perhaps behind "at" or a comma.
func (f *finder) timed(i int) bool {
	if f.Mark(i) == '@' || f.Mark(i) == ',' || f.Equal(i, "at") {
		i++
	}
	if !f.Here(i) || !f.Number(i) || f.Value(i) > 2359 {
		return false
	}
	switch f.Digits(i) {
	case 1, 2:
		return f.Mark(i+1) == ':' && f.Tight(i+1) && f.Digits(i+2) == 2 || f.Equal(i+1, "am") || f.Equal(i+1, "pm")
	case 4:
		return f.Value(i)%100 < 60 && !f.measured(i+1) && !f.goesOn(i+1)
	}
	return false
}

// measurement reports whether words around the pair at token i make it a score, a fraction, a
// dose or a vital sign: one of the three words before it names a measurement, or what follows
// is a unit or what is graded.
func (f *finder) measurement(i int) bool {
	if f.measured(i+3) || f.In(i+4, graded) && f.Here(i+4) && f.InLower(i+3) && !f.In(i+3, preposition|conjunction|event) {
		return true
	}
	for j := i - 1; j >= 0 && j > i-4 && f.Here(j+1); j-- {
		switch {
		case f.In(j, shortDay) && f.Capital(j), f.In(j, event|preposition|test) && !f.In(j, score|vital):
			return false
		case f.In(j, score|vital):
			return true
		case !f.Word(j) && f.Mark(j) != ':' && f.Mark(j) != '=' && f.Mark(j) != '-':
			return false
		}
	}
	return false
}

// daysTo takes in the rest of 5/12-14/2014, whose first part ends before token end: of 5/12-6/14
// it takes nothing, for that is two dates.
func (f *finder) daysTo(end int) int {
	if f.Mark(end) == '-' && f.Tight(end) && f.day2(end+1) && f.Mark(end+2) == '/' && f.Tight(end+2) &&
		(f.year4(end+3) || f.year2(end+3) && !f.dayOf(end+3, end+1)) {
		return end + 4
	}
	return end
}
