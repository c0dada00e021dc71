package tbed

import (
	"strings"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// spanOf is a range of tokens of one type.
type spanOf struct {
	from, to int // tokens [from, to)
	typ      phi.Type
	sure     float64 // the precision of its surest rule, see [Rule.Precision]
}

// spans returns the spans of a note's tags. A token that continues a span which does not exist
// begins one.
func (t tagged) spans(precision []float64) []spanOf {
	var out []spanOf
	for i, tag := range t.tags {
		if tag.Type() == phi.None {
			continue
		}
		sure := 1.0
		if t.by[i] != byPattern {
			sure = precision[t.by[i]]
		}
		if n := len(out) - 1; n >= 0 && out[n].to == i && out[n].typ == tag.Type() && !tag.Begins() {
			out[n].to, out[n].sure = i+1, max(out[n].sure, sure)
			continue
		}
		out = append(out, spanOf{i, i + 1, tag.Type(), sure})
	}
	return out
}

// trim removes punctuation marks from both ends of a span; a span of only marks becomes empty. A
// plus, a number sign or an open bracket may begin it; a closing bracket may end it if its partner
// is within.
func (s *spanOf) trim(note *ensemble.Note) {
	tokens := note.View().Tokens
	mark := func(i int) bool { return tokens[i].Kind == text.Punct }
	for s.from < s.to && mark(s.to-1) {
		text := note.Text[tokens[s.from].Start:tokens[s.to-1].End]
		if strings.HasSuffix(text, ")") && strings.Contains(text, "(") {
			break
		}
		s.to--
	}
	for s.from < s.to && mark(s.from) && !strings.ContainsAny(note.View().Str(s.from), "+#(") {
		s.from++
	}
}
