package cue

import (
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// Reader reads the tokens of a text for a package of rules. As of a [text.View], its methods
// take the numbers of tokens, and a number out of range is no word, number or mark.
type Reader struct {
	*text.View
	Words *Words
}

// In reports whether token i is a word of any of the sets.
func (r Reader) In(i int, sets Set) bool {
	return r.Word(i) && r.Words.find(r.Str(i)).sets&sets != 0
}

// Sets returns the sets that word i is in.
func (r Reader) Sets(i int) Set {
	if !r.Word(i) {
		return 0
	}
	return r.Words.find(r.Str(i)).sets
}

// mostDigits is how many digits a number has that has a value: it fits an int of 32 bits.
const mostDigits = 9

// Value returns the value of number i, of at most nine digits, or of word i; 0 of others.
func (r Reader) Value(i int) int {
	if r.Word(i) {
		return r.Words.find(r.Str(i)).value
	}
	v, n := r.number(i)
	if n > mostDigits {
		return 0
	}
	return v
}

// Digits returns how many digits number i has.
func (r Reader) Digits(i int) int {
	_, n := r.number(i)
	return n
}

func (r Reader) number(i int) (value, digits int) {
	if !r.Number(i) {
		return 0, 0
	}
	v, n := text.Digits(r.Str(i))
	return int(v), int(n)
}

// Plain returns the digits of number i in ASCII.
func (r Reader) Plain(i int) string {
	return strings.Map(func(c rune) rune {
		if d, ok := text.DigitValue(c); ok {
			return '0' + rune(d)
		}
		return -1
	}, r.Str(i))
}

// Mark returns the punctuation mark i in its ASCII form, so that dashes and apostrophes of any form are "-" and "'"; 0
// if token i is none, and [text.OtherPunct] for one that has no such form.
func (r Reader) Mark(i int) byte {
	if !r.Has(i) || r.Tokens[i].Kind != text.Punct {
		return 0
	}
	return text.PlainPunct(r.Str(i))
}

// Here reports whether token i is on the line of the token before it.
func (r Reader) Here(i int) bool { return i > 0 && r.Has(i) && !r.OpensLine(i) }

// Tight reports whether token i touches both of its neighbours.
func (r Reader) Tight(i int) bool { return r.Glued(i) && r.Glued(i+1) }

// Joins reports whether mark i is between two tokens of one line, with or without blanks.
func (r Reader) Joins(i int) bool { return r.Here(i) && r.Here(i+1) }

// Ends reports whether a phrase ends before token i: the text or the line ends, or a mark
// that closes a phrase comes.
func (r Reader) Ends(i int) bool {
	if r.EndsLine(i) {
		return true
	}
	switch r.Mark(i) {
	case ',', ';', ')', ']', '?', '!', '|', '"':
		return true
	case '.':
		return !r.Glued(i+1) || r.Mark(i+1) != 0
	}
	return false
}

// Skip returns the token after i if i is one of the marks, or i.
func (r Reader) Skip(i int, marks string) int {
	if c := r.Mark(i); c != 0 && strings.IndexByte(marks, c) >= 0 {
		return i + 1
	}
	return i
}

// Spelled reads numbers in words: it returns word i in lower case, "-" for a hyphen on the
// line of the token before it, and "" for anything else.
func (r Reader) Spelled(i int) string {
	switch {
	case r.Word(i):
		return strings.ToLower(r.Str(i))
	case r.Mark(i) == '-' && r.Here(i):
		return "-"
	}
	return ""
}

// Finder makes one pass over a text and collects what it finds.
type Finder struct {
	Reader
	// Last is the token behind the last finding, -1 before the first.
	Last  int
	spans []phi.Span
}

// NewFinder returns a finder that appends spans to dst.
func NewFinder(v *text.View, words *Words, dst []phi.Span) Finder {
	return Finder{Reader{v, words}, -1, dst}
}

// Scan calls at for each token and returns the spans that it added. at returns the token behind what it found, where
// the pass goes on, or 0.
func (f *Finder) Scan(at func(i int) int) []phi.Span {
	for i := 0; i < len(f.Tokens); {
		end := at(i)
		if end <= i {
			i++
			continue
		}
		f.Last, i = end, end
	}
	return f.spans
}

// Add adds the tokens [from, end), if there are any, and returns end.
func (f *Finder) Add(from, end int, t phi.Type) int {
	if end > from {
		f.spans = append(f.spans, f.Span(from, end, t))
	}
	return end
}
