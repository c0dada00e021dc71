package document

import (
	"strconv"
	"strings"
)

// isCode reports whether a code has a form of the codes of a code system.
func isCode(system, code string) bool {
	for _, form := range cdaCodes[system] {
		if fits(form, code) {
			return true
		}
	}
	return false
}

// fits reports whether a code has a form: nines are up to that many digits, and A letters or digits in the same way.
func fits(form, code string) bool {
	for form != "" {
		c := form[0]
		n := len(form) - len(strings.TrimLeft(form, string(c)))
		form = form[n:]
		most := 0
		for most < len(code) && most < n && isMeant(c, code[most]) {
			most++
		}
		if most == 0 || most < n && c != '9' && c != 'A' {
			return false
		}
		code = code[most:]
	}
	return code == ""
}

// isMeant reports whether a character of a form means one of a code.
func isMeant(form, c byte) bool {
	switch form {
	case '9':
		return '0' <= c && c <= '9'
	case 'A':
		return isAlphanumeric(c)
	}
	return form == c
}

// oldestYears is the age in years beyond which an age identifies a person.
const oldestYears = 89

// isAmount reports whether a number and its unit are an amount: neither a number long enough to identify a person nor an age
// beyond those that may be shown.
func isAmount(value, unit string) bool {
	digits := strings.TrimLeft(value, "+-")
	whole, fraction, _ := strings.Cut(digits, ".")
	if len(value)-len(digits) > 1 || len(whole) > 6 || len(fraction) > 6 || strings.Trim(whole+fraction, "0123456789") != "" ||
		whole+fraction == "" {
		return false
	}
	if unit == "" {
		return true
	}
	number, err := strconv.ParseFloat(value, 64)
	return err == nil && isUnit(unit) && (unit != "a" || number <= oldestYears)
}

// isUnit reports whether a unit is made of those that are known.
func isUnit(unit string) bool {
	if cdaUnits[unit] {
		return true
	}
	if len(unit) > 24 {
		return false
	}
	for part := range strings.FieldsFuncSeq(unit, func(r rune) bool { return r == '/' || r == '.' }) {
		if !cdaUnits[part] && !isPower(part) {
			return false
		}
	}
	return true
}

// isPower reports whether a part of a unit is a power of ten, as in "10*3/uL".
func isPower(part string) bool {
	rest, ok := strings.CutPrefix(part, "10")
	if !ok || rest == "" {
		return ok
	}
	rest = rest[1:]
	return strings.ContainsRune("*^+", rune(part[2])) && rest != "" && len(rest) <= 2 && strings.Trim(rest, "0123456789") == ""
}

// isTemplate reports whether an identifier is one of a template: a known begin and short numbers.
func isTemplate(root string) bool {
	for arc := range cdaValues["arc"] {
		rest, ok := strings.CutPrefix(root, arc)
		if ok && (rest == "" || rest[0] == '.' && shortNumbers(rest[1:])) {
			return true
		}
	}
	return false
}

func shortNumbers(text string) bool {
	for number := range strings.SplitSeq(text, ".") {
		if number == "" || len(number) > 3 || strings.Trim(number, "0123456789") != "" {
			return false
		}
	}
	return len(text) <= 40
}

// isStatus reports whether a code of the format may stay in an element.
func isStatus(element, code string) bool {
	switch element {
	case "realmCode":
		return len(code) == 2 && strings.ToUpper(code) == code && fits("AA", code)
	case "languageCode":
		language, country, found := strings.Cut(code, "-")
		return len(language) >= 2 && len(language) <= 3 && fits("AAA", language) && (!found || len(country) == 2 && fits("AA", country))
	}
	return cdaValues["status"][code]
}
