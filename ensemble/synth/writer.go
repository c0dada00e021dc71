package synth

import (
	"math/rand/v2"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// writer writes a note and marks its spans while it does.
type writer struct {
	rng   *rand.Rand
	buf   strings.Builder
	spans []phi.Span
	manner
}

// put writes ordinary text.
func (w *writer) put(s string) {
	if w.typo > 0 {
		s = w.slips(s)
	}
	w.raw(s)
}

func (w *writer) raw(s string) {
	if w.fold != nil {
		s = w.fold(s)
	}
	w.buf.WriteString(s)
}

// mark writes PHI.
func (w *writer) mark(t phi.Type, s string) {
	if t.Class() == phi.ClassName && t != phi.Username && w.chance(w.nameTypo) {
		s = w.misspell(s)
	}
	start := w.buf.Len()
	w.raw(s)
	w.spans = append(w.spans, phi.Span{Start: start, End: w.buf.Len(), Type: t})
}

func (w *writer) chance(per1000 int) bool { return per1000 > 0 && w.rng.IntN(1000) < per1000 }

// slips makes typing mistakes in long lower-case words and drops full stops.
func (w *writer) slips(s string) string {
	if len(s) < 5 {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		n := strings.IndexFunc(s, func(r rune) bool { return r < 'a' || r > 'z' })
		if n < 0 {
			n = len(s)
		}
		word := s[:n]
		if n >= 5 && w.chance(w.typo) {
			word = w.slip(word)
		}
		b.WriteString(word)
		if s = s[n:]; s == "" {
			break
		}
		_, size := utf8.DecodeRuneInString(s)
		if !(s[0] == '.' && len(s) > 1 && s[1] == ' ' && n > 2 && w.chance(w.noStop)) {
			b.WriteString(s[:size])
		}
		s = s[size:]
	}
	return b.String()
}

// slip makes one mistake inside a word: two letters swapped, one left out, doubled
// or replaced by its neighbour on the keyboard.
func (w *writer) slip(word string) string {
	rs := []rune(word)
	i := 1 + w.rng.IntN(len(rs)-2)
	switch w.rng.IntN(4) {
	case 0:
		rs[i], rs[i+1] = rs[i+1], rs[i]
	case 1:
		rs = append(rs[:i], rs[i+1:]...)
	case 2:
		rs = append(rs[:i+1], rs[i:]...)
	default:
		rs[i] = neighbour(rs[i])
	}
	return string(rs)
}

const keyboard = "qwertyuiopasdfghjklzxcvbnm"

func neighbour(r rune) rune {
	i := strings.IndexRune(keyboard, unicode.ToLower(r))
	if i < 0 {
		return r
	}
	n := rune(keyboard[(i+1)%len(keyboard)])
	if unicode.IsUpper(r) {
		return unicode.ToUpper(n)
	}
	return n
}

// misspell puts a slip into the longest word of a name.
func (w *writer) misspell(name string) string {
	longest := ""
	for word := range strings.FieldsFuncSeq(name, func(r rune) bool { return !unicode.IsLetter(r) }) {
		if utf8.RuneCountInString(word) > utf8.RuneCountInString(longest) {
			longest = word
		}
	}
	if utf8.RuneCountInString(longest) < 5 {
		return name
	}
	return strings.Replace(name, longest, w.slip(longest), 1)
}

// finish returns the text, wrapped where the manner says so. Wrapping turns blanks
// into line breaks, so that offsets stay.
func (w *writer) finish() (string, []phi.Span) {
	text := w.buf.String()
	if w.wrap == 0 {
		return text, w.spans
	}
	b := []byte(text)
	column, blank := 0, -1
	for i := range b {
		switch b[i] {
		case '\n':
			column, blank = 0, -1
			continue
		case ' ':
			blank = i
		}
		if column++; column > w.wrap && blank >= 0 {
			b[blank] = '\n'
			column, blank = i-blank, -1
		}
	}
	return string(b), w.spans
}
