package text

import (
	"strings"
	"testing"
)

func TestCasing(t *testing.T) {
	t.Parallel()
	many := func(word string, n int) string { return strings.Repeat(word+" ", n) }
	for _, tt := range []struct {
		name, in string
		want     Casing
	}{
		{"nothing", "", BothCases},
		{"a sentence", "The patient was seen by his doctor today and then went home with Jane and Tom after lunch.", BothCases},
		{"small letters", "the patient was seen by his doctor today and then went home with jane and tom after lunch.", OnlyLower},
		{"capitals", "THE PATIENT WAS SEEN BY HIS DOCTOR TODAY AND THEN WENT HOME WITH JANE AND TOM AFTER LUNCH.", OnlyUpper},
		{"too few words", "too few words", BothCases},
		{"eleven words", many("word", leastWords-1), BothCases},
		{"twelve words", many("word", leastWords), OnlyLower},
		{"twelve short words", many("by", leastWords), BothCases},
		{"short words do not count", many("word", leastWords) + many("By", 50), OnlyLower},
		{"numbers do not count", many("word", leastWords) + many("123", 50), OnlyLower},
		{"one capital in a hundred", many("word", 99) + "Word", OnlyLower},
		{"four capitals in a hundred", many("word", 96) + many("Word", 4), BothCases},
		{"nine small words in a hundred", many("WORD", 91) + many("word", 9), OnlyUpper},
		{"eleven small words in a hundred", many("WORD", 89) + many("word", 11), BothCases},
		{"titles", many("Word", 50), BothCases},
		{"a script without case", many("王小明", 50), OnlyLower},
	} {
		if got := NewView(tt.in).Casing(); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}
