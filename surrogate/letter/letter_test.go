package letter

import (
	"slices"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/text"
)

func TestPlain(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]string{"O'Brien": "obrien", "O’BRIEN": "obrien", "Núñez": "nunez", "A-1": "a-1", "": ""} {
		if got := Plain(s); got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}

func TestAlnum(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]string{"617-230-4571": "6172304571", "AB 12.c": "ab12c", "Ñ-4": "n4", "--": ""} {
		if got := Alnum(s); got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}

func TestWords(t *testing.T) {
	t.Parallel()
	if got := slices.Collect(Words("St. John's, 12-b Ünal")); !slices.Equal(got, []string{"St", "John", "s", "12", "b", "Ünal"}) {
		t.Errorf("words: %q", got)
	}
}

func TestCases(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		word         string
		whole, alone text.Case
		surrogate    string
	}{
		{"SMITH", text.Upper, text.Upper, "ROWE"},
		{"smith", text.Lower, text.Lower, "rowe"},
		{"Smith", text.Title, text.Title, "Rowe"},
		{"McNeil", text.Mixed, text.Mixed, "Rowe"},
		{"J", text.Upper, text.Title, "ROWE"},
		{"李", text.Title, text.Title, "Rowe"},
	} {
		if got := Case(tt.word); got != tt.whole {
			t.Errorf("%q: case %v, want %v", tt.word, got, tt.whole)
		}
		if got := CaseOfWord(tt.word); got != tt.alone {
			t.Errorf("%q: case of a word %v, want %v", tt.word, got, tt.alone)
		}
		if got := InCaseOf("Rowe", tt.word); got != tt.surrogate {
			t.Errorf("as %q: %q, want %q", tt.word, got, tt.surrogate)
		}
	}
}

func TestTitled(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]string{"de la cruz": "De La Cruz", "o'neil-roe": "O'neil-Roe", "": ""} {
		if got := Titled(s); got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}

func TestIsAlnum(t *testing.T) {
	t.Parallel()
	for r, want := range map[rune]bool{'a': true, 'Z': true, '7': true, 'é': true, '́': true, '-': false, ' ': false, '’': false} {
		if got := IsAlnum(r); got != want {
			t.Errorf("%q: %v, want %v", r, got, want)
		}
	}
}
