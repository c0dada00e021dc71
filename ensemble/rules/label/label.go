// Package label finds the word that announces a value: "MRN: 123", "fax (555) 555-0100".
// Rules that can't tell a value by its form ask it which kind of value begins at a token.
package label

import (
	_ "embed"
	"math/bits"
	"strings"
	"sync"

	"github.com/pgdeid/pgdeid/ensemble/rules/cue"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

//go:embed words.txt
var wordFile string

// Kind is what a label announces.
type Kind uint8

// The kinds of labels.
const (
	None Kind = iota
	Phone
	Fax
	Pager
	Extension
	SSN
	Record
	Plan
	Account
	License
	Vehicle
	Device
	Biometric
	ID
	Generic // an identifier of a kind that another label says
	Code    // a code that identifies no one
	IP
	Zip
	Address
	Login
)

// kinds are the sections of the file that hold labels, in the order of their sets.
var kinds = [...]Kind{
	Phone, Phone, Fax, Fax, Pager, Extension, SSN, Record, Plan, Account, License, Vehicle, Device, Biometric, ID, Generic, Code, IP, Zip,
	Address, Login,
}

var sections = []string{
	"phone", "letter", "fax-letter", "fax", "pager", "extension", "ssn", "record", "plan", "account", "license", "vehicle", "device",
	"biometric", "id", "generic", "code", "ip", "zip", "address", "login", "capitals", "ordinary", "small", "number", "filler",
}

// Sets of words with a meaning of their own.
const (
	letters  cue.Set = 1<<1 | 1<<2
	capitals cue.Set = 1 << (len(kinds) + iota - 1)
	ordinary
	inSmall
	number
	filler

	labels cue.Set = 1<<len(kinds) - 1
)

var words = sync.OnceValue(func() *cue.Words { return cue.MustLoad(wordFile, sections...) })

// Label is a word that announces a value.
type Label struct {
	Kind Kind
	// At is the label's token.
	At int
	// Least is the fewest digits that the value must have.
	Least int
	// Marked reports whether a colon, a number sign or a word for "number" follows the label.
	Marked bool
}

// reach is how many tokens a label may be before its value: "medical record number of the
// patient is: 123".
const reach = 8

// Before returns the label of the value that begins at token i. The nearest label counts;
// one that says only that it is an identifier leaves the kind to a label before it.
func Before(v *text.View, i int) Label {
	f := finder{Reader: cue.Reader{View: v, Words: words()}}
	return f.before(i)
}

// At returns the kind of label that token i is.
func At(v *text.View, i int) Kind {
	f := finder{Reader: cue.Reader{View: v, Words: words()}}
	return f.kind(i)
}

// Announces reports whether token i is a label or a word between a label and its value.
func Announces(v *text.View, i int) bool {
	f := finder{Reader: cue.Reader{View: v, Words: words()}}
	return f.kind(i) != None || f.In(i, number|filler)
}

type finder struct{ cue.Reader }

func (f finder) before(i int) Label {
	generic, marked, colon := Label{}, false, false
	for j := i - 1; j >= 0 && j >= i-reach; j-- {
		if f.OpensLine(j+1) && f.Mark(j) != ':' && f.Mark(j) != '#' {
			break
		}
		c := f.Mark(j)
		kind := f.compound(j)
		switch {
		case c == ':' || c == '=':
			colon = true
		case c == '#':
			marked = true
		case c != 0:
			if !f.between(j, c) {
				return generic
			}
		case kind == Generic:
			if generic.Kind == None {
				generic = f.label(kind, j, marked, colon)
			}
			marked = true
		case kind != None:
			if generic.Kind == Generic && kind < SSN {
				return generic
			}
			return f.label(kind, j, marked, colon)
		case f.In(j, number):
			marked = true
		case !f.In(j, filler):
			return generic
		}
	}
	return generic
}

// compound returns the kind of label that token j is, which in "IP address" and "zip code" the word before it says.
func (f finder) compound(j int) Kind {
	kind := f.kind(j)
	if kind == Address || kind == Code {
		if first := f.kind(j - 1); first == IP || first == Zip {
			return first
		}
	}
	return kind
}

// between reports whether mark c, token j, may be between a label and its value.
func (f finder) between(j int, c byte) bool {
	switch c {
	case '.':
		return f.Glued(j) && f.Word(j-1)
	case '\'':
		return f.Tight(j)
	}
	return strings.IndexByte("(-*_+/[|)]", c) >= 0
}

// label returns the label of a kind at token j.
// Behind an ordinary word a colon is no mark: it may head a section.
func (f finder) label(kind Kind, j int, marked, colon bool) Label {
	marked = marked || colon && !f.In(j, ordinary)
	l := Label{Kind: kind, At: j, Least: f.Value(j), Marked: marked}
	switch {
	case marked && kind > Extension:
		l.Least = min(l.Least, fewest)
	case f.In(j, ordinary):
		l.Least = max(l.Least, 5)
	}
	return l
}

// fewest is the least digits of a value behind a label with a mark.
const fewest = 3

// kind returns the kind of label that token j is.
func (f finder) kind(j int) Kind {
	s := f.Sets(j)
	switch {
	case s&labels == 0:
		return None
	case s&capitals != 0 && f.Case(j) != text.Upper:
		if f.Mark(j+1) != '#' && (f.Mark(j+1) != ':' || f.Case(j) != text.Title) {
			return None
		}
	case s&inSmall != 0 && f.Case(j) == text.Upper && f.Mark(j+1) != ':':
		return None
	case s&letters != 0 && f.Mark(j+1) != ':' && f.Mark(j+1) != '.':
		return None
	}
	return kinds[bits.TrailingZeros64(uint64(s&labels))]
}
