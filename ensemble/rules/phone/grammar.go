package phone

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"
)

//go:embed grammars.txt
var grammarFile string

// need is what a form takes besides its groups.
type need uint8

const (
	nothing need = iota
	joined
	announced
)

// form is a way to write a telephone number: its groups, such as "NXX" and "XXXX".
type form struct {
	groups []string
	need   need
}

// readGrammars reads the forms of a file, by how many groups they have.
func readGrammars(file string) (map[int][]form, error) {
	forms := map[int][]form{}
	for line := range strings.Lines(file) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' || line[0] == '[' {
			continue
		}
		f := form{groups: strings.Fields(line)}
		last := len(f.groups) - 1
		switch f.groups[last] {
		case "joined":
			f.need, f.groups = joined, f.groups[:last]
		case "announced":
			f.need, f.groups = announced, f.groups[:last]
		}
		for _, g := range f.groups {
			if strings.Trim(g, "0123456789NX") != "" {
				return nil, fmt.Errorf("telephone grammars: %q is no group of digits", g)
			}
		}
		if len(f.groups) == 0 || len(f.groups) > mostGroups {
			return nil, fmt.Errorf("telephone grammars: %d groups in %q", len(f.groups), line)
		}
		forms[len(f.groups)] = append(forms[len(f.groups)], f)
	}
	return forms, nil
}

var grammars = sync.OnceValue(func() map[int][]form {
	forms, err := readGrammars(grammarFile)
	if err != nil {
		panic(err) //nolint:forbidigo // the file is part of the program and its tests load it
	}
	return forms
})

// fits reports whether groups of digits have the form.
func (f form) fits(groups []string) bool {
	for k, want := range f.groups {
		if len(groups[k]) != len(want) {
			return false
		}
		for i := range len(want) {
			if c := groups[k][i]; want[i] == 'N' && c < '2' || want[i] != 'N' && want[i] != 'X' && want[i] != c {
				return false
			}
		}
	}
	return true
}
