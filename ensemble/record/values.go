package record

import (
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// maxIdentTokens bounds how many tokens an identifier may be written in.
const maxIdentTokens = 12

// leastOverLines is how many letters and digits an identifier must have to be looked for
// over the end of a line: shorter ones may meet there by chance.
const leastOverLines = 7

// number looks for an identifier, a birth date or a street that begins with the
// number i.
func (m *matcher) number(i int) int {
	if len(m.g.idents) > 0 {
		if end := m.ident(i); end > 0 {
			return end
		}
	}
	if len(m.g.births) > 0 && !m.mustOnly {
		return m.birthDate(i)
	}
	return 0
}

// ident finds the longest identifier that begins at token i, whatever marks and
// blanks divide it.
func (m *matcher) ident(i int) int {
	if m.decimals(i) {
		return 0
	}
	h := newIdentHash()
	best, found := 0, gazIdent{}
	lines := 0
	for j := i; j < len(m.toks) && j < i+maxIdentTokens && lines < 2; j++ {
		t := &m.toks[j]
		if j > i && t.Line {
			lines++
		}
		if t.Kind == text.Word && j > i && t.Space && !t.Line {
			break
		}
		if t.Kind == text.Punct {
			if !m.joins(j) {
				break
			}
			continue
		}
		h.write(m.tok(j))
		if x, ok := m.g.idents[h.hash]; ok && x.n == uint8(min(h.n, 255)) && (x.must ||
			!m.mustOnly) && (lines == 0 || h.all >= leastOverLines) && m.identCounts(i, j, h.all, x) {
			best, found = j+1, x
		}
	}
	if best == 0 {
		return 0
	}
	if m.punct(i-1) == '(' && m.glued(i) && m.closes(i, best) {
		i--
	}
	if found.typ == phi.Phone || found.typ == phi.Fax {
		i = m.countryCode(i)
		found.typ = m.lineType(i, found.typ)
	}
	return m.emit(i, best, found.typ, true)
}

// lineType returns what the words right before a number at token i call it: records hold
// a pager's number as a telephone's.
func (m *matcher) lineType(i int, t phi.Type) phi.Type {
	for j := i - 1; j >= 0 && j > i-5 && m.sameLine(j+1); j-- {
		switch m.toks[j].Kind {
		case text.Number:
			return t
		case text.Word:
			switch text.MarkOf(m.tok(j)).Label {
			case text.LabelFax:
				return phi.Fax
			case text.LabelPager:
				return phi.Pager
			case text.LabelPhone:
				return phi.Phone
			}
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
	if m.has(j) && m.toks[j].Kind == text.Number && m.tok(j) == "1" && m.punct(j-1) == '+' && m.sameLine(i) {
		return j - 1
	}
	return i
}

func (m *matcher) closes(i, end int) bool {
	for ; i < end; i++ {
		if m.punct(i) == ')' {
			return true
		}
	}
	return false
}

// decimals reports whether the number i is the second part of "0.123456".
func (m *matcher) decimals(i int) bool {
	if !m.glued(i) || m.punct(i-1) != '.' || !m.glued(i-1) || !m.has(i-2) || m.toks[i-2].Kind != text.Number || len(m.tok(i-2)) > 2 {
		return false
	}
	return !m.glued(i+1) || m.toks[i+1].Kind != text.Punct || !m.glued(i+2)
}

// joins reports whether the mark at j may be inside an identifier.
func (m *matcher) joins(j int) bool {
	switch m.punct(j) {
	case '-', '.', '/', '(', ')', '_', ' ', '@', '+', '*':
		return m.has(j + 1)
	}
	return false
}

// identCounts reports whether an identifier found in tokens i to j is one: short
// ones must not be quantities and need a word that announces them.
func (m *matcher) identCounts(i, j, n int, x gazIdent) bool {
	if m.glued(j+1) && m.toks[j].Kind == text.Word && m.toks[j+1].Kind == text.Word {
		return false
	}
	if m.glued(j+1) && n < 8 && m.isWord(j+1) && text.MarkOf(m.tok(j+1)).Classes&text.IsUnit != 0 {
		return false
	}
	if j == i+2 && m.punct(i+1) == '.' && len(m.tok(i)) < 3 {
		return false
	}
	if n >= 7 || x.must && n > leastIdent {
		return true
	}
	if m.has(j+2) && m.punct(j+1) == '.' && m.glued(j+1) && m.glued(j+2) && m.toks[j+2].Kind == text.Number {
		return false
	}
	if n >= leastIdent {
		return x.typ != phi.Zip || j == i
	}
	for k := i - 1; k >= 0 && k > i-6; k-- {
		if c := m.punct(k); c == ',' || c == ';' {
			return false
		}
		if m.isWord(k) && text.MarkOf(m.tok(k)).Label != text.NoLabel {
			return true
		}
	}
	return false
}

// email finds an address of the gazetteer around the at sign i.
func (m *matcher) email(i int) int {
	if !m.glued(i) || !m.glued(i+1) || i == 0 {
		return 0
	}
	from := i - 1
	for from > 0 && from > i-text.LongestRun && m.inAddress(from) && !emailStop(m.punct(from-1)) {
		from--
	}
	first := from
	for ; from < i; from++ {
		h := newIdentHash()
		best := 0
		for j := from; j < len(m.toks) && j < i+text.LongestRun && (j == from || m.inAddress(j)); j++ {
			if m.toks[j].Kind == text.Punct {
				continue
			}
			h.write(m.tok(j))
			if x, ok := m.g.idents[h.hash]; ok && x.typ == phi.Email && int(x.n) == min(h.n, 255) && j > i {
				best = j + 1
			}
		}
		if best > 0 {
			return m.emit(from, best, phi.Email, true)
		}
	}
	if m.mustOnly {
		return 0
	}
	return m.misspeltEmail(first, i)
}

// inAddress reports whether token i goes on with an address: without a blank, or after one line's
// end that divides it.
func (m *matcher) inAddress(i int) bool {
	return m.glued(i) || i > 0 && m.toks[i].Line && m.text[m.toks[i].Start-1] == '\n' && m.toks[i].Start-m.toks[i-1].End == 1
}

// misspeltEmail finds an address of the gazetteer with one wrong letter, around the at sign i; the
// address as written begins at token from or later.
func (m *matcher) misspeltEmail(from, i int) int {
	end := i + 1
	for end < len(m.toks) && end < i+text.LongestRun && m.glued(end) && !emailStop(m.punct(end)) {
		end++
	}
	for ; end > i+1 && m.toks[end-1].Kind == text.Punct; end-- {
	}
	for ; from < i; from++ {
		m.steps++
		if m.has(from-1) && m.glued(from) && from > 0 && m.toks[from-1].Kind != text.Punct {
			continue
		}
		if written := lettersAndDigits(m.text[m.toks[from].Start:m.toks[end-1].End]); len(m.g.mails.Near([]byte(written))) > 0 {
			return m.emit(from, end, phi.Email, true)
		}
	}
	return 0
}

func emailStop(c byte) bool {
	return c == ',' || c == ';' || c == ':' || c == '(' || c == ')' || c == '<' || c == '>' || c == '"' || c == '@'
}

// birthDate finds a date of birth in numbers, or with the month's name.
func (m *matcher) birthDate(i int) int {
	m.steps++
	var p [3]int
	j := i
	for n := range p {
		if n > 0 {
			if m.isWord(j) && text.MarkOf(m.tok(j)).Classes&text.IsOrdinal != 0 {
				j++
			}
			for m.has(j) && m.toks[j].Kind == text.Punct && j < i+10 && !m.toks[j].Line && (n == 2 || m.punct(j) != ',') {
				j++
			}
			if m.isWord(j) && text.MarkOf(m.tok(j)).Classes&text.IsOf != 0 {
				j++
			}
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

// datePart returns the value of the number or of the month's name at j.
func (m *matcher) datePart(j int) (int, bool) {
	if !m.has(j) {
		return 0, false
	}
	switch m.toks[j].Kind {
	case text.Number:
		v, n := text.Digits(m.tok(j))
		return int(v), n <= 4
	case text.Word:
		mark := text.MarkOf(m.tok(j))
		return int(mark.Number), mark.Classes&text.IsMonth != 0
	}
	return 0, false
}
