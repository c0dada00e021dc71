package ensemble

import (
	"unicode"
	"unicode/utf8"
)

// otherScript finds words in letters that the rest of the note is not written in:
// a note in English has Cyrillic, Hebrew or Chinese in it for names, and hardly for
// anything else. Greek letters stand for quantities, Greek words do not.
func (f *nameFinder) otherScript() {
	foreign, latin := 0, 0
	for i, t := range f.tokens {
		if t.Kind != Word {
			continue
		}
		if f.foreign(i) {
			foreign++
		} else {
			latin++
		}
	}
	if foreign == 0 || foreign > latin {
		return
	}
	for i := 0; i < len(f.tokens); i++ {
		if !f.foreign(i) {
			continue
		}
		end := i + 1
		for f.foreign(end) && f.follows(end) || f.joins(end) && f.foreign(end+1) {
			end++
		}
		f.add(i, end, f.role(i, end), hint)
		i = end - 1 // a name in the next line may begin at once
	}
}

// joins reports whether token i is a mark inside names: "Д-р", "レオナルド・ダ".
func (f *nameFinder) joins(i int) bool {
	return f.glued(i) && (f.punct(i, '-') || f.str(i) == "・" || f.str(i) == "·") && f.glued(i+1)
}

// foreign reports whether token i is a word in another script than Latin.
func (f *nameFinder) foreign(i int) bool {
	if !f.word(i) || f.text[f.tokens[i].Start] < utf8.RuneSelf {
		return false
	}
	word := f.str(i)
	r, size := utf8.DecodeRuneInString(word)
	switch {
	case !unicode.IsLetter(r) || unicode.Is(unicode.Latin, r):
		return false
	case unicode.Is(unicode.Greek, r):
		return len(word) > 2*size
	}
	// Signs that count as letters, such as the ordinal indicator, are of no script.
	return !unicode.Is(unicode.Common, r)
}
