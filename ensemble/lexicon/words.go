package lexicon

import (
	"embed"
	"strings"
)

//go:embed words
var wordFiles embed.FS

// Words returns the words of a list, such as "roles/kin": those of the file of this name in
// the folder words, in order. There are none in a list that does not exist.
//
// A file has one word a line, in lower case and sorted. It begins with lines that say what
// the words are, their source and their licence, each behind a number sign.
func Words(list string) []string {
	data, err := wordFiles.ReadFile("words/" + list + ".txt")
	if err != nil {
		return nil
	}
	var words []string
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			words = append(words, line)
		}
	}
	return words
}
