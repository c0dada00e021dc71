package text

import (
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// Sentences returns the sentences of the text in order: ranges that begin and end with a token. Every token is in
// exactly one; white space between sentences is in none. Clinical text is taken as it comes: a header, an item of a
// list and a line of a table are sentences though no full stop ends them, and a sentence continues over the end of a
// wrapped line.
func (v *View) Sentences() []phi.Range {
	if v.sentences != nil {
		return v.sentences
	}
	v.sentences = make([]phi.Range, 0, len(v.Tokens)/12+1)
	s := splitter{View: v, short: abbreviations()}
	for i, first := 1, 0; i <= len(v.Tokens); i++ {
		if i < len(v.Tokens) && !s.boundary(i) {
			continue
		}
		v.sentences = append(v.sentences, phi.Range{Start: v.Tokens[first].Start, End: v.Tokens[i-1].End})
		first = i
	}
	return v.sentences
}

type splitter struct {
	*View
	short map[string]bool
	line  int // first token of the line that the last break ended
}

// boundary reports whether a sentence begins at token i.
func (s *splitter) boundary(i int) bool {
	if s.OpensLine(i) {
		first := s.line
		s.line = i
		return s.lineBreak(first, i)
	}
	j := i - 1
	for j > 0 && j > i-4 && s.closing(j) {
		j--
	}
	switch {
	case s.oneOf(j, "."):
		return s.fullStop(j, i)
	case s.oneOf(j, "!?"):
		return s.Spaced(i) && !s.InLower(i)
	}
	return false
}

// closing reports whether token j is a quote or a bracket that may follow a full stop.
func (s *splitter) closing(j int) bool { return !s.Spaced(j) && s.oneOf(j, "\")]'”") }

// oneOf reports whether token i is one of the marks.
func (s *splitter) oneOf(i int, marks string) bool {
	return s.Has(i) && s.Tokens[i].Kind == Punct && strings.Contains(marks, s.Str(i))
}

// length returns the length of token i in bytes.
func (s *splitter) length(i int) int { return len(s.Str(i)) }

// wrapWidth is how long a line must be, in bytes, to be taken as wrapped.
const wrapWidth = 50

// lineBreak decides on the break before token i; the line it ends begins with token first.
func (s *splitter) lineBreak(first, i int) bool {
	last, header := i-1, s.header(i)
	switch {
	case blankLine(s.Text[s.Tokens[last].End:s.Tokens[i].Start]), s.listItem(i), s.oneOf(last, ":!?;|=_*"):
		return true
	case s.oneOf(last, "."):
		return !s.abbreviated(last) || s.Capital(i) && !s.title(last-1)
	case s.oneOf(last, ",-(/&"), s.InLower(i) && !header:
		return false
	}
	return header || s.Tokens[last].End-s.Tokens[first].Start < wrapWidth
}

// blankLine reports whether the white space of a break has an empty line in it.
func blankLine(space string) bool {
	breaks := strings.Count(space, "\r") - strings.Count(space, "\r\n")
	return breaks+strings.Count(space, "\n")+strings.Count(space, "\f")+strings.Count(space, "\v") > 1
}

// longestItem is how many digits the number of an item has at most.
const longestItem = 2

// listItem reports whether token i, the first of a line, begins an item: "1.", "2)", "-", "*", "•", "#3".
func (s *splitter) listItem(i int) bool {
	switch {
	case s.Number(i):
		return s.length(i) <= longestItem && s.oneOf(i+1, ".)") && s.Glued(i+1) && s.Spaced(i+2)
	case s.Word(i):
		return s.length(i) == 1 && s.oneOf(i+1, ")") && s.Glued(i+1)
	}
	r, _ := utf8.DecodeRuneInString(s.Str(i))
	return strings.ContainsRune("-*•#+>–—▪◦●·|=_", r)
}

// mostHeader is how many words a header may have.
const mostHeader = 6

// header reports whether "Some Words:" begins at token i.
func (s *splitter) header(i int) bool {
	if s.Case(i) == Lower {
		return false
	}
	for k := i; k <= i+mostHeader && (k == i || !s.EndsLine(k)); k++ {
		switch {
		case s.oneOf(k, ":"):
			return k > i && (!s.Has(k+1) || s.Spaced(k+1))
		case s.Number(k), s.oneOf(k, ".,;!?"):
			return false
		}
	}
	return false
}

// shortestWord is the length of the shortest word in small letters behind which a full stop ends a sentence even
// without a blank, and of the shortest word that begins one: "pain.Patient".
const shortestWord = 3

// fullStop decides whether the full stop at token j ends a sentence, where token i comes next on the line.
func (s *splitter) fullStop(j, i int) bool {
	switch {
	case s.Glued(i):
		long := s.InLower(j-1) && s.length(j-1) >= shortestWord && !s.title(j-1)
		return s.Word(i) && s.Case(i) == Title && s.length(i) >= shortestWord && s.Glued(j) && long
	case s.InLower(i):
		return false
	case !s.Glued(j):
		return true
	case s.Number(j - 1):
		return !s.OpensLine(j - 1)
	}
	return !s.abbreviated(j)
}

// abbreviated reports whether the full stop at token j belongs to the word before it: an abbreviation or an initial.
// Of letters with full stops between, the last ends a sentence, but for initials before a name.
func (s *splitter) abbreviated(j int) bool {
	if !s.Glued(j) || !s.Word(j-1) {
		return false
	}
	if s.length(j-1) > 1 {
		return s.title(j - 1)
	}
	dotted := j >= 3 && s.Glued(j-1) && s.oneOf(j-2, ".")
	return !dotted || s.Case(j-1) == Upper && j >= 4 && s.length(j-3) == 1 && s.Capital(j+1)
}

// longestTitle is the length of the longest abbreviation.
const longestTitle = 6

// title reports whether word i is an abbreviation that something always follows.
func (s *splitter) title(i int) bool {
	if !s.Word(i) || s.length(i) > longestTitle {
		return false
	}
	var buf [longestTitle]byte
	low, ok := lexicon.LowerASCII(buf[:], s.Str(i))
	return ok && s.short[string(low)]
}

var abbreviations = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for _, w := range lexicon.Words("abbreviations") {
		m[w] = true
	}
	return m
})
