package record

import (
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

const (
	// maxIdentTokens bounds how many tokens an identifier may be written in.
	maxIdentTokens = 40
	// leastOverLines is how many letters and digits an identifier must have to be looked for over the
	// end of a line, around a decimal point, or before more digits: shorter ones may be met there by chance.
	leastOverLines = 7
)

// number looks for an identifier, a birth date or a phrase that begins with the number i.
func (m *matcher) number(i int) int {
	end := 0
	if len(m.g.idents) > 0 {
		end = m.ident(i)
	}
	if end == 0 && len(m.g.births) > 0 && m.mode != exact {
		end = m.birthDate(i)
	}
	if end == 0 && m.mode != exact {
		end = m.numberedPlace(i)
	}
	return end
}

// mayBeginIdent reports whether the word i may be the letters of a code: the rest is glued to it, or on
// the next line.
func (m *matcher) mayBeginIdent(i int) bool {
	const mostLetters = 6
	return m.mode == everything && m.toks[i].End-m.toks[i].Start <= mostLetters && (m.glued(i+1) || m.nextLine(i+1))
}

// ident finds the longest identifier that begins at token i, whatever marks and
// blanks divide it.
func (m *matcher) ident(i int) int {
	end, last, typ := 0, 0, phi.Type(0)
	h := newIdentHash()
	lines, point := 0, false
	for j := i; j < len(m.toks) && j < i+maxIdentTokens && h.n <= m.g.longestIdent; j++ {
		t := &m.toks[j]
		if j > i && t.Line {
			lines++
		}
		if lines > 1 || j > i && !m.near(j) || t.Kind == text.Word && j > i && t.Space && !t.Line && !(m.single(j) && m.glued(j+1) && m.isNumber(j+1)) {
			break
		}
		if t.Kind == text.Punct {
			if !m.joins(j) {
				break
			}
			point = point || m.punct(j) == '.' && m.glued(j) && m.glued(j+1) && m.isNumber(j-1) && m.isNumber(j+1)
			continue
		}
		m.steps++
		s := m.tok(j)
		for at := 0; at < len(s); {
			size := runeLen(s[at:])
			h.write(s[at : at+size])
			at += size
			x, ok := m.g.idents[h.hash]
			if !ok || int(x.n) != min(h.n, 255) || !x.must && m.mode == exact {
				continue
			}
			switch inside := at < len(s); {
			case inside && len(s) == t.End-t.Start && m.blankMissing(&h, x, t.Kind, s[at:]):
				end, typ = t.Start+at, x.typ
			case !inside && (lines == 0 && !point || h.all >= leastOverLines) && (h.all >= leastIdent || m.announced(i, x.typ)):
				end, typ = t.End, x.typ
			}
			last = j
		}
	}
	if end == 0 {
		return 0
	}
	if m.punct(i-1) == '(' && m.glued(i) && strings.Contains(m.text[m.toks[i].Start:end], ")") {
		i--
	}
	if typ == phi.Phone || typ == phi.Fax {
		i = m.countryCode(i)
		typ = m.lineType(i, typ)
	}
	m.add(phi.Span{Start: m.toks[i].Start, End: end, Type: typ, Sure: true})
	return last + 1
}

// countryCode returns the token of "+1", or of the "+" alone where the code is part of the
// number, before a telephone number at i, or i.
func (m *matcher) countryCode(i int) int {
	if m.punct(i-1) == '+' && m.glued(i) {
		return i - 1
	}
	if j := m.before(i, "-."); m.isNumber(j) && m.tok(j) == "1" && m.punct(j-1) == '+' && m.sameLine(i) {
		return j - 1
	}
	return i
}

// lineType returns what the words right before a number at token i call it: records hold
// a pager's number as a telephone's.
func (m *matcher) lineType(i int, t phi.Type) phi.Type {
	const most = 4 // tokens
	for j := i - 1; j >= 0 && j >= i-most && m.sameLine(j+1) && !m.isNumber(j); j-- {
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

// blankMissing reports whether an identifier ends where the rest of its last token begins: a long one
// anywhere, else where a word of texts is the rest.
func (m *matcher) blankMissing(h *identHash, x gazIdent, kind text.TokenKind, rest string) bool {
	if h.all >= leastOverLines {
		return x.must || m.mode == everything
	}
	low := []byte(lexicon.Fold(rest))
	return kind == text.Word && h.all >= leastIdent && (isInTexts(low) || classOf(rest)&isLabel != 0)
}

// announced reports whether a word before token i says that a number follows, as a short one needs. Before a
// postcode that is its place.
func (m *matcher) announced(i int, t phi.Type) bool {
	const most = 5 // tokens
	if t == phi.Zip && m.foundBefore(m.before(i, ","), phi.ClassLocation) {
		return true
	}
	for k := i - 1; k >= 0 && k >= i-most; k-- {
		if m.class(k)&isLabel != 0 {
			return true
		}
	}
	return false
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

// birthDate finds a date of birth in numbers, or with the month's name.
func (m *matcher) birthDate(i int) int {
	m.steps++
	var p [3]int
	j, end := i, 0
	for n := range p {
		if n > 0 {
			j = m.skipInDate(j, n == 2)
		}
		v, length := m.datePart(j, n == 2)
		if length == 0 {
			return 0
		}
		p[n], end = v, m.toks[j].Start+length
		j++
	}
	born := func(year, month, day int) bool {
		_, ok := m.g.births[birth{year, month, day}]
		return ok
	}
	full := p[0] > 99
	if full && (born(p[0], p[1], p[2]) || born(p[0], p[2], p[1])) || born(p[2], p[0], p[1]) || born(p[2], p[1], p[0]) {
		m.add(phi.Span{Start: m.toks[i].Start, End: end, Type: phi.Date, Sure: true})
		return j
	}
	return 0
}

// skipInDate returns the token after what may be between two parts of a date.
func (m *matcher) skipInDate(j int, comma bool) int {
	if m.class(j)&isInDate != 0 || m.isOrdinal(j) {
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

// datePart returns the value of the number or of the month's name at j, and its length or 0. The digits of a last
// year may be glued to others.
func (m *matcher) datePart(j int, last bool) (value, length int) {
	const year = 4 // digits
	if !m.has(j) {
		return 0, 0
	}
	length = m.toks[j].End - m.toks[j].Start
	if m.isNumber(j) {
		s := m.tok(j)
		if last && len(s) == length && length > year && isDigit(s[year-1]) {
			s, length = s[:year], year
		}
		v, n := text.Digits(s)
		if n > year {
			length = 0
		}
		return int(v), length
	}
	month, ok := months()[m.keys[j]]
	if !ok {
		length = 0
	}
	return month, length
}
