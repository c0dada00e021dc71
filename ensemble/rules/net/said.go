package net

import "github.com/pgdeid/pgdeid/ensemble/phi"

// saidEmail returns the address of mail around the word "at", token i: one that hides its at sign, "ann(at)example.com",
// or one that was dictated, "ann dot long at example dot com".
func (f *finder) saidEmail(i int) found {
	from, to := i, i+1
	hidden := (f.Mark(i-1) == '(' || f.Mark(i-1) == '[') && (f.Mark(i+1) == ')' || f.Mark(i+1) == ']')
	if hidden {
		from, to = i-1, i+2
	}
	end, dictated := f.saidDomain(to)
	if end == 0 || !hidden && !dictated || from == 0 || !f.part(from-1) {
		return found{}
	}
	return found{f.saidName(from), end, phi.Email}
}

// saidDomain returns the token behind the domain at token i, with dots or the word for them, and whether the word
// was there. Its last part is no word of its own, or a country's behind it or behind "co".
func (f *finder) saidDomain(i int) (end int, dictated bool) {
	for j := i; j < i+longest && f.part(j); {
		country := len(f.Str(j)) == 2 && (end == j-1 || f.Equal(j-2, "co"))
		if j > i && (f.In(j, bare) || country) {
			end = j + 1
		}
		switch {
		case f.Equal(j+1, "dot") && f.Here(j+1):
			dictated = true
		case f.Mark(j+1) != '.' || !f.Tight(j+1):
			return end, dictated
		}
		j += 2
	}
	return end, dictated
}

// saidName returns the first token of the name before token i.
func (f *finder) saidName(i int) int {
	from := f.localPart(i - 1)
	for f.Equal(from-1, "dot") && f.Here(from) && f.part(from-2) && f.Here(from-1) && from-2 >= f.Last {
		from -= 2
	}
	return from
}
