package eval

import (
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/eval/score"
	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/ensemble/synth"
)

// TestPerfectDetection scores gold against itself: no misses and no false alarms.
func TestPerfectDetection(t *testing.T) {
	h, err := synth.NewHospital(1, synth.Options{Patients: 50, Notes: 150})
	if err != nil {
		t.Fatal(err)
	}
	s := score.NewScorer(true)
	for i := range h.NoteCount() {
		d := h.Note(i)
		s.Add(&score.Document{ID: "x", Text: d.Text, Spans: score.Gold(d.Spans)}, d.Spans)
	}
	r := s.Report()
	for name, rates := range map[string]score.Rates{
		"A": r.Groups["A"], "C": r.Groups["C"], "all": r.Groups["all"], "strict": r.Strict,
		"relaxed": r.Relaxed,
	} {
		if rates.Gold < 1000 || rates.Found != rates.Gold || rates.False != 0 {
			t.Errorf("%s: %+v", name, rates.Counts)
		}
	}
	if r.Perfect != 150 || r.Overscrub != 0 {
		t.Errorf("%d perfect documents, overscrub %v", r.Perfect, r.Overscrub)
	}
}

func TestSyntheticCarriesPatientAndKind(t *testing.T) {
	h, err := synth.NewHospital(2, synth.Options{Patients: 10, Notes: 12})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for doc, err := range Synthetic(h) {
		if err != nil {
			t.Fatal(err)
		}
		if doc.Kind == "" || doc.Group == "" || len(doc.Patient[record.MRN]) != 1 || len(doc.Spans) == 0 {
			t.Errorf("document %s lacks something", doc.ID)
		}
		n++
	}
	if n != 12 {
		t.Errorf("%d documents", n)
	}
}
