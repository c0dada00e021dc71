package merge

import (
	"slices"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// innerMarks is how many marks may be between two tokens of one entity without being found
// themselves: "O. , Ann".
const innerMarks = 2

// Spans appends to dst the spans of the tokens that are PHI: adjacent tokens of one class on one
// line are one span unless an entity begins. Verdicts are sorted; by returns who found a token.
func (c *Combiner) Spans(dst []phi.Span, view *text.View, verdicts []Verdict, bias *Bias, by func(*Verdict) phi.Votes) []phi.Span {
	s := spanner{text: view.Text, tokens: view.Tokens, dst: dst}
	for i := range verdicts {
		v := &verdicts[i]
		if c.Margin(v, bias) < 0 {
			continue
		}
		if !s.goesOn(v) {
			s.flush()
		}
		s.add(v, Probability(c.Odds(v)), by(v))
	}
	s.flush()
	return s.dst
}

// spanner makes spans of the tokens that are PHI, which come in order.
type spanner struct {
	text   string
	tokens []text.Token
	dst    []phi.Span

	found []text.Token // tokens of the open entity that were found themselves
	last  int32        // the number of the last
	types [256]float64
	used  []phi.Type
	kind  phi.Type // of the last
	score float64
	by    phi.Votes
}

// goesOn reports whether a token continues the open entity.
func (s *spanner) goesOn(v *Verdict) bool {
	if len(s.found) == 0 || v.Type.Class() != s.used[0].Class() || v.Token-s.last > innerMarks+1 {
		return false
	}
	if v.Type != s.kind && addressPart(v.Type) && addressPart(s.kind) {
		return false
	}
	for i := s.last + 1; i <= v.Token; i++ {
		t := &s.tokens[i]
		if t.Line || i < v.Token && !(t.Kind == text.Punct && inner(s.text[t.Start:t.End])) {
			return false
		}
	}
	return !v.First || v.Token == s.last+1 && s.tokens[v.Token].Kind == text.Punct
}

// addressPart reports whether a type is part of an address.
func addressPart(t phi.Type) bool { return t >= phi.Street && t <= phi.Zip }

// inner reports whether a mark may be within a name, a date or a number.
func inner(mark string) bool { return strings.Contains(".,-/'’()&+:#–", mark) }

func (s *spanner) add(v *Verdict, p float64, by phi.Votes) {
	s.found = append(s.found, s.tokens[v.Token])
	s.last, s.kind = v.Token, v.Type
	if !slices.Contains(s.used, v.Type) {
		s.used = append(s.used, v.Type)
	}
	s.types[v.Type] += p
	s.score = max(s.score, p)
	s.by |= by
}

// flush ends the open entity. Marks at its ends are removed, except an opening bracket that is
// closed within, its closing one, and a plus before a number.
func (s *spanner) flush() {
	if len(s.found) == 0 {
		return
	}
	if start, end := s.ends(); start < end {
		best := s.used[0]
		for _, t := range s.used {
			if s.types[t] > s.types[best] {
				best = t
			}
		}
		s.dst = append(s.dst, phi.Span{Start: start, End: end, Type: best, By: s.by, Score: float32(s.score)})
	}
	for _, t := range s.used {
		s.types[t] = 0
	}
	s.found, s.used, s.score, s.by = s.found[:0], s.used[:0], 0, 0
}

// ends returns the range of the open entity without the marks at its ends, empty if nothing else
// is left.
func (s *spanner) ends() (start, end int) {
	from, to := 0, len(s.found)
	for from < to && s.found[to-1].Kind == text.Punct && !(s.is(to-1, ")") && s.holds(from, to-1, "(")) {
		to--
	}
	for from < to && s.found[from].Kind == text.Punct && !(s.is(from, "(") && s.holds(from+1, to, ")")) && !s.is(from, "+") {
		from++
	}
	if from == to || to-from == 1 && s.found[from].Kind == text.Punct {
		return 0, 0
	}
	return s.found[from].Start, s.found[to-1].End
}

func (s *spanner) is(i int, mark string) bool { return s.text[s.found[i].Start:s.found[i].End] == mark }

// holds reports whether a mark is among the tokens [from, to) of the entity.
func (s *spanner) holds(from, to int, mark string) bool {
	for i := from; i < to; i++ {
		if s.is(i, mark) {
			return true
		}
	}
	return false
}
