package rtf

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"

	"github.com/pgdeid/pgdeid/internal/document/char"
	"github.com/pgdeid/pgdeid/internal/document/wordlist"
)

//go:embed words.txt
var wordFile string

//go:embed names.txt
var nameFile string

// wordClass is what becomes of a control word.
type wordClass uint8

const (
	classUnknown    wordClass = iota // left out
	classLayout                      // stays
	classBreak                       // stays, and parts text
	classCharacter                   // is text
	classDropped                     // its group is left out
	classFlowing                     // left out, its group is shown in the flow of text
	classBoxed                       // left out, its group is paragraphs of their own
	classPaged                       // stays, its group is shown elsewhere on the page
	classHolding                     // left out, its group holds others and no text
	classProperties                  // stays, its group is layout
	classFonts                       // the font table
	classColours                     // the colour table
	classStyles                      // the style sheet
)

// meaning is what a control word means.
type meaning struct {
	class wordClass
	shown rune // of a break or a character
}

// controlWords has the meaning of each word that is not left out.
var controlWords = sync.OnceValue(func() map[string]meaning {
	file := wordlist.Sections(wordFile)
	words := map[string]meaning{
		"fonttbl": {class: classFonts}, "colortbl": {class: classColours}, "stylesheet": {class: classStyles},
	}
	for section, class := range map[string]wordClass{
		"layout": classLayout, "dropped": classDropped, "flowing": classFlowing, "boxed": classBoxed, "paged": classPaged,
		"holding": classHolding, "properties": classProperties,
	} {
		for _, line := range file[section] {
			for _, name := range strings.Fields(line) {
				words[name] = meaning{class: class}
			}
		}
	}
	for name, shown := range wordlist.Pairs(file["breaks"]) {
		words[name] = meaning{classBreak, map[string]rune{"line": '\n', "tab": '\t'}[shown]}
	}
	for name, code := range wordlist.Pairs(file["characters"]) {
		r, _ := strconv.ParseUint(code, 16, 16)
		words[name] = meaning{classCharacter, rune(r)}
	}
	return words
})

// nameLists are the names that fonts and styles may keep.
type nameLists struct {
	fonts, styles map[string]bool
	endings       []string
	families      map[string]string
}

var knownNames = sync.OnceValue(func() *nameLists {
	file := wordlist.Sections(nameFile)
	return &nameLists{
		fonts: wordlist.Set(file["fonts"]), styles: wordlist.Set(file["styles"]), endings: file["endings"], families: wordlist.Pairs(file["families"]),
	}
})

// font reports whether a font has a name that every installation has.
func (n *nameLists) font(name string) bool {
	name = strings.TrimPrefix(strings.ToLower(name), "@")
	if n.fonts[name] {
		return true
	}
	for _, ending := range n.endings {
		if base, ok := strings.CutSuffix(name, " "+ending); ok && n.fonts[base] {
			return true
		}
	}
	return false
}

// style reports whether a style has a name that every installation has. A number of one digit may be behind it.
func (n *nameLists) style(name string) bool {
	name = strings.ToLower(name)
	if l := len(name); l > 2 && char.IsDigit(name[l-1]) && name[l-2] == ' ' {
		name = name[:l-2]
	}
	return n.styles[name]
}
