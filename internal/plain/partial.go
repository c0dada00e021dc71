package plain

import (
	"regexp"
	"strconv"
	"time"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// Partial is a date of which the month or the year alone is known, as ISO 8601 and FHIR write it: 1970-05, 1970.
type Partial struct {
	phi.Redacted

	first  time.Time // the first day that it can be
	layout string
}

var partial = regexp.MustCompile(`^([0-9]{4})(?:-([0-9]{2}))?$`)

// ParsePartial reads a date without its day.
func ParsePartial(text string) (Partial, error) {
	m := partial.FindStringSubmatch(text)
	if m == nil {
		return Partial{}, ErrValue
	}
	p := Partial{layout: "2006"}
	year, err := strconv.Atoi(m[1])
	if err != nil || year < firstYear || year > lastYear {
		return Partial{}, ErrValue
	}
	month := 1
	if m[2] != "" {
		p.layout = "2006-01"
		month, err = strconv.Atoi(m[2])
	}
	if err != nil || month < 1 || month > 12 {
		return Partial{}, ErrValue
	}
	p.first = time.Date(year, time.Month(month), 1, 0, 0, 0, 0, time.UTC)
	return p, nil
}

// Days returns the first day that the date can be, and how many there are. The last day of a leap year is not counted.
func (p Partial) Days() (first time.Time, n int) {
	if p.layout == "2006" {
		return p.first, 365
	}
	return p.first, p.first.AddDate(0, 1, -1).Day()
}

// Write writes another day as precisely.
func (p Partial) Write(t time.Time) string { return t.Format(p.layout) }
