package score

import (
	"fmt"
	"iter"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/corpus"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/record"
)

// Document is a text with its gold spans.
type Document struct {
	ID        string
	PatientID string // "" if unknown
	Text      string
	Spans     []GoldSpan // sorted by start
	Patient   record.Record
	Kind      string // kind of note, "" if unknown
	Group     string // group of the patient's name, "" if unknown
	Gender    string // of the patient: F or M, "" if unknown
}

// GoldSpan is a range of bytes of a text with the meaning of its label.
type GoldSpan struct {
	Start, End int
	Label      string
	Exact      bool // the label is the name of one of our types
	corpus.Meaning

	Held bool // its words are in the patient's record
}

// FromAnnotated resolves the labels of documents. The sequence ends with the first error.
func FromAnnotated(docs iter.Seq2[corpus.Annotated, error], labels corpus.Labels) iter.Seq2[Document, error] {
	return func(yield func(Document, error) bool) {
		for a, err := range docs {
			var doc Document
			if err == nil {
				if doc, err = goldOf(a, labels); err != nil {
					err = fmt.Errorf("document %s: %w", a.ID, err)
				}
			}
			if !yield(doc, err) || err != nil {
				return
			}
		}
	}
}

func goldOf(a corpus.Annotated, labels corpus.Labels) (Document, error) {
	doc := Document{
		ID: a.ID, PatientID: a.PatientID, Text: a.Text, Patient: a.Patient, Kind: a.Kind, Group: a.Group, Gender: a.Gender,
	}
	for _, m := range a.Marks {
		meaning, err := labels.Resolve(m)
		if err != nil {
			return Document{}, err
		}
		doc.Spans = append(doc.Spans, GoldSpan{
			Start: m.Start, End: m.End, Label: strings.ToUpper(m.Label), Exact: m.Exact, Meaning: meaning,
		})
	}
	return doc, nil
}

// Gold returns spans of our own types as gold.
func Gold(spans []phi.Span) []GoldSpan {
	out := make([]GoldSpan, len(spans))
	for i, s := range spans {
		out[i] = GoldSpan{Start: s.Start, End: s.End, Label: s.Type.String(), Exact: true, Meaning: corpus.MeaningOf(s.Type)}
	}
	return out
}
