package document

import (
	"slices"
	"strings"
	"testing"
	"unicode"
)

func TestEachControlWordIsInOnePlace(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for section, lines := range sections(rtfWordFile) {
		for _, line := range lines {
			name, _, isPair := strings.Cut(line, ":")
			names := strings.Fields(line)
			if isPair {
				names = []string{name}
			}
			for _, name := range names {
				if seen[name] != "" {
					t.Errorf("%q is in %q and in %q", name, seen[name], section)
				}
				seen[name] = section
				if strings.ContainsFunc(name, func(r rune) bool { return r > unicode.MaxASCII || !isLetter(byte(r)) }) {
					t.Errorf("%q in %q is no word", name, section)
				}
			}
		}
	}
	if len(seen) < 800 {
		t.Errorf("%d words", len(seen))
	}
}

func TestWordsOfIdentityAreNotKept(t *testing.T) {
	t.Parallel()
	words := rtfWords()
	for _, name := range []string{
		"rsid", "insrsid", "delrsid", "charrsid", "pararsid", "sectrsid", "tblrsid", "rsidroot", "styrsid", "revauth", "revauthdel", "revdttm",
		"revdttmdel", "yr", "mo", "dy", "hr", "min", "sec", "edmins", "nofpages", "nofwords", "nofchars", "id", "bin", "chdate", "chtime", "u",
	} {
		if words[name].class != rtfUnknown {
			t.Errorf("%q is kept or shown", name)
		}
	}
}

func TestCharactersOfWords(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]rtfMeaning{
		"emdash": {rtfCharacter, '—'}, "tab": {rtfCharacter, '\t'}, "line": {rtfCharacter, '\n'}, "cell": {rtfBreak, '\t'},
		"par": {rtfBreak, '\n'}, "b": {rtfLayout, 0}, "info": {rtfDropped, 0}, "fldrslt": {rtfFlowing, 0}, "header": {rtfPaged, 0},
	} {
		if got := rtfWords()[name]; got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	for name, m := range rtfWords() {
		if (m.class == rtfCharacter || m.class == rtfBreak) != (m.shown != 0) {
			t.Errorf("%q shows %q", name, m.shown)
		}
	}
}

func TestKnownNames(t *testing.T) {
	t.Parallel()
	names := rtfKnownNames()
	for name, want := range map[string]bool{
		"Arial": true, "Times New Roman (W1)": true, "arial ce": true, "@MS Mincho": true, "Arial Zork": false, "Zork": false,
		"": false, "CE": false,
	} {
		if names.font(name) != want {
			t.Errorf("font %q: %v", name, !want)
		}
	}
	for name, want := range map[string]bool{
		"Normal": true, "heading 1": true, "List Bullet 2": true, "heading 12": false, "heading1": false, "Zork": false, "": false, " 1": false,
	} {
		if names.style(name) != want {
			t.Errorf("style %q: %v", name, !want)
		}
	}
	for family, name := range names.families {
		if !names.font(name) || rtfWords()[family].class != rtfLayout {
			t.Errorf("%s: %q is no font that stays", family, name)
		}
	}
	file := sections(rtfNameFile)
	for _, section := range []string{"fonts", "styles", "endings"} {
		if !slices.IsSorted(file[section]) && section != "endings" {
			t.Errorf("%s are not sorted", section)
		}
		for _, name := range file[section] {
			if name != strings.ToLower(name) {
				t.Errorf("%q is not in lower case", name)
			}
		}
	}
}
