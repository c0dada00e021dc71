package rules

import (
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// compactDate finds dates written without separators: "20130718",
// "20130718111836-0400", "07182013".
func (s *scan) compactDate(i int) int {
	n := s.marks[i].Digits
	if n != 8 && n != 12 && n != 14 {
		return 0
	}
	d := s.plainDigits(i)
	ok := validYMD(d[0:4], d[4:6], d[6:8])
	if !ok && n == 8 {
		ok = validYMD(d[4:8], d[0:2], d[2:4]) && s.dateContext(i)
	}
	if ok && n > 8 {
		ok = twoDigits(d[8:10]) < 24 && twoDigits(d[10:12]) < 60
	}
	if !ok {
		return 0
	}
	end := i + 1
	if (s.c(end) == '-' || s.c(end) == '+') && n > 8 && s.separates(end, false) && s.numAt(end+1) && s.marks[end+1].Digits == 4 {
		end += 2
	}
	return s.emit(i, end, phi.Date)
}

// plainDigits returns the digits of Number i as ASCII.
func (s *scan) plainDigits(i int) string {
	part := s.tok(i)
	if len(part) == int(s.marks[i].Digits) {
		return part
	}
	buf := make([]byte, 0, s.marks[i].Digits)
	for _, r := range part {
		if d, ok := text.DigitValue(r); ok {
			buf = append(buf, byte('0'+d))
		}
	}
	return string(buf)
}

func twoDigits(s string) int { return int(s[0]-'0')*10 + int(s[1]-'0') }

func validYMD(y, m, d string) bool {
	year, month, day := twoDigits(y[:2])*100+twoDigits(y[2:]), twoDigits(m), twoDigits(d)
	return year >= 1880 && year < 2130 && month >= 1 && month <= 12 && day >= 1 && day <= int(monthDays[month])
}
