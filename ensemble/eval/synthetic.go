package eval

import (
	"fmt"
	"iter"

	"github.com/pgdeid/pgdeid/ensemble/eval/score"
	"github.com/pgdeid/pgdeid/ensemble/synth"
)

// Synthetic returns the notes of a made-up hospital as gold documents.
func Synthetic(h *synth.Hospital) iter.Seq2[score.Document, error] {
	return func(yield func(score.Document, error) bool) {
		for d := range h.Notes() {
			doc := score.Document{
				ID: fmt.Sprint(d.ID), Text: d.Text, Spans: score.Gold(d.Spans), Patient: d.Patient.Record(),
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
