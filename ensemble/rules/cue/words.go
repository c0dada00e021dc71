// Package cue reads the words that exact rules look for, and finds them at the tokens of a
// text. The words of a package of rules are a file of sections, each a set of words.
package cue

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
)

// Set is a set of sections: bit i stands for the i-th section that was loaded.
type Set uint64

// Words are the words of rules.
type Words struct {
	entries map[string]entry
	ascii   *lexicon.AnyCase[entry] // of entries
	longest int                     // bytes
	// starts has, for the first byte of a word, a bit for each second byte that a word has after it, by its last six
	// bits: few words of a text begin as one of these, and the others need no look into the map.
	starts [utf8.RuneSelf]uint64
}

type entry struct {
	sets  Set
	value int
}

// Load reads the sections of a file, the i-th of which gets bit i. A section with a slash in
// its name is a list of the lexicon instead.
//
// A line of the file is a section's name in brackets, a comment behind a number sign, or a
// word in lower case with a value, if it has one: "march 3".
func Load(file string, sections ...string) (*Words, error) {
	w := &Words{entries: map[string]entry{}}
	bits := map[string]Set{}
	for i, name := range sections {
		bits[name] = 1 << i
		if strings.Contains(name, "/") {
			if err := w.addList(name, 1<<i); err != nil {
				return nil, err
			}
		}
	}
	var bit Set
	for line := range strings.Lines(file) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '[':
			name := strings.Trim(line, "[]")
			if bit = bits[name]; bit == 0 {
				return nil, fmt.Errorf("words of rules: no section is named %q", name)
			}
		default:
			if err := w.addLine(line, bit); err != nil {
				return nil, err
			}
		}
	}
	w.ascii = lexicon.NewAnyCase(w.entries)
	return w, nil
}

// MustLoad is Load of a file that is part of the program.
func MustLoad(file string, sections ...string) *Words {
	w, err := Load(file, sections...)
	if err != nil {
		panic(err) //nolint:forbidigo // the file is part of the program and its tests load it
	}
	return w
}

func (w *Words) addList(name string, bit Set) error {
	list := lexicon.Words(name)
	if len(list) == 0 {
		return fmt.Errorf("words of rules: no list %q", name)
	}
	for _, word := range list {
		w.add(word, bit, 0)
	}
	return nil
}

func (w *Words) addLine(line string, bit Set) error {
	word, number, valued := strings.Cut(line, " ")
	value := 0
	if valued {
		n, err := strconv.Atoi(number)
		if err != nil {
			return fmt.Errorf("words of rules: value of %q: %w", word, err)
		}
		value = n
	}
	if bit == 0 {
		return fmt.Errorf("words of rules: %q is in no section", word)
	}
	w.add(word, bit, value)
	return nil
}

func (w *Words) add(word string, bit Set, value int) {
	e := w.entries[word]
	e.sets |= bit
	e.value = max(e.value, value)
	w.entries[word] = e
	w.longest = max(w.longest, len(word))
	if len(word) > 1 && word[0] < utf8.RuneSelf {
		if word[1] >= utf8.RuneSelf { // capitals may have other bytes
			w.starts[word[0]] = ^uint64(0)
		} else {
			w.starts[word[0]] |= 1 << (word[1] % 64)
		}
	}
}

// mayHold reports whether a word in any case may be one of w's, by its first two bytes.
func (w *Words) mayHold(word string) bool {
	if len(word) < 2 || word[0] >= utf8.RuneSelf || word[1] >= utf8.RuneSelf {
		return true
	}
	return w.starts[small(word[0])]&(1<<(small(word[1])%64)) != 0
}

// small returns the small form of an ASCII letter, and any other byte as it is.
func small(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// find returns what is known of a word in any case.
func (w *Words) find(word string) entry {
	if len(word) > w.longest || !w.mayHold(word) {
		return entry{}
	}
	e, ascii := w.ascii.Get(word)
	if !ascii {
		return w.entries[strings.ToLower(word)]
	}
	return e
}
