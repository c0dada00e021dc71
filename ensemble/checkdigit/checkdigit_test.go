package checkdigit

import "testing"

func TestCheckDigits(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name  string
		valid func(string) bool
		right []string
	}{
		{"Luhn", Luhn, []string{"4111111111111111", "378282246310005", "79927398713"}},
		{"NPI", NPI, []string{"1234567893", "1245319599"}},
		{"NHS", NHS, []string{"9434765919", "4010232137"}},
		{"VIN", VIN, []string{"1HGCM82633A004352", "1HGBH41JXMN109186", "1M8GDM9AXKP042788"}},
		{"IBAN", IBAN, []string{"GB82WEST12345698765432", "DE89370400440532013000", "NO9386011117947"}},
		{"DEA", DEA, []string{"AB1234563", "F91234563"}},
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
	if VIN("1HGCM82603A004352") || VIN("1HGCM82633A0O4352") || VIN("11111111111111111") {
		t.Error("a VIN with a wrong check digit, with the letter O or without letters is valid")
	}
}

// A text of another form is no number of the kind, and no reason to panic.
func TestOtherForms(t *testing.T) {
	t.Parallel()
	for name, valid := range map[string]func(string) bool{"NPI": NPI, "NHS": NHS, "VIN": VIN, "IBAN": IBAN, "DEA": DEA} {
		for _, s := range []string{"", "1", "ABC", "123456789", "12345678901", "AB12345", "ABCDEFGHIJ", "AB12345X4", "é", "\x00\x00\x00\x00\x00"} {
			if valid(s) {
				t.Errorf("%s: %q is valid", name, s)
			}
		}
	}
}

func FuzzCheckDigits(f *testing.F) {
	f.Add("1HGCM82633A004352")
	f.Add("GB82WEST12345698765432")
	f.Fuzz(func(_ *testing.T, s string) {
		for _, valid := range []func(string) bool{Luhn, NPI, NHS, VIN, IBAN, DEA} {
			valid(s)
		}
	})
}
