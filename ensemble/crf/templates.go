package crf

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/features"
)

// reach is how far from a token its features look, in tokens to each side.
const reach = 4

// offsets is the number of positions of a feature.
const offsets = 2*reach + 1

// DefaultTemplates are the feature templates of a model that reads only the text: single
// attributes over a window, and crosses.
func DefaultTemplates() []string {
	return []string{
		"word", "lower -4 4", "stem -1 1", "prefix2", "prefix3", "prefix4", "suffix2", "suffix3 -1 1", "suffix4", "form -3 3", "length",
		"chunk -1 1", "number -2 2", "glue -1 1", "line", "sentence", "section", "field", "odds -2 2", "surname -1 1", "first -1 1",
		"common -1 1", "capital -1 1", "kinds -2 2", "places -1 1", "likeness -2 2", "role -4 4",

		"lower[-1] lower[0]", "lower[0] lower[1]", "lower[-2] lower[-1]", "lower[1] lower[2]", "lower[-1] lower[1]",
		"form[-1] form[0]", "form[0] form[1]", "form[-1] form[0] form[1]", "form[-2] form[-1] form[0]", "form[0] form[1] form[2]",
		"form[0] glue[0]", "form[0] line[0]", "form[0] field[0]", "form[0] section[0]", "lower[0] form[0]", "lower[0] section[0]",
		"form[0] lower[-1]", "form[0] lower[1]", "form[0] lower[-2]", "form[0] lower[2]", "form[0] role[-1]", "form[0] role[1]",
		"form[0] role[-2]",
		"odds[0] form[0]", "odds[-1] odds[0]", "odds[0] odds[1]", "odds[0] role[-1]", "odds[0] role[1]", "odds[0] lower[-1]",
		"kinds[0] form[0]", "kinds[0] role[-1]", "kinds[0] lower[-1]", "likeness[0] form[0]", "likeness[0] role[-1]", "likeness[0] odds[-1]",
		"number[0] lower[-1]", "number[0] lower[1]", "number[0] field[0]", "chunk[0] lower[-1]", "chunk[0] field[0]", "chunk[0] lower[-2]",
		"role[-1] role[1]", "role[-2] role[-1]", "suffix3[0] form[0]",
	}
}

// HitTemplates are additional templates for hits of rules and records.
func HitTemplates() []string {
	return []string{
		"pattern -1 1", "record -1 1", "directory -1 1", "pattern[0] form[0]",
	}
}

// template produces keys of features: one attribute, or the cross of up to three, of tokens at
// fixed offsets.
type template struct {
	parts    []part
	from, to int // of a single attribute: the window
}

type part struct {
	attr features.Attribute
	at   int
}

// parseTemplate reads "lower", "lower -4 4", or a cross, "form[0] role[-1]".
func parseTemplate(text string) (template, error) {
	words := strings.Fields(text)
	if len(words) == 0 {
		return template{}, fmt.Errorf("an empty template")
	}
	if !strings.Contains(text, "[") {
		return parseWindow(words)
	}
	if len(words) > 3 {
		return template{}, fmt.Errorf("template %q crosses %d attributes: at most 3", text, len(words))
	}
	var t template
	for _, word := range words {
		name, place, _ := strings.Cut(strings.TrimSuffix(word, "]"), "[")
		attr, err := features.ParseAttribute(name)
		if err != nil {
			return t, err
		}
		at, err := parsePlace(place)
		if err != nil {
			return t, err
		}
		t.parts = append(t.parts, part{attr, at})
	}
	return t, nil
}

func parseWindow(words []string) (t template, err error) {
	attr, err := features.ParseAttribute(words[0])
	if err != nil {
		return t, err
	}
	t.parts = []part{{attr: attr}}
	switch len(words) {
	case 1:
		return t, nil
	case 3:
		if t.from, err = parsePlace(words[1]); err != nil {
			return t, err
		}
		if t.to, err = parsePlace(words[2]); err != nil {
			return t, err
		}
		if t.from > t.to {
			return t, fmt.Errorf("template of %s: its window ends before it begins", words[0])
		}
		return t, nil
	}
	return t, fmt.Errorf("template of %s: want an attribute, or one with the first and the last place", words[0])
}

func parsePlace(text string) (int, error) {
	at, err := strconv.Atoi(text)
	if err != nil || at < -reach || at > reach {
		return 0, fmt.Errorf("place %q: want %d to %d", text, -reach, reach)
	}
	return at, nil
}

// templateSet are a model's templates.
type templateSet struct {
	list  []template
	rules bool // hits of rules are among their attributes
	known bool // hits of records are among them
}

func newTemplateSet(texts []string) (*templateSet, error) {
	if len(texts) == 0 || len(texts) > 255 {
		return nil, fmt.Errorf("%d templates: want 1 to 255", len(texts))
	}
	s := &templateSet{}
	for _, text := range texts {
		t, err := parseTemplate(text)
		if err != nil {
			return nil, err
		}
		for _, p := range t.parts {
			switch p.attr {
			case features.Pattern:
				s.rules = true
			case features.Record, features.Directory:
				s.known = true
			}
		}
		s.list = append(s.list, t)
	}
	return s, nil
}

// options returns the options for the sheets of notes.
func (s *templateSet) options() features.Options {
	return features.Options{Rules: s.rules, Records: s.known}
}

// key returns the key of a template at token i of rows, or 0.
func (t *template) key(rows []features.Row, i int) features.Key {
	p := t.parts[0]
	if len(t.parts) == 1 {
		return rows[i][p.attr]
	}
	key := features.Cross(rowAt(rows, i+p.at, p.attr), uint64(p.at+offsets))
	for _, p := range t.parts[1:] {
		if key == 0 {
			return 0
		}
		key = features.Cross(key+uint64(p.at+offsets), rowAt(rows, i+p.at, p.attr))
	}
	return key
}

func rowAt(rows []features.Row, i int, a features.Attribute) features.Key {
	if i < 0 || i >= len(rows) {
		return 0
	}
	return rows[i][a]
}
