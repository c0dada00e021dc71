package record

import (
	"strings"
	"unicode"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// email finds an address of the gazetteer around the at sign i: as it is written, or with a wrong
// letter.
func (m *matcher) email(i int) int {
	if !m.glued(i) || !m.glued(i+1) || i == 0 {
		return 0
	}
	from := i - 1
	for from > 0 && from > i-text.LongestRun && m.inAddress(from) && !emailStop(m.punct(from-1)) {
		from--
	}
	end := i + 1
	for end < len(m.toks) && end < i+text.LongestRun && m.inAddress(end) && !emailStop(m.punct(end)) {
		end++
	}
	for k := from; k < i; k++ {
		h := newIdentHash()
		best := 0
		for j := k; j < end; j++ {
			m.steps++
			if m.toks[j].Kind == text.Punct {
				continue
			}
			h.write(m.tok(j))
			if x, ok := m.g.idents[h.hash]; ok && x.typ == phi.Email && int(x.n) == min(h.n, 255) && j > i {
				best = j + 1
			}
		}
		if best > 0 {
			return m.emit(k, best, phi.Email, true)
		}
	}
	if m.mode == exact {
		return 0
	}
	for end > i+1 && (m.toks[end-1].Kind == text.Punct || m.toks[end-1].Line) {
		end--
	}
	for k := i + 1; k < end; k++ {
		if m.toks[k].Line && m.punct(k-1) != '-' && m.punct(k-1) != '.' {
			end = k
		}
	}
	for ; from < i; from++ {
		if m.has(from-1) && m.glued(from) && from > 0 && m.toks[from-1].Kind != text.Punct {
			continue
		}
		m.steps++
		written := lettersAndDigits(m.text[m.toks[from].Start:m.toks[end-1].End])
		if w, _ := m.g.mails.nearest([]byte(written)); w != nil {
			return m.emit(from, end, phi.Email, true)
		}
	}
	return 0
}

// inAddress reports whether token i goes on with an address: without a blank, with its letters apart,
// or after one line's end that divides it.
func (m *matcher) inAddress(i int) bool {
	apart := func(i int) bool { return m.single(i) || m.has(i) && m.likeness(i) == inPieces }
	return m.glued(i) || apart(i) && (apart(i-1) || m.punct(i-1) == '.' && apart(i-2)) ||
		i > 0 && m.has(i) && m.toks[i].Line && m.text[m.toks[i].Start-1] == '\n' && m.toks[i].Start-m.toks[i-1].End == 1
}

func emailStop(c byte) bool {
	return c == ',' || c == ';' || c == ':' || c == '(' || c == ')' || c == '<' || c == '>' || c == '"' || c == '@'
}

// lettersAndDigits returns a text folded, without marks and blanks.
func lettersAndDigits(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, lexicon.Fold(s))
}
