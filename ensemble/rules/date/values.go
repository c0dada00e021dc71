package date

// Years of complete dates. Records shifted for release run far ahead of their time.
const (
	firstYear = 1800
	lastYear  = 2199
)

// Years of four digits that stand without a day or a month: of older and later ones most are
// amounts, or times on the 24-hour clock.
const (
	firstBare = 1900
	lastBare  = 2110
)

var monthDays = [...]int{0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}

// upTo reports whether number i, of at most so many digits, is from 1 to high.
func (f *finder) upTo(i, high, digits int) bool {
	n := f.Digits(i)
	return n > 0 && n <= digits && f.Value(i) >= 1 && f.Value(i) <= high
}

func (f *finder) month2(i int) bool { return f.upTo(i, 12, 2) }

func (f *finder) day2(i int) bool { return f.upTo(i, 31, 2) }

// dayOf reports whether numbers day and month are a day of a year.
func (f *finder) dayOf(day, month int) bool {
	return f.month2(month) && f.day2(day) && f.Value(day) <= monthDays[f.Value(month)]
}

func (f *finder) year4(i int) bool {
	return f.Digits(i) == 4 && f.Value(i) >= firstYear && f.Value(i) <= lastYear
}

func (f *finder) bare4(i int) bool {
	return f.Digits(i) == 4 && f.Value(i) >= firstBare && f.Value(i) <= lastBare
}

func (f *finder) year2(i int) bool { return f.Digits(i) == 2 }

// quoted returns the token behind a year such as '98 at token i, or 0.
func (f *finder) quoted(i int) int {
	if f.Mark(i) == '\'' && f.Glued(i+1) && f.year2(i+1) && !(f.Glued(i+2) && f.Word(i+2)) {
		return i + 2
	}
	return 0
}

// measured reports whether what follows before token i makes the number before it a quantity.
func (f *finder) measured(i int) bool {
	if f.EndsLine(i) {
		return false
	}
	c := f.Mark(i)
	if c == '%' || c == '°' || (c == '.' || c == ',' || c == ':') && f.Tight(i) && f.Number(i+1) {
		return true
	}
	return f.In(i, unit|counted|score|graded) && !f.In(i, preposition|within|conjunction) && f.Mark(i+1) != ':'
}

// announced reports whether the words before token i say that a date follows: a preposition,
// an event, a test, a weekday or "week of", perhaps with a colon, a dash or an article between.
func (f *finder) announced(i int) bool {
	j := i - 1
	for k := 0; k < 2 && (f.Mark(j) == ':' || f.Mark(j) == '-' || f.Mark(j) == '(' || f.Mark(j) == '=' || f.Mark(j) == '~'); k++ {
		j--
	}
	if f.Mark(j) == '.' && f.In(j-1, event|shortDay) || f.In(j, the|of) && f.Here(j) {
		j--
	}
	if !f.Word(j) || f.OpensLine(j+1) && f.Mark(j+1) != ':' && j+1 != i || f.OpensLine(i) && f.Mark(i-1) != ':' {
		return false
	}
	if f.In(j, shortDay) && f.Capital(j) {
		return true
	}
	if f.In(j, week) && f.In(j+1, of) {
		return true
	}
	return f.In(j, preposition|within|near|event|test|weekday|shortDay) && !f.In(j, score|vital)
}
