package text

import (
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// Sentences returns the sentences of a text in order: ranges that begin and end
// with a token. Every token is in exactly one; white space between sentences is
// in none. Clinical text is taken as it comes: a header, an item of a list and a
// line of a table are sentences though no full stop ends them, and a sentence
// continues over the end of a wrapped line.
func Sentences(text string, toks []Token) []phi.Range {
	out := make([]phi.Range, 0, len(toks)/12+1)
	sp := splitter{text: text, toks: toks, short: abbreviations()}
	for i, first := 1, 0; i <= len(toks); i++ {
		if i < len(toks) && !sp.boundary(i) {
			continue
		}
		out = append(out, phi.Range{Start: toks[first].Start, End: toks[i-1].End})
		first = i
	}
	return out
}

type splitter struct {
	text  string
	toks  []Token
	short map[string]bool
	line  int // first token of the line that the last break ended
}

// boundary reports whether a sentence begins at token i.
func (s *splitter) boundary(i int) bool {
	if s.toks[i].Line {
		first := s.line
		s.line = i
		return s.lineBreak(first, i)
	}
	j := i - 1
	for j > 0 && j > i-4 && s.closing(j) {
		j--
	}
	if s.toks[j].Kind != Punct {
		return false
	}
	switch s.text[s.toks[j].Start] {
	case '.':
		return s.fullStop(j, i)
	case '!', '?':
		return s.toks[i].Space && (s.toks[i].Kind != Word || s.toks[i].Case != Lower)
	}
	return false
}

// closing reports whether token j is a quote or a bracket that may follow a full
// stop.
func (s *splitter) closing(j int) bool {
	if s.toks[j].Kind != Punct || s.toks[j].Space {
		return false
	}
	switch s.text[s.toks[j].Start] {
	case '"', ')', ']', '\'':
		return true
	}
	return strings.HasPrefix(s.text[s.toks[j].Start:], "”")
}

// wrapWidth is how long a line must be, in bytes, to be taken as wrapped.
const wrapWidth = 50

// lineBreak decides on the break before token i; the line it ends begins with
// token first.
func (s *splitter) lineBreak(first, i int) bool {
	last := s.toks[i-1]
	if blankLine(s.text[last.End:s.toks[i].Start]) || s.listItem(i) {
		return true
	}
	t := s.toks[i]
	if last.Kind == Punct {
		switch c := s.text[last.Start]; c {
		case ':', '!', '?', ';', '|', '=', '_', '*':
			return true
		case '.':
			return !s.abbreviated(i-1) || t.Case != Lower && t.Kind == Word && !s.title(i-2)
		case ',', '-', '(', '/', '&':
			return false
		}
	}
	if t.Kind == Word && t.Case == Lower && !s.header(i) {
		return false
	}
	return last.End-s.toks[first].Start < wrapWidth || s.header(i)
}

// blankLine reports whether the white space of a break has an empty line in it.
func blankLine(space string) bool {
	breaks := 0
	for i := 0; i < len(space); i++ {
		switch space[i] {
		case '\r':
			if i+1 < len(space) && space[i+1] == '\n' {
				i++
			}
			breaks++
		case '\n', '\f', '\v':
			breaks++
		}
	}
	return breaks > 1
}

// listItem reports whether token i, the first of a line, begins an item: "1.",
// "2)", "-", "*", "•", "#3".
func (s *splitter) listItem(i int) bool {
	t := s.toks[i]
	switch t.Kind {
	case Number:
		return t.End-t.Start <= 2 && i+1 < len(s.toks) && s.oneOf(i+1, ".)") && !s.toks[i+1].Space && i+2 < len(s.toks) && s.toks[i+2].Space
	case Punct:
		r, _ := utf8.DecodeRuneInString(s.text[t.Start:])
		return strings.ContainsRune("-*•#+>–—▪◦●·|=_", r)
	default:
		return t.End-t.Start == 1 && i+1 < len(s.toks) && s.oneOf(i+1, ")") && !s.toks[i+1].Space
	}
}

func (s *splitter) oneOf(i int, marks string) bool {
	t := s.toks[i]
	return t.Kind == Punct && strings.IndexByte(marks, s.text[t.Start]) >= 0
}

// maxHeader is how many words a header may have.
const maxHeader = 6

// header reports whether "Some Words:" begins at token i.
func (s *splitter) header(i int) bool {
	if s.toks[i].Case == Lower {
		return false
	}
	for k := i; k < len(s.toks) && k <= i+maxHeader; k++ {
		if k > i && s.toks[k].Line {
			return false
		}
		if s.oneOf(k, ":") {
			return k > i && (k+1 == len(s.toks) || s.toks[k+1].Space)
		}
		if s.toks[k].Kind == Number || s.oneOf(k, ".,;!?") {
			return false
		}
	}
	return false
}

// fullStop decides whether the full stop at token j ends a sentence, where token
// i comes next on the line.
func (s *splitter) fullStop(j, i int) bool {
	t := s.toks[i]
	if !t.Space {
		return t.Kind == Word && t.Case == Title && j > 0 && !s.toks[j].Space && t.End-t.Start > 2 && s.longWord(j-1)
	}
	if t.Kind == Word && t.Case == Lower {
		return false
	}
	if j == 0 || s.toks[j].Space {
		return true
	}
	if s.toks[j-1].Kind == Number {
		return !s.toks[j-1].Line
	}
	return !s.abbreviated(j)
}

// longWord reports whether token i is a word in lower case of three letters or
// more, so that a full stop after it is one even without a blank: "pain.Patient".
func (s *splitter) longWord(i int) bool {
	t := s.toks[i]
	return t.Kind == Word && t.Case == Lower && t.End-t.Start >= 3 && !s.title(i)
}

// abbreviated reports whether the full stop at token j belongs to the word
// before it: an abbreviation or an initial.
func (s *splitter) abbreviated(j int) bool {
	if j == 0 || s.toks[j].Space || s.toks[j-1].Kind != Word {
		return false
	}
	t := s.toks[j-1]
	if t.End-t.Start == 1 {
		dotted := j >= 3 && !s.toks[j-1].Space && s.oneOf(j-2, ".")
		return !dotted || t.Case == Upper && j >= 4 && s.toks[j-3].End-s.toks[j-3].Start == 1 && s.nameFollows(j+1)
	}
	return s.title(j - 1)
}

// nameFollows reports whether token i looks like a surname: a capitalised word
// which is not the only one of a heading.
func (s *splitter) nameFollows(i int) bool {
	return i < len(s.toks) && s.toks[i].Kind == Word && s.toks[i].Case != Lower
}

// title reports whether word i is an abbreviation that something always follows.
func (s *splitter) title(i int) bool {
	if i < 0 || s.toks[i].Kind != Word || s.toks[i].End-s.toks[i].Start > 6 {
		return false
	}
	var buf [6]byte
	low, ok := lexicon.LowerASCII(buf[:], s.text[s.toks[i].Start:s.toks[i].End])
	return ok && s.short[string(low)]
}

var abbreviations = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for _, w := range lexicon.Words("abbreviations") {
		m[w] = true
	}
	return m
})
