package plain

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// Order says which of two numbers comes first where a date is written with both; or, as a layout of [ParseLayout], the
// one way in which dates are written.
type Order string

// The orders of month and day.
const (
	AnyOrder   Order = "" // not known: such a date is read only where the column says so
	MonthFirst Order = "mdy"
	DayFirst   Order = "dmy"
)

// The years that a value may name: those of people and their records, and of public
// data sets whose dates were moved into another century. Placeholders for "never"
// are beyond.
const (
	firstYear = 1000
	lastYear  = 2299
)

// Date is a complete date as a column has it, with or without a time of day.
type Date struct {
	phi.Redacted

	time time.Time
	form form
}

// Time returns the moment; without a zone in the value it is in UTC.
func (d Date) Time() time.Time { return d.time }

// Write writes another moment in the form of d.
func (d Date) Write(t time.Time) string { return t.Format(d.form.layout) }

// form is one way to write a date.
type form struct {
	layout string
	order  Order // AnyOrder where no order is needed
}

// forms has the ways to write a date by its shape: digits as 9, words as a.
var forms = dateForms()

func dateForms() map[string][]form {
	byShape := map[string][]form{}
	add := func(order Order, layouts ...string) {
		for _, layout := range layouts {
			for _, day := range []time.Time{
				time.Date(2001, 2, 3, 0, 0, 0, 0, time.UTC), time.Date(2001, 2, 23, 0, 0, 0, 0, time.UTC),
				time.Date(2001, 12, 3, 0, 0, 0, 0, time.UTC), time.Date(2001, 12, 23, 0, 0, 0, 0, time.UTC),
			} {
				s, f := shape(day.Format(layout)), form{layout, order}
				if !slices.Contains(byShape[s], f) {
					byShape[s] = append(byShape[s], f)
				}
			}
		}
	}
	add(AnyOrder, "20060102", "20060102150405", "200601021504", "20060102T150405")
	for _, mark := range []string{"-", "/", "."} {
		add(AnyOrder, strings.Join([]string{"2006", "01", "02"}, mark))
		for _, f := range []struct {
			order Order
			parts []string
		}{
			{MonthFirst, []string{"01", "02", "2006"}},
			{MonthFirst, []string{"1", "2", "2006"}},
			{DayFirst, []string{"02", "01", "2006"}},
			{DayFirst, []string{"2", "1", "2006"}},
		} {
			add(f.order, strings.Join(f.parts, mark))
		}
	}
	for _, month := range []string{"Jan", "January"} {
		for _, mark := range []string{"-", " ", ""} {
			add(AnyOrder, "02"+mark+month+mark+"2006", "2"+mark+month+mark+"2006")
		}
		add(AnyOrder, month+" 02, 2006", month+" 2, 2006", month+" 02 2006", month+" 2 2006")
	}
	return byShape
}

func shape(text string) string {
	var b strings.Builder
	word := false
	for _, r := range text {
		letter := r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z'
		switch {
		case r >= '0' && r <= '9':
			b.WriteByte('9')
		case letter && word:
		case letter:
			b.WriteByte('a')
		default:
			b.WriteRune(r)
		}
		word = letter
	}
	return b.String()
}

// clock matches a time of day behind a date.
var clock = regexp.MustCompile(`^([ T])([0-9]{1,2}):[0-9]{2}(:[0-9]{2}(?:\.([0-9]{1,9}))?)?` +
	`( ?(?:[AP]M|[ap]m))?( ?(?:Z|[+-][0-9]{2}(?::?[0-9]{2})?))?$`)

// halves has the layout of each way to write a half of the day.
var halves = map[string]string{"AM": "PM", "PM": "PM", "am": "pm", "pm": "pm"}

// clockLayout returns the layout of a time of day; false if it is none.
func clockLayout(text string) (string, bool) {
	m := clock.FindStringSubmatch(text)
	if m == nil {
		return "", false
	}
	layout := m[1]
	switch {
	case m[5] == "":
		layout += "15:04"
	case len(m[2]) == 2:
		layout += "03:04"
	default:
		layout += "3:04"
	}
	if m[3] != "" {
		layout += ":05"
	}
	if n := len(m[4]); n > 0 {
		layout += "." + strings.Repeat("0", n)
	}
	if half := strings.TrimLeft(m[5], " "); half != "" {
		layout += m[5][:len(m[5])-len(half)] + halves[half]
	}
	return layout + zoneLayout(m[6]), true
}

func zoneLayout(text string) string {
	zone := strings.TrimLeft(text, " ")
	space := text[:len(text)-len(zone)]
	switch {
	case zone == "":
		return ""
	case zone == "Z":
		return space + "Z07:00"
	case len(zone) == 3:
		return space + "-07"
	case strings.Contains(zone, ":"):
		return space + "-07:00"
	}
	return space + "-0700"
}

// cut splits a value into a date and a time of day, which follows the first blank or
// T behind which a colon comes soon.
func cut(text string) (date, time string) {
	colon := strings.IndexByte(text, ':')
	if colon < 0 {
		return text, ""
	}
	at := strings.LastIndexAny(text[:colon], " T")
	if at < 0 {
		return text, ""
	}
	return text[:at], text[at:]
}

// longest is more than the longest date has characters.
const longest = 64

// readings returns the ways in which a value can be read as a complete date.
func readings(text string, order Order) []Date {
	text = strings.TrimSpace(text)
	if len(text) > longest {
		return nil
	}
	if order.IsLayout() {
		return order.reading(text)
	}
	day, rest := cut(text)
	tail, ok := "", true
	if rest != "" {
		tail, ok = clockLayout(rest)
	}
	if !ok {
		return nil
	}
	var all []Date
	for _, f := range forms[shape(day)] {
		if f.order != AnyOrder && order != AnyOrder && f.order != order {
			continue
		}
		layout := f.layout + tail
		t, err := time.Parse(layout, text)
		// What is written must be what was read: nothing is left over, nothing is lost.
		if err != nil || !strings.EqualFold(t.Format(layout), text) || t.Year() < firstYear || t.Year() > lastYear {
			continue
		}
		all = append(all, Date{time: t, form: form{layout, f.order}})
	}
	return all
}

// ParseDate reads a complete date: year, month and day, as ISO 8601, as eight digits, with
// the month's English name, or with month and day in either order. Where both orders
// make a date and order does not choose one, the error is [ErrOrder].
func ParseDate(text string, order Order) (Date, error) {
	all := readings(text, order)
	if len(all) == 0 {
		return Date{}, ErrValue
	}
	for _, d := range all[1:] {
		if d.form.order != all[0].form.order {
			return Date{}, ErrOrder
		}
	}
	return all[0], nil
}
