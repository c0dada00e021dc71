// Package terminology knows codes, code systems and units that are public: who reads one learns nothing about a person. It has
// the forms of codes and not the codes themselves, so that a list can't be out of date.
package terminology

import (
	_ "embed" // the lists
	"regexp"
	"strings"
)

//go:embed codes.txt
var codeList string

// systems has the forms of the codes of each system.
var systems = readSystems(codeList)

// readSystems reads lines of names of a system, a colon and forms of its codes.
func readSystems(list string) map[string][]string {
	all := map[string][]string{}
	for line := range strings.Lines(list) {
		names, forms, ok := strings.Cut(line, ": ")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		for name := range strings.FieldsSeq(names) {
			all[name] = append(all[name], strings.Fields(forms)...)
		}
	}
	return all
}

var (
	// ofHL7 matches names of code systems that HL7 publishes with FHIR.
	ofHL7 = regexp.MustCompile(`^http://(?:terminology\.hl7\.org/CodeSystem|hl7\.org/fhir(?:/[a-z]{2,8}){0,3}(?:/CodeSystem)?)/[A-Za-z0-9-]{1,60}$`)
	// word matches codes that HL7 gives: words and short numbers.
	word = regexp.MustCompile(`^(?:[A-Za-z]{1,24}|[0-9]{1,3})(?:[-_.][A-Za-z]{1,24}|[-_.]?[0-9]{1,3}|[a-z]{1,8}){0,5}$|^[<>=!+*-]{1,2}$`)
	// language matches tags of languages.
	language = regexp.MustCompile(`^[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-[A-Z]{2})?$`)
	// version matches versions of code systems: numbers, dates, editions of SNOMED CT.
	version = regexp.MustCompile(`^(?:http://snomed\.info/sct/[0-9]{6,18}(?:/version/[0-9]{8})?|v?[0-9]{1,4}(?:[.-][0-9]{1,4}){0,3}|[0-9]{8})$`)
)

// Code systems that are patterns, rather than lists.
const (
	unitsOfMeasure = "http://unitsofmeasure.org"
	languages      = "urn:ietf:bcp:47"
)

// bare returns a name without what FHIR writes before object identifiers.
func bare(system string) string { return strings.TrimPrefix(system, "urn:oid:") }

// IsSystem reports whether a code system, by its object identifier or as FHIR names it, is public.
func IsSystem(system string) bool {
	if system == unitsOfMeasure || system == languages {
		return true
	}
	return systems[bare(system)] != nil || isOfHL7(system)
}

// isOfHL7 reports whether a code system is published with FHIR: not a system of identifiers, as that of social security numbers.
func isOfHL7(system string) bool {
	return ofHL7.MatchString(system) && !strings.HasPrefix(system, "http://hl7.org/fhir/sid/")
}

// IsVersion reports whether a version of a code system says nothing but a number or a date.
func IsVersion(text string) bool { return version.MatchString(text) }

// IsCode reports whether a code has a form of the codes of a public code system.
func IsCode(system, code string) bool {
	switch system {
	case unitsOfMeasure:
		return IsUnit(code)
	case languages:
		return language.MatchString(code)
	}
	for _, form := range systems[bare(system)] {
		if Fits(form, code) {
			return true
		}
	}
	return systems[system] == nil && isOfHL7(system) && isWord(code)
}

// mostDigits is how many digits a word may have: those with more may be numbers of persons.
const mostDigits = 4

// isWord reports whether a code can be one that HL7 gives.
func isWord(code string) bool {
	digits := 0
	for i := range len(code) {
		if '0' <= code[i] && code[i] <= '9' {
			digits++
		}
	}
	return digits <= mostDigits && word.MatchString(code)
}

// Fits reports whether a code has a form: nines are up to that many digits, and A letters or digits in the same way.
func Fits(form, code string) bool {
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
	digit := '0' <= c && c <= '9'
	switch form {
	case '9':
		return digit
	case 'A':
		return digit || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
	}
	return form == c
}
