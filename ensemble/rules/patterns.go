package rules

import (
	"context"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// checkEvery is how many tokens are read between two looks at the context.
const checkEvery = 4096

// Find appends the PHI that its form gives away: dates, times, ages, numbers, addresses of
// houses and of the net, in sorted, disjoint spans. It makes one pass over the tokens; a
// candidate is checked only where a digit, an at sign or a word of its vocabulary begins it.
func Find(ctx context.Context, v *text.View, dst []phi.Span) ([]phi.Span, error) {
	s := &scan{text: v.Text, toks: v.Tokens, marks: v.Marks(), out: dst, base: len(dst)}
	next := checkEvery
	for i := 0; i < len(s.toks); {
		if i >= next {
			next = i + checkEvery
			if err := ctx.Err(); err != nil {
				return dst, err
			}
		}
		if end := s.at(i); end > i {
			i = end
		} else {
			i++
		}
	}
	return s.out, ctx.Err()
}

// scan is one pass over a note. Its methods that look for a thing at token i
// return the index of the token after it, or 0 where there is none.
type scan struct {
	text  string
	toks  []text.Token
	marks []text.Mark
	out   []phi.Span
	base  int // spans of out before it are another's
}

// at looks at token i and returns where to go on, or 0 for the next token.
func (s *scan) at(i int) int {
	m := &s.marks[i]
	switch s.toks[i].Kind {
	case text.Number:
		return s.number(i)
	case text.Word:
		if m.Classes == 0 && m.Label == text.NoLabel {
			if s.c(i+1) == '.' && s.toks[i].Case == text.Lower && s.separates(i+1, false) && (s.c(i-1) == '|' || s.c(i-1) == '(') {
				return s.bracketedLogin(i)
			}
			if s.beginsCode(i) {
				return s.mixedRun(i)
			}
			return 0
		}
		return s.cueWord(i)
	default:
		return s.punct(i)
	}
}

// beginsCode reports whether digits follow the word i without a blank: at once,
// or, after a short word in capitals, over a dash.
func (s *scan) beginsCode(i int) bool {
	if s.numAt(i + 1) {
		return !s.toks[i+1].Space
	}
	c := s.c(i + 1)
	if c != '-' && c != '/' && c != ':' || s.toks[i].Case != text.Upper || len(s.tok(i)) > 4 {
		return false
	}
	return s.numAt(i+2) && s.separates(i+1, false) && (c == '-' || s.marks[i+2].Digits >= 5 && len(s.tok(i)) >= 2)
}

// punct looks for what begins with, or is told by, a punctuation mark.
func (s *scan) punct(i int) int {
	switch s.marks[i].Punct {
	case '@':
		return s.email(i)
	case '(', '+':
		return s.phone(i)
	case '\'':
		return s.apostropheYear(i)
	case '<':
		return s.machineReadable(i)
	case '.':
		return s.bareDomain(i)
	case ':':
		return s.hexGroups(i)
	case '*', '#':
		return s.maskedSSN(i)
	default:
		return 0
	}
}

// emit adds the span of tokens [i, end). Spans it covers are dropped, one that
// it only overlaps keeps its place.
func (s *scan) emit(i, end int, t phi.Type) int {
	i, end = s.bounds(i, end, t)
	from := s.toks[i].Start
	if t == phi.Date {
		from = s.withWeekday(i)
	}
	return s.emitRange(from, s.toks[end-1].End, end, t)
}

// withWeekday returns where a date that begins at token i begins if a weekday
// stands before it: "Tuesday, July 24", "Sun 12/26".
func (s *scan) withWeekday(i int) int {
	j := i - 1
	if s.c(j) == ',' {
		j--
	}
	if !s.numAt(i) && !s.has(i, text.IsMonth) || !s.has(j, text.IsWeekday|text.IsShortDay) || !s.sameLine(i) ||
		s.toks[j].Case == text.Lower && !s.has(j, text.IsWeekday) {
		return s.toks[i].Start
	}
	return s.toks[j].Start
}

func (s *scan) emitRange(from, to, end int, t phi.Type) int {
	for len(s.out) > s.base && s.out[len(s.out)-1].Start >= from {
		s.out = s.out[:len(s.out)-1]
	}
	if n := len(s.out); n > s.base && s.out[n-1].End > from {
		return end
	}
	s.out = append(s.out, phi.Span{Start: from, End: to, Type: t})
	return end
}
