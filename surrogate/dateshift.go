package surrogate

import (
	"encoding/binary"
	"fmt"
	"time"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/surrogate/date"
)

// Direction is the direction in which dates move.
type Direction string

// The directions of date shifts.
const (
	Back    Direction = "back"
	Forward Direction = "forward"
	Both    Direction = "both"
)

// maxShiftDays limits shifts to a century: beyond it two-digit years are ambiguous.
const maxShiftDays = 36525

// DateShift limits the number of days by which a patient's dates move.
type DateShift struct {
	MinDays    int       // at least 1; default 30
	MaxDays    int       // default 365
	Direction  Direction // default Back
	WholeWeeks bool      // shifts are multiples of 7, so that weekdays stay
	// Order is used for ambiguous numeric dates in notes that do not show the order otherwise; default
	// MonthFirst.
	Order date.Order
}

func (d DateShift) withDefaults() DateShift {
	if d.MinDays == 0 {
		d.MinDays = 30
	}
	if d.MaxDays == 0 {
		d.MaxDays = max(365, d.MinDays)
	}
	if d.Direction == "" {
		d.Direction = Back
	}
	if d.Order == "" {
		d.Order = date.MonthFirst
	}
	return d
}

func (d DateShift) validate() error {
	switch {
	case d.MinDays < 1:
		return fmt.Errorf("surrogates: dates: min_days is %d: want at least 1", d.MinDays)
	case d.MaxDays < d.MinDays:
		return fmt.Errorf("surrogates: dates: max_days (%d) is less than min_days (%d)", d.MaxDays, d.MinDays)
	case d.MaxDays > maxShiftDays:
		return fmt.Errorf("surrogates: dates: max_days is %d: want at most %d", d.MaxDays, maxShiftDays)
	case d.Direction != Back && d.Direction != Forward && d.Direction != Both:
		return fmt.Errorf("surrogates: dates: unknown direction %q (one of %s, %s, %s)", d.Direction, Back, Forward, Both)
	case d.Order != date.MonthFirst && d.Order != date.DayFirst:
		return fmt.Errorf("surrogates: dates: unknown order %q (one of %s, %s)", d.Order, date.MonthFirst, date.DayFirst)
	case d.WholeWeeks && d.weeksFrom() > d.MaxDays/7:
		return fmt.Errorf("surrogates: dates: no whole week between min_days %d and max_days %d: widen them or switch whole_weeks off",
			d.MinDays, d.MaxDays)
	}
	return nil
}

// weeksFrom returns the smallest number of whole weeks that is at least MinDays.
func (d DateShift) weeksFrom() int { return (d.MinDays + 6) / 7 }

// days derives a shift, never 0, from at least 16 random bytes.
func (d DateShift) days(random []byte) int {
	low, high, unit := d.MinDays, d.MaxDays, 1
	if d.WholeWeeks {
		low, high, unit = d.weeksFrom(), d.MaxDays/7, 7
	}
	n := binary.BigEndian.Uint64(random)
	days := (low + int(n%uint64(high-low+1))) * unit
	if d.Direction == Back || d.Direction == Both && random[8]&1 == 0 {
		return -days
	}
	return days
}

// Shift returns the number of days by which a patient's dates move: negative is back in time,
// never 0. It is derived from the key and the pseudonym.
func (m *Maker) Shift(pseudonym string) int {
	return m.opts.Dates.days(m.key.HMAC("date shift", pseudonym))
}

// ShiftTime moves a structured date or timestamp by the patient's shift. Time of day and location
// stay. A date that would show an age over 89 is moved to the earliest year that does not; see
// [Maker.OldestYear].
func (b *Book) ShiftTime(t time.Time) time.Time {
	return NotBefore(t.AddDate(0, 0, b.shift), b.oldest)
}

// NotBefore moves a date earlier than the year oldest to the same day of that year.
func NotBefore(t time.Time, oldest int) time.Time {
	if t.Year() >= oldest {
		return t
	}
	d := date.CivilOf(t).In(oldest)
	return time.Date(d.Year, time.Month(d.Month), d.Day, t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), t.Location())
}

// OldestYear returns the earliest year that a date may show, or 0 if ages over 89 are kept. "All
// elements of dates (including year) indicative of such age" are identifiers (45 CFR
// 164.514(b)(2)(i)(C)). A date that far back is nearly always a date of birth; all people over 89
// get the same year, as they get the same age.
func (m *Maker) OldestYear() int {
	if m.actions[phi.Age] == Keep {
		return 0
	}
	return OldestBirth(m.now())
}

// OldestBirth returns the year of birth that all people over 89 are given at the time now.
func OldestBirth(now time.Time) int { return now.Year() - topAge - 1 }

// notTooOld moves a date that was written with its year up to the oldest year.
func (b *Book) notTooOld(written, to date.Civil) date.Civil {
	if written.Year == 0 || to.Year >= b.oldest {
		return to
	}
	return to.In(b.oldest)
}
