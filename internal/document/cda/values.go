package cda

import (
	"strconv"
	"strings"

	"github.com/pgdeid/pgdeid/internal/terminology"
)

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
	return err == nil && terminology.IsUnit(unit) && (unit != "a" || number <= oldestYears)
}

// isTemplate reports whether an identifier is one of a template: a known begin and short numbers.
func isTemplate(root string) bool {
	for arc := range keptValues["arc"] {
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
		return len(code) == 2 && strings.ToUpper(code) == code && terminology.Fits("AA", code)
	case "languageCode":
		language, country, found := strings.Cut(code, "-")
		return len(language) >= 2 && len(language) <= 3 && terminology.Fits("AAA", language) && (!found || len(country) == 2 && terminology.Fits("AA", country))
	}
	return keptValues["status"][code]
}
