package synth

import (
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/corpus"
)

func TestHospitalLabelled(t *testing.T) {
	h := hospital(t, 7, Options{Notes: 5, Patients: 10})
	marked := 0
	for l, err := range h.Labelled(true) {
		if err != nil {
			t.Fatal(err)
		}
		if len(l.Tags) != len(l.Note.View().Tokens) || l.Note.Patient == nil || l.Note.Directory == nil {
			t.Fatal("tags of other tokens, or a note without its record")
		}
		for _, tag := range l.Tags {
			if _, _, ok := corpus.TagTypes(tag); !ok {
				t.Fatalf("tag %q", tag)
			}
			if tag != corpus.Outside {
				marked++
			}
		}
	}
	if marked == 0 {
		t.Error("nothing is marked")
	}
}
