package phone

import (
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/rules/cue"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

func finderOf(s string) *finder {
	return &finder{Finder: cue.NewFinder(text.NewView(s), words(), nil)}
}

func TestRead(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		in, groups      string
		blanks, slashes int
		plus, broken    bool
	}{
		{"617-555-0142", "617 555 0142", 0, 0, false, false},
		{"617 555 0142", "617 555 0142", 2, 0, false, false},
		{"(617) 555-0142", "617 555 0142", 1, 0, false, false},
		{"617/555-0142", "617 555 0142", 0, 1, false, false},
		{"+33 (0)1 99", "33 0 1 99", 2, 0, true, false},
		{"617-\n555", "617 555", 0, 0, false, true},
		{"617\n555", "617", 0, 0, false, false},
		{"617. 555", "617", 0, 0, false, false},
		{"617, 555", "617", 0, 0, false, false},
		{"617--555", "617", 0, 0, false, false},
		{"617 x 555", "617", 0, 0, false, false},
		{"1 2 3 4 5 6 7 8 9", "1 2 3 4 5 6 7", 6, 0, false, false},
		{"(", "", 0, 0, false, false},
		{"+", "", 0, 0, true, false},
	} {
		n := finderOf(tt.in).read(0)
		digits := len(strings.Join(n.groups, ""))
		if got := strings.Join(n.groups, " "); got != tt.groups || n.digits != digits || len(n.tokens) != len(n.groups) || len(n.ends) != len(n.groups) {
			t.Errorf("%q: %q of %d digits, want %q", tt.in, got, n.digits, tt.groups)
		}
		if n.blanks != tt.blanks || n.slashes != tt.slashes || n.plus != tt.plus || n.broken != tt.broken {
			t.Errorf("%q: %+v", tt.in, n)
		}
	}
}

func TestCut(t *testing.T) {
	t.Parallel()
	n := finderOf("617-555-0142").read(0)
	for k, digits := range []int{0, 3, 6, 10} {
		if k == 0 {
			continue
		}
		if c := n.cut(k); len(c.groups) != k || c.digits != digits || c.end() != 2*k-1 {
			t.Errorf("%d groups: %+v", k, c)
		}
	}
	if n.digits != 10 || len(n.groups) != 3 {
		t.Errorf("the whole number changed: %+v", n)
	}
}

func TestEvenAndRound(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		in          string
		even, round bool
	}{
		{"617-555-0142", true, false},
		{"1-617-555", true, false},
		{"617-5-0142", false, false},
		{"12345678-12", false, false},
		{"200-1000", true, true},
		{"150-1050", true, true},
		{"555-0142", true, false},
		{"2000-100", true, true},
	} {
		n := finderOf(tt.in).read(0)
		if n.even() != tt.even || n.round() != tt.round {
			t.Errorf("%s: even %t, round %t", tt.in, n.even(), n.round())
		}
	}
}

// The span of a number has its own brackets and no others.
func TestSpan(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"(617) 555-0142":  "(617) 555-0142",
		"(617-555-0142)":  "617-555-0142",
		"617-555-0142":    "617-555-0142",
		"+1 617 555":      "+1 617 555",
		"(617)-(555)-014": "(617)-(555)-014",
	} {
		f := finderOf(in)
		from, end := f.bare(0, f.read(0))
		if got := in[f.Tokens[from].Start:f.Tokens[end-1].End]; got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
}
