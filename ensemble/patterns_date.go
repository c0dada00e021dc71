package ensemble

// Years that a note's date may have: records shifted for release run far ahead.
const (
	firstYear = 1800
	lastYear  = 2199
)

var monthDays = [...]uint32{0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}

func (s *scan) isMonthNum(i int) bool {
	return s.numAt(i) && s.marks[i].n <= 2 && s.marks[i].v >= 1 && s.marks[i].v <= 12
}

func (s *scan) isDayNum(i int) bool {
	return s.numAt(i) && s.marks[i].n <= 2 && s.marks[i].v >= 1 && s.marks[i].v <= 31
}

func (s *scan) isDayOf(day, month int) bool {
	return s.isMonthNum(month) && s.isDayNum(day) && s.marks[day].v <= monthDays[s.marks[month].v]
}

func (s *scan) isYear4(i int) bool {
	return s.numAt(i) && s.marks[i].n == 4 && s.marks[i].v >= firstYear && s.marks[i].v <= lastYear
}

func (s *scan) isYear2(i int) bool { return s.numAt(i) && s.marks[i].n == 2 }

// numericDate finds a date of numbers that begins at token i.
func (s *scan) numericDate(i int) int {
	sep := s.c(i + 1)
	if sep != '/' && sep != '-' && sep != '.' || !s.numAt(i+2) {
		return 0
	}
	if !s.separates(i+1, sep == '/') || s.continuesNumber(i, sep) {
		return 0
	}
	if s.c(i+3) == sep && s.numAt(i+4) && s.separates(i+3, sep == '/') {
		if end := s.threePartDate(i, sep); end > 0 {
			return s.emit(i, end, Date)
		}
		return 0
	}
	if sep == '.' {
		return 0
	}
	if end := s.twoPartDate(i, sep); end > 0 {
		return end
	}
	return 0
}

// separates reports whether the mark at i joins its neighbours: it is glued to
// both or, where loose allows it, apart from both on one line.
func (s *scan) separates(i int, loose bool) bool {
	if s.glued(i) && s.glued(i+1) {
		return true
	}
	return loose && s.sameLine(i) && s.sameLine(i+1)
}

// continuesNumber reports whether the number at i is the rest of a longer thing:
// of "1.2.3.4", "V2/3", "555-1234-5".
func (s *scan) continuesNumber(i int, sep byte) bool {
	if !s.glued(i) || i == 0 {
		return false
	}
	if s.c(i-1) == sep && sep != '-' && s.glued(i-1) && s.numAt(i-2) {
		return true
	}
	return s.c(i-1) == '$'
}

func (s *scan) threePartDate(i int, sep byte) int {
	a, b, c := i, i+2, i+4
	if s.c(i+5) == sep && s.glued(i+5) && s.glued(i+6) && s.numAt(i+6) && !s.isDayNum(i+6) {
		return 0
	}
	switch {
	case s.isYear4(a) && (s.isDayOf(c, b) || s.isDayOf(b, c)):
		return i + 5
	case s.isYear4(c) && (s.isDayOf(b, a) || s.isDayOf(a, b)):
		return i + 5
	case !s.isYear2(c) || s.marks[a].n > 2 || s.marks[b].n > 2:
		return 0
	case !s.isDayOf(b, a) && !s.isDayOf(a, b) && !(s.isYear2(a) && s.isDayOf(c, b)):
		return 0
	case sep == '/' || s.shortYearIsDate(i):
		return i + 5
	}
	return 0
}

// shortYearIsDate tells "10-07-69" and "4.27.04" from scores and sections.
func (s *scan) shortYearIsDate(i int) bool {
	if s.has(i+5, isUnit) && s.sameLine(i+5) || s.has(i-1, isScore) {
		return false
	}
	if s.dateContext(i) {
		return true
	}
	full := s.marks[i].n == 2 && s.marks[i+2].n == 2
	return full || s.marks[i+2].n == 2 && s.marks[i+2].v > 12
}

