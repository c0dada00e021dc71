package record

import (
	"context"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// matcher looks for what a gazetteer holds in one reading of a text.
type matcher struct {
	phi.Redacted

	reading
	g     *Gazetteer
	mode  mode
	cases text.Casing
	out   []phi.Span
	steps int // what was looked at, for tests that hold it in proportion to the text
}

func (g *Gazetteer) newMatcher(v *text.View, mode mode) *matcher {
	m := &matcher{g: g, mode: mode, cases: v.Casing()}
	m.reading, m.steps = g.readingOf(v, mode)
	return m
}

// checkEvery is how many tokens a matcher reads between two looks at its context.
const checkEvery = 4096

func (m *matcher) run(ctx context.Context) error {
	next := checkEvery
	for i := 0; i < len(m.toks); i = max(i+1, m.at(i)) {
		if i >= next {
			next = i + checkEvery
			if err := ctx.Err(); err != nil {
				return err
			}
		}
	}
	return ctx.Err()
}

// at looks for something that begins at token i and returns where to go on.
func (m *matcher) at(i int) int {
	m.steps++
	switch t := &m.toks[i]; {
	case t.Kind == text.Number:
		return m.number(i)
	case t.Kind == text.Punct && m.text[t.Start] == '@':
		return m.email(i)
	case t.Kind == text.Punct:
		return 0
	case m.likeness(i) == isLogin:
		return m.login(i)
	}
	end := m.word(i)
	if end == 0 && m.mayBeginIdent(i) {
		end = m.ident(i)
	}
	if end == 0 && m.mode == everything && m.toks[i].End-m.toks[i].Start <= 3 {
		end = m.initials(i)
	}
	return end
}

// word looks at a word that the gazetteer holds: for the longest kind of value first.
func (m *matcher) word(i int) int {
	w := m.wordAt(i)
	if w.bits == 0 {
		return 0
	}
	end := 0
	if w.bits&wIdent != 0 {
		end = m.ident(i)
	}
	if end == 0 && w.bits&wBirth != 0 && m.mode != exact {
		end = m.birthDate(i)
	}
	if end == 0 && w.bits&wStreet != 0 {
		end = m.street(i, true)
	}
	if end == 0 && w.bits&wName != 0 {
		end = m.name(i)
	}
	if end == 0 && w.bits&wPhrase != 0 && m.mode != exact {
		end = m.phrase(i)
	}
	if end == 0 && w.bits&wStreet != 0 && m.mode != exact {
		end = m.street(i, false)
	}
	return end
}

// login takes a word that is made of the patient's names as logins are, with the number after it.
func (m *matcher) login(i int) int {
	end := i + 1
	if m.glued(end) && m.isNumber(end) {
		end++
	}
	return m.emit(i, end, phi.Username, true)
}

// emit adds the span of tokens [i, end). After a span that is not sure the search goes on inside
// it, so that it hides nothing.
func (m *matcher) emit(i, end int, t phi.Type, sure bool) int {
	m.add(phi.Span{Start: m.toks[i].Start, End: m.toks[end-1].End, Type: t, Sure: sure})
	if !sure {
		return i + 1
	}
	return end
}

// add adds a span. One that it overlaps keeps its place, and takes in the rest of the new one if that
// is sure, unless the new one covers it, or is sure where the old one is not.
func (m *matcher) add(s phi.Span) {
	for n := len(m.out); n > 0 && m.out[n-1].End > s.Start; n = len(m.out) {
		last := &m.out[n-1]
		if (last.Start < s.Start || last.Sure && !s.Sure) && (last.Sure || !s.Sure) {
			if s.Sure {
				last.End = max(last.End, s.End)
			}
			return
		}
		m.out = m.out[:n-1]
	}
	m.out = append(m.out, s)
}

// foundBefore reports whether something of the class was found that ends with token i.
func (m *matcher) foundBefore(i int, class phi.Class) bool {
	n := len(m.out)
	return n > 0 && m.has(i) && m.out[n-1].End == m.toks[i].End && m.out[n-1].Type.Class() == class
}

// letter reports whether token i is a single letter, a capital.
func (m *matcher) letter(i int) bool { return m.single(i) && m.toks[i].Case == text.Upper }

func (m *matcher) lower(i int) bool { return m.toks[i].Case == text.Lower }

// keyOf returns the key of the word or number i.
func (m *matcher) keyOf(i int) uint64 {
	if m.isNumber(i) {
		return text.KeyOf(m.tok(i))
	}
	return m.keys[i]
}

func (m *matcher) wordAt(i int) gazWord { return m.g.words.get(m.keys[i]) }

// entry returns what the lexicon knows of the word i.
func (m *matcher) entry(i int) lexicon.Entry {
	e, _ := lexicon.Lookup(m.tok(i))
	return e
}

// common returns how often the word i is met in lower case, on the lexicon's scale.
func (m *matcher) common(i int) uint8 { return m.entry(i).Common }

// isAnyOf reports whether token i is one of the words.
func (m *matcher) isAnyOf(i int, words map[string]bool) bool {
	var buf [24]byte
	if !m.isWord(i) {
		return false
	}
	low, ok := lexicon.LowerASCII(buf[:], m.tok(i))
	return ok && words[string(low)]
}
