package phone

import (
	"strings"
	"testing"
)

func TestReadGrammars(t *testing.T) {
	t.Parallel()
	forms, err := readGrammars("# Forms.\n[a country]\nNXX XXX\n1 NXX XXX joined\n\n9XX announced\n")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		groups int
		want   string
		need   need
	}{{1, "9XX", announced}, {2, "NXX XXX", nothing}, {3, "1 NXX XXX", joined}} {
		got := forms[tt.groups]
		if len(got) != 1 || strings.Join(got[0].groups, " ") != tt.want || got[0].need != tt.need {
			t.Errorf("%d groups: %+v, want %s", tt.groups, got, tt.want)
		}
	}
}

func TestReadGrammarsRefuses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, file, want string }{
		{"a letter", "NXX AXX\n", "no group"},
		{"a mark", "NXX-XXXX\n", "no group"},
		{"a word in between", "NXX joined XXXX\n", "no group"},
		{"nothing but a need", "joined\n", "0 groups"},
		{"too many groups", strings.Repeat("X ", mostGroups+1) + "\n", "8 groups"},
	} {
		if _, err := readGrammars(tt.file); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}

// The file of the program has forms, and a plain line of digits fits only where its length does.
func TestGrammars(t *testing.T) {
	t.Parallel()
	for n, forms := range grammars() {
		for _, f := range forms {
			if len(f.groups) != n {
				t.Errorf("%v is among forms of %d groups", f.groups, n)
			}
			digits := 0
			for _, g := range f.groups {
				digits += len(g)
			}
			if digits < 6 || digits > mostDigits {
				t.Errorf("%v has %d digits", f.groups, digits)
			}
		}
	}
}

func TestFits(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		form, groups string
		want         bool
	}{
		{"NXX XXXX", "617 5550", true},
		{"NXX XXXX", "217 0000", true},
		{"NXX XXXX", "117 5550", false},
		{"NXX XXXX", "017 5550", false},
		{"NXX XXXX", "6175 550", false},
		{"NXX XXXX", "617 555", false},
		{"1 NXX", "1 617", true},
		{"1 NXX", "2 617", false},
		{"07XXX", "07123", true},
		{"07XXX", "08123", false},
	} {
		if got := (form{groups: strings.Fields(tt.form)}).fits(strings.Fields(tt.groups)); got != tt.want {
			t.Errorf("%s fits %s: %t", tt.groups, tt.form, got)
		}
	}
}
