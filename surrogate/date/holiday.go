package date

import (
	"strings"
	"time"
)

// holiday returns a holiday's date in a year.
type holiday func(year int) Civil

func fixed(month, day int) holiday {
	return func(year int) Civil { return Civil{year, month, day} }
}

// nth returns the n-th weekday of a month, the last for n = 5.
func nth(n int, day time.Weekday, month int) holiday {
	return func(year int) Civil {
		first := Civil{year, month, 1}
		offset := (int(day) - first.weekday() + 7) % 7
		date := first.Plus(offset + 7*(n-1))
		if date.Month != month {
			date = date.Plus(-7)
		}
		return date
	}
}

// easter returns a date relative to Easter Sunday (Gregorian computus, after Butcher).
func easter(days int) holiday {
	return func(year int) Civil {
		a, b, c := year%19, year/100, year%100
		h := (19*a + b - b/4 - (b-(b+8)/25+1)/3 + 15) % 30
		l := (32 + 2*(b%4) + 2*(c/4) - h - c%4) % 7
		m := (a + 11*h + 22*l) / 451
		n := h + l - 7*m + 114
		return Civil{year, n / 31, n%31 + 1}.Plus(days)
	}
}

// after returns a date relative to another holiday.
func after(h holiday, days int) holiday {
	return func(year int) Civil { return h(year).Plus(days) }
}

var thanksgiving = nth(4, time.Thursday, 11)

// holidays maps lower-case words without apostrophes to holidays. Those of other calendars get a
// fixed date in the middle of the season in which they fall.
var holidays = map[string]holiday{
	"christmas": fixed(12, 25), "christmas day": fixed(12, 25), "christmas eve": fixed(12, 24), "xmas": fixed(12, 25),
	"xmas eve": fixed(12, 24), "boxing day": fixed(12, 26), "christmastime": fixed(12, 25), "noel": fixed(12, 25),
	"new year": fixed(1, 1), "new years": fixed(1, 1), "new years day": fixed(1, 1), "new year day": fixed(1, 1),
	"new years eve": fixed(12, 31), "new year eve": fixed(12, 31), "epiphany": fixed(1, 6),
	"valentines": fixed(2, 14), "valentines day": fixed(2, 14), "valentine day": fixed(2, 14), "groundhog day": fixed(2, 2),
	"st patricks day": fixed(3, 17), "saint patricks day": fixed(3, 17), "st patricks": fixed(3, 17), "april fools day": fixed(4, 1),
	"april fools": fixed(4, 1), "cinco de mayo": fixed(5, 5), "flag day": fixed(6, 14), "juneteenth": fixed(6, 19),
	"independence day": fixed(7, 4), "fourth of july": fixed(7, 4), "july fourth": fixed(7, 4), "halloween": fixed(10, 31),
	"all saints day": fixed(11, 1), "all souls day": fixed(11, 2), "veterans day": fixed(11, 11), "armistice day": fixed(11, 11),
	"kwanzaa": fixed(12, 29), "hanukkah": fixed(12, 14), "chanukah": fixed(12, 14), "hannukah": fixed(12, 14), "diwali": fixed(11, 1),
	"passover": fixed(4, 10), "rosh hashanah": fixed(9, 20), "yom kippur": fixed(9, 29), "lunar new year": fixed(2, 5),
	"chinese new year": fixed(2, 5), "mlk day": nth(3, time.Monday, 1), "martin luther king day": nth(3, time.Monday, 1),
	"martin luther king jr day": nth(3, time.Monday, 1), "presidents day": nth(3, time.Monday, 2),
	"presidents day weekend": nth(3, time.Monday, 2),
	"mothers day":            nth(2, time.Sunday, 5), "memorial day": nth(5, time.Monday, 5), "memorial day weekend": nth(5, time.Monday, 5),
	"fathers day": nth(3, time.Sunday, 6), "labor day": nth(1, time.Monday, 9), "labor day weekend": nth(1, time.Monday, 9),
	"labour day": nth(1, time.Monday, 9), "columbus day": nth(2, time.Monday, 10), "indigenous peoples day": nth(2, time.Monday, 10),
	"thanksgiving": thanksgiving, "thanksgiving day": thanksgiving, "thanksgiving weekend": thanksgiving,
	"black friday":      after(thanksgiving, 1),
	"super bowl sunday": nth(1, time.Sunday, 2), "mardi gras": easter(-47), "fat tuesday": easter(-47), "shrove tuesday": easter(-47),
	"ash wednesday": easter(-46), "lent": easter(-26), "palm sunday": easter(-7), "good friday": easter(-2), "easter": easter(0),
	"easter sunday": easter(0), "easter day": easter(0), "easter monday": easter(1), "ascension day": easter(39), "pentecost": easter(49),
	"ramadan": fixed(4, 20), "eid": fixed(5, 5), "eid al fitr": fixed(5, 5), "eid al adha": fixed(7, 12),
}

// maxHolidayWords is the number of words in the longest key of holidays.
const maxHolidayWords = 5

// holidayAt returns the holiday that starts at token i, and the token after it.
func (s *scanner) holidayAt(i int) (holiday, int) {
	var name strings.Builder
	var found holiday
	end := i
	for n := 0; i < len(s.tok) && n < maxHolidayWords; n++ {
		word, next := s.wordWithApostrophe(i)
		if word == "" {
			break
		}
		if n > 0 {
			name.WriteByte(' ')
		}
		name.WriteString(word)
		if h := holidays[name.String()]; h != nil {
			found, end = h, next
		}
		i = next
		for i < len(s.tok) && (s.is(i, ".") || s.is(i, "-")) {
			i++
		}
	}
	return found, end
}

// wordWithApostrophe returns the lower-case word at token i without apostrophes
// ("new year's" -> "new", "years"), and the token after it.
func (s *scanner) wordWithApostrophe(i int) (string, int) {
	word := s.word(i)
	if word == "" {
		return "", i
	}
	i++
	if i < len(s.tok) && s.isApostrophe(i) && !s.tok[i].Space {
		if tail := s.word(i + 1); tail == "s" && !s.tok[i+1].Space {
			return word + tail, i + 2
		}
		if strings.HasSuffix(word, "s") {
			return word, i + 1
		}
	}
	return word, i
}
