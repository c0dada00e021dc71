package ensemble

// maxGroups is how many groups of digits a telephone number may have.
const maxGroups = 7

// groups are the runs of digits of a candidate telephone number.
type groups struct {
	tok    [maxGroups]int // token of each
	n      int
	digits int
	spaces int // separators that are, or have, a blank
	end    int // token after the last
	sign   bool
}

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

// drop takes the last group off.
func (g *groups) drop(s *scan) {
	g.n--
	if g.n == 0 {
		return
	}
	g.digits -= int(s.marks[g.tok[g.n]].n)
	g.end = g.tok[g.n-1] + 1
	if s.c(g.end) == ')' && s.c(g.tok[g.n-1]-1) == '(' {
		g.end++
	}
	if s.toks[g.tok[g.n]].Space {
		g.spaces--
	}
}

func (s *scan) phoneGroups(i int) (g groups) {
	j, open := i, false
	if s.c(j) == '+' {
		g.sign = true
		j++
	}
	for g.n < maxGroups {
		k := j
		for k < len(s.toks) && k < j+3 && phoneMark(s.c(k)) && (k == i || s.sameLine(k)) {
			k++
		}
		if !s.numAt(k) || k > i && s.toks[k].Line && s.c(k-1) != '-' && !(g.n > 0 && (g.sign || open || s.announced(i))) || g.n > 0 && k-j > 1 && !s.paired(j, k) {
			break
		}
		if g.n > 0 && (s.toks[k].Space || s.toks[j].Space) {
			g.spaces++
		}
		g.tok[g.n] = k
		g.n++
		g.digits += int(s.marks[k].n)
		for ; j < k; j++ {
			open = open || s.c(j) == '('
		}
		j = k + 1
		g.end = j
		if s.c(j) == ')' && open {
			j++
			g.end = j
		}
	}
	return g
}

// paired allows two marks in a row only around parentheses: ") -", "- (".
func (s *scan) paired(j, k int) bool {
	for ; j < k; j++ {
		if c := s.c(j); c == '(' || c == ')' {
			return true
		}
	}
	return false
}

func phoneMark(c byte) bool {
	return c == '-' || c == '.' || c == '/' || c == '(' || c == ')'
}

// partOfWord reports whether letters are glued before or behind the candidate,
// other than those of an extension.
func (s *scan) partOfWord(i, end int) bool {
	if i > 0 && s.glued(i) {
		if c := s.c(i - 1); c == '$' || c == '_' {
			return true
		}
		if s.wordAt(i-1) && s.marks[i-1].label == noLabel && len(s.tok(i-1)) < 3 {
			return true
		}
	}
	if end < len(s.toks) && len(s.tok(end)) == 1 && s.toks[end].Space {
		return false
	}
	return s.has(end, isUnit) && !s.has(end, isState|isPrep|isIn) && s.tok(end) != "x" && s.tok(end) != "X" && s.tok(end) != "h" && s.sameLine(end)
}

// phoneShape decides whether the groups are a telephone number.
func (s *scan) phoneShape(i int, g *groups) bool {
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
	case first.v == 0 && first.n >= 2 && zero && g.n >= 2 && first.n <= 3:
		return g.digits >= 10 && g.digits <= 16
	case zero && g.n >= 2 && g.n <= 5 && g.digits >= 9 && g.digits <= 12 && first.n >= 2 && !(first.n == 5 && g.n == 2) && s.evenGroups(g) && !s.decimalGroups(i, g):
		return true
	case (first.v == 1300 || first.v == 1800) && g.n == 3 && g.digits == 10:
		return true
	case zero && g.n == 1 && g.digits == 10:
		return first.v/10000000 == 4 || s.announced(i)
	}
	if s.lineFollows(g.end) && g.digits >= 7 && g.digits <= 13 && !s.decimalGroups(i, g) {
		return true
	}
	return s.announced(i) && g.digits >= 5 && g.digits <= 16 && !s.decimalGroups(i, g)
}

// lineFollows reports whether "(cell)", "-Office" or "fax" follows a number.
func (s *scan) lineFollows(i int) bool {
	bracket := s.c(i) == '('
	if bracket || s.c(i) == '-' {
		i++
	}
	return s.has(i, isLine) && s.sameLine(i) && (bracket || len(s.tok(i)) > 2)
}

// evenGroups reports whether every group after the first has two to four digits.
func (s *scan) evenGroups(g *groups) bool {
	for _, t := range g.tok[1:g.n] {
		if n := s.marks[t].n; n < 2 || n > 4 {
			return false
		}
	}
	return true
}

// decimalGroups reports whether the candidate is a decimal number.
func (s *scan) decimalGroups(_ int, g *groups) bool {
	return g.n == 2 && s.c(g.tok[1]-1) == '.'
}

