package eval

import (
	"fmt"
	"iter"

	"github.com/pgdeid/pgdeid/ensemble/corpus"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/synth"
)

// Gold returns spans of our own types as gold.
func Gold(spans []phi.Span) []GoldSpan {
	out := make([]GoldSpan, len(spans))
	for i, s := range spans {
		out[i] = GoldSpan{Start: s.Start, End: s.End, Label: s.Type.String(), Exact: true, Meaning: corpus.MeaningOf(s.Type)}
	}
	return out
}

// Synthetic returns the notes of a made-up hospital as gold documents.
func Synthetic(h *synth.Hospital) iter.Seq2[Document, error] {
	return func(yield func(Document, error) bool) {
		for d := range h.Notes() {
			doc := Document{
				ID: fmt.Sprint(d.ID), Text: d.Text, Spans: Gold(d.Spans), Patient: d.Patient.Record(),
				Kind: string(d.Kind), Group: synth.GroupName(d.Group()), PatientID: fmt.Sprint(d.Patient.ID), Gender: "M",
			}
			if d.Patient.Female {
				doc.Gender = "F"
			}
			if !yield(doc, nil) {
				return
			}
		}
	}
}
