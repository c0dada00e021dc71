package ident

import "testing"

func TestCheckDigits(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name  string
		valid func(string) bool
		right []string
	}{
		{"luhn", luhn, []string{"4111111111111111", "378282246310005", "79927398713"}},
		{"VIN", validVIN, []string{"1HGCM82633A004352", "1HGBH41JXMN109186", "1M8GDM9AXKP042788"}},
		{"IBAN", validIBAN, []string{"GB82WEST12345698765432", "DE89370400440532013000", "NO9386011117947"}},
		{"DEA", validDEA, []string{"AB1234563", "F91234563"}},
	} {
		for _, s := range row.right {
			if !row.valid(s) {
				t.Errorf("%s: %s is not valid", row.name, s)
			}
			last := len(s) - 1
			for c := byte('0'); c <= '9'; c++ {
				// One wrong digit at the end is always found where the last digit is
				// part of the sum with a weight that has an inverse.
				if wrong := s[:last] + string(c); c != s[last] && row.name != "VIN" && row.valid(wrong) {
					t.Errorf("%s: %s is valid", row.name, wrong)
				}
			}
		}
	}
	if validVIN("1HGCM82603A004352") || validVIN("1HGCM82633A0O4352") || validVIN("11111111111111111") {
		t.Error("a VIN with a wrong check digit, with the letter O or without letters is valid")
	}
}
