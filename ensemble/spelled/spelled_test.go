package spelled

import (
	"strings"
	"testing"
)

func wordsOf(text string) Words {
	fields := strings.Fields(strings.ReplaceAll(text, "-", " - "))
	return func(i int) string {
		if i < 0 || i >= len(fields) {
			return ""
		}
		return fields[i]
	}
}

func TestYears(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"nineteen eighty-two": 1982, "nineteen eighty two": 1982, "nineteen-eighty-two": 1982, "nineteen oh five": 1905,
		"nineteen hundred": 1900, "nineteen hundred and twelve": 1912, "two thousand": 2000, "two thousand and four": 2004,
		"two thousand fourteen": 2014, "twenty twenty": 2020, "twenty twenty-one": 2021, "twenty fourteen": 2014,
		"one thousand nine hundred eighty-two": 1982, "twenty oh nine": 2009,
		"twenty": 0, "twenty one": 0, "twenty-one": 0, "five": 0, "nineteen": 0, "nineteen two": 0, "": 0, "ninety nine": 0,
	} {
		got, end := wordsOf(text).Year(0)
		if got != want || (end > 0) != (want > 0) {
			t.Errorf("%q: %d, %d", text, got, end)
		}
	}
	for year := 1800; year < 2100; year++ {
		if got, _ := wordsOf(Year(year)).Year(0); got != year {
			t.Errorf("%d is %q and %d", year, Year(year), got)
		}
	}
}

func TestCountsAndOrdinals(t *testing.T) {
	t.Parallel()
	for n := 1; n <= 366; n++ {
		if got, _ := wordsOf(Count(n)).Count(0); n%100 != 0 && got != n {
			t.Errorf("%d is %q and %d", n, Count(n), got)
		}
		if got, _ := wordsOf(Ordinal(n)).Ordinal(0); n%100 != 0 && got != n {
			t.Errorf("%d is %q and %d", n, Ordinal(n), got)
		}
	}
	if got := Count(40) + " " + Ordinal(22) + " " + Ordinal(8); got != "forty twenty-second eighth" {
		t.Error(got)
	}
}

func TestDigits(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"five five": "5", "oh": "0", "double four": "44", "triple oh": "000", "seventy-seven": "77", "seventy one": "71", "nineteen": "19",
		"double ten": "", "patient": "", "": "",
	} {
		if got, _ := wordsOf(text).Digits(0); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}
