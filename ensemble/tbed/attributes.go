package tbed

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/pgdeid/pgdeid/ensemble/features"
	"github.com/pgdeid/pgdeid/ensemble/lexicon"
)

// unified are the attributes of package features that rules can ask for. Hits of other
// detectors are not among them: rules that only repeat what the names detector said
// would add nothing to it.
var unified = []features.Attribute{
	features.Lower, features.Stem, features.Prefix2, features.Prefix3, features.Suffix2, features.Suffix3,
	features.Form, features.Length, features.Chunk, features.Number, features.Glue, features.Line, features.Sentence,
	features.Section, features.Field, features.Odds, features.Surname, features.First, features.Common,
	features.Kinds, features.Places, features.Likeness, features.Role,
}

// patternAttribute is what the patterns said of a token before any rule: "B-DATE".
var patternAttribute = features.Pattern.String()

// attributeNames are those of unified, then the patterns'.
var attributeNames = func() []string {
	var names []string
	for _, a := range unified {
		names = append(names, a.String())
	}
	return append(names, patternAttribute)
}()

// Attributes lists what rules can ask for besides "tag"; see package features for what
// each says.
func Attributes() []string { return attributeNames }

// patternColumn is the place of the patterns' tag among the attributes.
var patternColumn = len(unified)

// kindWords spell out the letters of [features.Kinds], in their order.
var kindWords = []string{
	"city", "state", "country", "clinical", "eponym", "nickname", "organisation", "job", "month", "weekday", "county", "bigcity", "placetop",
}

const kindLetters = "csneEkojmwCBp"

// shown turns a value of package features into what stands in a rule.
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

// meant is the inverse of shown. It fails on values that an attribute with few of them
// never has.
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

// ordinary reports whether a learned rule may quote a text: each of its words has to be
// one that the lexicon knows as something else than a name. A rule file thus tells
// nothing of who stood in the notes that it was learned from.
func ordinary(text string) bool {
	for word := range strings.FieldsSeq(text) {
		if !ordinaryWord(word) {
			return false
		}
	}
	return true
}

// Words that are met less often than leastCommon (see [lexicon.Entry]) are not ordinary,
// nor are numbers of more than longestNumber digits that are not masked.
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
