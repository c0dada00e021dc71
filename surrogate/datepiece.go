package surrogate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
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

// piece is one date, or partial date, in a span's text.
type piece struct {
	date      civil // the stated fields; 0: not stated
	holiday   holiday
	season    bool // the month is the middle of a season or quarter
	decade    bool // the year is the middle of a decade
	weekday   bool // only a day of the week
	scrambled bool // not a date
	// either is set if month and day could be exchanged, dayFirst and monthFirst if the order is
	// certain.
	either, dayFirst, monthFirst bool
	// narrow is set if other dates of the text write 3, not 03.
	narrow bool
	slots  []slot
}

// mark returns the separator of a numeric date that begins with a month or day, or 0. Dates with
// the same separator are written in one style.
func (p *piece) mark(text string) byte {
	first := p.slots[0]
	if first.what != monthNumber && first.what != dayNumber || first.end >= len(text) || isDigit(text[first.end]) {
		return 0
	}
	return text[first.end]
}

// widths reports whether any numeric month or day is written 3 (narrow) or 03 (wide).
func (p *piece) widths(text string) (narrow, wide bool) {
	for _, s := range p.slots {
		if s.what == monthNumber || s.what == dayNumber {
			narrow = narrow || s.end-s.start == 1
			wide = wide || s.end-s.start == 2 && text[s.start] == '0'
		}
	}
	return narrow, wide
}

// full reports whether a piece states a day of a year.
func (p *piece) full() bool { return p.date.year != 0 && p.date.month != 0 && p.date.day != 0 }

func (p *piece) add(start, end int, what field) { p.slots = append(p.slots, slot{start, end, what}) }

// swap exchanges month and day.
func (p *piece) swap() {
	p.date.month, p.date.day = p.date.day, p.date.month
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

// resolve completes a partial date from the date before it. A month becomes its 15th, a year July
// 1st.
func (p *piece) resolve(before civil) civil {
	d := p.date
	if d.year == 0 {
		d.year = before.year
	}
	if p.holiday != nil {
		if d.year == 0 {
			d.year = leapSafe(0, 0)
		}
		return p.holiday(d.year)
	}
	switch {
	case d.month == 0 && d.day != 0: // "the 29th"
		d.month = before.month
		if d.month == 0 {
			d.month = 1
		}
	case d.month == 0:
		d.month, d.day = 7, 1
	case d.day == 0:
		d.day = 15
	}
	if d.year == 0 {
		d.year = leapSafe(d.month, d.day)
	}
	return d
}

// render writes a slot of text for the shifted date. month is the month shown by the preceding
// piece, for the end of a range.
func (p *piece) render(s slot, text string, to civil, month int) string {
	was := text[s.start:s.end]
	switch s.what {
	case yearField:
		return fmt.Sprintf("%04d", to.year)
	case shortYear:
		return fmt.Sprintf("%02d", to.year%100)
	case monthNumber:
		return p.padded(s, text, to.month)
	case dayNumber:
		return p.padded(s, text, to.day)
	case monthName:
		return inCase(p.monthStyle(s, text, to.month), wordCase(was))
	case daySuffix:
		return inCase(ordinal(to.day), wordCase(was))
	case daySpelled:
		return inCaseOf(firstCapital(spelledDay(to.day)), was)
	case dayOfRange:
		if to.month != month {
			return monthNames[to.month] + " " + strconv.Itoa(to.day)
		}
		return strconv.Itoa(to.day)
	case weekdayField:
		return weekdayStyle(was, to.weekday())
	case seasonField:
		return inCaseOf(seasonOf(to.month, was), was)
	case quarterField:
		return strconv.Itoa((to.month + 2) / 3)
	case decadeField:
		return fmt.Sprintf("%0*d", len(was), to.year/10*10%pow10(len(was)))
	case holidayField:
		name := inCaseOf(monthNames[to.month]+" "+strconv.Itoa(to.day), was)
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
func (p *piece) padded(s slot, text string, n int) string {
	if s.end-s.start < 2 || text[s.start] != '0' && !p.pads(s, text) {
		return strconv.Itoa(n)
	}
	return fmt.Sprintf("%02d", n)
}

// pads reports whether a two-digit number without a leading zero belongs to a padded date.
func (p *piece) pads(s slot, text string) bool {
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
func (p *piece) monthStyle(s slot, text string, month int) string {
	was := strings.ToLower(text[s.start:s.end])
	short := len(was) <= 4 && months[was] != 0 && !strings.EqualFold(monthNames[months[was]], was)
	if was == "may" { // both long and short: a full stop or a compact format decides
		short = s.end < len(text) && strings.IndexByte(".-/", text[s.end]) >= 0 ||
			s.start > 0 && text[s.start-1] != ' ' || s.end < len(text) && isDigit(text[s.end])
	}
	switch {
	case slices.Contains(spanishMonths[1:], was):
		return titled(spanishMonths[month])
	case !short:
		return monthNames[month]
	case was == "sept" && month == 9:
		return "Sept"
	default:
		return monthNames[month][:3]
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
	return inCase(name, wordCase(was))
}

func firstCapital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
