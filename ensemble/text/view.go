package text

import (
	"strings"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// View is a text with its tokens, its sentences and what is known of each word. Its methods
// take the numbers of tokens; a number out of range is no word, no punctuation and plays no
// role. What only some need is computed on first use, so a View belongs to one goroutine at
// a time. Fields and slices are shared: read only.
type View struct {
	phi.Redacted

	Text   string
	Tokens []Token

	entries   []lexicon.Entry // by token
	roles     []Roles         // by token
	keys      []uint64        // by token
	sentences []phi.Range
}

// NewView splits a text into tokens.
func NewView(s string) *View { return &View{Text: s, Tokens: Tokenize(s)} }

// Entries returns what the lexicon knows of each token: nothing of unknown words, numbers
// and punctuation.
func (v *View) Entries() []lexicon.Entry {
	if v.entries == nil {
		v.lookUp()
	}
	return v.entries
}

// lookUp fills in entries and roles.
func (v *View) lookUp() {
	v.entries = make([]lexicon.Entry, len(v.Tokens))
	v.roles = make([]Roles, len(v.Tokens))
	for i, t := range v.Tokens {
		if t.Kind == Word {
			s := v.Text[t.Start:t.End]
			v.entries[i], _ = lexicon.Lookup(s)
			v.roles[i] = RolesOf(s)
		}
	}
}

// Keys returns the keys of the words; other tokens have none.
func (v *View) Keys() []uint64 {
	if v.keys == nil {
		v.keys = make([]uint64, len(v.Tokens))
		for i, t := range v.Tokens {
			if t.Kind == Word {
				v.keys[i] = KeyOf(v.Text[t.Start:t.End])
			}
		}
	}
	return v.keys
}

// Has reports whether there is a token i.
func (v *View) Has(i int) bool { return i >= 0 && i < len(v.Tokens) }

// Str returns the text of token i.
func (v *View) Str(i int) string {
	if !v.Has(i) {
		return ""
	}
	return v.Text[v.Tokens[i].Start:v.Tokens[i].End]
}

// Entry returns what the lexicon knows of token i.
func (v *View) Entry(i int) lexicon.Entry {
	if !v.Has(i) {
		return lexicon.Entry{}
	}
	return v.Entries()[i]
}

// Is reports whether word i plays any of the roles.
func (v *View) Is(i int, roles Roles) bool { return v.Roles(i)&roles != 0 }

// Roles returns the roles of word i.
func (v *View) Roles(i int) Roles {
	if !v.Has(i) {
		return 0
	}
	v.Entries()
	return v.roles[i]
}

// Case returns how word i is written.
func (v *View) Case(i int) Case {
	if !v.Has(i) {
		return Lower
	}
	return v.Tokens[i].Case
}

// OpensLine reports whether token i is the first of a line.
func (v *View) OpensLine(i int) bool { return v.Has(i) && v.Tokens[i].Line }

// EndsLine reports whether token i begins a line or is beyond the text.
func (v *View) EndsLine(i int) bool { return !v.Has(i) || v.OpensLine(i) }

// Spaced reports whether white space precedes token i.
func (v *View) Spaced(i int) bool { return v.Has(i) && v.Tokens[i].Space }

// Word reports whether token i is a word.
func (v *View) Word(i int) bool { return v.Has(i) && v.Tokens[i].Kind == Word }

// Number reports whether token i is a number.
func (v *View) Number(i int) bool { return v.Has(i) && v.Tokens[i].Kind == Number }

// Punct reports whether token i is the punctuation mark c.
func (v *View) Punct(i int, c byte) bool {
	return v.Has(i) && v.Tokens[i].Kind == Punct && v.Text[v.Tokens[i].Start] == c
}

// Equal reports whether token i is a word, given in lower case.
func (v *View) Equal(i int, lower string) bool {
	return v.Word(i) && len(v.Str(i)) == len(lower) && strings.EqualFold(v.Str(i), lower)
}

// Capital reports whether token i is a word that begins with a capital or has one inside.
func (v *View) Capital(i int) bool { return v.Word(i) && v.Tokens[i].Case != Lower }

// Title reports whether token i is a word of several letters, written like a name in running text.
func (v *View) Title(i int) bool {
	return v.Word(i) && (v.Tokens[i].Case == Title || v.Tokens[i].Case == Mixed)
}

// InLower reports whether token i is a word without a capital.
func (v *View) InLower(i int) bool { return v.Word(i) && v.Tokens[i].Case == Lower }

// Letter reports whether token i is a single capital.
func (v *View) Letter(i int) bool {
	return v.Word(i) && v.Tokens[i].Case == Upper && utf8.RuneCountInString(v.Str(i)) == 1
}

// Glued reports whether token i follows the one before it without white space.
func (v *View) Glued(i int) bool { return i > 0 && v.Has(i) && !v.Tokens[i].Space }

// Back returns the number of the token before i, over punctuation marks in skip.
func (v *View) Back(i int, skip string) int {
	i--
	for v.Has(i) && v.Tokens[i].Kind == Punct && strings.IndexByte(skip, v.Text[v.Tokens[i].Start]) >= 0 {
		i--
	}
	return i
}

// Span returns the span of the tokens [from, to).
func (v *View) Span(from, to int, t phi.Type) phi.Span {
	return phi.Span{Start: v.Tokens[from].Start, End: v.Tokens[to-1].End, Type: t}
}
