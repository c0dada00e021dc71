package onnx

import (
	"fmt"
	"slices"
	"sort"
	"unicode"
	"unicode/utf8"
)

// line is a segment as a tokenizer gets it: its units with a blank for every gap. White
// space of other kinds is no matter to a sentence's sense, and so the same sentence is
// the same text whether or not its line was wrapped.
type line struct {
	text  []byte
	start []int // of each unit in the text
	end   []int
	seen  []bool // by byte of the text
}

func (l *line) set(units []unit) {
	l.text, l.start, l.end = l.text[:0], l.start[:0], l.end[:0]
	for i, u := range units {
		if i > 0 && (u.gap != noGap || lone(u.text) || lone(units[i-1].text)) {
			l.text = append(l.text, ' ')
		}
		l.start = append(l.start, len(l.text))
		l.text = append(l.text, u.text...)
		l.end = append(l.end, len(l.text))
	}
}

// lone reports whether a unit is set off by blanks though it has none in the note: an
// emoji or the like. Tokenizers know few of them, and take "😀Ann" for one unknown word.
func lone(unit string) bool {
	if unit == "" || unit[0] < utf8.RuneSelf {
		return false
	}
	r, _ := utf8.DecodeRuneInString(unit)
	return unicode.IsSymbol(r) && telling(r)
}

// unitsAt returns the units [from, to) that a piece of the text [start, end) lies in.
func (l *line) unitsAt(start, end int) (from, to int) {
	if start >= end {
		return 0, 0
	}
	from = sort.SearchInts(l.end, start+1)
	to = sort.SearchInts(l.start, end)
	return from, max(from, to)
}

// telling reports whether a rune can mean anything: it is a letter, a digit, a mark of
// punctuation or a symbol. Tokenizers may drop the others: combining marks, which
// belong to a letter that they do not drop, and control and format characters. So may
// they U+FFFD, which replaces a character that is lost.
func telling(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsPunct(r) || unicode.IsSymbol(r))
}

// blind reports whether nothing in the text is telling.
func (l *line) blind() bool {
	for i := 0; i < len(l.text); {
		r, size := utf8.DecodeRune(l.text[i:])
		if telling(r) {
			return false
		}
		i += size
	}
	return true
}

// covered checks that every rune that can mean something lies in a wordpiece. What a
// tokenizer drops, a network never sees, and a name in it would pass unnoticed: then
// the note must not be published.
func (l *line) covered(offsets [][2]int) error {
	l.seen = zeroed(l.seen, len(l.text))
	for _, o := range offsets {
		for i := o[0]; i < o[1]; i++ {
			l.seen[i] = true
		}
	}
	for i := 0; i < len(l.text); {
		r, size := utf8.DecodeRune(l.text[i:])
		if !l.seen[i] && telling(r) {
			return fmt.Errorf("the tokenizer leaves out a character (byte %d of a sentence's %d): what it drops can't be searched", i, len(l.text))
		}
		i += size
	}
	return nil
}

// frame are the special tokens that a model wants around each window.
type frame struct{ before, after []uint32 }

// frameOf finds the special tokens in the encodings of one text with and without.
func frameOf(with, without []uint32) (frame, error) {
	for i := 0; i+len(without) <= len(with); i++ {
		if slices.Equal(with[i:i+len(without)], without) {
			return frame{with[:i], with[i+len(without):]}, nil
		}
	}
	return frame{}, fmt.Errorf("tokenizer.json: special tokens are not around the text (%d wordpieces with them, %d without)", len(with),
		len(without))
}

// is reports whether there is one token before a window and one after it, and these.
func (f frame) is(before, after int64) bool {
	return len(f.before) == 1 && len(f.after) == 1 && int64(f.before[0]) == before && int64(f.after[0]) == after
}

// in returns the ids of a window with the special tokens around it.
func (f frame) in(ids []uint32) []uint32 {
	out := make([]uint32, 0, len(f.before)+len(ids)+len(f.after))
	out = append(out, f.before...)
	out = append(out, ids...)
	return append(out, f.after...)
}
