package eval

import (
	"context"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/eval"
	"github.com/pgdeid/pgdeid/ensemble/eval/leakage"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/synth"
)

// known finds the given spans in a text.
type known map[string][]phi.Span

func (k known) Detect(_ context.Context, note *ensemble.Note) ([]phi.Span, error) {
	return k[note.Text], nil
}

// leakageOf replaces of each note of a hospital the spans of gold that keep wants.
func leakageOf(t *testing.T, keep func(i int) bool) *leakage.Report {
	t.Helper()
	hospital, err := synth.NewHospital(5, synth.Options{Patients: 12, Notes: 60})
	if err != nil {
		t.Fatal(err)
	}
	finds := known{}
	for d := range hospital.Notes() {
		var found []phi.Span
		for i, s := range d.Spans {
			if keep(i) {
				found = append(found, s)
			}
		}
		finds[d.Text] = found
	}
	replace, err := leakageFlags{on: true, most: 100}.replacer(false)
	if err != nil {
		t.Fatal(err)
	}
	res, err := eval.Run(t.Context(), finds, eval.Synthetic(hospital), eval.Options{Replace: replace})
	if err != nil {
		t.Fatal(err)
	}
	return res.Leakage
}

func TestNothingIsLeftOfWhatIsFound(t *testing.T) {
	r := leakageOf(t, func(int) bool { return true })
	if c := r.Groups["C"]; r.Docs != 60 || r.Withheld != 0 || r.Leaking != 0 || c.Survived != 0 || c.Whole+c.Partly != 0 || c.Words < 1000 {
		t.Errorf("%+v, group C %+v", r, c)
	}
}

// TestTheLeakCheckHeals: of what is not found, the patient's own names and numbers are
// replaced all the same, and what only the text holds is left.
func TestTheLeakCheckHeals(t *testing.T) {
	r := leakageOf(t, func(int) bool { return false })
	if mrn := r.Types["MEDICALRECORD"]; mrn.Words == 0 || mrn.Survived > 0 {
		t.Errorf("record numbers: %+v", mrn)
	}
	if d := r.Types["DOCTOR"]; d.Rate() < 0.9 {
		t.Errorf("doctors: %+v", d)
	}
	if p := r.Types["PATIENT"]; p.Rate() > 0.5 {
		t.Errorf("patients: %+v", p)
	}
}
