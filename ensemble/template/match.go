package template

import (
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// matcher walks sentences through the automaton of a set. It belongs to one
// goroutine.
type matcher struct {
	set       *Set
	terms     []term  // of the sentence so far
	now, next []int32 // nodes reached so far, and by the term at hand
}

// find returns the template that fits a sentence without bullets, or nil. It is at few nodes
// at once: at one for each way of reading the words so far as literals or slots.
func (m *matcher) find(sentence string) *Template {
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

// step advances by a term.
func (m *matcher) step(sentence string, tm term) {
	m.next = m.next[:0]
	word, known, kind := int32(0), false, kindOf(tm.class)
	for _, node := range m.now {
		kinds := m.set.kinds[node]
		if kinds&kindOf(0) != 0 {
			if !known {
				word, known = m.set.words[sentence[tm.start:tm.end]], true
			}
			if word != 0 {
				m.follow(edge{node: node, word: word, gap: tm.gap})
			}
		}
		if tm.class == 0 {
			continue
		}
		if kinds&kind != 0 {
			m.follow(edge{node: node, slot: tm.class, gap: tm.gap})
		}
		if tm.class != MixedSlot && kinds&kindOf(MixedSlot) != 0 {
			m.follow(edge{node: node, slot: MixedSlot, gap: tm.gap})
		}
	}
	m.now, m.next = m.next, m.now
}

func (m *matcher) follow(e edge) {
	if to, ok := m.set.edges[e]; ok {
		m.next = append(m.next, to)
	}
}

// spans appends the PHI of the sentence that was matched last, which begins at base of the
// text s. It is sure, since a person has verified the form, but for times, which stay in the
// text, and words in lower case: "seen by <DOCTOR W W>" fits "seen by vascular surgery".
func (m *matcher) spans(t *Template, s string, base int, dst []phi.Span) []phi.Span {
	for _, mk := range t.marks {
		f := phi.Span{Start: base + m.terms[mk.first].start, End: base + m.terms[mk.end-1].end, Type: mk.typ}
		f.Sure = replaced(f.Type) && !plainWords(s[f.Start:f.End])
		dst = append(dst, f)
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
