package record

import (
	"strings"
	"unicode"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
)

// blankValues are what people write into columns that must not be empty, letters
// only. Nobody is identified by them, and notes are full of the same words.
var blankValues = map[string]bool{
	"na": true, "none": true, "unk": true, "unknown": true, "unspecified": true, "undefined": true, "notapplicable": true,
	"notavailable": true, "notprovided": true, "notrecorded": true, "notspecified": true, "notknown": true, "notonfile": true,
	"notgiven": true, "nodata": true, "noinformation": true, "nophone": true, "noaddress": true, "noemail": true,
	"declined": true, "refused": true, "patientdeclined": true, "patientrefused": true, "homeless": true, "nofixedabode": true,
	"unknownname": true, "unknownaddress": true, "unknownprovider": true, "unknownpatient": true, "tobedetermined": true, "tbd": true,
	"same": true, "sameasabove": true, "asabove": true, "seeabove": true, "self": true, "deceased": true,
}

// blank reports whether a structured value only fills its column: "N/A", "No data".
// In a column of its own a short one may be somebody's name all the same.
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
		return len(letters) > 5 && blankValues[letters] // "Na" and "Self" are names; Na and Same are towns
	}
	return blankValues[letters]
}
