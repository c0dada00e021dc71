package document

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"
)

//go:embed rtf_words.txt
var rtfWordFile string

//go:embed rtf_names.txt
var rtfNameFile string

// rtfClass is what becomes of a control word.
type rtfClass uint8

const (
	rtfUnknown    rtfClass = iota // left out
	rtfLayout                     // stays
	rtfBreak                      // stays, and parts text
	rtfCharacter                  // is text
	rtfDropped                    // its group is left out
	rtfFlowing                    // left out, its group is shown in the flow of text
	rtfBoxed                      // left out, its group is paragraphs of their own
	rtfPaged                      // stays, its group is shown elsewhere on the page
	rtfHolding                    // left out, its group holds others and no text
	rtfProperties                 // stays, its group is layout
	rtfFonts                      // the font table
	rtfColours                    // the colour table
	rtfStyles                     // the style sheet
)

// rtfMeaning is what a control word means.
type rtfMeaning struct {
	class rtfClass
	shown rune // of a break or a character
}

// rtfWords has the meaning of each word that is not left out.
var rtfWords = sync.OnceValue(func() map[string]rtfMeaning {
	file := sections(rtfWordFile)
	words := map[string]rtfMeaning{
		"fonttbl": {class: rtfFonts}, "colortbl": {class: rtfColours}, "stylesheet": {class: rtfStyles},
	}
	for section, class := range map[string]rtfClass{
		"layout": rtfLayout, "dropped": rtfDropped, "flowing": rtfFlowing, "boxed": rtfBoxed, "paged": rtfPaged,
		"holding": rtfHolding, "properties": rtfProperties,
	} {
		for _, line := range file[section] {
			for _, name := range strings.Fields(line) {
				words[name] = rtfMeaning{class: class}
			}
		}
	}
	for name, shown := range pairs(file["breaks"]) {
		words[name] = rtfMeaning{rtfBreak, map[string]rune{"line": '\n', "tab": '\t'}[shown]}
	}
	for name, code := range pairs(file["characters"]) {
		r, _ := strconv.ParseUint(code, 16, 16)
		words[name] = rtfMeaning{rtfCharacter, rune(r)}
	}
	return words
})

// rtfNames are the names that fonts and styles may keep.
type rtfNames struct {
	fonts, styles map[string]bool
	endings       []string
	families      map[string]string
}

var rtfKnownNames = sync.OnceValue(func() *rtfNames {
	file := sections(rtfNameFile)
	return &rtfNames{
		fonts: set(file["fonts"]), styles: set(file["styles"]), endings: file["endings"], families: pairs(file["families"]),
	}
})

// font reports whether a font has a name that every installation has.
func (n *rtfNames) font(name string) bool {
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
func (n *rtfNames) style(name string) bool {
	name = strings.ToLower(name)
	if l := len(name); l > 2 && isDigit(name[l-1]) && name[l-2] == ' ' {
		name = name[:l-2]
	}
	return n.styles[name]
}
