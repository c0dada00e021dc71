package harvest

import (
	"slices"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/ensemble/synth"
	"github.com/pgdeid/pgdeid/ensemble/template"
)

// Every sentence that made a template fits it and has the same PHI there, whether an ensemble or
// the author marked it.
func TestTemplatesFitWhatMadeThem(t *testing.T) {
	h, err := synth.NewHospital(7, synth.Options{Notes: 60})
	if err != nil {
		t.Fatal(err)
	}
	ens, made := rules(t), 0
	for doc := range h.Notes() {
		note := &ensemble.Note{Text: doc.Text, Patient: record.NewGazetteer(doc.Patient.Record())}
		found, err := ens.Detect(t.Context(), note)
		if err != nil {
			t.Fatal(err)
		}
		for _, spans := range [][]phi.Span{found, doc.Spans} {
			for _, r := range note.View().Sentences() {
				if tm := template.Of(doc.Text, r, spans); tm != nil {
					checkFit(t, note, tm, spans, r)
					made++
				}
			}
			for _, tm := range template.All(note.View(), spans, 400) {
				checkFit(t, note, tm, nil, phi.Range{})
			}
		}
	}
	if made < 500 {
		t.Errorf("%d templates of 60 notes", made)
	}
}

// checkFit checks that a template of a note finds something in it, and in a sentence that made it
// what was found there.
func checkFit(t *testing.T, note *ensemble.Note, tm *template.Template, spans []phi.Span, sentence phi.Range) {
	t.Helper()
	again, err := template.Parse(tm.String())
	if err != nil {
		t.Fatalf("%q: %v", tm.String(), err)
	}
	got, err := ensemble.NewTemplates(template.NewSet([]*template.Template{again})).Detect(t.Context(), note, nil)
	if err != nil || len(got) == 0 {
		t.Fatalf("%q finds nothing in its own note, %v", tm.String(), err)
	}
	for _, s := range spans {
		if s.Type == phi.Profession || s.End <= sentence.Start || s.Start >= sentence.End {
			continue
		}
		if !slices.ContainsFunc(got, func(g phi.Span) bool { return g.Start == s.Start && g.End == s.End && g.Type == s.Type }) {
			t.Fatalf("%q does not find %v", tm.String(), s)
		}
	}
}
