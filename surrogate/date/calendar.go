package date

import (
	"slices"
	"strings"
	"time"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
)

// Civil is a date; a field that is 0 is unknown.
type Civil struct{ Year, Month, Day int }

// CivilOf returns the date of a time, in its own location.
func CivilOf(t time.Time) Civil { return Civil{t.Year(), int(t.Month()), t.Day()} }

// Plus moves a complete date by days. A day after the end of the month runs into the next one.
func (c Civil) Plus(days int) Civil {
	return CivilOf(time.Date(c.Year, time.Month(c.Month), c.Day+days, 0, 0, 0, 0, time.UTC))
}

// In returns the date in another year; February 29th becomes the 28th.
func (c Civil) In(year int) Civil {
	if c.Month == 2 && c.Day == 29 {
		c.Day = 28
	}
	c.Year = year
	return c
}

func (c Civil) weekday() int {
	return int(time.Date(c.Year, time.Month(c.Month), c.Day, 0, 0, 0, 0, time.UTC).Weekday())
}

// MonthNames are the months in English, by their numbers.
var MonthNames = [13]string{
	"", "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
	"November", "December",
}

var spanishMonths = [13]string{
	"", "enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre", "noviembre",
	"diciembre",
}

var dayNames = [7]string{"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"}

// longDays are the longer abbreviations, such as "Tues".
var longDays = [7]string{"Sun", "Mon", "Tues", "Wed", "Thurs", "Fri", "Sat"}

var months, weekdays = func() (m, d map[string]int) {
	m, d = map[string]int{"sept": 9}, map[string]int{"weds": 3, "thur": 4, "thurs": 4, "tues": 2}
	for i, name := range MonthNames[1:] {
		m[strings.ToLower(name)], m[strings.ToLower(name[:3])] = i+1, i+1
	}
	for i, name := range dayNames {
		full := strings.ToLower(name)
		d[full], d[full+"s"], d[full[:3]] = i, i, i
	}
	return m, d
}()

// monthOf returns the month named by a lower-case word, common misspellings included, or 0.
func monthOf(word string) int {
	if m := months[word]; m != 0 {
		return m
	}
	if len(word) < 5 {
		return 0
	}
	if m := slices.Index(spanishMonths[:], word); m > 0 {
		return m
	}
	for m, name := range MonthNames[1:] {
		if lexicon.OneEdit(strings.ToLower(name), word) {
			return m + 1
		}
	}
	return 0
}

// seasons maps a season to its middle month.
var seasons = map[string]int{"winter": 1, "spring": 4, "summer": 7, "fall": 10, "autumn": 10}

func seasonOf(month int, original string) string {
	switch {
	case month == 12 || month <= 2:
		return "Winter"
	case month <= 5:
		return "Spring"
	case month <= 8:
		return "Summer"
	case strings.EqualFold(original, "autumn"):
		return "Autumn"
	default:
		return "Fall"
	}
}

// ordinal is the suffix of a day: "st", "nd", "rd", "th".
func ordinal(day int) string {
	switch {
	case day%10 == 1 && day != 11:
		return "st"
	case day%10 == 2 && day != 12:
		return "nd"
	case day%10 == 3 && day != 13:
		return "rd"
	default:
		return "th"
	}
}

var spelledUnits = [20]string{
	"", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
	"twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth",
}

// spelledDay writes a day as a word: "twenty-first".
func spelledDay(day int) string {
	switch {
	case day < 20:
		return spelledUnits[day]
	case day == 20:
		return "twentieth"
	case day < 30:
		return "twenty-" + spelledUnits[day-20]
	case day == 30:
		return "thirtieth"
	default:
		return "thirty-" + spelledUnits[day-30]
	}
}

var spelledDays = func() map[string]int {
	m := map[string]int{}
	for d := 1; d <= 31; d++ {
		m[spelledDay(d)] = d
		m[strings.ReplaceAll(spelledDay(d), "-", " ")] = d
	}
	return m
}()

// centuryFrom is the first two-digit year that means 19xx.
const centuryFrom = 41

func fullYear(twoDigits int) int {
	if twoDigits < centuryFrom {
		return 2000 + twoDigits
	}
	return 1900 + twoDigits
}

func isYear(n int) bool { return n >= 1850 && n < 2150 }
