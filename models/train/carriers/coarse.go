package main

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/pgdeid/pgdeid/ensemble/corpus"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/synth"
)

// labelled is a record of a data set with spans of its own labels, in code points.
type labelled struct {
	Text  string         `json:"text"`
	Spans []labelledSpan `json:"spans"`
}

type labelledSpan struct {
	Start int    `json:"start"`
	End   int    `json:"end"`
	Label string `json:"label"`
}

// marks turns a record's spans into marks in bytes. tags maps labels to tags: ""
// for no PHI; a label that is not in it counts as unknown.
func (l *labelled) marks(tags map[string]string) []mark {
	var out []mark
	slices.SortFunc(l.Spans, func(a, b labelledSpan) int { return a.Start - b.Start })
	for _, s := range l.Spans {
		start, ok1 := corpus.ByteOffset(l.Text, s.Start)
		end, ok2 := corpus.ByteOffset(l.Text, s.End)
		if !ok1 || !ok2 || start >= end || len(out) > 0 && out[len(out)-1].end > start {
			continue
		}
		tag, known := tags[s.Label]
		if !known {
			tag = unknown
		}
		if tag != "" {
			out = append(out, mark{start, end, tag})
		}
	}
	return out
}

// generalFiles are sentences of articles, mails and tweets with people, places and
// organisations. The legal texts among them call every "Borrower" a person.
var generalFiles = []string{"wnut17", "btc", "uner-ewt", "wikigold"}

var generalTags = map[string]string{
	"PER": "NAME", "person": "NAME", "LOC": "LOCATION", "location": "LOCATION", "ORG": "ORG", "corporation": "ORG",
}

// loadGeneral reads their sentences.
func loadGeneral(data folder) ([]sentence, error) {
	var out []sentence
	for _, file := range generalFiles {
		records, err := readJSON[labelled](data, "general-ner/"+file+".jsonl.gz")
		if err != nil {
			return nil, err
		}
		for i := range records {
			all := cut("general-ner", records[i].Text, records[i].marks(generalTags), coarseClasses)
			if file != "uner-ewt" {
				for _, s := range all {
					closeUp(s)
				}
			}
			out = append(out, all...)
		}
	}
	return out, nil
}

// coarseType represents a coarse class while a carrier is filled.
var coarseType = map[string]phi.Type{"NAME": phi.Patient, "LOCATION": phi.LocationOther, "ORG": phi.Organization, unknown: phi.None}

// loadMessages makes carriers of lifebench: messages of ten people, whose names are
// filled anew, as their own occur thousands of times.
func loadMessages(data folder) ([]carrier, error) {
	records, err := readJSON[labelled](data, "lifebench-pii/normalized.jsonl.gz")
	if err != nil {
		return nil, err
	}
	full, err := parseAll([]string{"{person}", "{person}", "{outdr.full}", "{rel.full}"})
	if err != nil {
		return nil, err
	}
	single, err := parseAll([]string{"{outdr.first}", "{outdr.first}", "{outdr.last}", "{pt.first}", "{pt.nick}"})
	if err != nil {
		return nil, err
	}
	out := make([]carrier, 0, len(records))
	for i := range records {
		c := carrier{text: records[i].Text}
		for _, m := range messageMarks(&records[i]) {
			e := edit{start: m.start, end: m.end, chance: 1, mark: true, typ: coarseType[m.tag]}
			switch name := c.text[m.start:m.end]; {
			case m.tag != "NAME" || kinship.MatchString(name) || i%4 == 0:
			case strings.Contains(name, " "):
				e.mark, e.with = false, full
			default:
				e.mark, e.with = false, single
			}
			c.edits = append(c.edits, e)
		}
		out = append(out, c)
	}
	return out, nil
}

