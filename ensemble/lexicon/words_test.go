package lexicon

import (
	"io/fs"
	"slices"
	"strings"
	"testing"
)

func TestWordsOfNoList(t *testing.T) {
	t.Parallel()
	for _, list := range []string{"", "none", "../lexicon", "roles"} {
		if got := Words(list); got != nil {
			t.Errorf("%q has the words %q", list, got)
		}
	}
}

// Every file names its source and licence, and its words are sorted, unique, in lower case and
// of their own.
func TestWordFiles(t *testing.T) {
	t.Parallel()
	files := 0
	err := fs.WalkDir(wordFiles, "words", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files++
		data, err := wordFiles.ReadFile(path)
		if err != nil {
			return err
		}
		lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
		begin := slices.IndexFunc(lines, func(s string) bool { return !strings.HasPrefix(s, "#") })
		if begin < 2 || !strings.Contains(strings.Join(lines[:begin], " "), "Source: ") || !strings.Contains(lines[begin-1], "Licence: ") {
			t.Errorf("%s: the header does not say what the words are, or not their source and licence", path)
			return nil
		}
		words := Words(strings.TrimSuffix(strings.TrimPrefix(path, "words/"), ".txt"))
		if !slices.Equal(words, lines[begin:]) {
			t.Errorf("%s: blanks, empty lines or remarks between the words", path)
		}
		for i, w := range words {
			if i > 0 && words[i-1] >= w {
				t.Errorf("%s: %q is out of order", path, w)
			}
			if w != strings.ToLower(w) {
				t.Errorf("%s: %q is not in lower case", path, w)
			}
		}
		return nil
	})
	if err != nil || files < 10 {
		t.Fatalf("%d files, error %v", files, err)
	}
}
