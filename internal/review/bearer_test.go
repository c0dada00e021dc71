package review

import (
	"encoding/json"
	"slices"
	"testing"
)

func TestBearerOf(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][2]string{
		"Maria Garcia":           {"Hispanic", "women"},
		"GARCIA-LOPEZ, JUAN C.":  {"Hispanic", "men"},
		"Nguyen, Thanh":          {"Asian or Pacific Islander", "both women and men"},
		"Dr. John Nguyen, MD":    {"Asian or Pacific Islander", "men"},
		"Begay":                  {"Native American", Unknown},
		"Keisha Washington":      {"Black", "women"},
		"Mary O'Brien":           {"White", "women"},
		"Mary O\u2019Brien":      {"White", "women"},
		"José":                   {"Hispanic", "men"},
		"Mary Żółćbrzęk":         {"White", "women"},
		"Xqwzk Vprtkk":           {Unknown, Unknown},
		"J.":                     {Unknown, Unknown},
		"":                       {Unknown, Unknown},
		"Jr. MD":                 {Unknown, Unknown},
		"Smith,":                 {"White", Unknown},
		", Mary":                 {"White", "women"},
		"Mrs. Smith":             {"White", Unknown},
		"James\nT.\nSmith":       {"White", "men"},
		"Kwabena Xqwzk":          {Unknown, "men"},
		"Tadgh Wojciechowski Jr": {"White", Unknown},
	} {
		b := BearerOf(name)
		if got := [2]string{b.Origin(), b.Sex()}; got != want || len(b) != 2 {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

// What is stored always has one length, and is one of the groups of a report.
func FuzzBearerOf(f *testing.F) {
	for _, name := range []string{"Garcia, Maria", "\x00", "O'", ",,,", "Żółć-Lee", "𝒳"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		b := BearerOf(name)
		if len(b) != 2 || !slices.Contains(Origins(), b.Origin()) || !slices.Contains(Sexes(), b.Sex()) {
			t.Errorf("%q of %q", b, name)
		}
	})
}

// A group that a later version writes, or none, is unknown to this one.
func TestBearerOfAnotherVersion(t *testing.T) {
	t.Parallel()
	for _, text := range []string{`{}`, `{"n":""}`, `{"n":"z"}`, `{"n":"zz"}`} {
		var m Mark
		if err := json.Unmarshal([]byte(text), &m); err != nil || m.Bearer.Origin() != Unknown || m.Bearer.Sex() != Unknown {
			t.Errorf("%s: %+v, %v", text, m, err)
		}
	}
}

func TestIsName(t *testing.T) {
	t.Parallel()
	for typ, want := range map[string]bool{"PATIENT": true, "DOCTOR": true, "USERNAME": false, "CITY": false, "DATE": false} {
		m := Mark{Type: typ}
		if m.IsName() != want {
			t.Errorf("%s: %t", typ, !want)
		}
	}
}
