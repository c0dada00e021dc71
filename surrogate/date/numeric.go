package date

import (
	"strings"
)

const dateMarks = "/-.\\"

// compact matches dates without separators: 20140305, 20130718111836-0400, 03052014, 030514,
// 201403. A time of day is kept.
func (s *scanner) compact(i int) int {
	n := s.digits(i)
	t := s.tok[i]
	text := s.text[t.Start:t.End]
	var p Piece
	switch {
	case n >= 8 && n <= 17 && s.layout(&p, i, "yyyymmdd"):
	case n == 8 && s.layout(&p, i, "mmddyyyy"), n == 6 && s.layout(&p, i, "mmddyy"):
		p.either, p.monthFirst = p.Date.Day <= 12, p.Date.Day > 12
	case n == 8 && s.layout(&p, i, "ddmmyyyy"):
		p.dayFirst = true
	case n == 6 && s.layout(&p, i, "yyyymm"), n == 6 && s.layout(&p, i, "yymmdd"):
	default:
		return i
	}
	next := s.found(p, i+1)
	if len(text) > 8 {
		next = s.zone(next)
	}
	return next
}

// layout reads the fixed positions of a compact date (y, m and d) and reports whether they form a
// date.
func (s *scanner) layout(p *Piece, i int, places string) bool {
	*p = Piece{}
	start := s.tok[i].Start
	for at := 0; at < len(places); {
		end := strings.LastIndexByte(places, places[at]) + 1
		v := 0
		for _, c := range []byte(s.text[start+at : start+end]) {
			v = v*10 + int(c-'0')
		}
		what := map[byte]field{'y': yearField, 'm': monthNumber, 'd': dayNumber}[places[at]]
		switch {
		case what == yearField && end-at == 2:
			what, p.Date.Year = shortYear, fullYear(v)
		case what == yearField:
			p.Date.Year = v
		case what == monthNumber:
			p.Date.Month = v
		default:
			p.Date.Day = v
		}
		p.add(start+at, start+end, what)
		at = end
	}
	return isYear(p.Date.Year) && isMonth(p.Date.Month) && (p.Date.Day == 0 && !strings.Contains(places, "d") || isDay(p.Date.Day))
}

func isMonth(n int) bool { return n >= 1 && n <= 12 }

func isDay(n int) bool { return n >= 1 && n <= 31 }

// triple matches three numbers: 3/5/2014, 03-05-14, 2014.03.05, 13/5/14.
func (s *scanner) triple(i int) int {
	if !s.is(i+1, dateMarks) || !s.is(i+3, dateMarks) || s.digits(i+2) == 0 || s.digits(i+4) == 0 ||
		s.text[s.tok[i+1].Start] != s.text[s.tok[i+3].Start] { // "3/5-3/7/14" is two dates
		return i
	}
	a, b, c := s.value(i), s.value(i+2), s.value(i+4)
	la, lb, lc := s.digits(i), s.digits(i+2), s.digits(i+4)
	var p Piece
	switch {
	case lb > 2 || la == 3 || la > 4 || lc == 3 || lc > 4:
		return i
	case la == 4 && lc <= 2 || la == 2 && lc <= 2 && a > 31:
		s.ymd(&p, i, la, a, b, c)
	case la <= 2:
		s.mdy(&p, i, lc, a, b, c)
	default:
		return i
	}
	if p.Date.Year < 1 || !isMonth(p.Date.Month) || !isDay(p.Date.Day) {
		p.Scrambled = true // written as a date, but of no real day
	}
	return s.found(p, i+5)
}

func (s *scanner) ymd(p *Piece, i, width, year, month, day int) {
	p.Date = Civil{year, month, day}
	s.addYear(p, i, width)
	s.add(p, i+2, monthNumber)
	s.add(p, i+4, dayNumber)
	if month > 12 && day <= 12 {
		p.swap()
	}
}

