package date

import (
	"slices"
	"strings"
	"time"

	"github.com/pgdeid/pgdeid/ensemble/spelled"
	"github.com/pgdeid/pgdeid/ensemble/text"
	"github.com/pgdeid/pgdeid/surrogate/letter"
)

// words returns the tokens as a reader of numbers in words needs them.
func (s *scanner) words() spelled.Words {
	return func(i int) string {
		if s.is(i, "-") {
			return "-"
		}
		return s.word(i)
	}
}

// spelledYear reads a year in words at token i into p and returns the next token, or i if there is
// none.
func (s *scanner) spelledYear(p *Piece, i int) int {
	year, end := s.words().Year(i)
	if end > i {
		p.Date.Year = year
		p.add(s.tok[i].Start, s.tok[end-1].End, yearSpelled)
	}
	return end
}

var romanNumerals = strings.Fields("i ii iii iv v vi vii viii ix x xi xii")

// romanMonth matches 20.III.1982 and 20 III 82.
func (s *scanner) romanMonth(i int) int {
	if n := s.digits(i); n == 0 || n > 2 || !isDay(s.value(i)) {
		return i
	}
	month := s.skip(i+1, dateMarks)
	m := slices.Index(romanNumerals, s.word(month))
	if m < 0 {
		return i
	}
	p := Piece{Date: Civil{Month: m + 1, Day: s.value(i)}}
	s.add(&p, i, dayNumber)
	s.add(&p, month, monthRoman)
	at := s.skip(month+1, dateMarks)
	end := s.year(&p, at, true)
	if end == at {
		return i
	}
	return s.found(p, end)
}

// dayOfYear matches "day 79 of 1981", "79th day of 1981" and the same in words.
func (s *scanner) dayOfYear(i int) int {
	var p Piece
	day, at := s.dayBeforeYear(&p, i)
	if day == 0 || day > 366 || !isOf(s.word(at)) {
		return i
	}
	at++
	for s.word(at) == "the" || s.word(at) == "year" {
		at++
	}
	end := s.year(&p, at, false)
	if end == at {
		return i
	}
	first := time.Date(p.Date.Year, time.January, day, 0, 0, 0, 0, time.UTC)
	p.Date = CivilOf(first)
	return s.found(p, end)
}

// dayBeforeYear reads "day 79" or "79th day" at token i into p.
func (s *scanner) dayBeforeYear(p *Piece, i int) (day, end int) {
	if s.word(i) == "day" {
		return s.countOfDays(p, i+1)
	}
	day, end = s.ordinalOfDays(p, i)
	if s.word(end) != "day" {
		return 0, i
	}
	return day, end + 1
}

func (s *scanner) countOfDays(p *Piece, i int) (day, end int) {
	if n := s.digits(i); n > 0 && n <= 3 {
		s.add(p, i, dayOfYearNumber)
		return s.value(i), i + 1
	}
	day, end = s.words().Count(i)
	if end > i {
		p.add(s.tok[i].Start, s.tok[end-1].End, dayOfYearCount)
	}
	return day, end
}

func (s *scanner) ordinalOfDays(p *Piece, i int) (day, end int) {
	if n := s.digits(i); n > 0 && n <= 3 {
		s.add(p, i, dayOfYearNumber)
		if end = i + 1; end < len(s.tok) && slices.Contains([]string{"st", "nd", "rd", "th"}, s.word(end)) {
			s.add(p, end, dayOfYearSuffix)
			return s.value(i), end + 1
		}
		return 0, i
	}
	day, end = s.words().Ordinal(i)
	if end > i {
		p.add(s.tok[i].Start, s.tok[end-1].End, dayOfYearOrdinal)
	}
	return day, end
}

// yearDay returns the number of a day within its year.
func (c Civil) yearDay() int {
	return time.Date(c.Year, time.Month(c.Month), c.Day, 0, 0, 0, 0, time.UTC).YearDay()
}

// spelledSlot writes the fields that consist of words or letters instead of digits.
func spelledSlot(what field, was string, to Civil) string {
	switch what {
	case yearSpelled:
		return letter.InCaseOf(inFirstCase(spelled.Year(to.Year), was), was)
	case monthRoman:
		if letter.Case(was) == text.Lower {
			return romanNumerals[to.Month-1]
		}
		return strings.ToUpper(romanNumerals[to.Month-1])
	case dayOfYearCount:
		return letter.InCaseOf(inFirstCase(spelled.Count(to.yearDay()), was), was)
	case dayOfYearOrdinal:
		return letter.InCaseOf(inFirstCase(spelled.Ordinal(to.yearDay()), was), was)
	case dayOfYearSuffix:
		return letter.InCase(ordinal(to.yearDay()%100), letter.CaseOfWord(was))
	}
	return was
}

// inFirstCase capitalises a text if the original is capitalised.
func inFirstCase(s, was string) string {
	if was != "" && letter.IsUpperASCII(was[0]) {
		return firstCapital(s)
	}
	return s
}
