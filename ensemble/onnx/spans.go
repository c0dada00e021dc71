package onnx

import (
	"math"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// spanner joins the words that a member takes for PHI to spans. Words come in the
// order of the text.
type spanner struct {
	d      *decider
	text   string
	tokens []text.Token
	dst    []phi.Span

	open     bool
	from, to int     // tokens [from, to) of the span that is open
	group    int     // of that span
	phi      int32   // of that span: the probability of its surest word, in 65535ths
	byType   []int64 // of that span: sums of the probabilities of each type, and 1 for each word of it on the best sequence
	sums     []int32 // scratch of decide
}

func newSpanner(d *decider, note *ensemble.Note, dst []phi.Span) *spanner {
	return &spanner{
		d: d, text: note.Text, tokens: note.View().Tokens, dst: dst,
		byType: make([]int64, len(d.types)), sums: make([]int32, len(d.groups)),
	}
}

// add takes what a network says of a unit, which belongs to a token of the note and
// may be a part of it: the probabilities of the types, the type in the best sequence of
// labels or outside, and whether an entity begins with it.
func (s *spanner) add(token int, probs []uint16, path int, first bool) {
	v := s.d.decide(probs, path, s.sums)
	if v.group == outside {
		return
	}
	switch {
	case s.open && token == s.to-1: // another part of a long word, which is PHI already
	case s.open && token == s.to && s.continues(token, v.group, first):
		s.to++
	default:
		s.flush()
		s.open, s.from, s.to, s.group = true, token, token+1, v.group
		s.phi = 0
		clear(s.byType)
	}
	s.phi = max(s.phi, v.phi)
	for i, p := range probs {
		if s.d.group[i] == s.group {
			s.byType[i] += int64(p)
		}
	}
	if path != outside && s.d.group[path] == s.group {
		s.byType[path] += math.MaxUint16 // the best sequence has a voice of its own
	}
}

// continues reports whether a token goes on the span that ends before it: it has to
// be on the same line. A model that says "a new entity" is believed only behind a
// mark that can separate two ("Ann, Ben"): at every other place one that begins anew
// with each word of a name would tear it apart.
func (s *spanner) continues(token, group int, first bool) bool {
	if group != s.group || s.tokens[token].Line {
		return false
	}
	return !first || s.tokens[token-1].Kind != text.Punct
}

// flush ends the span that is open.
func (s *spanner) flush() {
	if !s.open {
		return
	}
	s.open = false
	from, to := s.trim(s.from, s.to)
	if from == to {
		return // marks alone are no name
	}
	best, most := phi.None, int64(math.MinInt64)
	for i, sum := range s.byType {
		if s.d.group[i] == s.group && sum > most {
			best, most = s.d.types[i], sum
		}
	}
	s.dst = append(s.dst, phi.Span{
		Start: s.tokens[from].Start, End: s.tokens[to-1].End, Type: best,
		Tentative: float64(s.phi) < s.d.alone*math.MaxUint16, Score: float32(s.phi) / math.MaxUint16,
	})
}

// trim takes marks off both ends. A bracket stays where its partner is within, and a
// plus or number sign stays before what it belongs to.
func (s *spanner) trim(from, to int) (int, int) {
	for from < to && s.tokens[to-1].Kind == text.Punct && !s.closes(from, to-1) {
		to--
	}
	for from < to && s.tokens[from].Kind == text.Punct && !s.opens(from, to) {
		from++
	}
	if to-from > 2 && s.token(from) == "(" && s.token(to-1) == ")" &&
		!strings.ContainsAny(s.text[s.tokens[from].End:s.tokens[to-1].Start], "()") {
		return s.trim(from+1, to-1) // nothing but brackets around it
	}
	return from, to
}

func (s *spanner) opens(i, to int) bool {
	switch s.token(i) {
	case "(":
		return strings.Contains(s.text[s.tokens[i].End:s.tokens[to-1].End], ")")
	case "+", "#":
		return i+1 < to && !s.tokens[i+1].Space
	}
	return false
}

func (s *spanner) closes(from, i int) bool {
	return s.token(i) == ")" && strings.Contains(s.text[s.tokens[from].Start:s.tokens[i].Start], "(")
}

func (s *spanner) token(i int) string { return s.text[s.tokens[i].Start:s.tokens[i].End] }
