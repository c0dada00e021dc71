// Package words holds the words that surrogates depend on: "known" are those that are recognised in originals, "drawn" those that
// surrogates are made of.
//
// A file has one word a line. It begins with lines that say what the words are, their source and their licence, each behind a
// number sign.
package words

import (
	"embed"
	"strings"
)

//go:embed known drawn
var files embed.FS

// List returns the words of a file, such as "drawn/streets", in order: none where there is no such file.
func List(name string) []string {
	data, err := files.ReadFile(name + ".txt")
	if err != nil {
		return nil
	}
	var list []string
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			list = append(list, line)
		}
	}
	return list
}

// Set returns the words of a file as a set.
func Set(name string) map[string]bool {
	set := map[string]bool{}
	for _, w := range List(name) {
		set[w] = true
	}
	return set
}