// twoPartDate finds "3/5", "3/2014", "2014-03", "2010-2014" and the range
// "3/5-9/2014".
func (s *scan) twoPartDate(i int, sep byte) int {
	a, b := i, i+2
	gluedWord := i > 0 && s.glued(i) && s.wordAt(i-1)
	switch {
	case gluedWord && s.toks[i-1].End-s.toks[i-1].Start < 4:
		return 0
	case s.isYear4(b) && s.isMonthNum(a) && (sep == '/' || s.marks[a].n == 2 || s.dateContext(i)):
		return s.emit(i, i+3, Date)
	case s.isYear4(a) && s.isMonthNum(b) && s.marks[b].n == 2 && s.marks[a].v >= 1900 && s.marks[a].v < 2100:
		return s.emit(i, i+3, Date)
	case s.isYear4(a) && s.isYear4(b) && s.yearRange(a, b):
		s.emit(a, a+1, Date)
		return s.emit(b, b+1, Date)
	case s.isYear4(a) && s.isYear2(b) && sep == '-' && s.marks[a].v >= 1900 && s.marks[a].v < 2040 && s.marks[b].v > s.marks[a].v%100 && s.ends(b+1):
		return s.emit(i, i+3, Date)
	case sep == '/' && s.isDayOf(b, a) && s.monthDay(i):
		return s.emit(i, s.dayRange(i+3), Date)
	case sep == '/' && s.isMonthNum(a) && s.isYear2(b) && s.monthYear2(i):
		return s.emit(i, i+3, Date)
	case sep == '/' && s.isDayOf(a, b) && s.marks[a].v > 12 && s.dateContext(i) && !s.graded(i):
		return s.emit(i, i+3, Date)
	case sep == '-' && s.isDayOf(b, a) && s.marks[a].n == 2 && s.marks[b].n == 2 && s.dateContext(i) && !s.has(i+3, isUnit|isNoun):
		return s.emit(i, i+3, Date)
	}
	return 0
}

func (s *scan) yearRange(a, b int) bool {
	return s.marks[a].v >= 1900 && s.marks[b].v > s.marks[a].v && s.marks[b].v < 2100 && !s.has(b+1, isUnit) &&
		!s.clock(a) && s.c(a-1) != '$'
}

// clock reports whether the number at a may be a time of day or a quantity.
func (s *scan) clock(a int) bool {
	return s.marks[a].v%100 == 0 && !s.has(a-1, isIn|isDateCue|isPrep)
}

// dayRange takes in the rest of "5/12-14/2014", whose first part ends before end.
func (s *scan) dayRange(end int) int {
	if s.c(end) == '-' && s.separates(end, false) && s.isDayNum(end+1) && s.c(end+2) == '/' && s.separates(end+2, false) &&
		s.numAt(end+3) && (s.isYear4(end+3) || s.isYear2(end+3) && s.marks[end+3].v > 12) {
		return end + 4
	}
	return end
}

// monthDay decides whether "3/5" at i is a day of a month, not a fraction, a
// score or a grade.
func (s *scan) monthDay(i int) bool {
	if s.graded(i) {
		return false
	}
	if s.dateContext(i) || s.has(i-1, isWeekday|isShortDay) || s.timeFollows(i+3) {
		return true
	}
	a, b := &s.marks[i], &s.marks[i+2]
	if a.n == 2 && b.n == 2 && (a.v < 10 || b.v < 10 || b.v > 12) {
		return true
	}
	if b.n == 2 && b.v < 10 || s.afterDay(i) {
		return true
	}
	if b.v > 12 && b.v != 15 && b.v != 16 && b.v != 20 && b.v != 30 {
		return true
	}
	if s.startsEntry(i) {
		return true
	}
	return s.rangeOfDays(i)
}

// startsEntry reports whether "3/5" at i heads a line, a sentence or a row, or
// stands alone in parentheses: "3/5: afebrile", "3/5 Jones", "(8/16)".
func (s *scan) startsEntry(i int) bool {
	if s.c(i-1) == '(' && s.c(i+3) == ')' {
		return s.marks[i+2].v > 12
	}
	if s.toks[i].Line && s.sameLine(i+3) && (s.numAt(i+3) || s.wordAt(i+3) && s.toks[i+3].Case == Title && s.toks[i+3].Space) {
		return true
	}
	return (s.toks[i].Line || s.c(i-1) == '.' && !s.glued(i)) && (s.c(i+3) == ':' || s.c(i+3) == '-' && s.toks[i].Line)
}

// afterDay reports whether "3/5" at i goes on a list or range of days: "3/1 and
// 3/5".
func (s *scan) afterDay(i int) bool {
	n := len(s.out)
	if n == s.base || i < 4 || s.out[n-1].Type != Date || s.out[n-1].End != s.toks[i-2].End {
		return false
	}
	return s.c(i-1) == ',' || s.isWord(i-1, "and") || s.isWord(i-1, "or") || s.has(i-1, isPrep)
}

// rangeOfDays reports whether "3/5" is an end of "3/5-3/7".
func (s *scan) rangeOfDays(i int) bool {
	if s.c(i+3) == '-' && s.isMonthNum(i+4) && s.c(i+5) == '/' && s.isDayNum(i+6) && s.marks[i+4].v >= s.marks[i].v {
		return s.marks[i+2].v > 6 || s.marks[i+6].v > 6
	}
	if n := len(s.out); n > s.base && s.c(i-1) == '-' && i > 1 {
		return s.out[n-1].Type == Date && s.out[n-1].End == s.toks[i-2].End
	}
	return false
}

