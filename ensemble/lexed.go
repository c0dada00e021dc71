package ensemble

import (
	"strings"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// Entries returns what the lexicon knows of each token, computed once for all
// members: entry i belongs to token i and is zero for unknown words, numbers and
// punctuation. The slice is shared: read only.
func (n *Note) Entries() []lexicon.Entry {
	if n.entries == nil {
		tokens := n.Tokens()
		n.entries = make([]lexicon.Entry, len(tokens))
		n.cues = make([]cue, len(tokens))
		table := cueTable()
		var buf [24]byte
		for i, t := range tokens {
			if t.Kind != Word {
				continue
			}
			s := n.Text[t.Start:t.End]
			n.entries[i], _ = lexicon.Lookup(s)
			if key, ok := lexicon.LowerASCII(buf[:], s); ok {
				n.cues[i] = table[string(key)]
			}
		}
	}
	return n.entries
}

// reading is a note's tokens with what is known of each, for detectors that look
// at words and their neighbours. Its methods take token numbers; a number out of
// range is no word, no punctuation and plays no role.
type reading struct {
	text    string
	tokens  []Token
	entries []lexicon.Entry
	cues    []cue
}

func read(n *Note) *reading {
	entries := n.Entries()
	return &reading{text: n.Text, tokens: n.Tokens(), entries: entries, cues: n.cues}
}

func (r *reading) has(i int) bool { return i >= 0 && i < len(r.tokens) }

// str returns the text of token i.
func (r *reading) str(i int) string {
	if !r.has(i) {
		return ""
	}
	return r.text[r.tokens[i].Start:r.tokens[i].End]
}

func (r *reading) entry(i int) lexicon.Entry {
	if !r.has(i) {
		return lexicon.Entry{}
	}
	return r.entries[i]
}

func (r *reading) is(i int, c cue) bool { return r.has(i) && r.cues[i]&c != 0 }

// roles returns the roles of word i as a cue.
func (r *reading) roles(i int) cue {
	if !r.has(i) {
		return 0
	}
	return r.cues[i]
}

// caseOf returns how word i is written.
func (r *reading) caseOf(i int) Case {
	if !r.has(i) {
		return Lower
	}
	return r.tokens[i].Case
}

// opensLine reports whether token i is the first of a line.
func (r *reading) opensLine(i int) bool { return r.has(i) && r.tokens[i].Line }

// spaced reports whether white space stands before token i.
func (r *reading) spaced(i int) bool { return r.has(i) && r.tokens[i].Space }

func (r *reading) word(i int) bool { return r.has(i) && r.tokens[i].Kind == Word }

func (r *reading) number(i int) bool { return r.has(i) && r.tokens[i].Kind == Number }

func (r *reading) punct(i int, c byte) bool {
	return r.has(i) && r.tokens[i].Kind == Punct && r.text[r.tokens[i].Start] == c
}

// apostrophe tells the straight and the typographic one.
func (r *reading) apostrophe(i int) bool {
	return r.punct(i, '\'') || r.has(i) && r.tokens[i].Kind == Punct && r.str(i) == "’"
}

// equal compares a word with one in lower case.
func (r *reading) equal(i int, lower string) bool {
	return r.word(i) && len(r.str(i)) == len(lower) && strings.EqualFold(r.str(i), lower)
}

// capital tells a word that begins with a capital or has one inside.
func (r *reading) capital(i int) bool { return r.word(i) && r.tokens[i].Case != Lower }

// title tells a word of several letters written like a name in running text.
func (r *reading) title(i int) bool {
	return r.word(i) && (r.tokens[i].Case == Title || r.tokens[i].Case == Mixed)
}

func (r *reading) inLower(i int) bool { return r.word(i) && r.tokens[i].Case == Lower }

// letter tells a single capital.
func (r *reading) letter(i int) bool {
	return r.word(i) && r.tokens[i].Case == Upper && utf8.RuneCountInString(r.str(i)) == 1
}

// glued reports whether token i follows the one before it without white space.
func (r *reading) glued(i int) bool { return i > 0 && r.has(i) && !r.tokens[i].Space }

// follows reports whether token i goes on where the one before it stopped: on its
// line, or in the next one of a text that is wrapped.
func (r *reading) follows(i int) bool {
	return i > 0 && r.has(i) && (!r.tokens[i].Line || r.wrapped(i))
}

// wrappedLine is the least length of a line, in bytes, that is taken to go on in
// the next.
const wrappedLine = 40

// wrapped reports whether the line break before token i only wraps a long line.
func (r *reading) wrapped(i int) bool {
	end := r.tokens[i-1].End
	if r.tokens[i-1].Kind == Punct && r.text[end-1] != ',' {
		return false
	}
	between := r.text[end:r.tokens[i].Start]
	if strings.Count(between, "\n") != 1 {
		return false
	}
	from := max(0, end-wrappedLine)
	return end-from == wrappedLine && strings.IndexByte(r.text[from:end], '\n') < 0
}

// begins reports whether a word begins a sentence, a line or a field.
func (r *reading) begins(i int) bool {
	if i <= 0 || r.tokens[i].Line {
		return true
	}
	p := r.tokens[i-1]
	if p.Kind != Punct {
		return false
	}
	switch r.text[p.Start] {
	case '.', '!', '?', ':', ';', '*', '-', '"', '(', ')', '|', '#', '>', '[', ']':
		return !(r.text[p.Start] == '.' && r.letter(i-2)) && !(r.text[p.Start] == '.' && r.is(i-2, cueDoctorTitle|cuePersonTitle))
	}
	return false
}

// unknown tells a word of three letters or more that the lexicon has not heard of.
func (r *reading) unknown(i int) bool {
	return r.word(i) && r.entries[i] == (lexicon.Entry{}) && len(r.str(i)) >= 3 && r.cues[i] == 0
}

// odds weighs a word as a name against the word as anything else, in the
// lexicon's steps of an eighth of a power of two.
func (r *reading) odds(i int) int {
	e := r.entry(i)
	return int(max(e.Surname, e.First)) - int(max(e.Common, e.Capital))
}

// back returns the number of the token before i, over punctuation marks in skip.
func (r *reading) back(i int, skip string) int {
	i--
	for r.has(i) && r.tokens[i].Kind == Punct && strings.IndexByte(skip, r.text[r.tokens[i].Start]) >= 0 {
		i--
	}
	return i
}

// span makes a span of the tokens [from, to).
func (r *reading) span(from, to int, t phi.Type) phi.Span {
	return phi.Span{Start: r.tokens[from].Start, End: r.tokens[to-1].End, Type: t}
}
