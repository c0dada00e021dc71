package age

// labelled reads an age behind a label or a word that tells it: Age: 45, aged 67, Age/Sex:
// 58, turned 90, ages 4, 6 and 9. A range or a bound behind a label is a criterion.
func (f *finder) labelled(i int) int {
	if f.rangeOrUnit(i) {
		return 0
	}
	if f.listed(i) || f.Equal(i-1, "was") && f.Equal(i-3, "when") && f.Ends(i+1) {
		return i + 1
	}
	j := i - 1
	for k := 0; k < 4 && (f.In(j, of|between) || f.Mark(j) == ':' || f.Mark(j) == '=' || f.Mark(j) == '-' || f.Mark(j) == '|'); k++ {
		j--
	}
	if f.Equal(j, "sex") && f.Mark(j-1) == '/' {
		j -= 2
	}
	if !f.In(j, label|turned) || !f.sameLine(j, i) || f.In(j, turned) && (j != i-1 || !f.Ends(i+1) && f.In(i+1, unit|counted)) {
		return 0
	}
	if f.Mark(i+1) == '+' && f.Glued(i+1) {
		return i + 2
	}
	return i + 1
}

// rangeOrUnit reports whether what follows number i makes it the begin of a range or an amount.
func (f *finder) rangeOrUnit(i int) bool {
	c := f.Mark(i + 1)
	if c == '%' || f.Glued(i+1) && f.Word(i+1) && !f.In(i+1, sexLetter|years) ||
		c == '-' && f.Tight(i+1) && f.Number(i+2) || f.Mark(i-1) == '-' && f.Glued(i) && f.Number(i-2) {
		return true
	}
	return f.Here(i+1) && f.In(i+1, unit|counted) && !f.In(i+1, sexLetter|years|units|of|between)
}

// listed reports whether number i goes on a list of ages behind "ages".
func (f *finder) listed(i int) bool {
	if f.last != i-1 || f.Mark(i-1) != ',' && !f.Equal(i-1, "and") {
		return false
	}
	for k := i - 3; k >= 0 && k > i-12; k-- {
		if f.Equal(k, "ages") {
			return true
		}
	}
	return false
}

// sameLine reports whether tokens j to i are on one line, or i begins the line behind a label.
func (f *finder) sameLine(j, i int) bool {
	for k := j + 1; k <= i; k++ {
		if f.OpensLine(k) && f.Mark(k-1) != ':' {
			return false
		}
	}
	return true
}

// eventWords is how far before an age the event of a life is looked for, in tokens.
const eventWords = 6

// atEvent reads the age at an event of a life: died at 92, MI at 49.
func (f *finder) atEvent(i int) int {
	if !f.Equal(i-1, "at") && f.Mark(i-1) != '@' || f.Digits(i) != 2 || f.Value(i) < leastAdult || !f.Here(i) || f.rangeOrUnit(i) {
		return 0
	}
	if !f.Ends(i+1) && !f.In(i+1, of|between|verb) {
		return 0
	}
	for k := i - 2; k >= 0 && k > i-2-eventWords && f.Mark(k) != '.' && f.Mark(k) != ';'; k-- {
		switch {
		case f.In(k, vital) && !f.In(k, event):
			return 0
		case f.In(k, event|kin):
			return i + 1
		}
	}
	return 0
}

// ofKin reads the age of a person who is named right before it: Sister, 54; father (82); a name
// in front of brackets; and between commas before what the person does.
func (f *finder) ofKin(i int) int {
	if f.Digits(i) > 2 || f.Value(i) < 1 || !f.Here(i) || f.rangeOrUnit(i) {
		return 0
	}
	j := i - 1
	if f.behindKin(j) {
		return i + 1
	}
	if f.Mark(j) == '(' && (f.Mark(i+1) == ')' || f.Mark(i+1) == ',' && f.Word(i+2)) && f.Spaced(j) {
		if f.In(j-1, kin) || f.behindKin(j-1) || f.Title(j-1) && len(f.Str(j-1)) > 2 && f.Odds(j-1) > 0 {
			return i + 1
		}
		return 0
	}
	if f.Digits(i) != 2 || !f.Ends(i+1) || f.Mark(i+1) == '"' {
		return 0
	}
	if f.Mark(j) == ',' && f.Mark(i+1) == ',' && f.Title(j-1) && f.In(i+2, verb) {
		return i + 1
	}
	if f.In(j, kin) || f.Mark(j) == ',' && f.In(j-1, kin) {
		return i + 1
	}
	return 0
}

// behindKin reports whether word i ends one or two words of a name behind the word for a
// relative: father Clay Abernathy.
func (f *finder) behindKin(i int) bool {
	for k := i; k > i-2 && f.Title(k) && f.Here(k) && f.Odds(k) > 0; k-- {
		if f.In(k-1, kin) {
			return true
		}
	}
	return false
}

// Ages that are marked as a bound: the law names those over 89.
const (
	leastOld = 85
	mostOld  = 120
)

// atLeast reads 90+ where the phrase ends, with its sign.
func (f *finder) atLeast(i int) int {
	if f.Mark(i+1) != '+' || !f.Glued(i+1) || f.Value(i) < leastOld || f.Value(i) > mostOld || !f.Ends(i+2) || f.measuredBefore(i) {
		return 0
	}
	return i + 2
}
