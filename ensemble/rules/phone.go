package rules

import "github.com/pgdeid/pgdeid/ensemble/text"

// phone finds a telephone, fax or pager number that begins at token i: a number,
// a parenthesis or a plus sign.
func (s *scan) phone(i int) int {
	g := s.phoneGroups(i)
	if g.n == 0 || s.partOfWord(i, g.end) {
		return 0
	}
	for ; g.n > 0; g.drop(s) {
		if s.phoneShape(i, &g) {
			end := s.phoneExtension(g.end)
			return s.emit(i, end, s.contactType(i))
		}
		if g.n == 1 {
			break
		}
	}
	return 0
}

// phoneShape decides whether the groups are a telephone number.
func (s *scan) phoneShape(i int, g *groups) bool {
	if s.fullDate(g.tok[0]) {
		return false
	}
	if s.northAmerican(i, g) {
		return true
	}
	if s.c(g.end) == '-' && s.separates(g.end, false) && s.numAt(g.end+1) || s.isDateLike(g.tok[0]) {
		return false
	}
	first := &s.marks[g.tok[0]]
	zero := s.tok(g.tok[0])[0] == '0'
	switch {
	case g.sign:
		return g.digits >= 8 && g.digits <= 15
	case first.Value == 0 && first.Digits >= 2 && zero && g.n >= 2 && first.Digits <= 3:
		return g.digits >= 10 && g.digits <= 16
	case zero && g.n >= 2 && g.n <= 5 && g.digits >= 9 && g.digits <= 12 && first.Digits >= 2 && !(first.Digits == 5 && g.n == 2) &&
		s.evenGroups(g) && !s.decimalGroups(i, g):
		return true
	case (first.Value == 1300 || first.Value == 1800) && g.n == 3 && g.digits == 10:
		return true
	case zero && g.n == 1 && g.digits == 10:
		return first.Value/10000000 == 4 || s.announced(i)
	}
	if s.lineFollows(g.end) && g.digits >= 7 && g.digits <= 13 && !s.decimalGroups(i, g) {
		return true
	}
	return s.announced(i) && g.digits >= 5 && g.digits <= 16 && !s.decimalGroups(i, g)
}

func (s *scan) isDateLike(i int) bool {
	return s.c(i+1) == '/' && s.isMonthNum(i) && s.isDayNum(i+2)
}

// northAmerican knows 3-3-4 with or without country code, 3-4 and ten digits in
// one.
func (s *scan) northAmerican(i int, g *groups) bool {
	t := g.tok[:g.n]
	if len(t) > 1 && (s.marks[t[0]].Value == 1 && s.marks[t[0]].Digits <= 3) {
		t = t[1:]
	}
	n := func(k int) uint8 { return s.marks[t[k]].Digits }
	switch len(t) {
	case 3:
		if n(0) != 3 || n(1) != 3 || n(2) != 4 {
			return false
		}
		return g.spaces < g.n-1 || s.c(i) == '(' || s.marks[t[0]].Value >= 200 && !s.numBeside(t[0]) && !s.numAt(g.end) ||
			s.announced(i)
	case 2:
		if n(0) == 3 && n(1) == 7 || n(0) == 6 && n(1) == 4 {
			return s.marks[t[0]].Value >= 200
		}
		return n(0) == 3 && n(1) == 4 && s.localNumber(i, t, g)
	case 1:
		v := s.marks[t[0]].Value // the first nine digits
		if n(0) == 11 {
			return s.tok(t[0])[0] == '1' && s.announced(i)
		}
		return n(0) == 10 && (s.announced(i) ||
			v/1000000 >= 200 && v/1000%1000 >= 200 && v/10000000 != 11 && s.labelBefore(i) == text.NoLabel)
	}
	return false
}

// numBeside reports whether another number stands one blank before number i; a
// wider gap parts columns.
func (s *scan) numBeside(i int) bool {
	return s.numAt(i-1) && s.sameLine(i) && s.toks[i].Start-s.toks[i-1].End < 2
}

// localNumber tells 555-0142 from a range or a size.
func (s *scan) localNumber(i int, t []int, g *groups) bool {
	if s.announced(i) || s.phoneExtension(g.end) > g.end {
		return true
	}
	if g.spaces > 0 || s.c(t[1]-1) != '-' && s.c(t[1]-1) != '.' || s.c(t[1]-1) == '.' {
		return false
	}
	a, b := s.marks[t[0]].Value, s.marks[t[1]].Value
	return a >= 200 && !(a%10 == 0 && b%10 == 0) && !s.measured(g.end) && s.c(i-1) != '#' && !s.isWord(i-1, "normal") &&
		!s.isWord(i-1, "range")
}

// phoneExtension takes in "x402", "ext. 402", "extension 402" after a number.
func (s *scan) phoneExtension(end int) int {
	j := end
	if s.c(j) == ',' {
		j++
	}
	if !s.wordAt(j) || s.toks[j].Line && !(len(s.tok(j)) == 1 && s.glued(j+1)) {
		return end
	}
	word := s.tok(j)
	if s.marks[j].Label != text.LabelExt && word != "x" && word != "X" {
		return end
	}
	j++
	for c := s.c(j); c == '.' || c == ':' || c == '#'; c = s.c(j) {
		j++
	}
	if s.numAt(j) && s.marks[j].Digits <= 6 && s.sameLine(j) {
		return j + 1
	}
	return end
}
