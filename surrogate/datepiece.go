package surrogate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A slot is a part of a date's text that shows one of its fields; what stands
// between slots is kept. So a date keeps its format, whatever it is.
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
	dayOfRange                    // the 5 of "March 3-5": with a month where it is another
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
	scrambledField                // digits that make no date
)

// A piece is one date, or partial date, within a span's text.
type piece struct {
	date      civil // fields that the text states; 0: not stated
	holiday   holiday
	season    bool // the month is the middle of a season or quarter
	decade    bool // the year is the middle of a decade
	weekday   bool // no date: a day of the week on its own
	scrambled bool // no date at all
	// either says that month and day are numbers which could change places, dayFirst
	// and monthFirst that they could not.
	either, dayFirst, monthFirst bool
	// narrow says that the text's other dates write 3, not 03.
	narrow bool
	slots  []slot
}

// mark is what stands between the fields of a numeric date that begins with a month
// or a day, or 0: dates with one mark are written alike.
func (p *piece) mark(text string) byte {
	first := p.slots[0]
	if first.what != monthNumber && first.what != dayNumber || first.end >= len(text) || isDigit(text[first.end]) {
		return 0
	}
	return text[first.end]
}

// widths reports whether a numeric month or day is written 3, and whether one is
// written 03.
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

// swap changes month and day round: the note writes the day first.
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

// leapSafe is the year of dates that no other date gives one: a plain year between
// plain years, save for the 29th of February.
func leapSafe(month, day int) int {
	if month == 2 && day == 29 {
		return 2000
	}
	return 2002
}

// resolve fills in what a piece does not state from the date before it: the whole
// date that is then shifted. A month stands for its 15th, a year for July 1st.
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

// render writes a slot of text for the shifted date. month is the month that the
// piece before it shows, for a day of a range.
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

// padded writes a month or day as wide as the date's own style says: "03" and "10"
// beside "05" are padded, "10" beside "5" is not.
func (p *piece) padded(s slot, text string, n int) string {
	if s.end-s.start < 2 || text[s.start] != '0' && !p.pads(s, text) {
		return strconv.Itoa(n)
	}
	return fmt.Sprintf("%02d", n)
}

// pads tells the style of a two-digit number without a leading zero from the rest
// of the date.
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
			// "15-Mar-2014" and "15Mar2014" are of machines, "15 March" is not.
			return !strings.Contains(text[min(s.end, o.end):max(s.start, o.start)], " ")
		}
	}
	return !p.narrow
}

// monthStyle writes a month's name in full or short, as the original is.
func (p *piece) monthStyle(s slot, text string, month int) string {
	was := strings.ToLower(text[s.start:s.end])
	short := len(was) <= 4 && months[was] != 0 && !strings.EqualFold(monthNames[months[was]], was)
	if was == "may" { // both long and short: a full stop or a tight format tells
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
