package surrogate

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/pgdeid/pgdeid/surrogate/letter"
)

// Ages over 89 are identifiers under 45 CFR 164.514(b)(2)(i)(C) and are shown as one category.
const (
	topAge      = 89
	cappedAge   = "89+"
	ageInYears  = " year old"
	ageOfPerson = "89+ year old"
)

// AgeCap returns the age to publish in a numeric column: 90, meaning "90 or older", for any age
// over 89.
func AgeCap(years int) int { return min(years, topAge+1) }

const (
	unit1to9   = `(?:one|two|three|four|five|six|seven|eight|nine)`
	units1to99 = `(?:(?:twenty|thirty|forty|fifty)(?:[ -]` + unit1to9 + `)?|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|` +
		unit1to9 + `)`
)

var (
	ageNumber = regexp.MustCompile(`(?i)\d+(?:'?s\b)?|\b(?:(?:one|a)[ -])?hundred(?:[ -](?:and[ -])?` + units1to99 +
		`)?\b|\bninet(?:y|ies)(?:[ -]` + unit1to9 + `)?\b`)
	// notYears matches units in which 90 or more is not an age over 89.
	notYears = regexp.MustCompile(`(?i)^[ -]*(?:mos?|months?|wks?|weeks?|d|days?|h|hrs?|hours?|min|minutes?)\b`)
	yearOld  = regexp.MustCompile(`(?i)^[ -]*-[ -]*years?[ -]+old`)
	veryOld  = regexp.MustCompile(`(?i)\b(?:nonagenarian|centenarian|supercentenarian)(s?)\b`)
)

// age replaces ages over 89 and keeps others. next is the text after the span: "92" may be
// followed by "months". It returns how many bytes of next the replacement covers: "92-year-old"
// becomes "89+ year old".
func age(text, next string) (out string, covers int) {
	if !mayBeOver(text) {
		return text, 0
	}
	text = veryOld.ReplaceAllString(text, ageOfPerson+"$1")
	var b strings.Builder
	at := 0
	for _, m := range ageNumber.FindAllStringIndex(text, -1) {
		if m[0] < at || strings.HasPrefix(text[m[0]:], cappedAge) {
			continue
		}
		rest := text[m[1]:]
		if rest == "" {
			rest = next
		}
		end := m[1]
		if !isOver(text[m[0]:m[1]]) || notYears.MatchString(rest) {
			continue
		}
		b.WriteString(text[at:m[0]])
		b.WriteString(cappedAge)
		if old := yearOld.FindString(rest); old != "" {
			b.WriteString(letter.InCaseOf(titledTail(old), old))
			if end == len(text) {
				covers = len(old)
			} else {
				end += len(old)
			}
		}
		at = end
	}
	b.WriteString(text[at:])
	return b.String(), covers
}

// mayBeOver is a cheap test for whether a text may contain an age over 89.
func mayBeOver(text string) bool {
	for i := range len(text) {
		switch text[i] | 0x20 {
		case 'n', 'u': // ninety, nineties, nonagenarian; hundred; centenarian
			return true
		}
		if n := text[i:]; letter.IsDigit(n[0]) && len(n) > 1 && letter.IsDigit(n[1]) && (n[0] == '9' || len(n) > 2 && letter.IsDigit(n[2])) {
			return true
		}
	}
	return false
}

// titledTail returns " year old", singular or plural as in old.
func titledTail(old string) string {
	if strings.Contains(strings.ToLower(old), "years") {
		return " years old"
	}
	return ageInYears
}

// isOver reports whether a number, in digits or words, is over 89.
func isOver(s string) bool {
	s = strings.ToLower(s)
	digits := strings.TrimRight(s, "'s")
	if n, err := strconv.Atoi(digits); err == nil {
		return n > topAge
	}
	if letter.IsDigit(s[0]) {
		return true // too many digits for an int
	}
	return strings.HasPrefix(s, "ninet") || strings.Contains(s, "hundred")
}
