package ensemble

import "github.com/pgdeid/pgdeid/ensemble/lexicon"

// petName skips what stands between a first name and a surname: "Elaheh (Eli)
// Bozorgzadeh", "Greg "Bud" Anderson". It returns the token of the surname, or i.
func (f *nameFinder) petName(i int) int {
	if !f.punct(i, '(') && !f.punct(i, '"') || !f.title(i+1) || !f.glued(i+1) || !f.glued(i+2) || f.entry(i-1).First < 40 && !f.strange(i-1) {
		return i
	}
	if !f.punct(i+2, ')') && !f.punct(i+2, '"') || f.is(i+1, cueStop|cueKin|cuePersonTitle|cueDoctorTitle) || !f.capital(i+3) || !f.follows(i+3) || f.glued(i+3) {
		return i
	}
	last := i + 3
	if f.letter(last) {
		last++
		if f.punct(last, '.') {
			last++
		}
	}
	if f.title(last) && f.follows(last) && (f.strange(last) || f.odds(last) > 24 && f.entry(last).Surname >= 40) {
		return i + 3
	}
	return i
}

// hyphens extends a name over "-Jones".
func (f *nameFinder) hyphens(end int) int {
	for f.punct(end, '-') && f.glued(end) && f.glued(end+1) && len(f.str(end+1)) > 1 && f.hyphenPart(end+1) {
		end += 2
	}
	return end
}

// hyphenPart tells the second half of "Smith-Jones"; of "smith-jones" too.
func (f *nameFinder) hyphenPart(i int) bool {
	if f.capital(i) {
		return true
	}
	e := f.entry(i)
	return f.inLower(i-2) && f.word(i) && e.Common == 0 && !e.Is(lexicon.Clinical) && f.roles(i) == 0
}

// wraps reports whether a name goes on in the next line.
func (f *nameFinder) wraps(j int, how trust) bool {
	return how == firm && f.title(j) && f.entry(j).Surname >= 60 && f.odds(j) > 40 && f.entry(j-1).First >= 60 && f.title(j-1)
}

// suffix extends a name over ", Jr." or " III".
func (f *nameFinder) suffix(end int) int {
	j := end
	if f.punct(j, ',') {
		j++
	}
	if !f.is(j, cueSuffix) || !f.capital(j) || !f.follows(j) {
		return end
	}
	if f.punct(j+1, '.') && f.glued(j+1) && len(f.str(j)) == 2 && f.caseOf(j) == Title {
		return j + 2
	}
	return j + 1
}

// reversed reads what follows "Smith" in "Smith, John C": from the comma at token
// i it returns the token after the name, or i.
func (f *nameFinder) reversed(i int, how trust) int {
	if !f.punct(i, ',') || !f.follows(i+1) || !f.capital(i+1) {
		return i
	}
	e := f.entry(i + 1)
	if f.letter(i-1) || f.punct(i-1, '.') || f.punct(i-2, '.') && f.letter(i-3) {
		return i // "J. Smith, Mary Jones" are two
	}
	if f.is(i+1, cueCredential|cueWeakCred|cueStop|cueGreeting|cueSuffix) || f.letter(i+1) && !f.punct(i+2, '.') {
		return i
	}
	if how < firm && (e.First < 60 || f.odds(i+1) < 24) || how == firm && e.First < 30 && !f.unknown(i+1) {
		return i
	}
	end := f.parse(i+1, hint)
	if end == i+1 {
		return i
	}
	if f.letter(end) && f.follows(end) && !f.apostrophe(end+1) {
		end++
		if f.punct(end, '.') && f.glued(end) {
			end++
		}
	}
	return end
}
