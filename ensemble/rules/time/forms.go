package time

// lastHour and lastMinute end the day and the hour. Some write midnight as 24:00.
const (
	lastHour   = 24
	lastMinute = 59
)

// two reports whether token i is two digits of minutes or seconds.
func (f *finder) two(i int) bool { return f.Digits(i) == 2 && f.Value(i) <= lastMinute }

// clock reads hours and minutes with a colon, and seconds, their fraction and the half of the
// day if they follow: 10:30, 8:04:12 PM, 14:30:05.123. A fourth part makes it no time.
func (f *finder) clock(i int) int {
	if f.Digits(i) > 2 || f.Value(i) > lastHour || f.Mark(i+1) != ':' || !f.Tight(i+1) || !f.two(i+2) {
		return 0
	}
	end := i + 3
	if f.Mark(end) == ':' && f.Tight(end) && f.two(end+1) {
		end += 2
		if f.Mark(end) == '.' && f.Tight(end) && f.Number(end+1) {
			end += 2
		}
	}
	if f.Mark(end) == ':' && f.Tight(end) && f.Number(end+1) || f.In(i-1, ratio) || f.In(i-1, vital) && !f.Spaced(i) {
		return 0
	}
	if h := f.half(end); h > 0 {
		return h
	}
	return f.withHours(end)
}

// hour reads an hour, or an hour and minutes without a colon, and the half of the day: 10am, 9
// p.m., 730a. The letter alone touches its number; an "a" names parts and stages up to 3a.
func (f *finder) hour(i int) int {
	n, v := f.Digits(i), f.Value(i)
	if n > 2 {
		v /= 100
		if n > 4 || f.Value(i)%100 > lastMinute {
			return 0
		}
	}
	if v < 1 || v > 12 {
		return 0
	}
	if end := f.half(i + 1); end > 0 && (end > i+2 || f.In(i+1, half)) {
		return end
	}
	if !f.In(i+1, letter) || !f.Glued(i+1) || f.Glued(i+2) && f.Mark(i+2) != '-' && !f.Ends(i+2) {
		return 0
	}
	if !f.InLower(i+1) && f.last != i-1 || f.Equal(i+1, "a") && (v <= 3 && n < 3 || v == 12) {
		return 0
	}
	return i + 2
}

// half returns the token behind "am", "p.m." or a letter that touches the number before token
// i, or 0. Capitals behind a blank are the verb or a name in texts in capitals only if more of a
// sentence follows, so they count.
func (f *finder) half(i int) int {
	switch {
	case !f.Here(i):
		return 0
	case f.In(i, half):
		return i + 1
	case !f.In(i, letter):
		return 0
	case f.Mark(i+1) == '.' && f.Glued(i+1) && f.Equal(i+2, "m") && f.Glued(i+2):
		if f.Mark(i+3) == '.' && f.Glued(i+3) {
			return i + 4
		}
		return i + 3
	case f.Glued(i) && f.Mark(i-2) == ':' && !f.Glued(i+1):
		return i + 1
	}
	return 0
}

// withHours returns the token behind "hrs" at token i, or i.
func (f *finder) withHours(i int) int {
	if f.Here(i) && f.In(i, hours) && (len(f.Str(i)) > 1 || f.Equal(i, "h") && f.Glued(i) && !f.Glued(i+1)) {
		return i + 1
	}
	return i
}

// military decides on four digits without a colon.
func (f *finder) military(i int) bool {
	if f.Value(i) > 2400 || f.Value(i)%100 > lastMinute || f.more(i+1) {
		return false
	}
	if f.Here(i+1) && f.In(i+1, hours) && (len(f.Str(i+1)) > 1 || f.Glued(i+1)) {
		return true
	}
	if f.measured(i + 1) {
		return false
	}
	if f.announced(i) || f.behindDate(i) || f.ranged(i) {
		return true
	}
	begins := f.OpensLine(i) || f.Mark(i-1) == '.' && f.Spaced(i) && f.Word(i-2)
	return begins && f.Word(i+1) && f.Here(i+1) && f.dated()
}

// more reports whether the number before token i is part of a longer one.
func (f *finder) more(i int) bool {
	if !f.Glued(i) {
		return false
	}
	c := f.Mark(i)
	return f.Word(i) && !f.In(i, hours) || (c == '/' || c == '.' || c == ':') && f.Tight(i) && f.Number(i+1) ||
		c == '-' && f.Tight(i) && f.Number(i+1) && f.Digits(i+1) != 4
}

