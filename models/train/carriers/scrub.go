package main

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/synth"
	"github.com/pgdeid/pgdeid/models"
)

// scrubber turns open notes into carriers.
type scrubber struct {
	rules    *ensemble.Ensemble
	holes    []hole
	inserts  []hole // with chances
	chances  []float64
	refills  map[string][]synth.Template
	places   *regexp.Regexp // large towns and states behind words that lead to a place
	titles   *regexp.Regexp
	facility *regexp.Regexp
}

func newScrubber() (*scrubber, error) {
	rules, _, err := models.Fast() // nothing of it has to be freed
	if err != nil {
		return nil, err
	}
	s := &scrubber{
		rules: rules, places: knownPlaces(), refills: map[string][]synth.Template{},
		titles:   regexp.MustCompile(`(?i)\b(?:(?:mr|mrs|ms|miss|dr|drs)\b\.?|doctor|nurse|by|with|per) *$`),
		facility: regexp.MustCompile(`(?i)hospital|clinic|center|centre|medical|health|university`),
	}
	for _, h := range holes {
		with, err := parseAll(h.with)
		if err != nil {
			return nil, err
		}
		s.holes = append(s.holes, hole{regexp.MustCompile(h.pattern), with})
	}
	for _, i := range inserts {
		with, err := parseAll(i.with)
		if err != nil {
			return nil, err
		}
		s.inserts = append(s.inserts, hole{regexp.MustCompile(i.pattern), with})
		s.chances = append(s.chances, i.chance)
	}
	for name, texts := range refills {
		if s.refills[name], err = parseAll(texts); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func parseAll(texts []string) ([]synth.Template, error) {
	out := make([]synth.Template, len(texts))
	for i, text := range texts {
		t, err := synth.ParseTemplate(text)
		if err != nil {
			return nil, fmt.Errorf("%q: %w", text, err)
		}
		out[i] = t
	}
	return out, nil
}

// carrier finds what is to be filled, marked and may be inserted in a note.
func (s *scrubber) carrier(text string) (carrier, error) {
	c := carrier{text: text, sex: sexOf(text)}
	for _, h := range s.holes {
		for _, m := range h.at.FindAllStringSubmatchIndex(text, -1) {
			if !overlap(c.edits, m[2], m[3]) {
				c.edits = append(c.edits, edit{start: m[2], end: m[3], chance: 1, with: h.with})
			}
		}
	}
	spans, err := s.rules.Detect(context.Background(), &ensemble.Note{Text: text})
	if err != nil {
		return c, err
	}
	for _, span := range spans {
		if widen(c, span) {
			continue
		}
		if !overlap(c.edits, span.Start, span.End) {
			if e, ok := s.found(text, span); ok {
				c.edits = append(c.edits, e)
			}
		}
	}
	for _, open := range []*regexp.Regexp{openHoles, s.places} {
		for _, m := range open.FindAllStringSubmatchIndex(text, -1) {
			from, to := m[len(m)-2], m[len(m)-1] // the last group, or all
			if !overlap(c.edits, from, to) {
				c.edits = append(c.edits, edit{start: from, end: to, chance: 1, mark: true})
			}
		}
	}
	s.insertions(&c)
	c.edits = settle(c.edits)
	return c, nil
}

// widen lets a placeholder take in the rest of a name that the rules see there:
// "Dr. A Hollister". It reports whether the span needs nothing more.
func widen(c carrier, span phi.Span) bool {
	for i := range c.edits {
		e := &c.edits[i]
		if span.Type.Class() == phi.ClassName && e.start >= span.Start && e.start < span.End {
			if e.end < span.End && !strings.ContainsAny(c.text[e.end:span.End], ".\n:,") {
				e.end = span.End
			}
			return true
		}
	}
	return false
}

var (
	femaleWords = regexp.MustCompile(`(?i)\b(she|her|female|woman|lady|mrs|ms|girl)\b`)
	maleWords   = regexp.MustCompile(`(?i)\b(he|his|him|male|man|gentleman|mr|boy)\b`)
)

// sexOf returns the patient's sex by a note's pronouns.
func sexOf(text string) synth.Sex {
	f, m := len(femaleWords.FindAllStringIndex(text, -1)), len(maleWords.FindAllStringIndex(text, -1))
	switch {
	case f > m:
		return synth.Female
	case m > f:
		return synth.Male
	default:
		return synth.AnySex
	}
}
