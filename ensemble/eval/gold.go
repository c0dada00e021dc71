package eval

import (
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/corpus"
	"github.com/pgdeid/pgdeid/ensemble/record"
)

// Document is a text with what is gold in it.
type Document struct {
	ID        string
	PatientID string // whose note it is, "" if not told
	Text      string
	Spans     []GoldSpan // sorted by start
	Patient   record.Record
	Kind      string // kind of note, "" if not told
	Group     string // group of the patient's name, "" if not told
	Gender    string // of the patient: F or M, "" if not told
}

// GoldSpan is a range of bytes of a text with what its label stands for.
type GoldSpan struct {
	Start, End int
	Label      string
	Exact      bool // the label is the name of our type and means just that
	corpus.Meaning

	held bool // its words stand in the patient's record
}

// ReadGold reads JSON Lines, as [corpus.ReadMarkedLines] does. The first error ends
// the sequence and names its line, never a text.
func ReadGold(r io.Reader, labels corpus.Labels) iter.Seq2[Document, error] {
	return FromAnnotated(corpus.ReadMarkedLines(r), labels)
}

// FromAnnotated gives the marks of documents their meaning. The first error ends the
// sequence.
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
