package crf

import (
	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// spanner converts labels, in the order of tokens, to spans.
type spanner struct {
	d      *member
	text   string
	tokens []text.Token
	dst    []phi.Span

	open     bool
	from, to int     // tokens [from, to) of the open entity
	kind     int     // its type in the model
	phi      float64 // probability of its surest word
}

func (s *spanner) reset(d *member, note *ensemble.Note, dst []phi.Span) {
	*s = spanner{d: d, text: note.Text, tokens: note.View().Tokens, dst: dst}
}

// add takes the label of a token, and its probability of PHI.
func (s *spanner) add(token, label int, phi float64) {
	labels := s.d.model.labels
	if label == 0 || !s.d.wanted[labels.typeOf(label)] {
		s.flush()
		return
	}
	if s.open && !labels.begins(label) && s.kind == labels.typeOf(label) {
		s.to++
		s.phi = max(s.phi, phi)
		return
	}
	s.flush()
	s.open, s.from, s.to, s.kind, s.phi = true, token, token+1, labels.typeOf(label), phi
}

// flush ends the open entity. Punctuation marks at its ends are removed, except an opening
// bracket, a plus or a number sign before, and a closing bracket after it.
func (s *spanner) flush() {
	if !s.open {
		return
	}
	s.open = false
	from, to := s.from, s.to
	for from < to && s.mark(to-1) && !(s.is(to-1, ')') && s.holds(from, to-1, '(')) {
		to--
	}
	for from < to && s.mark(from) && !(s.is(from, '(') && s.holds(from+1, to, ')')) && !s.is(from, '+') && !s.is(from, '#') {
		from++
	}
	if from == to || to-from == 1 && s.mark(from) {
		return
	}
	s.dst = append(s.dst, phi.Span{
		Start: s.tokens[from].Start, End: s.tokens[to-1].End, Type: s.d.model.labels.out[s.kind], Tentative: s.phi < s.d.alone,
	})
}

func (s *spanner) mark(i int) bool { return s.tokens[i].Kind == text.Punct }

func (s *spanner) is(i int, c byte) bool { return s.mark(i) && s.text[s.tokens[i].Start] == c }

// holds reports whether a mark is among tokens [from, to).
func (s *spanner) holds(from, to int, c byte) bool {
	for i := from; i < to; i++ {
		if s.is(i, c) {
			return true
		}
	}
	return false
}
