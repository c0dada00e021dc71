package date

// ordinalDay matches "the 29th", whose month is given earlier in the text.
func (s *scanner) ordinalDay(i int) int {
	var p Piece
	if n := s.digits(i); n == 0 || n > 2 {
		return i
	}
	day, next := s.day(&p, i)
	if len(p.slots) < 2 {
		return i
	}
	p.Date.Day = day
	return s.found(p, next)
}

func (s *scanner) weekdayName(i int) int {
	day, ok := weekdays[s.word(i)]
	if !ok {
		return i
	}
	// 2 January 2000 was a Sunday.
	p := Piece{Weekday: true, Date: Civil{2000, 1, 2 + day}}
	s.add(&p, i, weekdayField)
	return s.found(p, i+1)
}

func (s *scanner) seasonName(i int) int {
	m, ok := seasons[s.word(i)]
	if !ok {
		return i
	}
	p := Piece{season: true, Date: Civil{Month: m}}
	s.add(&p, i, seasonField)
	next := s.skip(i+1, ",")
	if y := s.monthYear(&p, next); y > next {
		return s.found(p, y)
	}
	return s.found(p, i+1)
}

// quarter matches Q1 2014.
func (s *scanner) quarter(i int) int {
	if s.word(i) != "q" || s.digits(i+1) != 1 || s.value(i+1) < 1 || s.value(i+1) > 4 {
		return i
	}
	p := Piece{season: true, Date: Civil{Month: 3*s.value(i+1) - 1}}
	s.add(&p, i+1, quarterField)
	next := s.skip(i+2, ",-/ ")
	if y := s.year(&p, next, false); y > next {
		return s.found(p, y)
	}
	return s.found(p, i+2)
}

// holidayName matches a holiday with the year after it.
func (s *scanner) holidayName(i int) int {
	h, next := s.holidayAt(i)
	if h == nil {
		return i
	}
	p := Piece{holiday: h}
	p.add(s.tok[i].Start, s.tok[next-1].End, holidayField)
	at := s.skip(next, ",")
	if y := s.monthYear(&p, at); y > at {
		// "Christmas 2013" and "Christmas of 2013" become "March 27, 2013".
		p.slots[0].end = p.slots[1].start
		if s.isApostrophe(y - 2) {
			p.slots[0].end = s.tok[y-2].Start
		}
		return s.found(p, y)
	}
	return s.found(p, next)
}
