package age

import "github.com/pgdeid/pgdeid/ensemble/text"

const upper = text.Upper

// leastAdult is the least number of two digits: numbers of one digit before or behind a letter
// number chest tubes, sheaths, stages and lists.
const leastAdult = 10

// withSex reads the number of an age and a sex in letters: 53RHM, 86F, 58/M, M/58, 22 / F. A
// letter apart from its number needs a line, a name or a mark before the number, and nothing
// that is measured may be near it.
func (f *finder) withSex(i int) int {
	if f.Plain(i)[0] == '0' || f.Value(i) < 1 || f.measuredBefore(i) ||
		f.Glued(i) && (f.Word(i-1) && len(f.Str(i-1)) < 4 || f.Mark(i-1) == '+') {
		return 0
	}
	if f.Mark(i-1) == '/' && f.In(i-2, sexLetter) && f.Case(i-2) == upper && len(f.Str(i-2)) == 1 && f.Value(i) >= leastAdult && f.Ends(i+1) {
		return i + 1
	}
	j := f.Skip(i+1, "-/")
	if !f.Here(j) || !f.In(j, sexLetter) || f.Glued(j+1) && (f.Mark(j+1) == '-' || f.Mark(j+1) == '.' && f.Tight(j+1) || f.Number(j+1)) {
		return 0
	}
	if f.In(j+1, unit|counted) && f.Here(j+1) && !f.In(j+1, of|between) {
		return 0
	}
	long := len(f.Str(j)) > 1
	switch {
	case f.Case(j) != upper && !(long && f.Glued(j)):
		return f.lowered(i, j)
	case long && (f.Equal(j, "am") || f.Equal(j, "hm")):
		return 0
	case long || f.Mark(i+1) == '/':
		return f.two(i)
	case f.Glued(j):
		return f.adult(i)
	}
	return f.apart(i, j)
}

// leastLowered is the least age before a letter that is not a capital: such a letter is a unit
// behind smaller numbers.
const leastLowered = 18

// lowered decides on a number and the letter j that is no capital: the f touches the number, the
// m, a unit too, has "with" or "who" behind it.
func (f *finder) lowered(i, j int) int {
	if !f.Glued(j) || j != i+1 || f.Digits(i) != 2 || f.Value(i) < leastLowered || f.Value(i) >= hundred {
		return 0
	}
	if f.Equal(j, "f") && f.Spaced(i) || (f.Equal(j, "f") || f.Equal(j, "m")) && (f.Equal(j+1, "with") || f.Equal(j+1, "who")) {
		return i + 1
	}
	return 0
}

// two returns the token behind number i if it has two digits or more, else 0.
func (f *finder) two(i int) int {
	if f.Value(i) < leastAdult {
		return 0
	}
	return i + 1
}

// hundred is the least of the ages that are more often a body temperature before an F.
const hundred = 95

// adult returns the token behind number i, whose sex touches it, if it may be an adult's age.
func (f *finder) adult(i int) int {
	if f.Value(i) >= hundred && f.Equal(i+1, "f") {
		return 0
	}
	return f.two(i)
}

// apart decides on a number and the letter j with a blank between them.
func (f *finder) apart(i, j int) int {
	if f.Value(i) < leastAdult || f.Value(i) >= hundred && f.Equal(j, "f") {
		return 0
	}
	switch c := f.Mark(i - 1); {
	case c == '|' || c == '(', c == '.' && f.Spaced(i) && f.Word(i-2) && f.Word(j+1),
		c == ',' && !f.Number(i-2), f.OpensLine(i) && !f.EndsLine(j+1):
		return i + 1
	case f.Here(i) && f.Capital(i-1) && len(f.Str(i-1)) > 1 && !f.In(i-1, unit|counted|score|vital) && f.Odds(i-1) > 0,
		f.Letter(i-1) && f.Mark(i-2) == ',' && f.Here(i):
		return i + 1
	}
	return 0
}

// measuredBefore reports whether one of the three words before token i is a measurement.
func (f *finder) measuredBefore(i int) bool {
	for k := i - 1; k >= 0 && k > i-4 && f.Here(k+1); k-- {
		if f.In(k, score|vital) && !f.In(k, sexLetter|event) && len(f.Str(k)) > 1 {
			return true
		}
	}
	return false
}

// described reads an age before the noun of a person, with words that describe the person
// between: 54 black female, 71 right-handed man.
func (f *finder) described(i int) int {
	if f.Glued(i) && f.Mark(i-1) != '(' || f.Value(i) < 1 {
		return 0
	}
	for k := f.Skip(i+1, "-"); k < i+6 && f.Here(k); k = f.Skip(k+1, "-/") {
		if f.In(k, sex) {
			if f.Value(i) < leastAdult && (k > i+1 || !f.Equal(i-1, "a")) || f.Equal(k, "males") || f.Equal(k, "females") {
				return 0
			}
			return i + 1
		}
		if !f.In(k, describing) {
			return 0
		}
	}
	return 0
}

// decade reads the decade of somebody's age: in her 60s, mother 50s, 60s M.
func (f *finder) decade(i int) int {
	end := f.Skip(i+1, "'")
	if f.Digits(i) != 2 || f.Value(i)%10 != 0 || f.Value(i) < 20 || !f.Equal(end, "s") || !f.Glued(end) {
		return 0
	}
	end++
	j := i - 1
	for f.In(j, part) || f.Mark(j) == '-' || f.In(j, between) {
		j--
	}
	if f.In(j, whose) || f.In(j, kin) && f.Here(i) || f.Here(end) && (f.In(end, sex) || f.In(end, sexLetter) && f.Case(end) == upper) {
		return end
	}
	return 0
}
