package wordlist

import (
	"strings"
)

// Sections returns the lines of a file of words by the section that they are in, without comments.
func Sections(file string) map[string][]string {
	all := map[string][]string{}
	section := ""
	for line := range strings.Lines(file) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]"):
			section = line[1 : len(line)-1]
		default:
			all[section] = append(all[section], line)
		}
	}
	return all
}

// Pairs returns lines of the form "name: value".
func Pairs(lines []string) map[string]string {
	all := make(map[string]string, len(lines))
	for _, line := range lines {
		name, value, _ := strings.Cut(line, ":")
		all[strings.TrimSpace(name)] = strings.TrimSpace(value)
	}
	return all
}
