package words

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Every file names its source and licence, and each of its words is there once. Words that are recognised are sorted and in lower
// case.
func TestFiles(t *testing.T) {
	t.Parallel()
	count := 0
	err := fs.WalkDir(files, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		count++
		data, err := files.ReadFile(path)
		if err != nil {
			return err
		}
		checkHeader(t, path, string(data))
		list := List(strings.TrimSuffix(path, ".txt"))
		if len(list) != len(Set(strings.TrimSuffix(path, ".txt"))) {
			t.Errorf("%s: a word is there twice", path)
		}
		if len(list) == 0 {
			t.Errorf("%s: no words", path)
		}
		if strings.HasPrefix(path, "known/") {
			checkKnown(t, path, list)
		}
		return nil
	})
	if err != nil || count < 10 {
		t.Fatalf("%d files, error %v", count, err)
	}
}

func checkHeader(t *testing.T, path, data string) {
	t.Helper()
	lines := strings.Split(data, "\n")
	begin := slices.IndexFunc(lines, func(s string) bool { return !strings.HasPrefix(s, "#") })
	if begin < 3 || !strings.HasPrefix(lines[begin-2], "# Source: ") || !strings.HasPrefix(lines[begin-1], "# Licence: ") {
		t.Errorf("%s: the header does not say what the words are, or not their source and licence", path)
	}
}

func checkKnown(t *testing.T, path string, list []string) {
	t.Helper()
	if !slices.IsSorted(list) {
		t.Errorf("%s: not sorted", path)
	}
	for _, w := range list {
		if w != strings.ToLower(w) {
			t.Errorf("%s: %q is not in lower case", path, w)
		}
	}
}

// Every list that the code asks for exists.
func TestNamedLists(t *testing.T) {
	t.Parallel()
	sources, err := filepath.Glob("../*.go")
	below, err2 := filepath.Glob("../*/*.go")
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	asked := regexp.MustCompile(`words\.(?:List|Set)\("([^"]+)"\)`)
	named := map[string]bool{}
	for _, path := range append(sources, below...) {
		source, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range asked.FindAllStringSubmatch(string(source), -1) {
			named[m[1]] = true
			if List(m[1]) == nil {
				t.Errorf("%s asks for the list %q, which does not exist", path, m[1])
			}
		}
	}
	if len(named) < 10 {
		t.Errorf("only %d lists are asked for", len(named))
	}
}

func TestNoSuchList(t *testing.T) {
	t.Parallel()
	if got := List("known/none"); got != nil {
		t.Errorf("a list that does not exist has the words %q", got)
	}
}
