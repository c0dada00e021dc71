package text

import "testing"

func TestCasing(t *testing.T) {
	tests := map[string]Casing{
		"": BothCases,
		"The patient was seen by his doctor today and then went home with Jane and Tom after lunch.": BothCases,
		"the patient was seen by his doctor today and then went home with jane and tom after lunch.": OnlyLower,
		"THE PATIENT WAS SEEN BY HIS DOCTOR TODAY AND THEN WENT HOME WITH JANE AND TOM AFTER LUNCH.": OnlyUpper,
		"too few words": BothCases,
	}
	for s, want := range tests {
		if got := NewView(s).Casing(); got != want {
			t.Errorf("casing of %q is %d, want %d", s, got, want)
		}
	}
}