// monthYear2 accepts "11/98": a month and a year of two digits beyond the days.
func (s *scan) monthYear2(i int) bool {
	v := s.marks[i+2].v
	if s.graded(i) || s.marks[i+2].n != 2 {
		return false
	}
	if s.dateContext(i) {
		return v > 31 && v%10 != 0 || s.marks[i].n == 2
	}
	return v >= 70 && v%10 != 0
}

// graded reports whether words around "a/b" tell of a grade, a score, an amount.
func (s *scan) graded(i int) bool {
	for j := i - 1; j >= 0 && j >= i-3 && !s.toks[j+1].Line; j-- {
		if s.has(j, isScore|isVital) && !s.has(j, isDateCue) || j == i-1 && s.has(j, isDayUnit) {
			return true
		}
		if s.numAt(j) || s.c(j) == ',' || s.c(j) == ';' || s.c(j) == '.' {
			break
		}
	}
	for j := i + 3; j < len(s.toks) && j < i+6 && s.sameLine(j); j++ {
		if s.has(j, isGraded) && j < i+5 || s.has(j, isNoun) && j == i+3 || j == i+3 && s.has(j, isUnit) && s.glued(j) || j == i+3 && s.c(j) == '%' {
			return true
		}
		if s.has(j, isDateCue) || !s.wordAt(j) && s.c(j) != '-' {
			break
		}
	}
	return false
}

// dateContext reports whether the words before token i announce a date.
func (s *scan) dateContext(i int) bool {
	j := i - 1
	for j >= 0 && !s.wordAt(j) {
		c := s.c(j)
		if s.toks[j+1].Line && c != ':' || c != ':' && c != '-' && c != '.' && c != '#' && c != '(' && c != '=' && c != '~' {
			return false
		}
		j--
	}
	if j < 0 {
		return false
	}
	if s.has(j, isPrep|isDateCue|isIn|isWeekday|isShortDay|isMonth|isLast) && !s.has(j, isVital) {
		return true
	}
	return s.has(j, isThe|isOf|isFill) && s.has(j-1, isPrep|isDateCue) && s.sameLine(j) || s.has(j, isOf) && s.isWord(j-1, "week")
}

// timeFollows reports whether a time of day stands at token i, perhaps after
// "at", "@" or a comma.
func (s *scan) timeFollows(i int) bool {
	if c := s.c(i); c == '@' || c == ',' {
		i++
	} else if s.wordAt(i) && s.tok(i) == "at" {
		i++
	}
	return s.numAt(i) && (s.c(i+1) == ':' && s.glued(i+1) && s.numAt(i+2) && s.marks[i+2].n == 2 || s.halfDay(i+1) > 0)
}

// compactDate finds dates written without separators: "20130718",
// "20130718111836-0400", "07182013".
func (s *scan) compactDate(i int) int {
	n := s.marks[i].n
	if n != 8 && n != 12 && n != 14 {
		return 0
	}
	d := s.plainDigits(i)
	ok := validYMD(d[0:4], d[4:6], d[6:8])
	if !ok && n == 8 {
		ok = validYMD(d[4:8], d[0:2], d[2:4]) && s.dateContext(i)
	}
	if ok && n > 8 {
		ok = twoDigits(d[8:10]) < 24 && twoDigits(d[10:12]) < 60
	}
	if !ok {
		return 0
	}
	end := i + 1
	if (s.c(end) == '-' || s.c(end) == '+') && n > 8 && s.separates(end, false) && s.numAt(end+1) && s.marks[end+1].n == 4 {
		end += 2
	}
	return s.emit(i, end, Date)
}

// plainDigits returns the digits of Number i as ASCII.
func (s *scan) plainDigits(i int) string {
	part := s.tok(i)
	if len(part) == int(s.marks[i].n) {
		return part
	}
	buf := make([]byte, 0, s.marks[i].n)
	for _, r := range part {
		if d, ok := digitValue(r); ok {
			buf = append(buf, byte('0'+d))
		}
	}
	return string(buf)
}

func twoDigits(s string) int { return int(s[0]-'0')*10 + int(s[1]-'0') }

func validYMD(y, m, d string) bool {
	year, month, day := twoDigits(y[:2])*100+twoDigits(y[2:]), twoDigits(m), twoDigits(d)
	return year >= 1880 && year < 2130 && month >= 1 && month <= 12 && day >= 1 && day <= int(monthDays[month])
}
