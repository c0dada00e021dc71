package synth

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// formScene returns a scene of a small hospital, tidy so that texts stay as written.
func formScene(t *testing.T, seed uint64) *scene {
	t.Helper()
	h := hospital(t, 7, Options{Patients: 40, Notes: 1})
	rng := rand.New(rand.NewPCG(seed, 1))
	d := h.Note(int(seed % 40))
	s := h.newScene(rng, &d)
	s.manner = manner{}
	return s
}

// TestFormsMarkWholeTokens checks of every slot for running text that what it marks
// is not empty, begins and ends with a word, and lies where the text says.
func TestFormsMarkWholeTokens(t *testing.T) {
	unmarked := map[string]bool{"f.nationality": true, "f.letter": true}
	for name, slot := range formSlots() {
		s := formScene(t, 3)
		for range 40 {
			s.buf.Reset()
			s.spans = nil
			slot(s)
			body, spans := s.finish()
			if body == "" || (len(spans) == 0) != unmarked[name] {
				t.Fatalf("%s: %d spans in %d bytes", name, len(spans), len(body))
			}
			for _, sp := range spans {
				got := body[sp.Start:sp.End]
				if got == "" || got != strings.TrimSpace(got) || sp.Type == phi.None {
					t.Fatalf("%s marks %q in %q", name, got, body)
				}
				if err := text.Check(got); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
			}
		}
	}
}

func TestFormsAreNamed(t *testing.T) {
	for name := range formSlots() {
		if !strings.HasPrefix(name, "f.") {
			t.Errorf("slot %q: want a name that begins with f.", name)
		}
		if slots[name] == nil {
			t.Errorf("slot %q is not registered", name)
		}
	}
}

func TestPlural(t *testing.T) {
	for name, want := range map[string]string{"Ortiz": "Ortizes", "Moss": "Mosses", "Welch": "Welches", "Nash": "Nashes", "Cox": "Coxes", "Murphy": "Murphys", "Le": "Les"} {
		if got := plural(name); got != want {
			t.Errorf("plural(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestSpellAge(t *testing.T) {
	for age, want := range map[int]string{7: "seven", 40: "forty", 93: "ninety-three", 100: "one hundred", 102: "one hundred two", 111: "one hundred eleven"} {
		if got := spellAge(age, "-"); got != want {
			t.Errorf("spellAge(%d) = %q, want %q", age, got, want)
		}
	}
}

func TestSpellYear(t *testing.T) {
	for year, want := range map[int]string{1900: "nineteen hundred", 1907: "nineteen oh seven", 1952: "nineteen fifty two", 2000: "two thousand", 2009: "two thousand nine", 2015: "twenty fifteen"} {
		if got := spellYear(year); got != want {
			t.Errorf("spellYear(%d) = %q, want %q", year, got, want)
		}
	}
}

func TestSpellOrdinal(t *testing.T) {
	for day, want := range map[int]string{1: "first", 12: "twelfth", 20: "twentieth", 21: "twenty first", 30: "thirtieth", 31: "thirty first"} {
		if got := spellOrdinal(day); got != want {
			t.Errorf("spellOrdinal(%d) = %q, want %q", day, got, want)
		}
	}
}

// TestSpokenDate checks that a day that is told names its month and, in words or in
// digits, its year.
func TestSpokenDate(t *testing.T) {
	s := formScene(t, 5)
	day := time.Date(1952, time.March, 3, 0, 0, 0, 0, time.UTC)
	for range 50 {
		got := strings.ToLower(s.spokenDate(day))
		if !strings.Contains(got, "march") || !(strings.Contains(got, "1952") || strings.Contains(got, "nineteen fifty two")) {
			t.Fatalf("spokenDate = %q", got)
		}
	}
}

func TestSpokenDigits(t *testing.T) {
	s := formScene(t, 9)
	for range 20 {
		got := strings.FieldsFunc(s.spokenDigits("ddd dddd"), func(r rune) bool { return r == ' ' || r == ',' || r == '-' })
		if len(got) != 7 {
			t.Fatalf("spokenDigits says %d digits, want 7: %q", len(got), got)
		}
	}
}

// TestSpelled checks that a spelled name has each of its letters once.
func TestSpelled(t *testing.T) {
	s := formScene(t, 11)
	for name, want := range map[string]string{"Moss": "MOSS", "Núñez": "NUNEZ", "De La Cruz": "DELACRUZ"} {
		got := strings.Map(func(r rune) rune {
			if r == ' ' || r == '-' || r == '.' {
				return -1
			}
			return r
		}, s.spelled(name))
		if got != want {
			t.Errorf("spelled(%q) = %q, want %q", name, got, want)
		}
	}
}
