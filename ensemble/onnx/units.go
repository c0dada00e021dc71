package onnx

import (
	"unicode"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/features"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// gap is the white space before a unit.
type gap uint8

// The gaps, with the numbers that networks with a character front know them by.
const (
	noGap gap = iota
	blank
	lineBreak
)

// unit is a word as networks are given it: a token of the note, or a part of a very
// long one.
type unit struct {
	text  string
	token int // in the note
	gap   gap
	// columns are what is known of the token, for networks that read features.
	columns columns
}

// columns are a row of package features.
type columns [features.NumColumns]uint8

// maxUnit is how many bytes a unit of a wordpiece model has at most. A tokenizer's
// time grows faster than a word's length, and a word of megabytes is fed in parts.
const maxUnit = 512

// unitsOf appends the units of a note's tokens [from, to) to dst. Tokens longer than
// limit bytes are cut on rune borders, 0 means never.
func unitsOf(note *ensemble.Note, from, to, limit int, normalize bool, dst []unit) []unit {
	tokens := note.View().Tokens
	for i := from; i < to; i++ {
		t := &tokens[i]
		s := note.Text[t.Start:t.End]
		if normalize && t.Kind == text.Word && t.Case == text.Upper {
			s = titleCase(s)
		}
		u := unit{token: i, gap: gapBefore(t)}
		for limit > 0 && len(s) > limit {
			cut := limit
			for !utf8.RuneStart(s[cut]) {
				cut--
			}
			u.text, s = s[:cut], s[cut:]
			dst = append(dst, u)
			u.gap = noGap
		}
		u.text = s
		dst = append(dst, u)
	}
	return dst
}

func gapBefore(t *text.Token) gap {
	switch {
	case t.Line:
		return lineBreak
	case t.Space:
		return blank
	default:
		return noGap
	}
}

// titleCase makes the letters of a word small after its first: "SMITH" to "Smith".
// Each rune becomes one rune, as in the training code, and a single letter stays.
func titleCase(word string) string {
	_, size := utf8.DecodeRuneInString(word)
	if size == len(word) {
		return word
	}
	out := make([]byte, 0, len(word)+8)
	out = append(out, word[:size]...)
	for _, r := range word[size:] {
		out = utf8.AppendRune(out, unicode.ToLower(r))
	}
	return string(out)
}
