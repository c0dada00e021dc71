package text

import (
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

func TestViewOfTokens(t *testing.T) {
	t.Parallel()
	v := NewView("Dr. O'Brien, J 12\nmcDonald")
	// Dr . O ' Brien , J 12 mcDonald
	for _, tt := range []struct {
		name string
		got  bool
		want bool
	}{
		{"a word", v.Word(0), true},
		{"a number is no word", v.Word(7), false},
		{"a number", v.Number(7), true},
		{"a mark", v.Punct(1, '.'), true},
		{"another mark", v.Punct(1, ','), false},
		{"an apostrophe", v.Apostrophe(3), true},
		{"a full stop is none", v.Apostrophe(1), false},
		{"a title in any case", v.Equal(0, "dr"), true},
		{"another word", v.Equal(0, "mr"), false},
		{"a capital", v.Capital(4), true},
		{"a capital inside", v.Capital(8), true},
		{"written like a name", v.Title(4), true},
		{"a letter is not", v.Title(6), false},
		{"a letter", v.Letter(6), true},
		{"two letters are none", v.Letter(0), false},
		{"glued", v.Glued(3), true},
		{"parted by a blank", v.Glued(6), false},
		{"the first is glued to nothing", v.Glued(0), false},
		{"white space before it", v.Spaced(6), true},
		{"none", v.Spaced(1), false},
		{"it opens a line", v.OpensLine(8), true},
		{"it does not", v.OpensLine(4), false},
		{"the last of a line", v.EndsLine(8), true},
		{"the end of the text ends a line", v.EndsLine(9), true},
		{"a title is a role", v.Is(0, RoleDoctorTitle), true},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: %v", tt.name, tt.got)
		}
	}
	if v.Str(4) != "Brien" || v.Back(4, "'") != 2 || v.Back(4, "") != 3 {
		t.Errorf("%q, %d, %d", v.Str(4), v.Back(4, "'"), v.Back(4, ""))
	}
	if got := v.Span(2, 5, phi.Patient); got != (phi.Span{Start: 4, End: 11, Type: phi.Patient}) {
		t.Errorf("%v", got)
	}
}

// A number of a token that is out of range is nothing at all.
func TestViewOutOfRange(t *testing.T) {
	t.Parallel()
	v := NewView("Ann")
	for _, i := range []int{-1, 1, 99} {
		if v.Has(i) || v.Word(i) || v.Number(i) || v.Punct(i, '.') || v.Apostrophe(i) || v.Capital(i) || v.Title(i) || v.Letter(i) ||
			v.Spaced(i) || v.OpensLine(i) || v.Follows(i) || v.Glued(i) || v.Unknown(i) || v.Equal(i, "") || v.Is(i, ^Roles(0)) {
			t.Errorf("token %d is something", i)
		}
		if v.Str(i) != "" || v.Roles(i) != 0 || v.Case(i) != Lower || !v.EndsLine(i) {
			t.Errorf("token %d: %q, roles %v, case %v", i, v.Str(i), v.Roles(i), v.Case(i))
		}
	}
}

func TestWrappedLines(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("word ", 9)
	for _, tt := range []struct {
		name, text string
		want       bool
	}{
		{"a long line goes on", long + "and\nmore", true},
		{"after a comma", long + "and,\nmore", true},
		{"a sentence ends", long + "and.\nmore", false},
		{"a short line", "and\nmore", false},
		{"a blank line", long + "and\n\nmore", false},
	} {
		v := NewView(tt.text)
		last := len(v.Tokens) - 1
		if v.Wrapped(last) != tt.want || v.Follows(last) != tt.want {
			t.Errorf("%s: %v", tt.name, !tt.want)
		}
	}
}

func TestBegins(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]bool{
		"word": true, "a\nword": true, "a. word": true, "a: word": true, "a word": false, "a, word": false, "J. word": false, "Dr. word": false,
	} {
		v := NewView(s)
		if got := v.Begins(len(v.Tokens) - 1); got != want {
			t.Errorf("%q: %v", s, got)
		}
	}
}

// The slices of a view have an element for each token.
func TestSlicesOfAView(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"", " ", "Dr. Ann 12", "é1–٣"} {
		v := NewView(s)
		if n := len(v.Tokens); len(v.Entries()) != n || len(v.Keys()) != n {
			t.Errorf("%q: %d tokens, %d entries, %d keys", s, n, len(v.Entries()), len(v.Keys()))
		}
	}
}
