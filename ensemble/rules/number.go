package rules

import (
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// number looks for what begins with the number i, the most telling forms first.
func (s *scan) number(i int) int {
	m := &s.marks[i]
	if s.glued(i+1) || s.glued(i) || m.Digits > 2 || m.Value == 1 && s.c(i+1) == '(' || s.numAt(i+1) && s.sameLine(i+1) {
		if end := s.longNumber(i); end > 0 {
			return end
		}
	}
	if end := s.dateNumber(i); end > 0 {
		return end
	}
	if end := s.street(i); end > 0 {
		return end
	}
	if end := s.age(i); end > 0 {
		return end
	}
	if end := s.clockTime(i); end > 0 {
		return end
	}
	if m.Digits == 5 && s.providerNumber(i) {
		return s.emit(i, i+1, phi.Pager)
	}
	if m.Digits >= 3 && m.Digits <= 6 {
		if end := s.zip(i); end > 0 {
			return end
		}
	}
	if end := s.genericID(i); end > 0 {
		return end
	}
	if m.Digits == 4 {
		if end := s.bareYear(i); end > 0 {
			return end
		}
	}
	if m.Digits == 2 {
		if end := s.shortYear(i); end > 0 {
			return end
		}
	}
	return s.skipDecimal(i)
}

// longNumber looks for numbers known by the lengths of their groups.
func (s *scan) longNumber(i int) int {
	if end := s.uuid(i); end > 0 {
		return end
	}
	if s.c(i+1) == '.' {
		if end := s.ipv4(i); end > 0 {
			return end
		}
	}
	if s.c(i+1) == ':' && s.separates(i+1, false) || s.c(i+1) == ':' && s.c(i+2) == ':' {
		if end := s.hexGroups(i + 1); end > 0 {
			return end
		}
	}
	if end := s.ssn(i); end > 0 {
		return end
	}
	if end := s.cardNumber(i); end > 0 {
		return end
	}
	if end := s.compactDate(i); end > 0 {
		return end
	}
	if s.marks[i].Digits >= 4 && s.isYear4(i) && (s.c(i+1) == '-' || s.c(i+1) == '/') {
		if end := s.numericDate(i); end > 0 {
			return end
		}
	}
	if end := s.vanity(i); end > 0 {
		return end
	}
	if c := s.c(i + 1); s.marks[i].Digits <= 2 && (c == '/' || c == '-') {
		if end := s.numericDate(i); end > 0 {
			return end
		}
	}
	return s.phone(i)
}

func (s *scan) dateNumber(i int) int {
	for _, find := range []func(int) int{s.numericDate, s.romanDate, s.numberedDay} {
		if end := find(i); end > 0 {
			return end
		}
	}
	if end := s.dayMonth(i); end > 0 {
		return end
	}
	if end := s.theDay(i); end > 0 {
		return end
	}
	return s.decade(i)
}

// skipDecimal steps over the rest of a decimal number, a ratio or a range, so
// that its parts are not taken for something else.
func (s *scan) skipDecimal(i int) int {
	j := i + 1
	for s.c(j) == '.' && s.separates(j, false) && s.numAt(j+1) {
		j += 2
	}
	return j
}

// cueWord looks for what begins with, or is announced by, the word i of the
// vocabulary.
func (s *scan) cueWord(i int) int {
	m := &s.marks[i]
	if m.Classes&text.IsMonth == 0 && m.Label != text.LabelCode && s.beginsCode(i) {
		if end := s.mixedRun(i); end > 0 {
			return end
		}
	}
	if m.Classes&(text.IsMonth|text.IsWeekday|text.IsShortDay|text.IsSeason|text.IsHoliday|text.IsNumWord|text.IsSpelledDay|text.IsDoL) != 0 {
		if end := s.dateWord(i); end > 0 {
			return end
		}
	}
	if s.isWord(i, "by") {
		return s.signature(i + 1)
	}
	if m.Classes&text.IsAt != 0 {
		return s.spelledEmail(i)
	}
	if m.Classes&text.IsStreetFirst != 0 {
		if end := s.streetFirst(i); end > 0 {
			return end
		}
	}
	if m.Classes&text.IsDayName != 0 {
		if end := s.namedDay(i); end > 0 {
			return end
		}
	}
	if m.Classes&text.IsScheme != 0 {
		if end := s.webAddress(i); end > 0 {
			return end
		}
	}
	if m.Label != text.NoLabel {
		return s.announcement(i)
	}
	return 0
}

func (s *scan) dateWord(i int) int {
	m := &s.marks[i]
	if m.Classes&text.IsMonth != 0 {
		if end := s.monthDate(i); end > 0 {
			return end
		}
	}
	if m.Classes&(text.IsNumWord|text.IsSpelledDay|text.IsDoL) != 0 {
		if end := s.spelledDate(i); end > 0 {
			return end
		}
	}
	switch {
	case m.Classes&(text.IsWeekday|text.IsShortDay) != 0:
		return s.weekday(i)
	case m.Classes&text.IsSeason != 0:
		return s.season(i)
	case m.Classes&text.IsHoliday != 0:
		return s.holiday(i)
	case m.Classes&(text.IsNumWord|text.IsDoL) != 0:
		return s.spelledAge(i)
	}
	return 0
}

// announcement follows the label i to its value.
func (s *scan) announcement(i int) int {
	switch l := s.marks[i].Label; l {
	case text.LabelPhone, text.LabelFax, text.LabelPager:
		return s.contactWord(i)
	case text.LabelExt:
		return s.extension(i)
	case text.LabelBox:
		return s.postBox(i)
	case text.LabelCode:
		return s.code(i)
	case text.LabelZip:
		return s.labelledZip(i)
	case text.LabelUser:
		return s.login(i)
	case text.LabelAddress, text.LabelEmail, text.LabelIP:
		return 0
	default:
		return s.labelled(i, l)
	}
}
