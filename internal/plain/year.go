package plain

import (
	"strconv"
	"strings"
	"time"
)

// Year is what a value says of a year.
type Year struct {
	Number int
	day    time.Time // zero where the value is the year alone
}

// Day returns the day that the value says; false where it is a year alone.
func (y Year) Day() (time.Time, bool) { return y.day, !y.day.IsZero() }

// String writes the year with four digits.
func (y Year) String() string { return strconv.Itoa(y.Number) }

// ParseYear reads a year of four digits or a complete date. Where a date can be read
// month first or day first, and order does not choose, the error is [ErrOrder], and the
// year is there all the same.
func ParseYear(text string, order Order) (Year, error) {
	text = strings.TrimSpace(text)
	if len(text) == 4 {
		for _, r := range text {
			if r < '0' || r > '9' {
				return Year{}, ErrValue
			}
		}
		n, err := strconv.Atoi(text)
		if err != nil || n < firstYear || n > lastYear {
			return Year{}, ErrValue
		}
		return Year{Number: n}, nil
	}
	d, err := ParseDate(text, order)
	if err == nil {
		return Year{d.time.Year(), d.time}, nil
	}
	if all := readings(text, order); len(all) > 0 {
		return Year{Number: all[0].time.Year()}, err
	}
	return Year{}, err
}
