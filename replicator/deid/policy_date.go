package deid

import (
	"encoding/binary"
	"errors"
	"slices"
	"strconv"
	"time"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/plain"
	"github.com/pgdeid/pgdeid/replicator/patient"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/surrogate"
)

// shiftDate moves a date, in PostgreSQL's text format or as a text or number has it.
func shiftDate(text string, col *schema.Column, move func(time.Time) time.Time) (string, error) {
	if config.IsDate(col.Typ) && (text == "infinity" || text == "-infinity") {
		return text, nil // "for ever": no date
	}
	d, err := plain.ParseDate(text, col.Order)
	if err != nil {
		return "", patient.ErrValue
	}
	to := d.Write(move(d.Time()))
	if _, err := plain.ParseDate(to, col.Order); err != nil && !errors.Is(err, plain.ErrOrder) {
		return "", patient.ErrValue // beyond the years that a date may have
	}
	return to, nil
}

// plainYear publishes the year of a value as it is, but for an age over 89 that it may show.
func plainYear(col *schema.Column, text string, now time.Time) (string, error) {
	y, err := plain.ParseYear(text, col.Order)
	if err != nil && !errors.Is(err, plain.ErrOrder) { // the year does not depend on the order
		return "", patient.ErrValue
	}
	return capYear(col, y, now), nil
}

// capYear moves years of birth that would show an age over 89 to the latest such year
// (Safe Harbor, 45 CFR 164.514(b)(2)(i)(C)).
func capYear(col *schema.Column, y plain.Year, now time.Time) string {
	if oldest := surrogate.OldestBirth(now); col.Tells == "birth_date" && y.Number < oldest {
		y.Number = oldest
	}
	return y.String()
}

// movedYear publishes the year of the date as it is after the patient's shift. The
// true year next to the shifted date would rule out a third of all shifts.
func (d *Deidentifier) movedYear(p *patient.Patient, col *schema.Column, text string) (string, error) {
	y, err := plain.ParseYear(text, col.Order)
	if err != nil {
		return "", patient.ErrValue
	}
	day, known := y.Day()
	if !known {
		day = d.dayOf(p, col, y.Number)
	}
	y.Number = p.Open(d.Maker).ShiftTime(day).Year()
	return capYear(col, y, d.now()), nil
}

// dayOf returns a day for a year without one: the day of birth where the record
// has one in that year, otherwise one that is drawn for the patient with the key.
func (d *Deidentifier) dayOf(p *patient.Patient, col *schema.Column, year int) time.Time {
	first := time.Date(year, time.January, 1, 0, 0, 0, 0, time.UTC)
	if born, known := bornWithin(p, col, first, first.AddDate(1, 0, 0)); known {
		return born
	}
	const days = 365 // the last day of leap years is never drawn
	n := binary.BigEndian.Uint64(d.key.HMAC("day of a year", p.Pseudonym, strconv.Itoa(year))) % days
	return first.AddDate(0, 0, int(n))
}

// bornWithin returns the first day of birth that the patient's record has between two days, for a column of birth dates.
func bornWithin(p *patient.Patient, col *schema.Column, from, to time.Time) (time.Time, bool) {
	var days []time.Time
	if col.Tells == "birth_date" {
		for _, born := range p.Gazetteer.Record()["birth_date"] {
			d, err := plain.ParseDate(born, plain.AnyOrder)
			if err == nil && !d.Time().Before(from) && d.Time().Before(to) {
				days = append(days, d.Time())
			}
		}
	}
	if len(days) == 0 {
		return time.Time{}, false
	}
	return slices.MinFunc(days, time.Time.Compare), true
}

// shiftPartial moves a date without a day as [Deidentifier.movedYear] does a year.
func (d *Deidentifier) shiftPartial(p *patient.Patient, col *schema.Column, text string) (string, error) {
	part, err := plain.ParsePartial(text)
	if err != nil {
		return "", patient.ErrValue
	}
	first, days := part.Days()
	if days > 31 {
		return part.Write(p.Open(d.Maker).ShiftTime(d.dayOf(p, col, first.Year()))), nil
	}
	day, known := bornWithin(p, col, first, first.AddDate(0, 1, 0))
	if !known {
		n := binary.BigEndian.Uint64(d.key.HMAC("day of a month", p.Pseudonym, text)) % uint64(days) //nolint:gosec // positive
		day = first.AddDate(0, 0, int(n))                                                            //nolint:gosec // below days
	}
	return part.Write(p.Open(d.Maker).ShiftTime(day)), nil
}

// ageLimit returns the earliest year that dates may show, for patients whose birth date
// it moves, and "" for all younger ones. It changes with the year, and with it what is
// to be seen in their notes.
func (d *Deidentifier) ageLimit(p *patient.Patient) string {
	const days = 365
	for _, born := range p.Gazetteer.Record()["birth_date"] {
		y, err := plain.ParseYear(born, plain.AnyOrder)
		if err != nil && !errors.Is(err, plain.ErrOrder) {
			continue
		}
		if oldest := d.Maker.OldestYear(); y.Number+p.Shift/days <= oldest {
			return strconv.Itoa(oldest)
		}
	}
	return ""
}
