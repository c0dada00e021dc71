package text

import "testing"

func TestDigits(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		in    string
		value uint32
		n     uint8
	}{
		{"0", 0, 1}, {"007", 7, 3}, {"2087", 2087, 4}, {"999999999", 999999999, 9}, {"1234567890", 123456789, 10}, {"٣٤", 34, 2}, {"1\u200b2", 12, 2}, {"", 0, 0},
	} {
		if v, n := Digits(tt.in); v != tt.value || n != tt.n {
			t.Errorf("%q: %d of %d digits", tt.in, v, n)
		}
	}
}

func TestDigitValue(t *testing.T) {
	t.Parallel()
	for r, want := range map[rune]uint32{'0': 0, '9': 9, '٠': 0, '٩': 9, '५': 5, '７': 7} {
		if got, ok := DigitValue(r); !ok || got != want {
			t.Errorf("%q: %d, %v", r, got, ok)
		}
	}
	for _, r := range "aé½ \u200b" {
		if got, ok := DigitValue(r); ok {
			t.Errorf("%q is the digit %d", r, got)
		}
	}
}

func TestPlainPunct(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]byte{".": '.', "-": '-', "–": '-', "’": '\'', "：": ':', "§": OtherPunct, "\x00": OtherPunct} {
		if got := PlainPunct(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
