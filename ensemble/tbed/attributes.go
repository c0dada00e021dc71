package tbed

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/pgdeid/pgdeid/ensemble/features"
	"github.com/pgdeid/pgdeid/ensemble/lexicon"
)

// unified are the attributes of package features that rules can test. Hits of other detectors are
// excluded: rules that only repeat another detector's finds would add nothing.
var unified = []features.Attribute{
	features.Lower, features.Stem, features.Prefix2, features.Prefix3, features.Suffix2, features.Suffix3,
	features.Form, features.Length, features.Chunk, features.Number, features.Glue, features.Line, features.Sentence,
	features.Section, features.Field, features.Odds, features.Surname, features.First, features.Common,
	features.Kinds, features.Places, features.Likeness, features.Role,
}

// patternAttribute is the tag that the patterns gave a token before any rule: "B-DATE".
var patternAttribute = features.Pattern.String()

// attributeNames are those of unified and the patterns'.
var attributeNames = func() []string {
	var names []string
	for _, a := range unified {
		names = append(names, a.String())
	}
	return append(names, patternAttribute)
}()

// Attributes lists what rules can test besides "tag"; package features documents them.
func Attributes() []string { return attributeNames }

// patternColumn is the index of the patterns' tag among the attributes.
var patternColumn = len(unified)

// kindWords are the words for the letters of [features.Kinds], in their order.
var kindWords = []string{
	"city", "state", "country", "clinical", "eponym", "nickname", "organisation", "job", "month", "weekday", "county", "bigcity", "placetop",
}

const kindLetters = "csneEkojmwCBp"

// shown converts a value of package features to its form in a rule.
func shown(a features.Attribute, value string) string {
	if a != features.Kinds {
		return value
	}
	var words []string
	for i := range len(value) {
		if at := strings.IndexByte(kindLetters, value[i]); at >= 0 {
			words = append(words, kindWords[at])
		}
	}
	return strings.Join(words, "+")
}

// meant is the inverse of shown. It fails on values that an attribute can never have.
func meant(a features.Attribute, value string) (string, error) {
	switch a {
	case features.Kinds:
		return meantKinds(value)
	case features.Number:
		return oneOf(value, "long", "year", "large", "zero", "month", "day", "minute", "age", "old")
	case features.Places:
		return oneOf(value, "B", "I")
	case features.Glue:
		if len(value) != 2 || strings.Trim(value, "_.|") != "" {
			return "", fmt.Errorf("unknown value: want two of _ (blank), . (nothing) and | (end of a line)")
		}
	}
	return value, nil
}

func oneOf(value string, known ...string) (string, error) {
	if !slices.Contains(known, value) {
		return "", fmt.Errorf("unknown value (known: %s)", strings.Join(known, ", "))
	}
	return value, nil
}

func meantKinds(value string) (string, error) {
	var letters []byte
	for word := range strings.SplitSeq(value, "+") {
		at := slices.Index(kindWords, word)
		if at < 0 {
			return "", fmt.Errorf("unknown kind (known: %s; several with + between them, in this order)", strings.Join(kindWords, ", "))
		}
		letters = append(letters, kindLetters[at])
	}
	return string(letters), nil
}

// ordinary reports whether a learned rule may quote a text: the lexicon must know each of its
// words as something other than a name. A rule file thus reveals no names from the notes that it
// was learned from.
func ordinary(text string) bool {
	for word := range strings.FieldsSeq(text) {
		if !ordinaryWord(word) {
			return false
		}
	}
	return true
}

// Words less frequent than leastCommon (see [lexicon.Entry]) are not ordinary, nor are numbers of
// more than longestNumber digits that are not masked.
const (
	leastCommon   = 24
	longestNumber = 2
)

func ordinaryWord(word string) bool {
	if strings.IndexFunc(word, unicode.IsLetter) < 0 {
		return len(word) <= longestNumber || strings.Trim(word, "0") == ""
	}
	e, known := lexicon.LookupFolded(word)
	name := max(e.Surname, e.First)
	switch {
	case !known:
		return false
	case e.Is(lexicon.Month | lexicon.Weekday):
		return true
	case e.Is(lexicon.Org | lexicon.Job | lexicon.State | lexicon.Country):
		return name == 0 || max(e.Common, e.Capital) >= name
	}
	return max(e.Common, e.Capital) >= max(leastCommon, name)
}

// quotes reports whether an attribute's values are words of the note.
func quotes(a features.Attribute) bool {
	switch a {
	case features.Lower, features.Stem, features.Section, features.Field:
		return true
	}
	return false
}
