package date

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pgdeid/pgdeid/surrogate/letter"
)

// slot is a part of a date's text that shows one of its fields. Text between slots is kept, so
// that the date keeps its format.
type slot struct {
	start, end int
	what       field
}

type field uint8

const (
	yearField        field = iota // 2014
	shortYear                     // 14
	monthNumber                   // 3, 03
	monthName                     // March, Mar, MAR
	dayNumber                     // 5, 05
	daySuffix                     // th
	daySpelled                    // fifth
	dayOfRange                    // the 5 of "March 3-5"; written with its month if that changes
	weekdayField                  // Monday, Mon
	seasonField                   // summer
	decadeField                   // 1960, 60
	holidayField                  // Christmas
	quarterField                  // 1 of Q1
	yearSpelled                   // nineteen eighty-two
	monthRoman                    // III
	dayOfYearNumber               // 79 of "day 79 of 1981"
	dayOfYearSuffix               // th
	dayOfYearCount                // seventy-nine
	dayOfYearOrdinal              // seventy-ninth
	scrambledField                // digits that are not a date
)

// Piece is one date, or partial date, in a span's text.
type Piece struct {
	Date      Civil // the stated fields; 0: not stated
	holiday   holiday
	season    bool // the month is the middle of a season or quarter
	decade    bool // the year is the middle of a decade
	Weekday   bool // only a day of the week
	Scrambled bool // not a date
	// either is set if month and day could be exchanged, dayFirst and monthFirst if the order is
	// certain.
	either, dayFirst, monthFirst bool
	// narrow is set if other dates of the text write 3, not 03.
	narrow bool
	slots  []slot
}

// mark returns the separator of a numeric date that begins with a month or day, or 0. Dates with
// the same separator are written in one style.
func (p *Piece) mark(text string) byte {
	first := p.slots[0]
	if first.what != monthNumber && first.what != dayNumber || first.end >= len(text) || letter.IsDigit(text[first.end]) {
		return 0
	}
	return text[first.end]
}

// widths reports whether any numeric month or day is written 3 (narrow) or 03 (wide).
func (p *Piece) widths(text string) (narrow, wide bool) {
	for _, s := range p.slots {
		if s.what == monthNumber || s.what == dayNumber {
			narrow = narrow || s.end-s.start == 1
			wide = wide || s.end-s.start == 2 && text[s.start] == '0'
		}
	}
	return narrow, wide
}

// Full reports whether a piece states a day of a year.
func (p *Piece) Full() bool { return p.Date.Year != 0 && p.Date.Month != 0 && p.Date.Day != 0 }

func (p *Piece) add(start, end int, what field) { p.slots = append(p.slots, slot{start, end, what}) }

// swap exchanges month and day.
func (p *Piece) swap() {
	p.Date.Month, p.Date.Day = p.Date.Day, p.Date.Month
	for i := range p.slots {
		switch p.slots[i].what {
		case monthNumber:
			p.slots[i].what = dayNumber
		case dayNumber:
			p.slots[i].what = monthNumber
		}
	}
}

// leapSafe returns the year assumed for dates without one: a non-leap year between non-leap years,
// except for February 29th.
func leapSafe(month, day int) int {
	if month == 2 && day == 29 {
		return 2000
	}
	return 2002
}

// Resolve completes a partial date from the date before it. A month becomes its 15th, a year July
// 1st.
func (p *Piece) Resolve(before Civil) Civil {
	d := p.Date
	if d.Year == 0 {
		d.Year = before.Year
	}
	if p.holiday != nil {
		if d.Year == 0 {
			d.Year = leapSafe(0, 0)
		}
		return p.holiday(d.Year)
	}
	switch {
	case d.Month == 0 && d.Day != 0: // "the 29th"
		d.Month = before.Month
		if d.Month == 0 {
			d.Month = 1
		}
	case d.Month == 0:
		d.Month, d.Day = 7, 1
	case d.Day == 0:
		d.Day = 15
	}
	if d.Year == 0 {
		d.Year = leapSafe(d.Month, d.Day)
	}
	return d
}

