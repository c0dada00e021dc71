package surrogate

import (
	"time"

	"github.com/pgdeid/pgdeid/ensemble/record"
)

// Order says whether a site writes 3/5 for the fifth of March or for the third of May.
type Order string

// The orders.
const (
	MonthFirst Order = "month_first" // as in the US
	DayFirst   Order = "day_first"
)

// dateForm is how the fields of a numeric date are divided. Each has an order of its own:
// a note of an American hospital quotes a passport's 18.06.2013.
type dateForm uint8

const (
	slashed dateForm = iota
	dashed
	dotted
	undivided
	numForms
)

// form returns how a piece is divided.
func (p *piece) form(text string) dateForm {
	for i := 1; i < len(p.slots); i++ {
		for _, c := range text[p.slots[i-1].end:p.slots[i].start] {
			switch c {
			case '/', '\\':
				return slashed
			case '-':
				return dashed
			case '.':
				return dotted
			}
		}
	}
	return undivided
}

// orders is what the dates of a text show of their order, by form: how many have the day
// first less how many have the month first.
type orders [numForms]int

// count takes in a date that can be read in one order only, or that is the patient's
// birth date in one order only.
func (o *orders) count(p *piece, text string, born []civil) {
	dayFirst, monthFirst := p.dayFirst, p.monthFirst
	if p.either && p.full() {
		other := civil{p.date.year, p.date.day, p.date.month}
		monthFirst, dayFirst = holdsDate(born, p.date), holdsDate(born, other)
	}
	switch {
	case dayFirst && !monthFirst:
		o[p.form(text)]++
	case monthFirst && !dayFirst:
		o[p.form(text)]--
	}
}

func holdsDate(dates []civil, d civil) bool {
	for _, b := range dates {
		if b == d {
			return true
		}
	}
	return false
}

// dayFirst decides on dates of a form that could be read in either order: by those of the
// form that could not, then by what the note shows elsewhere, then by what the site says.
// Dots and other marks are no evidence for one another, as those who write dots are not
// those who write slashes.
func (o *orders) dayFirst(f dateForm, site Order) bool {
	evidence := o[f]
	if evidence == 0 && (f == slashed || f == dashed) {
		evidence = o[slashed] + o[dashed]
	}
	if evidence == 0 {
		return site == DayFirst
	}
	return evidence > 0
}

// births returns the birth dates of the patient's record.
func (b *Book) births() []civil {
	var out []civil
	for _, value := range b.who.Record()[record.BirthDate] {
		if len(value) < len(time.DateOnly) {
			continue
		}
		if t, err := time.Parse(time.DateOnly, value[:len(time.DateOnly)]); err == nil {
			out = append(out, civilOf(t))
		}
	}
	return out
}
