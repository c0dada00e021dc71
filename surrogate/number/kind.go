// Package number knows identifiers that an authority issues: by their form and their check digit. For each kind it knows
// which numbers were never issued and never will be, so that a surrogate is of the kind and can belong to nobody.
//
// Numbers are written as the book compares them: letters and digits, letters small, nothing else.
package number

import (
	"slices"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/checkdigit"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// Kind is a kind of identifier.
type Kind struct {
	Name string
	// types are the types as which it is found; nil: any.
	types []phi.Type
	// is reports whether a number is of the kind.
	is func(string) bool
	// places returns the characters that surrogates have at each place. Where it is nil they have the form of the
	// original.
	places func(original string) []string
	// fits reports whether a number of these characters is a surrogate; nil: any is.
	fits func(string) bool
	// issued reports whether a number may be somebody's, as far as its form tells. It is nil where the form tells nothing:
	// nine digits are a social security number or anything else.
	issued func(string) bool
}

// Characters of the places of a number.
const (
	digits   = "0123456789"
	positive = "123456789"
	letters  = "abcdefghijklmnopqrstuvwxyz"
	// neverInMBI are the letters that Medicare leaves out.
	neverInMBI = "bilosz"
	// neverInDEA are first letters that say no kind of registrant. I and O are left out as well: they read as digits.
	neverInDEA = "nqvwyz"
	// ofVIN are the characters of vehicles, firstOfVIN those of makers of the United States, who all follow 49 CFR 565.
	ofVIN      = "0123456789abcdefghjklmnprstuvwxyz"
	firstOfVIN = "145"
	// neverYear are characters that stand for no model year there.
	neverYear = "uz0"
	yearOfVIN = 9
)

// In numbers of social security, areas from 900 and 000 are never issued; groups below 50 are none of taxpayer numbers,
// which begin with 9 as well. A wrong check digit makes it no Canadian number.
func neverSSN(original string) []string {
	if original[0] == '0' { // it keeps its zeros
		return []string{"0", "0", "0", digits, digits, digits, digits, digits, digits}
	}
	return []string{"9", digits, digits, "01234", positive, digits, digits, digits, digits}
}

// ofSSN are the types as which numbers of social security are found; insurers use them too.
var ofSSN = []phi.Type{phi.SSN, phi.HealthPlan}

// kinds are looked through in this order.
var kinds = [...]Kind{
	{Name: "SSN", types: ofSSN, is: like("ddddddddd"), places: neverSSN, fits: not(checkdigit.Luhn)},
	{
		Name: "HICN", types: ofSSN, is: anyOf(like("ddddddddda"), like("dddddddddad"), like("dddddddddaa")),
		places: func(original string) []string {
			return append(neverSSN(original), sameSorts(original[9:], positive, "abcd")...)
		},
	},
	{Name: "MBI", is: like("paxdaxdaadd"), places: neverMBI, issued: issuedMBI},
	{Name: "NPI", is: both(startsWith("12"), checkdigit.NPI), places: fixed("9", 9), fits: checkdigit.NPI, issued: both(startsWith("12"), checkdigit.NPI)},
	{Name: "NHS number", is: both(startsWith("34679"), checkdigit.NHS), places: fixed("999", 7), fits: checkdigit.NHS, issued: both(not(testNHS), checkdigit.NHS)},
	{Name: "DEA number", is: isDEA, places: neverDEA, fits: isDEA, issued: both(not(startsWith(neverInDEA)), isDEA)},
	{Name: "VIN", is: isVIN, places: neverVIN, fits: isVIN, issued: both(not(noYear), isVIN)},
	{Name: "payment card", is: isCard, fits: not(isCard), issued: isCard},
	{Name: "IBAN", is: isIBAN, fits: not(isIBAN), issued: isIBAN},
	{Name: "SIN", is: isSIN, fits: not(isSIN), issued: isSIN},
}

// Of returns the kind of a number that is found as a type, or nil.
func Of(number string, t phi.Type) *Kind {
	for i := range kinds {
		k := &kinds[i]
		if (k.types == nil || slices.Contains(k.types, t)) && k.is(number) {
			return k
		}
	}
	return nil
}

// Places returns the characters that surrogates of a number have at each place, or nil for those of its own form. So it
// does for no kind.
func (k *Kind) Places(original string) []string {
	if k == nil || k.places == nil {
		return nil
	}
	return k.places(original)
}

// Fits reports whether a number with these characters can be a surrogate.
func (k *Kind) Fits(number string) bool { return k == nil || k.fits == nil || k.fits(number) }

// Issued reports whether a number is, by its form, one that some authority issues. No surrogate is.
func Issued(number string) bool {
	return slices.ContainsFunc(kinds[:], func(k Kind) bool { return k.issued != nil && k.issued(number) })
}

// like returns a test of a number's characters: "d" stands for a digit, "p" for one above 0, "a" for a letter and "x"
// for a letter or digit.
func like(form string) func(string) bool {
	return func(s string) bool {
		if len(s) != len(form) {
			return false
		}
		for i := range len(s) {
			if !strings.Contains(setOf(form[i]), s[i:i+1]) {
				return false
			}
		}
		return true
	}
}

func setOf(sort byte) string {
	switch sort {
	case 'd':
		return digits
	case 'p':
		return positive
	case 'a':
		return letters
	default:
		return digits + letters
	}
}

func anyOf(tests ...func(string) bool) func(string) bool {
	return func(s string) bool {
		return slices.ContainsFunc(tests, func(is func(string) bool) bool { return is(s) })
	}
}

func both(first, second func(string) bool) func(string) bool {
	return func(s string) bool { return first(s) && second(s) }
}

func not(is func(string) bool) func(string) bool { return func(s string) bool { return !is(s) } }

func startsWith(set string) func(string) bool {
	return func(s string) bool { return s != "" && strings.Contains(set, s[:1]) }
}

// fixed returns the places of a number of a beginning and n digits.
func fixed(start string, n int) func(string) []string {
	places := strings.Split(start, "")
	for range n {
		places = append(places, digits)
	}
	return func(string) []string { return places }
}

// sameSorts returns a set for each character: one of digits, another of letters.
func sameSorts(original, ofDigits, ofLetters string) []string {
	places := make([]string, len(original))
	for i := range len(original) {
		places[i] = ofLetters
		if original[i] <= '9' {
			places[i] = ofDigits
		}
	}
	return places
}
