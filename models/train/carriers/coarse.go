package main

import (
	"math/rand/v2"
	"slices"
	"strings"
	"unicode"

	"github.com/pgdeid/pgdeid/ensemble/corpus"
)

// labelled is a record of a data set with spans of its own labels, in code points.
type labelled struct {
	Text  string `json:"text"`
	Spans []struct {
		Start int    `json:"start"`
		End   int    `json:"end"`
		Label string `json:"label"`
	} `json:"spans"`
}

// marks turns a record's spans into marks in bytes. tags maps labels to tags: ""
// for no PHI; a label that is not in it counts as unknown.
func (l *labelled) marks(tags map[string]string) []mark {
	var out []mark
	slices.SortFunc(l.Spans, func(a, b struct {
		Start int    `json:"start"`
		End   int    `json:"end"`
		Label string `json:"label"`
	},
	) int {
		return a.Start - b.Start
	})
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

// generalFiles are sentences of newspapers, tweets and treaties with people, places
// and organisations.
var generalFiles = []string{"wnut17", "btc", "uner-ewt", "wikigold", "sec-filings"}

var generalTags = map[string]string{
	"PER": "NAME", "person": "NAME", "LOC": "LOCATION", "location": "LOCATION", "ORG": "ORG", "corporation": "ORG",
}

// loadCoarse reads the sentences of sources that know coarse classes only.
func loadCoarse(data folder) ([]sentence, error) {
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
	records, err := readJSON[labelled](data, "lifebench-pii/normalized.jsonl.gz")
	if err != nil {
		return nil, err
	}
	for i := range records {
		out = append(out, cut("lifebench-pii", records[i].Text, lifeMarks(&records[i]), coarseClasses)...)
	}
	return out, nil
}

// lifeMarks are the marks of a record of lifebench: what is written in lower case
// ("the art gallery") counts as unknown, a hospital as an organisation.
func lifeMarks(r *labelled) []mark {
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

// closeUp takes away the blanks that stand around the punctuation of texts which
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
		"PERSON": "NAME", "LOCATION": "LOCATION", "PHONE_NUMBER": "CONTACT", "EMAIL_ADDRESS": "CONTACT", "MEDICAL_RECORD_NUMBER": "ID", "DATE_TIME": "DATE",
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
