package terminology

import (
	_ "embed" // the list
	"strings"
)

//go:embed units.txt
var unitList string

// units has the units of which others are made.
var units = readUnits(unitList)

func readUnits(list string) map[string]bool {
	all := map[string]bool{}
	for line := range strings.Lines(list) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		for unit := range strings.FieldsSeq(line) {
			all[unit] = true
		}
	}
	return all
}

// longestUnit is the size of a unit beyond which it is none.
const longestUnit = 24

// IsUnit reports whether a unit is made of those that are known.
func IsUnit(unit string) bool {
	if units[unit] {
		return true
	}
	if len(unit) > longestUnit {
		return false
	}
	known := 0
	for part := range strings.FieldsFuncSeq(unit, func(r rune) bool { return r == '/' || r == '.' }) {
		if !units[part] && !isPower(part) {
			return false
		}
		known++
	}
	return known > 0
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
