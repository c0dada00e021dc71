package text

import (
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
		if v.Has(i) || v.Word(i) || v.Number(i) || v.Punct(i, '.') || v.Capital(i) || v.Title(i) || v.Letter(i) ||
			v.Spaced(i) || v.OpensLine(i) || v.Glued(i) || v.Equal(i, "") || v.Is(i, ^Roles(0)) {
			t.Errorf("token %d is something", i)
		}
		if v.Str(i) != "" || v.Roles(i) != 0 || v.Case(i) != Lower || !v.EndsLine(i) {
			t.Errorf("token %d: %q, roles %v, case %v", i, v.Str(i), v.Roles(i), v.Case(i))
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
