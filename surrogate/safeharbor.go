package surrogate

import (
	"strings"
	"time"
)

// smallZip3 are the first three digits of ZIP codes whose areas together hold 20,000
// people or fewer, as the HHS guidance on de-identification (26 November 2012)
// lists them from the 2000 Census.
var smallZip3 = map[string]bool{
	"036": true, "059": true, "063": true, "102": true, "203": true, "556": true, "692": true, "790": true, "821": true,
	"823": true, "830": true, "831": true, "878": true, "879": true, "884": true, "890": true, "893": true,
}

// Zip3 is what Safe Harbor lets stand of a ZIP code (45 CFR 164.514(b)(2)(i)(B)): its
// first three digits, or "000" for a prefix with 20,000 people or fewer and for
// what is no ZIP code. An empty string stays one.
func Zip3(zip string) string {
	zip = strings.TrimSpace(zip)
	if zip == "" {
		return ""
	}
	for i := range 3 {
		if i >= len(zip) || !isDigit(zip[i]) {
			return "000"
		}
	}
	if digits := strings.IndexFunc(zip+" ", func(r rune) bool { return r < '0' || r > '9' }); digits != 3 && digits != 5 && digits != 9 || smallZip3[zip[:3]] {
		return "000"
	}
	return zip[:3]
}

// Year is what Safe Harbor lets stand of a date: January 1st of its year, at
// midnight in its location.
func Year(t time.Time) time.Time {
	return time.Date(t.Year(), time.January, 1, 0, 0, 0, 0, t.Location())
}
