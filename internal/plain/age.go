package plain

import (
	_ "embed" // the words for units
	"regexp"
	"strconv"
	"strings"

	"github.com/pgdeid/pgdeid/surrogate"
)

//go:embed ageunits.txt
var ageUnitList string

// ageUnits has the unit for each way of writing one.
var ageUnits = readUnits(ageUnitList)

func readUnits(list string) map[string]string {
	units := map[string]string{}
	for line := range strings.Lines(list) {
		unit, words, ok := strings.Cut(strings.TrimSpace(line), ":")
		if !ok || strings.HasPrefix(unit, "#") {
			continue
		}
		for word := range strings.SplitSeq(words, ",") {
			units[strings.TrimSpace(word)] = unit
		}
	}
	return units
}

// oldest is the greatest age of a person, in years, that is taken for one.
const oldest = 130

// ageForm matches a number of at most three digits, decimals, a sign for "or more",
// and what may be a unit.
var ageForm = regexp.MustCompile(`^(>=?\s?)?([0-9]{1,3})(?:\.([0-9]{1,17}))?(\+)?\s?-?([A-Za-z][A-Za-z ./-]{0,11})?$`)

// Age returns what may be published of an age: the number, 90 for all over 89
// years, with at most two decimals and the unit that the value has. Three digits
// are the most that an age may have, whatever its unit: more days than 999 are no age
// that is written, and give a date of birth away.
func Age(text string) (string, error) {
	m := ageForm.FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return "", ErrValue
	}
	n, err := strconv.Atoi(m[2])
	unit, known := "", true
	if m[5] != "" {
		unit, known = ageUnits[strings.ToLower(strings.TrimSpace(m[5]))]
	}
	inYears := unit == "" || unit == "years"
	over := m[1] != "" || m[4] != "" // "> 89", "90+"
	if err != nil || !known || inYears && n > oldest || over && !(inYears && n >= 89) {
		return "", ErrValue
	}
	if unit != "" {
		unit = " " + unit
	}
	if capped := surrogate.AgeCap(oldest); inYears && (over || n >= capped) {
		return strconv.Itoa(capped) + unit, nil
	}
	return strconv.Itoa(n) + decimals(m[3]) + unit, nil
}

// OldestAge returns the category of all ages over 89 in the form of a published age in
// years, and reports whether that is another value.
func OldestAge(published string) (string, bool) {
	number, unit, _ := strings.Cut(published, " ")
	capped := strconv.Itoa(surrogate.AgeCap(oldest))
	if _, err := Age(published); err != nil || unit != "" && unit != "years" || number == capped {
		return "", false
	}
	return strings.TrimSpace(capped + " " + unit), true
}

// decimals writes the first two decimals, without zeros at the end.
func decimals(digits string) string {
	digits = strings.TrimRight(digits[:min(len(digits), 2)], "0")
	if digits == "" {
		return ""
	}
	n, err := strconv.Atoi(digits)
	if err != nil {
		return ""
	}
	return "." + strings.Repeat("0", len(digits)-len(strconv.Itoa(n))) + strconv.Itoa(n)
}