// kinship begins names that are not a first and a last name: "Aunt Sun".
var kinship = regexp.MustCompile(`^(?:Aunt|Uncle|Old|Little|Manager|Director|Teacher|Master|Sister|Brother|Doctor|Dr|Mr|Mrs|Ms|` +
	`Grandma|Grandpa|Boss|Coach|Professor|Nurse|Xiao|Lao)\b`)

// messageMarks are the marks of a record: what is written in lower case ("the art
// gallery") counts as unknown, a hospital as an organisation.
func messageMarks(r *labelled) []mark {
	out := r.marks(map[string]string{"PERSON": "NAME", "ORG": "ORG", "LOCATION": "LOCATION"})
	for i := range out {
		text := r.Text[out[i].start:out[i].end]
		switch {
		case !strings.ContainsFunc(text, unicode.IsUpper):
			out[i].tag = unknown
		case out[i].tag == "LOCATION" && (strings.Contains(text, "Hospital") || strings.Contains(text, "Clinic")):
			out[i].tag = "ORG"
		}
	}
	return out
}

// messages is a source of filled messages with coarse tags.
func (f filler) messages(rng *rand.Rand, all []carrier) func() ([]sentence, error) {
	next := endless(rng, len(all))
	return func() ([]sentence, error) {
		c := all[next()]
		s := f.h.Fill(rng, f.grammar, synth.Setting{}, c.template(rng, 1))
		marks := marksOf(s.Spans)
		for i := range marks {
			marks[i].tag = coarseTag(marks[i].tag)
		}
		return cut("lifebench-pii", s.Text, marks, coarseClasses), nil
	}
}

// coarseTag is the class of a fine tag that a source of coarse classes may have.
func coarseTag(tag string) string {
	switch tag {
	case "PATIENT", "DOCTOR":
		return "NAME"
	case "LOCATION-OTHER":
		return "LOCATION"
	case "ORGANIZATION":
		return "ORG"
	}
	return tag
}

// closeUp removes the blanks around the punctuation of texts which
// were published as words.
func closeUp(s sentence) {
	for i := 1; i < len(s.Words); i++ {
		if w := s.Words[i]; strings.Contains(".,;:?!)]%'’", w) || strings.Contains("([$#@", s.Words[i-1]) {
			s.Gaps[i] = 0
		}
	}
}

// given is a source of sentences that are taken as they are.
func given(rng *rand.Rand, all []sentence) func() ([]sentence, error) {
	next := endless(rng, len(all))
	return func() ([]sentence, error) { i := next(); return all[i : i+1], nil }
}

var (
	presidioTags = map[string]string{
		"PERSON": "NAME", "STREET_ADDRESS": "LOCATION", "GPE": "LOCATION", "ZIP_CODE": "ZIP", "ORGANIZATION": "ORG", "DATE_TIME": "DATE",
		"PHONE_NUMBER": "CONTACT", "EMAIL_ADDRESS": "CONTACT", "DOMAIN_NAME": "CONTACT", "IP_ADDRESS": "CONTACT", "AGE": "AGE", "TITLE": "",
		"CREDIT_CARD": "ID", "IBAN_CODE": "ID", "US_SSN": "ID", "US_DRIVER_LICENSE": "ID",
	}
	handoffTags = map[string]string{
		"PERSON": "NAME", "LOCATION": "LOCATION", "PHONE_NUMBER": "CONTACT", "EMAIL_ADDRESS": "CONTACT", "MEDICAL_RECORD_NUMBER": "ID",
		"DATE_TIME": "DATE",
	}
)

// loadDevelopment reads a development test; it is never trained on.
func loadDevelopment(data folder, source string, tags map[string]string) ([]sentence, error) {
	records, err := readJSON[labelled](data, source+"/normalized.jsonl")
	if err != nil {
		return nil, err
	}
	covers := slices.DeleteFunc(slices.Clone(allClasses), func(c string) bool { return c == "PROFESSION" })
	var out []sentence
	for i := range records {
		out = append(out, cut(source, records[i].Text, records[i].marks(tags), covers)...)
	}
	return out, nil
}
