package record

import (
	"context"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// matcher looks for what a gazetteer holds in one text.
type matcher struct {
	g    *Gazetteer
	text string
	toks []text.Token
	keys []text.Key
	out  []phi.Span
	base int
	// staff says that the gazetteer is a directory of a site: a single name counts
	// only where a member of the staff is expected, and slips of the pen not at all.
	staff bool
	// mustOnly leaves out what the leak check does not look for.
	mustOnly bool
	steps    int // what was looked at, for tests that hold it in proportion to the text
	cases    text.Casing
}

func newMatcher(g *Gazetteer, v *text.View, staff bool) *matcher {
	return &matcher{
		g: g, text: v.Text, toks: v.Tokens, keys: v.Keys(), staff: staff, cases: v.Casing(),
	}
}

func (m *matcher) run() {
	for i := 0; i < len(m.toks); i = max(i+1, m.at(i)) {
	}
}

// checkEvery is how many tokens a matcher reads between two looks at its context.
const checkEvery = 4096

// runContext is run for long texts that may be given up.
func (m *matcher) runContext(ctx context.Context) error {
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
	switch m.toks[i].Kind {
	case text.Number:
		if end := m.number(i); end > 0 || m.mustOnly {
			return end
		}
		return m.numberedPhrase(i)
	case text.Punct:
		if m.text[m.toks[i].Start] == '@' {
			return m.email(i)
		}
		return 0
	}
	if m.g.mayHold(m.keys[i].Hash) {
		if end := m.word(i); end > 0 {
			return end
		}
	}
	if end := m.apostropheName(i); end > 0 {
		return end
	}
	if m.staff {
		return 0
	}
	if end := m.login(i); end > 0 {
		return end
	}
	if m.mustOnly {
		return 0
	}
	if end := m.likeName(i); end > 0 {
		return end
	}
	return m.gluedName(i)
}

// word looks at a word that the gazetteer holds.
func (m *matcher) word(i int) int {
	w, ok := m.g.words[m.keys[i].Hash]
	if !ok {
		return 0
	}
	if w.bits&wIdent != 0 {
		if end := m.ident(i); end > 0 {
			return end
		}
	}
	if w.bits&wBirth != 0 && !m.mustOnly {
		if end := m.birthDate(i); end > 0 {
			return end
		}
	}
	if w.bits&wStreet != 0 {
		if end := m.street(i, true); end > 0 {
			return end
		}
	}
	if w.bits&wName != 0 {
		if end := m.name(i); end > 0 {
			return end
		}
	}
	if m.mustOnly {
		return 0
	}
	if w.bits&wPhrase != 0 {
		if end := m.phrase(i); end > 0 {
			return end
		}
	}
	if w.bits&wStreet != 0 {
		return m.street(i, false)
	}
	return 0
}

// emit adds the span of tokens [i, end). One that it overlaps keeps its place
// unless the new one covers it, or is sure where the old one is not. After a span
// that is not sure the search goes on inside it, so that it hides nothing.
func (m *matcher) emit(i, end int, t phi.Type, sure bool) int {
	from, to := m.toks[i].Start, m.toks[end-1].End
	for n := len(m.out); n > m.base && m.out[n-1].End > from; n = len(m.out) {
		last := &m.out[n-1]
		if (last.Start < from || last.Sure && !sure) && (last.Sure || !sure) {
			return end
		}
		m.out = m.out[:n-1]
	}
	m.out = append(m.out, phi.Span{Start: from, End: to, Type: t, Sure: sure})
	if !sure {
		return i + 1
	}
	return end
}

func (m *matcher) has(i int) bool { return uint(i) < uint(len(m.toks)) }

func (m *matcher) isWord(i int) bool { return m.has(i) && m.toks[i].Kind == text.Word }

func (m *matcher) tok(i int) string { return m.text[m.toks[i].Start:m.toks[i].End] }

// punct returns the ASCII form of the mark at token i, or 0.
func (m *matcher) punct(i int) byte {
	if !m.has(i) || m.toks[i].Kind != text.Punct {
		return 0
	}
	return text.PlainPunct(m.tok(i))
}

func (m *matcher) glued(i int) bool { return m.has(i) && !m.toks[i].Space }

func (m *matcher) sameLine(i int) bool { return m.has(i) && !m.toks[i].Line }

// plays reports whether token i plays one of the roles.
func (m *matcher) plays(i int, roles text.Roles) bool {
	return m.isWord(i) && text.RolesOf(m.tok(i))&roles != 0
}

// letter reports whether token i is a single letter, a capital.
func (m *matcher) letter(i int) bool {
	return m.isWord(i) && m.toks[i].Case == text.Upper && firstRune(m.tok(i)) == len(m.tok(i))
}
