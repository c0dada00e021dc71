package time

// lastHour and lastMinute end the day and the hour. Some write midnight as 24:00.
const (
	lastHour   = 24
	lastMinute = 59
)

// sixty reports whether token i is two digits of minutes or seconds.
func (f *finder) sixty(i int) bool { return f.Digits(i) == 2 && f.Value(i) <= lastMinute }

// colon reports whether token i is a colon that touches two tokens, of which the second is a number.
func (f *finder) colon(i int) bool { return f.Mark(i) == ':' && f.Tight(i) && f.Number(i+1) }

// clock reads hours and minutes with a colon, and seconds, their fraction and the half of the day if they follow:
// 10:30, 8:04:12 PM, 14:30:05.123. A fourth part makes it no time.
func (f *finder) clock(i int) int {
	if f.Digits(i) > 2 || f.Value(i) > lastHour || !f.colon(i+1) || !f.sixty(i+2) || f.In(i-1, ratio) {
		return 0
	}
	end := i + 3
	if f.colon(end) && f.sixty(end+1) {
		end += 2
		if f.Mark(end) == '.' && f.Tight(end) && f.Number(end+1) {
			end += 2
		}
	}
	h := f.half(end)
	switch {
	case f.colon(end) || f.duration(i) && h == 0:
		return 0
	case h > 0:
		return h
	}
	return f.withHours(end)
}

// dotted reads hours and minutes with a full stop, before the half of the day: 2.30pm.
func (f *finder) dotted(i int) int {
	if f.Digits(i) > 2 || f.Value(i) > lastHour || f.Mark(i+1) != '.' || !f.Tight(i+1) || !f.sixty(i+2) {
		return 0
	}
	return f.half(i + 3)
}

// duration reports whether the hour at token i is a single zero that nothing announces.
func (f *finder) duration(i int) bool {
	return f.Value(i) == 0 && f.Digits(i) == 1 && !f.In(i-1, at) && f.Mark(i-1) != '@'
}

// longestHour is how many digits an hour with minutes has at most: 1030p.
const longestHour = 4

// hour reads an hour, or an hour and minutes without a colon, and the half of the day: 10am, 9 p.m., 730a. The letter
// alone touches its number; an "a" names parts and stages up to 3a.
func (f *finder) hour(i int) int {
	n, v := f.Digits(i), f.Value(i)
	if n > 2 {
		v /= 100
	}
	if v < 1 || v > 12 || n > longestHour || n > 2 && f.Value(i)%100 > lastMinute {
		return 0
	}
	if end := f.half(i + 1); end > 0 {
		return end
	}
	switch {
	case !f.In(i+1, letter) || !f.Glued(i+1) || !f.InLower(i+1) && f.Last != i-1, f.Glued(i+2) && f.Mark(i+2) != '-' && !f.Ends(i+2):
		return 0
	case f.Equal(i+1, "a") && (v <= 3 && n < 3 || v == 12):
		return 0
	}
	return i + 2
}

// half returns the token behind "am", "p.m." or, behind minutes that it touches, a letter at token i, or 0.
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
	if f.Here(i) && f.In(i, hours) && (len(f.Str(i)) > 1 || f.Glued(i) && !f.Glued(i+1)) {
		return i + 1
	}
	return i
}

// military reads four digits without a colon behind "at" or "@", before "hrs", or, since years and amounts begin
// with no zero, with a zero behind another word for times.
func (f *finder) military(i int) int {
	if f.Digits(i) != 4 || f.Value(i)/100 > lastHour || f.Value(i)%100 > lastMinute {
		return 0
	}
	end := f.withHours(i + 1)
	announced := f.Here(i) && (!f.Glued(i+1) || f.Ends(i+1)) && (f.Equal(i-1, "at") || f.Mark(i-1) == '@' || f.In(i-1, at) && f.Plain(i)[0] == '0')
	if end > i+1 || announced && !(f.Here(i+1) && f.In(i+1, unit|counted)) {
		return end
	}
	return 0
}
