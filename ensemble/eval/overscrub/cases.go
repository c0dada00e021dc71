package overscrub

import (
	"fmt"
	"hash/fnv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// turns are the forms in which a term's sentences are written, in turn.
var turns = []func(string) string{asWritten, asWritten, asWritten, strings.ToUpper, strings.ToLower}

func asWritten(s string) string { return s }

// add makes a case. Each part is converted separately, since changing case changes lengths.
func (t *Term) add(before, term, after string, form func(string) string) {
	before, term, after = form(before), form(term), form(after)
	t.Cases = append(t.Cases, Case{Text: before + term + after, Start: len(before), End: len(before) + len(term)})
}

// atStart capitalises a term that begins a sentence.
func atStart(before, term string) string {
	if before != "" && !strings.HasSuffix(before, ". ") {
		return term
	}
	r, size := utf8.DecodeRuneInString(term)
	return string(unicode.ToUpper(r)) + term[size:]
}

// Half is one of the two parts of the suite, or both.
type Half uint8

// The halves.
const (
	Both Half = iota
	Dev       // to learn from
	Test      // for figures alone
)

var halfNames = [...]string{"all", "dev", "test"}

// String returns "all", "dev" or "test".
func (h Half) String() string { return halfNames[h] }

// MarshalText writes the half's name.
func (h Half) MarshalText() ([]byte, error) { return []byte(h.String()), nil }

// ParseHalf parses the result of [Half.String].
func ParseHalf(s string) (Half, error) {
	for h, name := range halfNames {
		if name == s {
			return Half(h), nil
		}
	}
	return Both, fmt.Errorf("want all, dev or test, not %q", s)
}

// halfOf chooses the half by the first word, without its possessive.
func halfOf(term string) Half {
	word := strings.FieldsFunc(strings.ToLower(term), func(r rune) bool {
		return unicode.IsSpace(r) || r == '-' || r == '\'' || r == '’' || r == '/'
	})
	h := fnv.New32a()
	if len(word) > 0 {
		h.Write([]byte(strings.TrimSuffix(word[0], "s"))) // Pott's and Potts
	}
	if h.Sum32()>>16&1 == 0 {
		return Dev
	}
	return Test
}