// render writes a slot of text for the shifted date. month is the month shown by the preceding
// piece, for the end of a range.
func (p *Piece) render(s slot, text string, to Civil, month int) string {
	was := text[s.start:s.end]
	switch s.what {
	case yearField:
		return fmt.Sprintf("%04d", to.Year)
	case shortYear:
		return fmt.Sprintf("%02d", to.Year%100)
	case monthNumber:
		return p.padded(s, text, to.Month)
	case dayNumber:
		return p.padded(s, text, to.Day)
	case monthName:
		return letter.InCase(p.monthStyle(s, text, to.Month), letter.CaseOfWord(was))
	case daySuffix:
		return letter.InCase(ordinal(to.Day), letter.CaseOfWord(was))
	case daySpelled:
		return letter.InCaseOf(firstCapital(spelledDay(to.Day)), was)
	case dayOfRange:
		if to.Month != month {
			return MonthNames[to.Month] + " " + strconv.Itoa(to.Day)
		}
		return strconv.Itoa(to.Day)
	case weekdayField:
		return weekdayStyle(was, to.weekday())
	case seasonField:
		return letter.InCaseOf(seasonOf(to.Month, was), was)
	case quarterField:
		return strconv.Itoa((to.Month + 2) / 3)
	case decadeField:
		return fmt.Sprintf("%0*d", len(was), to.Year/10*10%pow10(len(was)))
	case holidayField:
		name := letter.InCaseOf(MonthNames[to.Month]+" "+strconv.Itoa(to.Day), was)
		if len(p.slots) > 1 {
			name += ", "
		}
		return name
	case dayOfYearNumber:
		return strconv.Itoa(to.yearDay())
	default:
		return spelledSlot(s.what, was, to)
	}
}

func pow10(n int) int {
	p := 1
	for range n {
		p *= 10
	}
	return p
}

// padded writes a month or day in the date's own style: "03", and "10" next to "05", are padded;
// "10" next to "5" is not.
func (p *Piece) padded(s slot, text string, n int) string {
	if s.end-s.start < 2 || text[s.start] != '0' && !p.pads(s, text) {
		return strconv.Itoa(n)
	}
	return fmt.Sprintf("%02d", n)
}

// pads reports whether a two-digit number without a leading zero belongs to a padded date.
func (p *Piece) pads(s slot, text string) bool {
	for _, o := range p.slots {
		switch o.what {
		case monthNumber, dayNumber:
			if o.end-o.start == 1 {
				return false
			}
		case daySuffix:
			return false // "29th" becomes "8th"
		case monthName:
			// "15-Mar-2014" and "15Mar2014" are machine formats with padded days, "15 March" is not.
			return !strings.Contains(text[min(s.end, o.end):max(s.start, o.start)], " ")
		}
	}
	return !p.narrow
}

// monthStyle writes a month's name in full or abbreviated, as in the original.
func (p *Piece) monthStyle(s slot, text string, month int) string {
	was := strings.ToLower(text[s.start:s.end])
	short := len(was) <= 4 && months[was] != 0 && !strings.EqualFold(MonthNames[months[was]], was)
	if was == "may" { // both long and short: a full stop or a compact format decides
		short = s.end < len(text) && strings.IndexByte(".-/", text[s.end]) >= 0 ||
			s.start > 0 && text[s.start-1] != ' ' || s.end < len(text) && letter.IsDigit(text[s.end])
	}
	switch {
	case slices.Contains(spanishMonths[1:], was):
		return letter.Titled(spanishMonths[month])
	case !short:
		return MonthNames[month]
	case was == "sept" && month == 9:
		return "Sept"
	default:
		return MonthNames[month][:3]
	}
}

func weekdayStyle(was string, day int) string {
	lower := strings.ToLower(was)
	name := dayNames[day]
	switch {
	case strings.HasSuffix(lower, "days"):
		name += "s"
	case strings.HasSuffix(lower, "day"):
	case len(was) > 3:
		name = longDays[day]
	default:
		name = name[:3]
	}
	return letter.InCase(name, letter.CaseOfWord(was))
}

func firstCapital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
