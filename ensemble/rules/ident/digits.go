package ident

// luhn reports whether the last of ASCII digits checks the others (ISO/IEC 7812-1, annex B).
func luhn(digits string) bool {
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

// validIBAN reports whether the remainder of an IBAN by 97 is 1 (ISO 13616).
func validIBAN(s string) bool {
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

// validDEA reports whether two letters and seven digits, a number of the Drug Enforcement Administration, have a right
// check digit: the odd digits and twice the even ones add up to it.
func validDEA(s string) bool {
	d := func(i int) int { return int(s[i] - '0') }
	return (d(2)+d(4)+d(6)+2*(d(3)+d(5)+d(7)))%10 == d(8)
}

// vinWeights are the weights of a vehicle's characters; the ninth is the check digit.
var vinWeights = [17]int{8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2}

// vinValues are the values of the letters A to Z; I, O and Q are not used.
const vinValues = "12345678012345070923456789"

// validVIN reports whether a vehicle identification number has a right check digit
// (49 CFR 565.15).
func validVIN(s string) bool {
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
