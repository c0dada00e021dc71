package synth

import (
	"fmt"
	"iter"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/corpus"
	"github.com/pgdeid/pgdeid/ensemble/record"
)

// Labelled yields the hospital's notes. With records each note knows its patient and
// the staff, as the service does.
func (h *Hospital) Labelled(records bool) iter.Seq2[corpus.Labelled, error] {
	var staff *record.Gazetteer
	if records {
		staff = record.NewGazetteer(h.Directory())
	}
	return func(yield func(corpus.Labelled, error) bool) {
		for d := range h.Notes() {
			note := &ensemble.Note{Text: d.Text, Directory: staff}
			if records {
				note.Patient = record.NewGazetteer(d.Patient.Record())
			}
			l := corpus.Labelled{
				Source: fmt.Sprint(d.ID), Note: note, Tags: corpus.TagSpans(note.View().Tokens, d.Spans), Group: strings.ToLower(GroupName(d.Group())),
			}
			if !yield(l, nil) {
				return
			}
		}
	}
}
