package age

import "github.com/pgdeid/pgdeid/ensemble/text"

// withUnit reads a number, its unit and what makes it an age: 53 y/o, 53-year-old, 5 days old, 6 weeks 4 days old,
// and the first of two ages that share them: 3 to 5 years old.
func (f *finder) withUnit(i int) int {
	j := f.joined(i + 1)
	switch {
	case !f.Here(j) || f.Glued(i) && f.Word(i-1):
		return 0
	case f.In(j, certain), f.In(j, years) && (f.old(j) > 0 || f.sexed(f.joined(j+1))):
		return i + 1
	case f.In(j, units):
		return f.inUnits(j)
	case f.In(j, between) && f.Number(j+1):
		if k := f.joined(j + 2); f.Value(j+1) <= oldest && f.In(k, years) && f.old(k) > 0 {
			return i + 1
		}
	}
	return 0
}

// joined returns the token behind a dash or an underscore at token i, or i.
func (f *finder) joined(i int) int { return f.Skip(f.Skip(i, "\\"), "-_") }

// sexed reports whether word k says of which sex the person is whose age is before it.
func (f *finder) sexed(k int) bool {
	return f.Here(k) && (f.In(k, sex) || f.In(k, sexLetter) && f.Case(k) == text.Upper)
}

// old returns the token behind "old", "of age", "/o" or ".o." behind unit j, or 0.
func (f *finder) old(j int) int {
	k := f.joined(f.Skip(f.Skip(j+1, "./"), "-/"))
	c := f.Mark(k - 1)
	switch {
	case f.In(k, of) && f.In(k+1, label) && f.Here(k+1):
		return k + 2
	case !f.In(k, old) || !f.Here(k) && !f.Equal(k, "old") || c == '.' && !f.Glued(k):
		return 0
	case f.Equal(k, "o") && c != '.' && c != '/' && c != '-' && len(f.Str(j)) > 1:
		return 0
	}
	return k + 1
}

// moreUnits is how many more parts an age has behind its first: 1 year 2 months 3 weeks 4 days.
const moreUnits = 3

// inUnits reads an age of shorter units whose first unit is token j: it ends in "old", "of age" or a sex, for
// durations and weeks of pregnancy have neither.
func (f *finder) inUnits(j int) int {
	last := j
	for k, n := j+1, 0; n < moreUnits; n++ {
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
	if f.sexed(k) && (f.In(k, sex) || f.Glued(j)) {
		return last + 1
	}
	return 0
}
