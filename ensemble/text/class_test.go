package text

import (
	"testing"
	"unicode/utf8"
)

func TestClassOf(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, runes string
		want        RuneClass
	}{
		{"blanks", " \t\u00a0\u2003\u3000\ufeff", SpaceRune},
		{"line breaks", "\n\r\v\f\u0085\u2028\u2029", LineRune},
		{"digits", "09٠٩०९０９", DigitRune},
		{"capitals", "AZÉΩЯǅ", UpperRune},
		{"small letters", "azéωяß", LowerRune},
		{"letters without case and marks", "王אʰ\u0301", OtherLetter},
		{"joiners", "\u200b\u200c\u200d\u2060\u00ad", OtherLetter},
		{"punctuation", ".,-–_@#½²№€😀\u200e\ufffd", PunctRune},
	} {
		for _, r := range tt.runes {
			if got, size := ClassOf(string(r)); got != tt.want || size != utf8.RuneLen(r) {
				t.Errorf("%s: %q is of class %d and %d bytes, want %d and %d", tt.name, r, got, size, tt.want, utf8.RuneLen(r))
			}
		}
	}
}

// The class of an ASCII character is looked up; it is the one that the rules of Unicode give.
func TestClassesOfASCII(t *testing.T) {
	t.Parallel()
	for r := range rune(utf8.RuneSelf) {
		if got, _ := ClassOf(string(r)); got != slowClass(r) {
			t.Errorf("%q: %d, want %d", r, got, slowClass(r))
		}
	}
}

// What is no UTF-8 is a mark of one byte, so that no text is skipped.
func TestClassOfBrokenText(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"\xff", "\xc3", "\x80a"} {
		if got, size := ClassOf(s); got != PunctRune || size != 1 {
			t.Errorf("%q: class %d of %d bytes", s, got, size)
		}
	}
}

func TestWordCase(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]Case{
		"smith": Lower, "Smith": Title, "SMITH": Upper, "J": Upper, "j": Lower, "McDonald": Mixed, "iPhone": Mixed, "sMITH": Mixed,
		"É": Upper, "Émile": Title, "王": Lower, "\u200bSmith": Mixed, "DeSHAWN": Mixed,
	} {
		if end, got := scanWord(word, 0); got != want || end != len(word) {
			t.Errorf("%q: case %d of %d bytes, want %d of %d", word, got, end, want, len(word))
		}
	}
}

func TestScanDigits(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]int{
		"123": 3, "12a": 2, "12.5": 2, "1\u200b2": 5, "1\u200b": 1, "1\u200ba": 1, "٣٤": 4, "1٣": 3, "1\xff": 1,
	} {
		if got := scanDigits(s, 0); got != want {
			t.Errorf("%q: %d, want %d", s, got, want)
		}
	}
}