func (s *scan) isDateLike(i int) bool {
	return s.c(i+1) == '/' && s.isMonthNum(i) && s.isDayNum(i+2)
}

// northAmerican knows 3-3-4 with or without country code, 3-4 and ten digits in
// one.
func (s *scan) northAmerican(i int, g *groups) bool {
	t := g.tok[:g.n]
	if len(t) > 1 && (s.marks[t[0]].v == 1 && s.marks[t[0]].n <= 3) {
		t = t[1:]
	}
	n := func(k int) uint8 { return s.marks[t[k]].n }
	switch len(t) {
	case 3:
		if n(0) != 3 || n(1) != 3 || n(2) != 4 {
			return false
		}
		return g.spaces < g.n-1 || s.c(i) == '(' || s.marks[t[0]].v >= 200 && !s.numBeside(t[0]) && !s.numAt(g.end) || s.announced(i)
	case 2:
		if n(0) == 3 && n(1) == 7 || n(0) == 6 && n(1) == 4 {
			return s.marks[t[0]].v >= 200
		}
		return n(0) == 3 && n(1) == 4 && s.localNumber(i, t, g)
	case 1:
		v := s.marks[t[0]].v // the first nine digits
		if n(0) == 11 {
			return s.tok(t[0])[0] == '1' && s.announced(i)
		}
		return n(0) == 10 && (s.announced(i) || v/1000000 >= 200 && v/1000%1000 >= 200 && v/10000000 != 11 && s.labelBefore(i) == noLabel)
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
	a, b := s.marks[t[0]].v, s.marks[t[1]].v
	return a >= 200 && !(a%10 == 0 && b%10 == 0) && !s.measured(g.end) && s.c(i-1) != '#' && !s.isWord(i-1, "normal") && !s.isWord(i-1, "range")
}

// phoneExtension takes in "x402", "ext. 402", "extension 402" after a number.
func (s *scan) phoneExtension(end int) int {
	j := end
	if s.c(j) == ',' {
		j++
	}
	if !s.wordAt(j) || s.toks[j].Line {
		return end
	}
	word := s.tok(j)
	if s.marks[j].label != labelExt && word != "x" && word != "X" {
		return end
	}
	j++
	for c := s.c(j); c == '.' || c == ':' || c == '#'; c = s.c(j) {
		j++
	}
	if s.numAt(j) && s.marks[j].n <= 6 && s.sameLine(j) {
		return j + 1
	}
	return end
}

// contactReach is how many tokens a word like "phone" announces numbers for.
const contactReach = 8

// announced reports whether a word that announces a telephone number stands
// shortly before token i, with nothing between that ends its reach.
func (s *scan) announced(i int) bool {
	k := s.labelBefore(i)
	return k == labelPhone || k == labelFax || k == labelPager || k == labelExt
}

// labelBefore returns the label whose value begins at token i, looking back over
// fill words and marks.
func (s *scan) labelBefore(i int) label {
	for j := i - 1; j >= 0 && j >= i-contactReach; j-- {
		if s.toks[j+1].Line && s.c(j) != ':' && s.c(j) != '#' && s.marks[j].label == noLabel {
			return noLabel
		}
		switch s.toks[j].Kind {
		case Punct:
			if c := s.c(j); c == ';' || c == ',' && s.marks[j-min(j, 1)].label == noLabel || c == '?' || c == '!' {
				return noLabel
			}
		case Number:
			return noLabel
		case Word:
			if l := s.marks[j].label; l != noLabel {
				return l
			}
			if !s.has(j, isFill|isThe|isOf|isIn|isPrep) && len(s.tok(j)) > 1 {
				return noLabel
			}
		}
	}
	return noLabel
}

// contactType returns the kind of number by the nearest word that tells it.
func (s *scan) contactType(i int) Type {
	if end := s.phoneGroups(i).end; s.lineFollows(end) && (s.isWord(end, "fax") || s.isWord(end+1, "fax")) {
		return Fax
	}
	for j := i - 1; j >= 0 && j >= i-contactReach; j-- {
		if s.toks[j+1].Line && s.c(j) != ':' {
			break
		}
		switch s.marks[j].label {
		case labelFax:
			return Fax
		case labelPager:
			return Pager
		case labelPhone, labelExt:
			return Phone
		}
		if s.numAt(j) {
			break
		}
		if word := s.tok(j); s.wordAt(j) && (word == "F" || word == "f") && (s.c(j+1) == ':' || s.c(j+1) == '.') {
			return Fax
		}
	}
	return Phone
}

// vanity finds "1-800-FLOWERS" and "888-555-HELP" at the first number.
func (s *scan) vanity(i int) int {
	j := i
	if s.marks[j].v == 1 && s.marks[j].n == 1 && s.c(j+1) == '-' && s.numAt(j+2) {
		j += 2
	}
	v := s.marks[j].v
	if s.marks[j].n != 3 || !tollFree(v) || s.c(j+1) != '-' || !s.separates(j+1, false) {
		return 0
	}
	end, letters, all := j+2, 0, 0
	for end == j+2 || s.glued(end) {
		switch {
		case s.wordAt(end) && s.toks[end].Case == Upper:
			letters += len(s.tok(end))
			all += len(s.tok(end))
		case s.numAt(end):
			all += int(s.marks[end].n)
		case s.c(end) != '-' || !s.separates(end, false):
			end = len(s.toks)
			continue
		}
		end++
	}
	return s.endVanity(i, j+2, letters, all)
}

func tollFree(v uint32) bool {
	switch v {
	case 800, 833, 844, 855, 866, 877, 888:
		return true
	}
	return false
}

// endVanity emits a telephone number spelled in letters if it has as many as a
// keypad number.
func (s *scan) endVanity(i, from, letters, all int) int {
	if letters < 3 || all < 7 || all > 12 {
		return 0
	}
	end := from
	for end == from || s.glued(end) && (s.toks[end].Kind != Punct || s.c(end) == '-' && s.separates(end, false)) {
		end++
	}
	return s.emit(i, end, Phone)
}

// contactWord finds the value of "pager", "x", "call w/ questions" where it is
// too short to be found by its form.
func (s *scan) contactWord(i int) int {
	m := &s.marks[i]
	j := i + 1
	for ; j < len(s.toks) && j <= i+contactReach; j++ {
		if s.toks[j].Line && s.c(j-1) != ':' && s.c(j-1) != '#' {
			return 0
		}
		c := s.c(j)
		if s.numAt(j) || c == '(' && s.numAt(j+1) || c == '+' {
			break
		}
		if c != 0 && (c == ';' || c == ',' || c == '?' || c == otherMark) || s.wordAt(j) && !s.has(j, isFill|isThe|isContact) {
			return 0
		}
	}
	if j >= len(s.toks) || j > i+contactReach {
		return 0
	}
	if end := s.phone(j); end > 0 {
		return end
	}
	return s.shortNumber(i, j, m)
}

func (s *scan) shortNumber(i, j int, m *mark) int {
	if !s.numAt(j) || s.glued(j) && s.wordAt(j-1) && s.tok(j-1) != "x" && s.tok(j-1) != "X" && s.tok(j-1) != "p" {
		return 0
	}
	end, n := j+1, int(s.marks[j].n)
	for s.c(end) == '-' && s.separates(end, false) && s.numAt(end+1) {
		n += int(s.marks[end+1].n)
		end += 2
	}
	pager := m.label == labelPager
	if n < int(m.val) && !(n == 4 && s.questionsBefore(j)) || n > 11 || s.measured(end) || s.c(end) == '/' || s.c(end) == ':' || m.label == labelFax && n < 5 {
		return 0
	}
	if m.label == labelPhone && n < 5 && !s.questionsBefore(j) || s.isYear4(j) && !pager && !s.questionsBefore(j) && m.label != labelExt {
		return 0
	}
	return s.emit(j, end, s.contactType(j))
}

// questionsBefore reports whether "questions" or "concerns" stands before token j:
// "Call with questions 5943" gives a number of the house.
func (s *scan) questionsBefore(j int) bool {
	return s.isWord(j-1, "questions") || s.isWord(j-1, "concerns")
}

// providerNumber reports whether the number i ends a line that names a member of
// the staff: "Ordering provider: Ann Long 90308".
func (s *scan) providerNumber(i int) bool {
	if i+1 < len(s.toks) && !s.toks[i+1].Line || !s.sameLine(i) {
		return false
	}
	for k := i - 1; k >= 0 && k > i-7; k-- {
		if s.c(k) == ':' {
			return s.has(k-1, isStaff)
		}
		if !s.wordAt(k) && s.c(k) != '.' && s.c(k) != ',' || s.toks[k].Line {
			return false
		}
	}
	return false
}

// extension finds "x5-1234", "x 51234" at the x.
func (s *scan) extension(i int) int {
	j := i + 1
	for c := s.c(j); c == '.' || c == '#' || c == ':'; c = s.c(j) {
		j++
	}
	if s.marks[i].label == labelExt {
		if end := s.phone(j); end > 0 {
			return end
		}
	}
	if !s.numAt(j) || !s.glued(j) && s.marks[i].label != labelExt {
		return 0
	}
	end, n := j+1, int(s.marks[j].n)
	if s.c(end) == '-' && s.separates(end, false) && s.numAt(end+1) {
		n += int(s.marks[end+1].n)
		end += 2
	}
	if n < 4 || n > 7 || s.glued(i) && i > 0 && s.c(i-1) != '(' || s.measured(end) {
		return 0
	}
	if s.marks[i].label == labelExt {
		i = j
	}
	return s.emit(i, end, s.contactType(i))
}
