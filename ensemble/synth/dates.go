package synth

import (
	"fmt"
	"strings"
	"time"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// dateLayouts are whole dates as clinicians and systems write them.
var dateLayouts = []string{
	"1/2/06", "1/2/06", "1/2/2006", "01/02/2006", "01/02/2006", "01/02/06", "2006-01-02", "2006-01-02", "02-Jan-2006", "2-Jan-06", "Jan 2, 2006",
	"January 2, 2006", "1-2-06", "01-02-2006", "2006/01/02", "01.02.2006", "02 Jan 2006", "2 January 2006", "Jan 2 2006", "02JAN2006", "Jan. 2, 2006",
}

func (s *scene) date(t time.Time, layout string) {
	text := t.Format(layout)
	if strings.HasPrefix(layout, "January 2,") && oneIn(s.rng, 5) {
		text = t.Format("January ") + ordinal(t.Day()) + t.Format(", 2006")
	}
	s.mark(phi.Date, text)
}

// anyDate writes a whole date: mostly in the note's own layout.
func (s *scene) anyDate(t time.Time) {
	layout := s.dates
	if oneIn(s.rng, 4) {
		layout = either(s.rng, dateLayouts...)
	}
	s.date(t, layout)
}

// looseDate writes a date as people mention it: often in part.
func (s *scene) looseDate(t time.Time) {
	switch s.rng.IntN(16) {
	case 0:
		s.mark(phi.Date, t.Format("January 2006"))
	case 1:
		s.mark(phi.Date, t.Format("Jan '06"))
	case 2:
		s.mark(phi.Date, t.Format("1/06"))
	case 3:
		s.mark(phi.Date, t.Format("January"))
	case 4:
		s.mark(phi.Date, t.Format("January ")+ordinal(t.Day()))
	case 5:
		s.mark(phi.Date, t.Format("1/2"))
	case 6:
		s.mark(phi.Date, t.Format("Jan 2"))
	case 7:
		s.mark(phi.Date, t.Format("2006"))
	case 8:
		s.mark(phi.Date, either(s.rng, "spring", "summer", "fall", "winter")+t.Format(" 2006"))
	case 9:
		s.mark(phi.Date, t.Format("Mon 1/2"))
	case 10:
		s.mark(phi.Date, t.Format("Monday, January 2"))
	default:
		s.anyDate(t)
	}
}

func (s *scene) daysAgo(most int) time.Time { return s.today.AddDate(0, 0, -1-s.rng.IntN(most)) }

func (s *scene) clock() {
	t := s.today.Add(time.Duration(s.rng.IntN(300)-200) * time.Minute)
	text := t.Format(either(s.rng, "15:04", "15:04", "3:04 PM", "3:04 pm", "3:04PM", "15:04:05", "1504", "3:04 a.m."))
	if strings.HasSuffix(text, "a.m.") && t.Hour() > 11 {
		text = t.Format("3:04 p.m.")
	}
	if len(text) == 4 {
		text += either(s.rng, "", " hrs", " hours")
	}
	s.mark(phi.Time, text)
}

// range writes two dates as a stretch: "5/2-5/9", "5/2/14 to 5/9/14".
func (s *scene) dateRange() {
	from := s.daysAgo(200)
	to := from.AddDate(0, 0, 2+s.rng.IntN(9))
	if oneIn(s.rng, 3) {
		s.mark(phi.Date, from.Format("1/2"))
		s.put(either(s.rng, "-", " - ", "–"))
		s.mark(phi.Date, to.Format("1/2"))
		return
	}
	s.date(from, s.dates)
	s.put(either(s.rng, " - ", " to ", " through ", "-"))
	s.date(to, s.dates)
}

func (s *scene) decade() string {
	return fmt.Sprintf("%d0s", 6+s.rng.IntN(4))
}

func dateSlots() map[string]func(*scene) {
	future := func(s *scene) time.Time { return s.today.AddDate(0, 0, 2+s.rng.IntN(120)) }
	return map[string]func(*scene){
		"date":       func(s *scene) { s.anyDate(s.today) },
		"date.iso":   func(s *scene) { s.mark(phi.Date, s.today.Format("2006-01-02")) },
		"date.short": func(s *scene) { s.mark(phi.Date, s.today.Format("1/2")) },
		"date.long":  func(s *scene) { s.mark(phi.Date, s.today.Format("January 2, 2006")) },
		"date.dicom": func(s *scene) { s.mark(phi.Date, s.today.Format("20060102")) },
		"past":       func(s *scene) { s.looseDate(s.daysAgo(900)) },
		"past.whole": func(s *scene) { s.anyDate(s.daysAgo(900)) },
		"recent":     func(s *scene) { s.looseDate(s.daysAgo(30)) },
		"recent.md":  func(s *scene) { s.mark(phi.Date, s.daysAgo(30).Format("1/2")) },
		"next":       func(s *scene) { s.anyDate(future(s)) },
		"next.loose": func(s *scene) {
			t := future(s)
			switch s.rng.IntN(5) {
			case 0:
				s.mark(phi.Date, t.Format("Monday"))
			case 1:
				s.put("the ")
				s.mark(phi.Date, ordinal(t.Day()))
			default:
				s.looseDate(t)
			}
		},
		"the.29th": func(s *scene) {
			s.put("the ")
			s.mark(phi.Date, ordinal(s.daysAgo(28).Day()))
		},
		"dob":      func(s *scene) { s.anyDate(s.pt.Birth) },
		"dob.year": func(s *scene) { s.mark(phi.Date, s.pt.Birth.Format("2006")) },
		"year":     func(s *scene) { s.mark(phi.Date, s.daysAgo(9000).Format("2006")) },
		"years": func(s *scene) {
			from := s.today.Year() - 3 - s.rng.IntN(40)
			s.mark(phi.Date, itoa(from))
			s.put(either(s.rng, "-", " to ", " - "))
			s.mark(phi.Date, itoa(from+1+s.rng.IntN(3)))
		},
		"year2": func(s *scene) { s.mark(phi.Date, s.daysAgo(6000).Format("06")) },
		"year'": func(s *scene) { s.mark(phi.Date, s.daysAgo(6000).Format("'06")) },
		"month": func(s *scene) { s.mark(phi.Date, s.daysAgo(300).Format("January")) },
		"monthyear": func(s *scene) {
			s.mark(phi.Date, s.daysAgo(3000).Format(either(s.rng, "January 2006", "Jan 2006", "1/2006", "01/06", "Jan '06")))
		},
		"weekday": func(s *scene) { s.mark(phi.Date, s.daysAgo(7).Format(either(s.rng, "Monday", "Monday", "Mon"))) },
		"holiday": func(s *scene) {
			s.mark(phi.Date, either(s.rng, "Christmas", "Thanksgiving", "Labor Day", "Memorial Day", "Easter", "New Year's Eve", "4th of July", "Halloween", "Ramadan"))
		},
		"decade": func(s *scene) { s.mark(phi.Date, s.decade()) },
		"range":  (*scene).dateRange,
		"time":   (*scene).clock,
		"when":   func(s *scene) { s.anyDate(s.today); s.put(either(s.rng, " ", " at ", ", ", "  ")); s.clock() },
		"stamp": func(s *scene) {
			s.mark(phi.Date, s.today.Format("01-02-2006"))
			s.put(" ")
			s.mark(phi.Time, s.today.Format("15:04:05"))
		},
		"cut.date": func(s *scene) { s.mark(phi.Date, s.today.Format("01/02/06")[:6]+":"+s.today.Format("06")[1:]) },
		"dateglued": func(s *scene) {
			s.raw(either(s.rng, "Results", "Date", "Collected", "INR", "Seen"))
			s.mark(phi.Date, s.today.Format("01/02/2006"))
		},
	}
}