func (s *scanner) mdy(p *Piece, i, width, a, b, year int) {
	p.Date = Civil{year, a, b}
	s.add(p, i, monthNumber)
	s.add(p, i+2, dayNumber)
	s.addYear(p, i+4, width)
	s.orient(p, a, b)
}

// orient decides which of two numbers is the month: the first, as in the US, unless it is out of
// range. If both could be, the other dates of the note decide.
func (s *scanner) orient(p *Piece, a, b int) {
	p.either = a <= 12 && b <= 12
	p.dayFirst = a > 12 && b <= 12
	p.monthFirst = a <= 12 && b > 12
	if p.dayFirst {
		p.swap()
	}
}

func (s *scanner) addYear(p *Piece, i, width int) {
	if width == 4 {
		s.add(p, i, yearField)
		return
	}
	s.add(p, i, shortYear)
	p.Date.Year = fullYear(p.Date.Year)
}

// pair matches two numbers: 3/5, 3/2014, 2014-03, 3/98.
func (s *scanner) pair(i int) int {
	if !s.is(i+1, dateMarks) || s.digits(i+2) == 0 {
		return i
	}
	a, b := s.value(i), s.value(i+2)
	la, lb := s.digits(i), s.digits(i+2)
	var p Piece
	switch {
	case la == 4 && isYear(a) && lb <= 2 && isMonth(b):
		p.Date.Year, p.Date.Month = a, b
		s.add(&p, i, yearField)
		s.add(&p, i+2, monthNumber)
	case la <= 2 && lb == 4 && isMonth(a) && isYear(b):
		p.Date.Year, p.Date.Month = b, a
		s.add(&p, i, monthNumber)
		s.add(&p, i+2, yearField)
	case la <= 2 && lb <= 2 && isMonth(a) && b > 31:
		p.Date.Year, p.Date.Month = fullYear(b), a
		s.add(&p, i, monthNumber)
		s.add(&p, i+2, shortYear)
	case la <= 2 && lb <= 2 && a > 0 && b > 0 && a <= 31 && b <= 31 && min(a, b) <= 12:
		p.Date.Month, p.Date.Day = a, b
		s.add(&p, i, monthNumber)
		s.add(&p, i+2, dayNumber)
		s.orient(&p, a, b)
	default:
		return i
	}
	return s.found(p, i+3)
}

// yearAlone matches 2014, and both years of 2013-14.
func (s *scanner) yearAlone(i int) int {
	if s.digits(i) == 2 && (s.word(i-1) == "fy" || s.is(i-1, "-/") && s.digits(i-2) == 4) {
		return s.apostropheYear(i)
	}
	if s.digits(i) != 4 || !isYear(s.value(i)) {
		return i
	}
	var p Piece
	p.Date.Year = s.value(i)
	s.add(&p, i, yearField)
	return s.found(p, i+1)
}

func (s *scanner) apostropheYear(i int) int {
	if next := s.decade(i); next > i {
		return next
	}
	var p Piece
	p.Date.Year = fullYear(s.value(i))
	s.add(&p, i, shortYear)
	return s.found(p, i+1)
}

// decade matches 1960s and 60s, with "early", "mid" or "late" before it.
func (s *scanner) decade(i int) int {
	n := s.digits(i)
	next := i + 1
	if s.isApostrophe(next) {
		next++
	}
	if n != 2 && n != 4 || s.word(next) != "s" || s.tok[next].Space || s.value(i)%10 != 0 {
		return i
	}
	p := Piece{decade: true}
	year := s.value(i)
	if n == 2 {
		year = fullYear(year)
	}
	before := s.word(i - 1)
	if s.is(i-1, "-") {
		before = s.word(i - 2)
	}
	p.Date.Year = year + map[string]int{"early": 2, "late": 8}[before]
	if p.Date.Year == year {
		p.Date.Year += 5
	}
	s.add(&p, i, decadeField)
	return s.found(p, next+1)
}
