package ensemble

import "testing"

func TestCuesOf(t *testing.T) {
	note := &Note{Text: "Dr. Moss, hospital"}
	for i, want := range []string{"doctor-title street", "", "", "", "facility in-facility stop"} {
		if got := note.CuesOf(i).String(); got != want {
			t.Errorf("token %d: %q, want %q", i, got, want)
		}
	}
}

func TestEveryCueHasAName(t *testing.T) {
	if last := cueDuration; last != 1<<(len(cueNames)-1) {
		t.Errorf("%d names, the last role is %b", len(cueNames), last)
	}
}
