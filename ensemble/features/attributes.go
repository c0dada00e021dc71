package features

import (
	"fmt"
	"strings"
)

// Attribute is a property of a token.
type Attribute uint8

// The attributes of tokens.
const (
	Word     Attribute = iota // as written
	Lower                     // folded as in the lexicon; digits of numbers over two digits are 0
	Stem                      // without an ending of English grammar, if it has one
	Prefix2                   // the first two characters of longer words
	Prefix3                   // the first three
	Prefix4                   // the first four
	Suffix2                   // the last two
	Suffix3                   // the last three
	Suffix4                   // the last four
	Form                      // "Xx", "xx", "XX", "X", "xX", "0000", or the mark itself
	Length                    // of a word, in characters
	Chunk                     // form of the text between blanks, and the position in it: "00/00/0000 2"
	Number                    // what a number may be: "day month", "year"
	Glue                      // before and after: "_." is a blank and no blank, "|" a line's end
	Line                      // position in its line: "0", "1", "2", "3", "+", "last", "only"
	Sentence                  // the same in its sentence, with the sentence's length
	Section                   // the last header before it, in lower case: "social history"
	Field                     // the last label before a colon on its line: "seen by"
	Odds                      // log-odds of name against anything else, in factors of four
	Surname                   // frequency as a surname, in factors of eight
	First                     // as a first name
	Common                    // as an ordinary word
	Capital                   // as an ordinary word with a capital
	Kinds                     // flags of the lexicon: "city surname-like"
	Places                    // inside the name of a place of several words: "B", "I"
	Likeness                  // of an unknown word: how much its letters look like a name's
	Role                      // role as a cue for its neighbours: "doctor-title"
	Pattern                   // hit of the detector patterns: "B-DATE"
	_                         // three attributes of version 1, now blank
	_
	_
	Record    // of the patient's record
	Directory // of the staff's
	NumAttributes
)

var names = [NumAttributes]string{
	"word", "lower", "stem", "prefix2", "prefix3", "prefix4", "suffix2", "suffix3", "suffix4", "form", "length", "chunk", "number", "glue",
	"line",
	"sentence", "section", "field", "odds", "surname", "first", "common", "capital", "kinds", "places", "likeness", "role", "pattern",
	"person",
	"place", "job", "record", "directory",
}

// String returns the attribute's name, such as "suffix3".
func (a Attribute) String() string {
	if a >= NumAttributes {
		return fmt.Sprintf("attribute(%d)", uint8(a))
	}
	return names[a]
}

// ParseAttribute is the inverse of [Attribute.String].
func ParseAttribute(name string) (Attribute, error) {
	for a, n := range names {
		if n == name {
			return Attribute(a), nil
		}
	}
	return 0, fmt.Errorf("unknown attribute %q (known: %s)", name, strings.Join(names[:], ", "))
}

// writers append an attribute's value for token i to buf.
var writers = [NumAttributes]func(s *Sheet, buf []byte, i int) []byte{
	Word: (*Sheet).word, Lower: (*Sheet).lower, Stem: (*Sheet).stem,
	Prefix2: prefix(2), Prefix3: prefix(3), Prefix4: prefix(4),
	Suffix2: suffix(2), Suffix3: suffix(3), Suffix4: suffix(4),
	Form: (*Sheet).form, Length: (*Sheet).length, Chunk: (*Sheet).chunk, Number: (*Sheet).number, Glue: (*Sheet).glue,
	Line: (*Sheet).line, Sentence: (*Sheet).sentence, Section: (*Sheet).section, Field: (*Sheet).field,
	Odds: (*Sheet).odds, Surname: (*Sheet).surname, First: (*Sheet).first, Common: (*Sheet).common, Capital: (*Sheet).capital,
	Kinds: (*Sheet).kinds, Places: (*Sheet).inPlace, Likeness: (*Sheet).likeness, Role: (*Sheet).role,
	Pattern: hit(0), Record: hit(1), Directory: hit(2),
	Pattern + 1: blank, Pattern + 2: blank, Pattern + 3: blank,
}

// blank writes nothing, for removed attributes that models of version 1 may name.
func blank(_ *Sheet, buf []byte, _ int) []byte { return buf }
