package text

import (
	"slices"
	"strings"
	"testing"
	"unicode"
)

func TestAppendSentence(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, in, want string }{
		{"as it is", "No known drug allergies.", "No known drug allergies."},
		{"white space around it", " \t No fever.\n", "No fever."},
		{"two blanks", "Rubella:  yes", "Rubella: yes"},
		{"a wrapped line", "Please let your doctor know if you\n   have problems.", "Please let your doctor know if you have problems."},
		{"a wrapped line of Windows", "if you\r\nhave problems", "if you have problems"},
		{"a blank line is more than a wrap", "Brown\n \n\nstool", "Brown\n\nstool"},
		{"columns", "Smith   Brown stool", "Smith\tBrown stool"},
		{"a tab", "Smith\tBrown", "Smith\tBrown"},
		{"a bullet", "• No fever.", "No fever."},
		{"bullets", "* ▪ No fever.", "No fever."},
		{"no bullet without a blank", "*No fever.", "*No fever."},
		{"nothing but a bullet", "*", "*"},
		{"a dash signs", "- Rose", "- Rose"},
		{"the number of an item may be a day", "12. May", "12. May"},
		{"case", "seen by rose", "seen by rose"},
		{"numbers", "Room 7", "Room 7"},
		{"a space of another kind", "No\u00a0fever", "No fever"},
		{"an invisible joiner is kept", "Ro\u200bse", "Ro\u200bse"},
		{"nothing", " \n ", ""},
	} {
		if got := string(AppendSentence(nil, tt.in)); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	if got := string(AppendSentence([]byte("before"), " a  b ")); got != "beforea b" {
		t.Errorf("appended: %q", got)
	}
}

// The normal form keeps words, numbers and marks, and the places with white space.
func FuzzAppendSentence(f *testing.F) {
	for _, s := range []string{"• No fever.", "Smith   Brown\tstool", "a\r\nb\n\nc", "* * x", "- Rose", "\u00a0\u2003é\u200b1"} {
		f.Add(s)
	}
	pieces := func(s string) []string {
		var out []string
		for i, t := range Tokenize(s) {
			if glued := i > 0 && !t.Space; glued {
				out = append(out, "+")
			}
			out = append(out, s[t.Start:t.End])
		}
		return out
	}
	f.Fuzz(func(t *testing.T, s string) {
		if Check(s) != nil {
			t.Skip()
		}
		key := string(AppendSentence(nil, s))
		if again := string(AppendSentence(nil, key)); again != key {
			t.Fatalf("%q becomes %q, and that %q", s, key, again)
		}
		want := strings.TrimLeftFunc(s, func(r rune) bool {
			return unicode.IsSpace(r) || r == '\ufeff' || strings.ContainsRune(bullets, r)
		})
		got := strings.TrimLeftFunc(key, func(r rune) bool { return strings.ContainsRune(bullets, r) || unicode.IsSpace(r) })
		if !slices.Equal(pieces(got), pieces(want)) {
			t.Fatalf("%q becomes %q", s, key)
		}
	})
}
