package schema

import (
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// A server that is asked for a value which its column can't hold refuses the query, and
// writes the value into its log. So a value from elsewhere is read here first: one that
// does not fit is one that no row has.

var (
	uuidForm    = regexp.MustCompile(`^(?:` + uuidDigits + `|\{` + uuidDigits + `\})$`)
	numericForm = regexp.MustCompile(`^[+-]?[0-9]+(\.[0-9]+)?$`)
	timeForms   = map[string]string{
		"date":                        "2006-01-02",
		"timestamp without time zone": "2006-01-02 15:04:05.999999",
		"timestamp with time zone":    "2006-01-02 15:04:05.999999-07",
	}
	integerBits = map[string]int{"smallint": 16, "integer": 32, "bigint": 64}
	textTypes   = map[string]bool{"text": true, "character varying": true, "character": true, "name": true, "citext": true}
)

const (
	uuidDigits = `[0-9A-Fa-f]{8}-?(?:[0-9A-Fa-f]{4}-?){3}[0-9A-Fa-f]{12}`
	// maxDigits is less than what a numeric can hold behind its point.
	maxDigits = 16_000
	// maxZone is the offset from UTC from which on PostgreSQL refuses one.
	maxZone = 16 * 3600
)

// Fits reports whether text is a value of a column's type, and whether the type is known
// here at all.
func Fits(typ, text string) (ok, known bool) {
	base, _, _ := strings.Cut(typ, "(")
	bits, layout := integerBits[base], timeForms[base]
	clean := strings.IndexByte(text, 0) < 0 && utf8.ValidString(text)
	switch {
	case bits > 0:
		_, err := strconv.ParseInt(text, 10, bits)
		return err == nil, true
	case layout != "":
		return isTime(layout, text), true
	case base == "uuid":
		return uuidForm.MatchString(text), true
	case base == "numeric":
		return len(text) <= maxDigits && numericForm.MatchString(text), true
	}
	return clean && textTypes[base], textTypes[base]
}

// isTime reports whether PostgreSQL would read text as a date or time of layout. Package
// time also reads a year 0, decimal commas and offsets of a day.
func isTime(layout, text string) bool {
	at, err := time.Parse(layout, text)
	if err != nil || at.Year() < 1 || strings.Contains(text, ",") {
		return false
	}
	_, zone := at.Zone()
	return -maxZone < zone && zone < maxZone
}
