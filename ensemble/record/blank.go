package record

import (
	"strings"
	"unicode"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
)

// blankValues returns what people write into columns that must not be empty, letters only. It
// identifies no one, and notes are full of the same words.
var blankValues = wordSet("record/blank-values")

// leastBlankName is the length from which a blank value is no name: "Na" and "Self" are names, Na
// and Same are towns.
const leastBlankName = 6

// blank reports whether a structured value only fills its column: "N/A", "No data".
// In a column of names or towns a short one may be a name nevertheless.
func blank(role Role, value string) bool {
	letters := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsLetter(r):
			return r
		case unicode.IsDigit(r):
			return '0' // no value with a number is blank
		}
		return -1
	}, lexicon.Fold(value))
	switch role {
	case NameFirst, NameMiddle, NameLast, NameAlias, City, State, Country, Username:
		return len(letters) >= leastBlankName && blankValues()[letters]
	}
	return blankValues()[letters]
}
