package ensemble

import "testing"

func TestRegime(t *testing.T) {
	tests := map[string]regime{
		"": bothCases,
		"The patient was seen by his doctor today and then went home with Jane and Tom after lunch.": bothCases,
		"the patient was seen by his doctor today and then went home with jane and tom after lunch.": onlyLower,
		"THE PATIENT WAS SEEN BY HIS DOCTOR TODAY AND THEN WENT HOME WITH JANE AND TOM AFTER LUNCH.": onlyUpper,
		"too few words": bothCases,
	}
	for text, want := range tests {
		if got := read(&Note{Text: text}).regime(); got != want {
			t.Errorf("regime of %q is %d, want %d", text, got, want)
		}
	}
}
