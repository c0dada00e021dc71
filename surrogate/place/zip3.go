package place

import (
	_ "embed" // the list of prefixes
	"regexp"
	"strings"
)

//go:embed zip3.txt
var zip3List string

// smallZip3 are the ZIP prefixes that must not be shown, zip3Sources the publications of their
// populations.
var smallZip3, zip3Sources = readZip3(zip3List)

func readZip3(list string) (prefixes map[string]bool, sources []string) {
	prefixes = map[string]bool{}
	for line := range strings.Lines(list) {
		fields := strings.Fields(line)
		switch {
		case len(fields) == 0 || strings.HasPrefix(fields[0], "#"):
		case fields[0] == "source":
			sources = append(sources, strings.Join(fields[2:], " "))
		default:
			prefixes[fields[0]] = true
		}
	}
	return prefixes, sources
}

// Zip3Sources returns the population counts by which ZIP prefixes become 000.
func Zip3Sources() []string { return append([]string(nil), zip3Sources...) }

// zipCode matches a whole ZIP code, ZIP+4 or prefix.
var zipCode = regexp.MustCompile(`^[0-9]{3}(?:[0-9]{2}(?:-?[0-9]{4})?)?$`)

// Zip3 returns what Safe Harbor permits of a ZIP code (45 CFR 164.514(b)(2)(i)(B)): its first
// three digits, or "000" for a prefix with 20,000 people or fewer and for text that is not a ZIP
// code. An empty string stays empty.
func Zip3(zip string) string {
	zip = strings.TrimSpace(zip)
	switch {
	case zip == "":
		return ""
	case !zipCode.MatchString(zip) || smallZip3[zip[:3]]:
		return "000"
	}
	return zip[:3]
}
