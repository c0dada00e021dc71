package corpus

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// classTypes maps the classes of training sentences to their types.
var classTypes = map[string]TypeSet{
	"NAME": SetOf(phi.Patient, phi.Doctor),
	"LOCATION": SetOf(phi.Street, phi.City, phi.State, phi.Country, phi.County, phi.Zip,
		phi.LocationOther),
	"ORG": SetOf(phi.Hospital, phi.Organization),
	"ID": SetOf(phi.Username, phi.SSN, phi.MedicalRecord, phi.HealthPlan, phi.Account, phi.License,
		phi.Vehicle, phi.Device, phi.BioID, phi.IDNum),
	"CONTACT": SetOf(phi.Phone, phi.Fax, phi.Pager, phi.Email, phi.URL, phi.IPAddr),
}

// TagTypes returns the possible types of a token with the tag, and whether it begins an entity.
// The name after B- or I- is a type's or one of the classes NAME, LOCATION, ORG, ID and CONTACT.
// Outside has no types; ok is false for [Unknown] and invalid tags.
func TagTypes(tag string) (types TypeSet, first, ok bool) {
	if tag == Outside {
		return 0, false, true
	}
	mark, name, _ := strings.Cut(tag, "-")
	if mark != "B" && mark != "I" {
		return 0, false, false
	}
	types, ok = classOrType(name)
	return types, mark == "B", ok
}

func classOrType(name string) (TypeSet, bool) {
	if types, ok := classTypes[name]; ok {
		return types, true
	}
	t, err := phi.ParseType(name)
	return SetOf(t), err == nil
}

// CoverTypes returns the types of classes for which an [Outside] is reliable; nil means all.
func CoverTypes(classes []string) (TypeSet, error) {
	if classes == nil {
		return SetOf(phi.Types()...), nil
	}
	var all TypeSet
	for _, name := range classes {
		types, ok := classOrType(name)
		if !ok {
			return 0, fmt.Errorf("covers: %s is neither a class nor a type", nameLabel(name))
		}
		all |= types
	}
	return all, nil
}

// tag returns the name after B- and I- for a meaning: that of its only type, otherwise of the
// class that contains all its types, otherwise of the main type.
func (m Meaning) tag() string {
	switch {
	case m.Types == 0:
		return Unknown
	case m.Types == SetOf(m.Main):
		return m.Main.String()
	}
	for _, class := range slices.Sorted(maps.Keys(classTypes)) {
		if m.Types&^(classTypes[class]|SetOf(phi.Username)) == 0 {
			return class
		}
	}
	if m.Types&classTypes["LOCATION"] != 0 && m.Types&classTypes["ORG"] != 0 {
		return Unknown // a place or an organisation: there is no tag for that
	}
	return m.Main.String()
}

// wordsLine is a training sentence.
type wordsLine struct {
	phi.Redacted

	Source string   `json:"source"`
	Words  []string `json:"words"`
	Gaps   []int    `json:"gaps"` // before each word: 0 nothing, 1 blanks, 2 a line break
	Tags   []string `json:"tags"`
	Covers []string `json:"covers"`
	Group  string   `json:"group"`
}

// parseWords parses a training sentence; ok is false if the line has no words.
func parseWords(raw []byte) (l Labelled, ok bool, err error) {
	if !utf8.Valid(raw) {
		return l, false, errUTF8
	}
	var line wordsLine
	if err := json.Unmarshal(raw, &line); err != nil {
		return l, false, JSONError(err)
	}
	if line.Words == nil {
		return l, false, nil
	}
	if len(line.Gaps) != len(line.Words) || len(line.Tags) != len(line.Words) {
		return l, true, fmt.Errorf("%d words with %d gaps and %d tags: want as many of each", len(line.Words), len(line.Gaps), len(line.Tags))
	}
	for i, tag := range line.Tags {
		if _, _, known := TagTypes(tag); !known && tag != Unknown {
			return l, true, fmt.Errorf("tag %d is none: want O, *, or B- or I- with a type or class", i)
		}
	}
	if _, err := CoverTypes(line.Covers); err != nil {
		return l, true, err
	}
	note, starts, err := line.note()
	if err != nil {
		return l, true, err
	}
	return Labelled{Source: line.Source, Note: note, Tags: line.retag(note, starts), Covers: line.Covers, Group: line.Group}, true, nil
}

var errGap = errors.New("a gap is none of 0, 1 and 2")

// note joins the words to a text; starts has the offset of each.
func (w *wordsLine) note() (note *ensemble.Note, starts []int, err error) {
	var b strings.Builder
	for i, word := range w.Words {
		switch w.Gaps[i] {
		case 0:
		case 1:
			b.WriteByte(' ')
		case 2:
			b.WriteByte('\n')
		default:
			return nil, nil, errGap
		}
		starts = append(starts, b.Len())
		b.WriteString(word)
	}
	note = &ensemble.Note{Text: b.String()}
	return note, starts, text.Check(note.Text)
}

// retag returns the tags of the note's tokens. Tokens and words differ only if another version of
// the tokenizer wrote the words: of a word that is several tokens now, the first has its tag and
// the others are [Unknown]; a token that was several words has the first tag that is not
// [Outside].
func (w *wordsLine) retag(note *ensemble.Note, starts []int) []string {
	toks := note.View().Tokens
	tags := make([]string, len(toks))
	word := 0
	for i, t := range toks {
		for word+1 < len(starts) && starts[word+1] <= t.Start {
			word++
		}
		tags[i] = w.Tags[word]
		if t.Start > starts[word] && tags[i] != Outside {
			tags[i] = Unknown
		}
		for next := word + 1; next < len(starts) && starts[next] < t.End && tags[i] == Outside; next++ {
			tags[i] = w.Tags[next]
		}
	}
	return tags
}
