package date

// Order is the order of day and month in a site's numeric dates: whether 3/5 is March 5th or May
// 3rd.
type Order string

// The orders.
const (
	MonthFirst Order = "month_first" // as in the US
	DayFirst   Order = "day_first"
)

// separator is how the fields of a numeric date are separated. Each form has its own order: a US
// note may quote 18.06.2013 from a passport.
type separator uint8

const (
	slashed separator = iota
	dashed
	dotted
	undivided
	numSeparators
)

// form returns the separator style of a piece.
func (p *Piece) separator(text string) separator {
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
type orders [numSeparators]int

// count records a date that can be read in one order only, or that equals the patient's birth date
// in one order only.
func (o *orders) count(p *Piece, text string, born []Civil) {
	dayFirst, monthFirst := p.dayFirst, p.monthFirst
	if p.either && p.Full() {
		other := Civil{p.Date.Year, p.Date.Day, p.Date.Month}
		monthFirst, dayFirst = holdsDate(born, p.Date), holdsDate(born, other)
	}
	switch {
	case dayFirst && !monthFirst:
		o[p.separator(text)]++
	case monthFirst && !dayFirst:
		o[p.separator(text)]--
	}
}

func holdsDate(dates []Civil, d Civil) bool {
	for _, b := range dates {
		if b == d {
			return true
		}
	}
	return false
}

// DayFirst decides ambiguous dates of a form: by the unambiguous dates of the same form, then by
// those of other forms, then by the site's order. Dots and other separators are no evidence for
// one another, as they usually come from different authors.
func (o *orders) dayFirst(f separator, site Order) bool {
	evidence := o[f]
	if evidence == 0 && (f == slashed || f == dashed) {
		evidence = o[slashed] + o[dashed]
	}
	if evidence == 0 {
		return site == DayFirst
	}
	return evidence > 0
}
