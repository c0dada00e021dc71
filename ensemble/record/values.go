package record

import (
	"strings"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

const (
	// maxIdentTokens bounds how many tokens an identifier may be written in.
	maxIdentTokens = 40
	// leastOverLines is how many letters and digits an identifier must have to be looked for over the
	// end of a line, or before more digits: shorter ones may be met there by chance.
	leastOverLines = 7
	// leastAlone is how many it must have to count whatever is next to it.
	leastAlone = 7
)

// number looks for an identifier or a birth date that begins with the number i.
func (m *matcher) number(i int) int {
	if len(m.g.idents) > 0 {
		if end := m.ident(i); end > 0 {
			return end
		}
	}
	if len(m.g.births) > 0 && m.mode != exact {
		return m.birthDate(i)
	}
	return 0
}

// mayBeginIdent reports whether the word i is the letters of a code: a number is glued to it, or to
// the rest of it on the next line.
func (m *matcher) mayBeginIdent(i int) bool {
	const mostLetters = 6
	if m.mode != everything || m.toks[i].End-m.toks[i].Start > mostLetters {
		return false
	}
	j := i + 1
	if m.isNumber(j) && m.glued(j) {
		return true
	}
	if m.punct(j) == '-' && m.glued(j) {
		j++
	}
	return m.nextLine(j) && (m.isNumber(j) || m.isWord(j) && m.isNumber(j+1) && m.glued(j+1))
}

// identMatch is an identifier that was found.
type identMatch struct {
	gazIdent
	last int // token
	end  int // byte
}

// ident finds the longest identifier that begins at token i, whatever marks and
// blanks divide it.
func (m *matcher) ident(i int) int {
	if m.decimals(i) {
		return 0
	}
	var best identMatch
	h := newIdentHash()
	lines := 0
	for j := i; j < len(m.toks) && j < i+maxIdentTokens && h.n <= m.g.longestIdent; j++ {
		t := &m.toks[j]
		if j > i && t.Line {
			lines++
		}
		if lines > 1 || j > i && !m.near(j) || t.Kind == text.Word && j > i && t.Space && !t.Line {
			break
		}
		if t.Kind == text.Punct {
			if !m.joins(j) {
				break
			}
			continue
		}
		m.steps++
		if len(m.tok(j)) == t.End-t.Start {
			m.endsInside(&best, &h, j)
		} else {
			h.write(m.tok(j))
		}
		if x, ok := m.identAt(&h); ok && (lines == 0 || h.all >= leastOverLines) && m.identCounts(i, j, h.all, x) {
			best = identMatch{x, j, t.End}
		}
	}
	if best.end == 0 {
		return 0
	}
	return m.emitIdent(i, best)
}

// identAt returns the identifier that was read.
func (m *matcher) identAt(h *identHash) (gazIdent, bool) {
	x, ok := m.g.idents[h.hash]
	return x, ok && x.n == uint8(min(h.n, 255)) && (x.must || m.mode != exact)
}

// endsInside reads token j character by character: an identifier may end inside, where the blank behind
// it is missing.
func (m *matcher) endsInside(best *identMatch, h *identHash, j int) {
	s, start := m.tok(j), m.toks[j].Start
	for at := 0; at < len(s); {
		_, size := utf8.DecodeRuneInString(s[at:])
		h.write(s[at : at+size])
		at += size
		if h.all < leastOverLines || at == len(s) {
			continue
		}
		if x, ok := m.identAt(h); ok && x.must {
			*best = identMatch{x, j, start + at}
		}
	}
}

// emitIdent emits an identifier that begins at token i.
func (m *matcher) emitIdent(i int, found identMatch) int {
	if m.punct(i-1) == '(' && m.glued(i) && strings.Contains(m.text[m.toks[i].Start:found.end], ")") {
		i--
	}
	if found.typ == phi.Phone || found.typ == phi.Fax {
		i = m.countryCode(i)
		found.typ = m.lineType(i, found.typ)
	}
	m.add(phi.Span{Start: m.toks[i].Start, End: found.end, Type: found.typ, Sure: true})
	return found.last + 1
}

// lineType returns what the words right before a number at token i call it: records hold
// a pager's number as a telephone's.
func (m *matcher) lineType(i int, t phi.Type) phi.Type {
	for j := i - 1; j >= 0 && j > i-5 && m.sameLine(j+1) && !m.isNumber(j); j-- {
		switch c := m.class(j); {
		case c&isFaxLabel != 0:
			return phi.Fax
		case c&isPagerLabel != 0:
			return phi.Pager
		case c&isPhoneLabel != 0:
			return phi.Phone
		}
	}
	return t
}

// countryCode returns the token of "+1", or of the "+" alone where the code is part of the
// number, before a telephone number at i, or i.
func (m *matcher) countryCode(i int) int {
	if m.punct(i-1) == '+' && m.glued(i) {
		return i - 1
	}
	j := i - 1
	if c := m.punct(j); c == '-' || c == '.' {
		j--
	}
	if m.isNumber(j) && m.tok(j) == "1" && m.punct(j-1) == '+' && m.sameLine(i) {
		return j - 1
	}
	return i
}

// decimals reports whether the number i is the second part of "0.123456".
func (m *matcher) decimals(i int) bool {
	if !m.glued(i) || m.punct(i-1) != '.' || !m.glued(i-1) || !m.isNumber(i-2) || len(m.tok(i-2)) > 2 {
		return false
	}
	return !m.glued(i+1) || m.toks[i+1].Kind != text.Punct || !m.glued(i+2)
}

// joins reports whether the mark at j may be inside an identifier.
func (m *matcher) joins(j int) bool {
	switch m.punct(j) {
	case '-', '.', '/', '(', ')', '_', ' ', '@', '+', '*':
		return m.has(j + 1)
	case ',':
		return m.likeness(j+1) == inPieces // said in words
	}
	return false
}

// identCounts reports whether an identifier found in tokens i to j is one: short
// ones must not be quantities and need a word that announces them.
func (m *matcher) identCounts(i, j, n int, x gazIdent) bool {
	if m.likeness(i) == inPieces || j > i && m.likeness(j) == inPieces {
		return n > leastIdent || x.typ == phi.Zip && n == leastIdent
	}
	if m.glued(j+1) && m.toks[j].Kind == text.Word && m.toks[j+1].Kind == text.Word {
		return false
	}
	if m.glued(j+1) && n <= leastAlone && m.class(j+1)&isUnit != 0 {
		return false
	}
	if j == i+2 && m.punct(i+1) == '.' && len(m.tok(i)) < 3 {
		return false
	}
	if n >= leastAlone || x.must && n > leastIdent {
		return true
	}
	if m.punct(j+1) == '.' && m.glued(j+1) && m.glued(j+2) && m.isNumber(j+2) {
		return false
	}
	if n >= leastIdent {
		return x.typ != phi.Zip || m.toks[j].End-m.toks[i].Start == n
	}
	for k := i - 1; k >= 0 && k > i-6; k-- {
		if c := m.punct(k); c == ',' || c == ';' {
			return false
		}
		if m.class(k)&isLabel != 0 {
			return true
		}
	}
	return false
}

// birthDate finds a date of birth in numbers, or with the month's name.
func (m *matcher) birthDate(i int) int {
	m.steps++
	var p [3]int
	j := i
	for n := range p {
		if n > 0 {
			j = m.skipInDate(j, n == 2)
		}
		v, ok := m.datePart(j)
		if !ok {
			return 0
		}
		p[n] = v
		j++
	}
	born := func(year, month, day int) bool {
		_, ok := m.g.births[birth{year, month, day}]
		return ok
	}
	full := p[0] > 99
	if full && (born(p[0], p[1], p[2]) || born(p[0], p[2], p[1])) || born(p[2], p[0], p[1]) || born(p[2], p[1], p[0]) {
		return m.emit(i, j, phi.Date, true)
	}
	return 0
}

// skipInDate returns the token after what may be between two parts of a date.
func (m *matcher) skipInDate(j int, comma bool) int {
	if m.class(j)&isInDate != 0 || m.isWord(j) && m.glued(j) && m.toks[j].End-m.toks[j].Start == len("th") {
		j++
	}
	for end := j + 8; m.has(j) && m.toks[j].Kind == text.Punct && j < end && !m.toks[j].Line && (comma || m.punct(j) != ','); {
		j++
	}
	if m.class(j)&isInDate != 0 {
		j++
	}
	return j
}

// datePart returns the value of the number or of the month's name at j.
func (m *matcher) datePart(j int) (int, bool) {
	if m.isNumber(j) {
		v, n := text.Digits(m.tok(j))
		return int(v), n <= 4
	}
	if !m.isWord(j) {
		return 0, false
	}
	month, ok := months()[m.keys[j].Hash]
	return month, ok
}
