package synth

import (
	"slices"
	"strings"
)

// block is a production as it is written in a file.
type block struct {
	name         string
	line         int // of its head, from 1
	alternatives []line
}

// line is an alternative as it is written in a file.
type line struct {
	text   string
	number int // of its beginning, from 1
}

// blocks splits a file into its productions: "== name" begins one with an alternative
// a line, "=== name" one whose alternatives are blocks of lines with "--" between
// them. What precedes the first is the file's header.
func blocks(text string) []block {
	var out []block
	whole, number := false, 0
	for text := range strings.SplitSeq(text, "\n") {
		number++
		head, isWhole := strings.CutPrefix(text, "=== ")
		isLines := false
		if !isWhole {
			head, isLines = strings.CutPrefix(text, "== ")
		}
		switch {
		case isWhole || isLines:
			whole = isWhole
			out = append(out, block{name: strings.TrimSpace(head), line: number})
		case len(out) > 0:
			out[len(out)-1].add(text, number, whole)
		}
	}
	for i := range out {
		out[i].tidy()
	}
	return out
}

// add adds a line of a file: an alternative of its own, or one more line of the last
// alternative if alternatives are blocks of lines.
func (b *block) add(text string, number int, whole bool) {
	last := len(b.alternatives) - 1
	switch {
	case !whole || last < 0:
		b.alternatives = append(b.alternatives, line{text, number})
	case text == "--":
		b.alternatives = append(b.alternatives, line{"", number + 1})
	case b.alternatives[last].text == "":
		b.alternatives[last] = line{text, number}
	default:
		b.alternatives[last].text += "\n" + text
	}
}

// tidy drops blank alternatives.
func (b *block) tidy() {
	for i := range b.alternatives {
		b.alternatives[i].text = strings.Trim(b.alternatives[i].text, "\n")
	}
	b.alternatives = slices.DeleteFunc(b.alternatives, func(l line) bool { return strings.TrimSpace(l.text) == "" })
}
