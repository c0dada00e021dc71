package desk

import (
	"testing"
)

func TestForm(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"": "", "  \n": "", "HR 72  BP 120/80\r\n": "A 9 A 9/9", "Name: Mary Ann Smith": "Aa: Aa Aa Aa", "- ASA 81 mg": "- A 9 a", "---": "---",
		"née Żółć": "a Aa", "McDonald": "Aa", "|a|b|": "|a|a|",
	} {
		if got := form(line); got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
	a, b := layout("Name: Ann Lee\nDOB: 3/4/1950\nName: Bo Li\n"), layout("Name: Cy Doe\r\n\r\nDOB: 12/24/1999")
	if len(a) != 2 || len(b) != 2 || a[0] != b[0] || a[1] != b[1] {
		t.Errorf("%v and %v are of one layout", a, b)
	}
}
