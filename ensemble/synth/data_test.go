package synth

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

func engineOf(t testing.TB) *engine {
	t.Helper()
	e, err := loadEngine()
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestDataIsSound checks every reference of the embedded files.
func TestDataIsSound(t *testing.T) {
	t.Parallel()
	e := engineOf(t)
	if err := errors.Join(e.check(e.Grammar)...); err != nil {
		t.Error(err)
	}
}

// TestDataIsUsed finds productions that neither another one nor the code refers to.
func TestDataIsUsed(t *testing.T) {
	t.Parallel()
	e := engineOf(t)
	used := map[string]bool{}
	quoted := regexp.MustCompile(`"([a-z.]+)"`)
	files, err := fs.Glob(os.DirFS("."), "*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		code, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range quoted.FindAllStringSubmatch(string(code), -1) {
			used[m[1]] = true
		}
	}
	for _, a := range e.productions["kinds"].alternatives {
		_, production := kindOf(a.seq[0].text)
		used[production] = true
	}
	for name := range e.productions {
		for _, group := range groupNames {
			base, isOfGroup := strings.CutSuffix(name, "."+strings.ToLower(group))
			if isOfGroup {
				used[name] = base != ""
			}
		}
	}
	for _, at := range e.Unused("\x00") {
		name := at[strings.LastIndex(at, " ")+1:]
		if !used[name] && !e.slots[name] && !strings.Contains(at, "/words/fixed.txt") {
			t.Errorf("%s is never used", at)
		}
	}
}

// TestCodeAsksForData checks that what the code asks for by name is there.
func TestCodeAsksForData(t *testing.T) {
	t.Parallel()
	e := engineOf(t)
	asked := regexp.MustCompile(`(?:value|Alternatives|of)\((?:p\.person\(\), )?"([a-z.]+)"\)`)
	files, err := fs.Glob(os.DirFS("."), "*.go")
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		code, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range asked.FindAllStringSubmatch(string(code), -1) {
			count++
			if e.productions[m[1]] == nil {
				t.Errorf("%s asks for %q, which is no production", file, m[1])
			}
		}
	}
	if count < 40 {
		t.Errorf("only %d names found in the code", count)
	}
}

func TestFilesNameSourceAndLicence(t *testing.T) {
	t.Parallel()
	err := fs.WalkDir(dataFiles, "data", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(dataFiles, name)
		if err != nil {
			return err
		}
		head, _, _ := strings.Cut(string(text), "\n==")
		for _, want := range []string{"# ", "Source: ", "Licence: "} {
			if !strings.Contains(head, want) {
				t.Errorf("the header of %s has no %q", name, want)
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// TestWordListsAreTidy checks that no list has an entry twice or with blanks around it,
// and that lists are sorted, case aside, but for numbers, whose order counts.
func TestWordListsAreTidy(t *testing.T) {
	t.Parallel()
	names, err := fs.Glob(dataFiles, "data/words/*.txt")
	if err != nil || len(names) < 5 {
		t.Fatalf("%d files, error %v", len(names), err)
	}
	for _, name := range names {
		text, err := fs.ReadFile(dataFiles, name)
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range blocks(string(text)) {
			var words []string
			for _, l := range b.alternatives {
				if l.text != strings.TrimSpace(l.text) || slices.Contains(words, l.text) {
					t.Errorf("%s:%d: %q is there twice or has blanks around it", name, l.number, l.text)
				}
				words = append(words, l.text)
			}
			byCase := func(a, b string) int { return strings.Compare(strings.ToLower(a), strings.ToLower(b)) }
			if path.Base(name) != "numbers.txt" && !slices.IsSortedFunc(words, byCase) {
				t.Errorf("%s:%d: %s is not sorted", name, b.line, b.name)
			}
		}
	}
}

func TestTables(t *testing.T) {
	t.Parallel()
	e := engineOf(t)
	if len(e.tables["state.names"]) != 51 || e.tables["state.names"]["NM"] != "New Mexico" || e.tables["accents"]["Jose"] != "José" {
		t.Errorf("%d states, %d accents", len(e.tables["state.names"]), len(e.tables["accents"]))
	}
	for name, table := range e.tables {
		for key, value := range table {
			if key == "" || value == "" {
				t.Errorf("%s: a line without key or value: %q=%q", name, key, value)
			}
		}
	}
}

// TestErrorsOfDataNameFileAndLine loads folders with a fault.
func TestErrorsOfDataNameFileAndLine(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ text, want string }{
		"syntax":           {"# h\n== a\nfine\n[x", "data/slots/a.txt:4: "},
		"twice":            {"== a\nx\n== a\ny", "data/slots/a.txt:3: "},
		"no alternative":   {"== a\n\n== b\ny", "data/slots/a.txt:1: "},
		"reference":        {"== a\nx\n{nothing}", "data/slots/a.txt:3: "},
		"field":            {"== a\n{.nothing}", "no field"},
		"function":         {"== a\n{nothing:x}", "no function"},
		"argument":         {"== a\n{num:x}", "does not take"},
		"list":             {"== a\n{list:nothing}", "does not take"},
		"names":            {"== a\n{draw:nothing}", "does not take"},
		"group":            {"== a\n{group:nothing}", "does not take"},
		"number":           {"== a\n{words:many}", "does not take"},
		"parameter":        {"== a\n{shape:##}", "does not take"},
		"subject":          {"== a\n{nothing>x}", "no subject"},
		"condition":        {"== a\n{?nothing}x", "no condition"},
		"inner condition":  {"== a\n[{?nothing}x|y]", "no condition"},
		"late condition":   {"== a\nx{?nick}y", "neither"},
		"list of slots":    {"== a\n{b*2}\n== c\n{.last*2}", "no field"},
		"span in a span":   {"== a\n⟦CITY|{b} ⟦CITY|x⟧⟧\n== b\ny", "within another"},
		"span in a number": {"== a\n{words:⟦AGE|3⟧}", "within another"},
	} {
		e, err := newEngine(fstest.MapFS{"data/slots/a.txt": &fstest.MapFile{Data: []byte(test.text)}})
		if err == nil {
			err = errors.Join(e.check(e.Grammar)...)
		}
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want %q in it", name, err, test.want)
		}
	}
}
