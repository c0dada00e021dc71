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
	if len(m.g.mails.words) == 0 || i == 0 || !m.glued(i) || !m.glued(i+1) {
		return 0
	}
	from, end := i-1, i+1
	for from > 0 && from > i-text.LongestRun && m.inAddress(from) && !emailStop(m.punct(from-1)) {
		from--
	}
	for end < len(m.toks) && end < i+text.LongestRun && m.inAddress(end) && !emailStop(m.punct(end)) {
		end++
	}
	near := m.endOfAddress(i+1, end)
	for ; from < i; from++ {
		if from > 0 && m.glued(from) && m.toks[from-1].Kind != text.Punct {
			continue // inside a word
		}
		for to := end; to > i+1; to-- {
			m.steps++
			written := lettersAndDigits(m.text[m.toks[from].Start:m.toks[to-1].End])
			w, distance := m.g.mails.nearest([]byte(written))
			if w != nil && (distance == 0 || to == near && m.mode != exact) && m.toks[to-1].Kind != text.Punct {
				return m.emit(from, to, phi.Email, true)
			}
		}
	}
	return 0
}

// endOfAddress returns where an address with a wrong letter in tokens [i, end) ends: before a line that no
// mark divides, without marks.
func (m *matcher) endOfAddress(i, end int) int {
	for end > i+1 && (m.toks[end-1].Kind == text.Punct || m.toks[end-1].Line) {
		end--
	}
	for k := i + 1; k < end; k++ {
		if m.toks[k].Line && m.punct(k-1) != '-' && m.punct(k-1) != '.' {
			return k
		}
	}
	return end
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
