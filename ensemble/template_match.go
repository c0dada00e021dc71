package ensemble

import (
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// templateMatcher walks sentences through the automaton of a set. It belongs to one
// goroutine.
type templateMatcher struct {
	set       *Templates
	terms     []term  // of the sentence so far
	now, next []int32 // the nodes that were reached
}

// find returns the template that fits a sentence, without bullets, or nil. The nodes
// that are reached at once are fewer than the templates, and hardly ever more than a few:
// one for each way of reading the words so far as literals or slots.
func (m *templateMatcher) find(sentence string) *Template {
	m.terms, m.now = m.terms[:0], append(m.now[:0], 0)
	for pos := 0; pos < len(sentence); {
		if len(m.terms) == maxTerms {
			return nil
		}
		tm := nextTerm(sentence, pos)
		pos = tm.end
		m.terms = append(m.terms, tm)
		m.step(sentence, tm)
		if len(m.now) == 0 {
			return nil
		}
	}
	best := int32(0)
	for _, node := range m.now {
		if n := m.set.ends[node]; n != 0 && (best == 0 || n < best) {
			best = n
		}
	}
	if best == 0 {
		return nil
	}
	return m.set.list[best-1]
}

// step goes on by a term.
func (m *templateMatcher) step(sentence string, tm term) {
	m.next = m.next[:0]
	word, known, kind := int32(0), false, kindOf(tm.class)
	for _, node := range m.now {
		kinds := m.set.kinds[node]
		if kinds&kindOf(0) != 0 {
			if !known {
				word, known = m.set.words[sentence[tm.start:tm.end]], true
			}
			if word != 0 {
				m.follow(templateEdge{node: node, word: word, gap: tm.gap})
			}
		}
		if tm.class == 0 {
			continue
		}
		if kinds&kind != 0 {
			m.follow(templateEdge{node: node, slot: tm.class, gap: tm.gap})
		}
		if tm.class != MixedSlot && kinds&kindOf(MixedSlot) != 0 {
			m.follow(templateEdge{node: node, slot: MixedSlot, gap: tm.gap})
		}
	}
	m.now, m.next = m.next, m.now
}

func (m *templateMatcher) follow(e templateEdge) {
	if to, ok := m.set.edges[e]; ok {
		m.next = append(m.next, to)
	}
}

// spans appends the PHI of the sentence that was found last, which begins at base of a
// text. A person has verified the form, so it is sure; times are not, since nothing
// hangs on them, and neither are plain words in small letters, of which the vocabulary
// may know better: "seen by <DOCTOR W W>" fits "seen by vascular surgery".
func (m *templateMatcher) spans(t *Template, text string, base int, dst []phi.Span) []phi.Span {
	for _, mark := range t.marks {
		s := phi.Span{Start: base + m.terms[mark.first].start, End: base + m.terms[mark.end-1].end, Type: mark.typ}
		s.Sure = replaced(s.Type) && !plainWords(text[s.Start:s.End])
		dst = append(dst, s)
	}
	return dst
}

// plainWords reports whether a text has neither digit nor capital, nor letters without
// case.
func plainWords(s string) bool {
	for i := 0; i < len(s); {
		class, size := text.ClassOf(s[i:])
		switch class {
		case text.DigitRune, text.UpperRune, text.OtherLetter:
			return false
		}
		i += size
	}
	return true
}

// Wider returns the templates of the set that also fit where t does, and elsewhere: they
// have slots where t has words of its own.
func (s *Templates) Wider(t *Template) []*Template {
	nodes := []int32{0}
	for _, item := range t.items {
		var next []int32
		class := item.slot
		if class == 0 {
			class = nextTerm(item.text, 0).class
		}
		for _, node := range nodes {
			edges := []templateEdge{{node: node, slot: class, gap: item.gap}, {node: node, slot: MixedSlot, gap: item.gap}}
			if class == 0 || class == MixedSlot {
				edges = edges[:1]
			}
			if word := s.words[item.text]; item.slot == 0 && word != 0 {
				edges = append(edges, templateEdge{node: node, word: word, gap: item.gap})
			}
			for _, e := range edges {
				if to, ok := s.edges[e]; ok {
					next = append(next, to)
				}
			}
		}
		nodes = next
	}
	var out []*Template
	form := t.Form()
	for _, node := range nodes {
		if n := s.ends[node]; n != 0 && s.list[n-1].Form() != form {
			out = append(out, s.list[n-1])
		}
	}
	return out
}
