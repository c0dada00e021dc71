package number

import (
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/checkdigit"
)

var isMBI = like("paxdaxdaadd")

// issuedMBI reports whether a number has the form of a Medicare Beneficiary Identifier and no letter that is left out.
func issuedMBI(s string) bool { return isMBI(s) && !strings.ContainsAny(s, neverInMBI) }

func neverMBI(original string) []string {
	places := sameSorts(original, digits, neverInMBI)
	places[0] = positive
	return places
}

// testNHS reports whether a number is of the range that the NHS keeps for tests.
func testNHS(s string) bool { return strings.HasPrefix(s, "999") }

var formsOfDEA = anyOf(like("aaddddddd"), both(like("adddddddd"), func(s string) bool { return s[1] == '9' }))

func isDEA(s string) bool { return formsOfDEA(s) && checkdigit.DEA(s) }

// neverDEA keeps the second character's sort: the first letter of the registrant's name, or 9 for a business.
func neverDEA(original string) []string {
	return append([]string{neverInDEA}, append(sameSorts(original[1:2], "9", letters), fixed("", 7)("")...)...)
}

func isVIN(s string) bool { return checkdigit.VIN(strings.ToUpper(s)) }

// noYear reports whether a vehicle of the United States is of no model year.
func noYear(s string) bool {
	return startsWith(firstOfVIN)(s) && len(s) > yearOfVIN && strings.Contains(neverYear, s[yearOfVIN:yearOfVIN+1])
}

func neverVIN(original string) []string {
	places := make([]string, len(original))
	for i := range places {
		places[i] = ofVIN
	}
	const checkOfVIN = 8
	places[0], places[checkOfVIN], places[yearOfVIN] = firstOfVIN, digits+"x", neverYear
	return places
}

// Bounds of the digits of payment cards.
const (
	leastCard = 13
	mostCard  = 19
)

func isCard(s string) bool {
	return len(s) >= leastCard && len(s) <= mostCard && strings.Trim(s, digits) == "" && checkdigit.Luhn(s)
}

// leastIBAN is the length of the shortest IBAN.
const leastIBAN = 15

var startsIBAN = like("aadd")

func isIBAN(s string) bool {
	return len(s) >= leastIBAN && startsIBAN(s[:4]) && checkdigit.IBAN(strings.ToUpper(s))
}

var nineDigits = like("ddddddddd")

// isSIN reports whether a number is a Canadian social insurance number by its check digit.
func isSIN(s string) bool { return nineDigits(s) && checkdigit.Luhn(s) }
