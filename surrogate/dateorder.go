package surrogate

import (
	"time"

	"github.com/pgdeid/pgdeid/ensemble/record"
)

// Order is the order of day and month in a site's numeric dates: whether 3/5 is March 5th or May
// 3rd.
type Order string

// The orders.
const (
	MonthFirst Order = "month_first" // as in the US
	DayFirst   Order = "day_first"
)

// dateForm is how the fields of a numeric date are separated. Each form has its own order: a US
// note may quote 18.06.2013 from a passport.
type dateForm uint8

const (
	slashed dateForm = iota
	dashed
	dotted
	undivided
	numForms
)

// form returns the separator style of a piece.
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

// orders counts the evidence of a text for day-first less that for month-first, by form.
type orders [numForms]int

// count records a date that can be read in one order only, or that equals the patient's birth date
// in one order only.
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

// dayFirst decides ambiguous dates of a form: by the unambiguous dates of the same form, then by
// those of other forms, then by the site's order. Dots and other separators are no evidence for
// one another, as they usually come from different authors.
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

// births returns the birth dates in the patient's record.
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
