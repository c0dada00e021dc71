package document

import (
	"strings"
)

// sections returns the lines of a file of words by the section that they are in, without comments.
func sections(file string) map[string][]string {
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

// pairs returns lines of the form "name: value".
func pairs(lines []string) map[string]string {
	all := make(map[string]string, len(lines))
	for _, line := range lines {
		name, value, _ := strings.Cut(line, ":")
		all[strings.TrimSpace(name)] = strings.TrimSpace(value)
	}
	return all
}
