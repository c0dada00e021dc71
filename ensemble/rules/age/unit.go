package age

// withUnit reads a number, its unit and what makes it an age: 53 y/o, 53-year-old, 5 days old,
// 6 weeks 4 days old, and the first of two ages that share them: 3 to 5 years old.
func (f *finder) withUnit(i int) int {
	j := f.joined(i + 1)
	switch {
	case !f.Here(j) || f.Glued(i) && f.Word(i-1):
		return 0
	case f.In(j, certain), f.In(j, years) && f.inYears(i, j):
		return i + 1
	case f.In(j, units):
		return f.inUnits(i, j)
	case f.Number(j) || f.In(j, between) && f.Number(j+1):
		if f.In(j, between) {
			j++
		}
		if k := f.joined(j + 1); f.Digits(j) <= 3 && f.Value(j) <= oldest && f.In(k, years) && f.old(k) > 0 {
			return i + 1
		}
	}
	return 0
}

// joined returns the token behind a dash or an underscore at token i, or i.
func (f *finder) joined(i int) int { return f.Skip(f.Skip(i, "\\"), "-_") }

// inYears decides on a number and a unit of years at token j, which is an age before "old", a
// sex or months, and behind the noun of a person and "of".
func (f *finder) inYears(i, j int) bool {
	if f.old(j) > 0 || f.In(i-1, of) && f.In(i-2, person) {
		return true
	}
	k := f.joined(j + 1)
	if !f.Here(k) {
		return false
	}
	if f.In(k, sex) || f.In(k, sexLetter) && f.Capital(k) {
		return true
	}
	return f.Number(k) && f.In(k+1, units) && f.old(k+1) > 0
}

// old returns the token behind "old", "of age", "/o" or ".o." behind unit j, or 0.
func (f *finder) old(j int) int {
	k := f.joined(f.Skip(f.Skip(j+1, "./"), "-/"))
	switch {
	case f.In(k, old) && (f.Here(k) || f.Equal(k, "old")):
		if f.Mark(k-1) == '.' && !f.Glued(k) {
			return 0
		}
		if f.Equal(k, "o") && f.Mark(k-1) != '.' && f.Mark(k-1) != '/' && f.Mark(k-1) != '-' && len(f.Str(j)) > 1 {
			return 0
		}
		return k + 1
	case f.In(k, of) && f.In(k+1, label|years) && f.Here(k+1) && (f.In(k+1, label) || f.Equal(k, "de")):
		return k + 2
	}
	return 0
}

// moreUnits is how many more parts an age has behind its first: 1 year 2 months 3 weeks 4 days.
const moreUnits = 3

// inUnits reads an age of shorter units that begins at number i, unit j: it ends in "old", "of
// age" or a sex, for durations and weeks of pregnancy have neither.
func (f *finder) inUnits(i, j int) int {
	last := j
	for k, n := j+1, 0; n < moreUnits; n++ {
		k = f.Skip(k, ",")
		if f.Equal(k, "and") {
			k++
		}
		next := f.joined(k + 1)
		if !f.Number(k) || !f.In(next, units) || !f.Here(k) {
			break
		}
		last, k = next, next+1
	}
	if end := f.old(last); end > 0 {
		return end
	}
	k := f.joined(last + 1)
	if f.Here(k) && (f.In(k, sex) || f.In(k, sexLetter) && f.Case(k) == upper && (f.Glued(j) || f.OpensLine(i) || f.Mark(i-1) == ',')) {
		return last + 1
	}
	return 0
}
