package rtf

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/pgdeid/pgdeid/internal/document/char"
	"github.com/pgdeid/pgdeid/internal/document/wordlist"
)

func TestEachControlWordIsInOnePlace(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for section, lines := range wordlist.Sections(wordFile) {
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
				if strings.ContainsFunc(name, func(r rune) bool { return r > unicode.MaxASCII || !char.IsLetter(byte(r)) }) {
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
	words := controlWords()
	for _, name := range []string{
		"rsid", "insrsid", "delrsid", "charrsid", "pararsid", "sectrsid", "tblrsid", "rsidroot", "styrsid", "revauth", "revauthdel", "revdttm",
		"revdttmdel", "yr", "mo", "dy", "hr", "min", "sec", "edmins", "nofpages", "nofwords", "nofchars", "id", "bin", "chdate", "chtime", "u",
	} {
		if words[name].class != classUnknown {
			t.Errorf("%q is kept or shown", name)
		}
	}
}

func TestCharactersOfWords(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]meaning{
		"emdash": {classCharacter, '—'}, "tab": {classCharacter, '\t'}, "line": {classCharacter, '\n'}, "cell": {classBreak, '\t'},
		"par": {classBreak, '\n'}, "b": {classLayout, 0}, "info": {classDropped, 0}, "fldrslt": {classFlowing, 0}, "header": {classPaged, 0},
	} {
		if got := controlWords()[name]; got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	for name, m := range controlWords() {
		if (m.class == classCharacter || m.class == classBreak) != (m.shown != 0) {
			t.Errorf("%q shows %q", name, m.shown)
		}
	}
}

func TestKnownNames(t *testing.T) {
	t.Parallel()
	names := knownNames()
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
		if !names.font(name) || controlWords()[family].class != classLayout {
			t.Errorf("%s: %q is no font that stays", family, name)
		}
	}
	file := wordlist.Sections(nameFile)
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
