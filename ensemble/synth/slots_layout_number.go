package synth

import (
	"strings"
	"time"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// formDates are dates as forms, systems and stamps write them, beyond those of prose.
var formDates = append([]string{
	"01/02/2006", "01/02/2006", "1/2/2006", "01-02-2006", "2006-01-02", "02-JAN-06", "02-Jan-2006", "01022006", "20060102", "Mon 01/02/06", "Mon, Jan 2, 2006", "Monday, January 2, 2006",
	"Jan 02, 2006", "JAN 02, 2006", "01/02/06", "1/2/06", "2006.01.02", "02.01.2006", "1-2-2006", "2-Jan-2006", "02Jan06", "Monday 2 January 2006", "January 2 2006", "01 / 02 / 2006", "02/01/2006", "Jan-02-2006",
}, dateLayouts...)

func (s *scene) formDate(t time.Time) {
	text := t.Format(either(s.rng, formDates...))
	if oneIn(s.rng, 15) {
		text = strings.ToUpper(text)
	}
	s.mark(phi.Date, text)
}

// stamped writes a date with its time, as systems join them.
func (s *scene) stamped(t time.Time) {
	s.formDate(t)
	s.put(either(s.rng, " ", " ", " at ", " @ ", "  ", ", ", "@", " - ", " | "))
	s.clock()
	s.put(either(s.rng, "", "", "", " CST", " EDT", " hrs", " ET"))
}

// machineTime writes a time stamp of a message: "20140502134500", "2014-05-02T13:45:00Z".
func (s *scene) machineTime(t time.Time) {
	if oneIn(s.rng, 2) {
		s.mark(phi.Date, t.Format(either(s.rng, "20060102", "20060102150405", "200601021504")))
		return
	}
	s.mark(phi.Date, t.Format("2006-01-02"))
	s.raw(t.Format(either(s.rng, "T15:04:05", "T15:04:05Z", "T15:04", " 15:04:05.000")))
}

func layoutDates() map[string]func(*scene) {
	future := func(s *scene) time.Time { return s.today.AddDate(0, 0, 1+s.rng.IntN(200)) }
	return map[string]func(*scene){
		"l.d":   func(s *scene) { s.formDate(s.today) },
		"l.dp":  func(s *scene) { s.formDate(s.daysAgo(2500)) },
		"l.df":  func(s *scene) { s.formDate(future(s)) },
		"l.dob": func(s *scene) { s.formDate(s.pt.Birth) },
		"l.dt":  func(s *scene) { s.stamped(s.daysAgo(20)) },
		"l.hl7": func(s *scene) { s.machineTime(s.daysAgo(40)) },
		"l.dob8": func(s *scene) {
			s.mark(phi.Date, s.pt.Birth.Format(either(s.rng, "20060102", "20060102", "2006-01-02")))
		},
		"l.md": func(s *scene) {
			s.mark(phi.Date, s.daysAgo(60).Format(either(s.rng, "1/2", "1/2", "01/02", "1-2", "2-Jan", "Jan 2")))
		},
		"l.my": func(s *scene) {
			s.mark(phi.Date, future(s).Format(either(s.rng, "01/2006", "1/06", "01/06", "Jan 2006", "2006-01", "JAN 2006", "01-2006")))
		},
		"l.y": func(s *scene) {
			s.mark(phi.Date, s.daysAgo(9000).Format(either(s.rng, "2006", "2006", "2006", "'06")))
		},
		"l.day": func(s *scene) {
			s.mark(phi.Date, future(s).Format(either(s.rng, "Mon", "Monday", "MON", "Mon 1/2", "Monday 1/2")))
		},
		"l.age":  (*scene).gluedAge,
		"l.agen": func(s *scene) { s.mark(phi.Age, itoa(s.rowAge())) },
	}
}

func (s *scene) rowAge() int {
	if oneIn(s.rng, 10) {
		return 90 + s.rng.IntN(13)
	}
	return 1 + s.rng.IntN(95)
}

// gluedAge writes an age with its unit and the sex, as lists do: "45yoM", "3mo", "92F".
func (s *scene) gluedAge() {
	if oneIn(s.rng, 10) {
		s.mark(phi.Age, itoa(1+s.rng.IntN(23)))
		s.raw(either(s.rng, "mo", " mo", "m/o", "-month-old", " months", " wk", "wk", "do", " days"))
		return
	}
	s.mark(phi.Age, itoa(s.rowAge()))
	s.raw(either(s.rng, "yo", "yo", "y/o", " y/o", " yo", " y.o.", "yr", " yr", " yrs", "y", "-year-old", " years", "yr old", " YO", "Y", "") +
		either(s.rng, "M", "F", " M", " F", "/M", "/F", " male", " female", "m", "f", ""))
}

func layoutContacts() map[string]func(*scene) {
	number := func(s *scene) string { return either(s.rng, s.pt.Phone, s.site.Phone, phone(s.rng), phone(s.rng)) }
	return map[string]func(*scene){
		"l.ph": func(s *scene) {
			n := number(s)
			if oneIn(s.rng, 8) {
				s.mark(phi.Phone, n+either(s.rng, " x", " ext ", " ext. ", "x", ", ext ", " EXT ")+digits(s.rng, 2+s.rng.IntN(4)))
				return
			}
			s.phone(phi.Phone, n)
		},
		"l.fax": func(s *scene) { s.phone(phi.Fax, phone(s.rng)) },
		"l.pg": func(s *scene) {
			n := digits(s.rng, 4+s.rng.IntN(2))
			s.mark(phi.Pager, either(s.rng, n, n, n[:1]+"-"+n[1:], digits(s.rng, 3)+"-"+n[:4]))
		},
		"l.ext": func(s *scene) {
			n := digits(s.rng, 4+s.rng.IntN(2))
			s.mark(phi.Phone, either(s.rng, n, n[:1]+"-"+n[1:], n))
		},
		"l.email": func(s *scene) {
			s.mark(phi.Email, either(s.rng, s.author.Email, email(s.rng, s.outsider()), email(s.rng, s.pt.Name), strings.ToUpper(email(s.rng, s.outsider()))))
		},
		"l.url": func(s *scene) {
			host := asciiLower(s.freshSite().Short) + either(s.rng, ".example.org", "health.example.com", "clinic.example.net")
			s.mark(phi.URL, either(s.rng, "www."+host, "https://"+host, "http://www."+host+"/", "https://mychart."+host+"/mychart", host+"/patients", "https://"+host+"/v/"+digits(s.rng, 5)))
		},
	}
}

func layoutNumbers() map[string]func(*scene) {
	id := func(t phi.Type, forms func(s *scene, d func(int) string) []string) func(*scene) {
		return func(s *scene) {
			s.mark(t, either(s.rng, forms(s, func(n int) string { return digits(s.rng, n) })...))
		}
	}
	letter := func(s *scene) string { return string(rune('A' + s.rng.IntN(26))) }
	return map[string]func(*scene){
		"l.mrn": id(phi.MedicalRecord, func(s *scene, d func(int) string) []string {
			return []string{s.pt.MRN, s.pt.MRN, d(6), d(7), d(8), "0" + d(6), "00" + d(6), d(9), d(3) + "-" + d(2) + "-" + d(2), d(2) + "-" + d(2) + "-" + d(2), letter(s) + d(6), "MR" + d(7), d(8) + "(" + s.site.Abbrev + ")", "E" + d(8)}
		}),
		"l.acct": id(phi.Account, func(s *scene, d func(int) string) []string {
			return []string{s.pt.Account, d(8), d(10), d(12), letter(s) + d(9), letter(s) + letter(s) + d(8), d(6) + "-" + d(4), d(3) + " " + d(3) + " " + d(3), "V000" + d(8)}
		}),
		"l.id": id(phi.IDNum, func(s *scene, d func(int) string) []string {
			return []string{d(5), d(6), d(7), d(8), d(9), d(10), letter(s) + d(7), d(4) + "-" + d(4), letter(s) + letter(s) + "-" + d(5), d(3) + letter(s) + d(5), s.today.Format("06") + "-" + d(6), letter(s) + d(3) + "-" + d(4)}
		}),
		"l.acc": id(phi.IDNum, func(s *scene, d func(int) string) []string {
			yy := s.today.Format("06")
			return []string{letter(s) + yy + "-" + d(5), yy + ":" + letter(s) + d(6), "S-" + yy + "-" + d(5), yy + "-" + d(3) + "-" + d(5), d(8), letter(s) + letter(s) + "-" + yy + "-" + d(4), letter(s) + d(8), d(4) + ":" + letter(s) + letter(s) + d(5) + letter(s), d(2) + letter(s) + letter(s) + d(6), s.today.Format("20060102") + d(5)}
		}),
		"l.member": id(phi.HealthPlan, func(s *scene, d func(int) string) []string {
			return []string{s.pt.Plan.Member, d(9), d(11), letter(s) + letter(s) + letter(s) + d(9), letter(s) + d(8) + "-" + d(2), d(3) + "-" + d(2) + "-" + d(4) + letter(s), d(10) + "*01", letter(s) + letter(s) + d(7) + letter(s)}
		}),
		"l.npi": id(phi.License, func(_ *scene, d func(int) string) []string { return []string{"1" + d(9)} }),
		"l.dea": id(phi.License, func(s *scene, d func(int) string) []string {
			return []string{either(s.rng, "A", "B", "F", "M") + letter(s) + d(7)}
		}),
		"l.lic": id(phi.License, func(s *scene, d func(int) string) []string {
			return []string{s.pt.License, letter(s) + d(7), "MD" + d(5), letter(s) + letter(s) + "-" + d(6), d(8), letter(s) + "-" + d(5)}
		}),
		"l.serial": id(phi.Device, func(s *scene, d func(int) string) []string {
			return []string{serial(s.rng), d(9), letter(s) + letter(s) + letter(s) + d(6) + letter(s), d(6) + "-" + d(3), "(21)" + d(8), letter(s) + d(10), "SN" + d(7)}
		}),
		"l.udi": id(phi.Device, func(s *scene, d func(int) string) []string {
			return []string{"(01)0" + d(13) + "(17)" + d(6) + "(10)" + letter(s) + d(6), "(01)00" + d(12) + "(21)" + d(8), "+H" + d(3) + letter(s) + d(8)}
		}),
		"l.lot": id(phi.IDNum, func(s *scene, d func(int) string) []string {
			return []string{letter(s) + letter(s) + d(4), letter(s) + d(4) + letter(s) + letter(s), d(6) + letter(s), d(2) + "-" + d(2) + "-" + letter(s) + letter(s), d(7), letter(s) + d(5), d(3) + letter(s) + d(2) + letter(s)}
		}),
		"l.ssn": id(phi.SSN, func(s *scene, d func(int) string) []string {
			return []string{s.pt.SSN, s.pt.SSN, "xxx-xx-" + s.pt.SSN[7:], "***-**-" + s.pt.SSN[7:], strings.ReplaceAll(s.pt.SSN, "-", ""), "XXX-XX-" + d(4)}
		}),
	}
}