// measured reports whether a unit or a counted thing follows at token i.
func (f *finder) measured(i int) bool {
	return f.Here(i) && (f.In(i, unit|counted) && !f.In(i, at) || f.Mark(i) == '%')
}

// likeYear reports whether number i may be a year rather than a time.
func (f *finder) likeYear(i int) bool { return f.Value(i) >= 1900 && f.Value(i) <= 2059 }

// announced reports whether the word before token i is one that times follow: "at" and "@"
// before any, others before what is no year.
func (f *finder) announced(i int) bool {
	j := f.Back(i, ":")
	if !f.Here(i) || !f.Has(j) || f.In(j, unit) {
		return false
	}
	switch {
	case f.Mark(i-1) == '@' || f.Mark(i-1) == '~' && f.Plain(i)[0] == '0' || f.Equal(i-1, "at") || f.Equal(j, "time"):
		return true
	case f.likeYear(i):
		return false
	}
	return j == i-1 && (f.In(j, arrival) || f.In(j, at) && (f.Plain(i)[0] == '0' || f.Ends(i+1)))
}

// behindDate reports whether a date or a weekday stands right before token i. What may be a
// year is a time only behind a date that has its year, with no comma between.
func (f *finder) behindDate(i int) bool {
	j := i - 1
	if f.Mark(j) == ',' || f.Mark(j) == '@' || f.Mark(j) == '-' && !f.Glued(i) {
		j--
	}
	if !f.Here(i) || f.Mark(i-1) == ',' && f.likeYear(i) {
		return false
	}
	if f.In(j, weekday) {
		return !f.likeYear(i)
	}
	if !f.Number(j) || f.Digits(j) > 4 {
		return false
	}
	sep := f.Mark(j - 1)
	if (sep == '/' || sep == '-' || sep == '.') && f.Tight(j-1) && f.Number(j-2) {
		whole := f.Mark(j-3) == sep && f.Tight(j-3) && f.Number(j-4) && f.Digits(j-2) <= 2
		return whole && f.Digits(j-4) <= 4 || sep == '/' && !f.likeYear(i) && f.dayAndMonth(j-2, j)
	}
	return f.monthBefore(j) && (f.Digits(j) == 4 || !f.likeYear(i))
}

func (f *finder) dayAndMonth(m, d int) bool {
	return f.Digits(m) <= 2 && f.Digits(d) <= 2 && f.Value(m) >= 1 && f.Value(m) <= 12 && f.Value(d) >= 1 && f.Value(d) <= 31 && !f.Glued(m)
}

// monthBefore reports whether the name of a month stands before number j, perhaps with a day
// between them.
func (f *finder) monthBefore(j int) bool {
	for k := j - 1; k > j-5 && f.Has(k) && f.Here(k+1); k-- {
		if f.In(k, month) {
			return true
		}
		if !f.Number(k) && f.Mark(k) != ',' && f.Mark(k) != '-' && f.Mark(k) != '.' {
			return false
		}
	}
	return false
}

// ranged reports whether the number at token i ends a range that a time begins, or begins one
// of which an end begins with a zero, as no amount does: 0905-0943.
func (f *finder) ranged(i int) bool {
	if k := i + 2; f.Mark(i+1) == '-' && f.Joins(i+1) && f.Digits(k) == 4 && f.Value(k) < 2400 && f.Value(k)%100 <= lastMinute {
		return f.Value(k) > f.Value(i) && (f.Plain(i)[0] == '0' || f.Plain(k)[0] == '0') && !f.more(k+1) && !f.measured(k+1) && !f.Glued(i)
	}
	return f.last == i-1 && f.last > 0 && (f.Mark(i-1) == '-' || f.Equal(i-1, "to")) && f.Here(i) && f.Digits(i-2) == 4
}

// diaryLines is how many lines of a note begin with a time if the note is kept by the clock.
const diaryLines = 3

// dated reports whether the note is kept by the clock: several of its lines begin with a time
// in four digits and go on with words.
func (f *finder) dated() bool {
	if f.diary < 0 {
		f.diary = 0
		for i := range f.Tokens {
			if f.OpensLine(i) && f.Digits(i) == 4 && f.Value(i) < 2400 && f.Value(i)%100 <= lastMinute && f.Spaced(i+1) && f.Here(i+1) &&
				!f.measured(i+1) {
				f.diary++
			}
		}
	}
	return f.diary >= diaryLines
}
