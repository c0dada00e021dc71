package date

// Years of complete dates. Records shifted for release run far ahead of their time.
const (
	firstYear = 1800
	lastYear  = 2199
)

// Years of four digits without a day or a month: of older and later ones most are amounts, or times on the 24-hour
// clock.
const (
	firstBare = 1900
	lastBare  = 2110
)

var monthDays = [...]int{0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}

// upTo reports whether number i, of one or two digits, is from 1 to high.
func (f *finder) upTo(i, high int) bool {
	n := f.Digits(i)
	return n > 0 && n <= 2 && f.Value(i) >= 1 && f.Value(i) <= high
}

func (f *finder) month2(i int) bool { return f.upTo(i, 12) }

func (f *finder) day2(i int) bool { return f.upTo(i, 31) }

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
	if f.Mark(i) == '\'' && f.Glued(i+1) && f.year2(i+1) && !(f.Glued(i+2) && (f.Word(i+2) || f.Mark(i+2) == '\'' || f.Mark(i+2) == '"')) {
		return i + 2
	}
	return 0
}

// validDay reports whether three groups of ASCII digits are a day of the last or next century.
func validDay(y, m, d string) bool {
	month := int(m[0]-'0')*10 + int(m[1]-'0')
	day := int(d[0]-'0')*10 + int(d[1]-'0')
	return y >= "1880" && y <= "2129" && month >= 1 && month <= 12 && day >= 1 && day <= monthDays[month]
}

// measured reports whether what follows at token i makes the number before it a quantity.
func (f *finder) measured(i int) bool {
	if f.EndsLine(i) {
		return false
	}
	c := f.Mark(i)
	if c == '%' || c == '°' || f.decimal(i) {
		return true
	}
	return f.In(i, unit|counted|score|graded) && !f.In(i, before) && f.Mark(i+1) != ':'
}

// announced reports whether the words before token i say that a date follows, perhaps with marks or "the" between.
func (f *finder) announced(i int) bool {
	j := f.Back(i, ":-(=~")
	if f.Mark(j) == '.' && f.In(j-1, event|shortDay) || f.Equal(j, "the") || f.In(j, of) {
		j--
	}
	if f.OpensLine(i) && f.Mark(i-1) != ':' {
		return false
	}
	return f.In(j, before|event|test|weekday) && !f.In(j, score|vital) || f.In(j, shortDay) && f.Capital(j)
}
