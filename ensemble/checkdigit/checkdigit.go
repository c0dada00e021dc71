// Package checkdigit checks identifiers whose last or ninth character is computed from the others. Letters are
// capitals; text that is not of the right form is not valid.
package checkdigit

// Luhn reports whether the last of ASCII digits checks the others (ISO/IEC 7812-1, annex B).
func Luhn(digits string) bool {
	sum := 0
	for i := range len(digits) {
		d := int(digits[len(digits)-1-i] - '0')
		if i%2 == 1 {
			d *= 2
			if d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0
}

// npiPrefix is the prefix of US health identifiers (ISO 7812: 80 health, 840 United States), which counts in the
// check digit and is not written.
const npiPrefix = "80840"

// NPI reports whether ten digits are a National Provider Identifier by their check digit (CMS, NPI check digit).
func NPI(digits string) bool { return isDigits(digits, 10) && Luhn(npiPrefix+digits) }

// NHS reports whether ten digits are an NHS number by their check digit: weights 10 to 2, modulo 11.
func NHS(digits string) bool {
	if !isDigits(digits, 10) {
		return false
	}
	sum := 0
	for i := range len(digits) - 1 {
		sum += (10 - i) * int(digits[i]-'0')
	}
	return (11-sum%11)%11 == int(digits[9]-'0')
}

func isDigits(s string, n int) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return len(s) == n
}

// IBAN reports whether the remainder of an IBAN by 97 is 1 (ISO 13616).
func IBAN(s string) bool {
	if len(s) < 4 {
		return false
	}
	rest := 0
	for _, c := range []byte(s[4:] + s[:4]) {
		switch {
		case c >= '0' && c <= '9':
			rest = (rest*10 + int(c-'0')) % 97
		case c >= 'A' && c <= 'Z':
			rest = (rest*100 + int(c-'A') + 10) % 97
		default:
			return false
		}
	}
	return rest == 1
}

// DEA reports whether two characters and seven digits, a number of the Drug Enforcement Administration, have a right
// check digit: the odd digits and twice the even ones add up to it.
func DEA(s string) bool {
	if len(s) != 9 || !isDigits(s[2:], 7) {
		return false
	}
	d := func(i int) int { return int(s[i] - '0') }
	return (d(2)+d(4)+d(6)+2*(d(3)+d(5)+d(7)))%10 == d(8)
}

// vinWeights are the weights of a vehicle's characters; the ninth is the check digit.
var vinWeights = [17]int{8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2}

// vinValues are the values of the letters A to Z; I, O and Q are not used.
const vinValues = "12345678012345070923456789"

// VIN reports whether a vehicle identification number has a right check digit
// (49 CFR 565.15).
func VIN(s string) bool {
	if len(s) != len(vinWeights) {
		return false
	}
	sum, letters := 0, 0
	for i := range len(s) {
		c := s[i]
		switch {
		case c >= '0' && c <= '9':
			sum += int(c-'0') * vinWeights[i]
		case c >= 'A' && c <= 'Z' && vinValues[c-'A'] != '0':
			sum += int(vinValues[c-'A']-'0') * vinWeights[i]
			letters++
		default:
			return false
		}
	}
	check := byte('0' + sum%11)
	if sum%11 == 10 {
		check = 'X'
	}
	return letters > 0 && s[8] == check
}
