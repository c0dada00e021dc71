package ensemble_test

import (
	"slices"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/ensembletest"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/template"
)

func setOf(t *testing.T, texts ...string) *template.Set {
	t.Helper()
	var list []*template.Template
	for _, s := range texts {
		tm, err := template.Parse(s)
		if err != nil {
			t.Fatalf("%q: %v", s, err)
		}
		list = append(list, tm)
	}
	return template.NewSet(list)
}

// Templates are a member like any other: it votes, is switched off by its name, and its spans
// are settled with those of others.
func TestTemplatesInAnEnsemble(t *testing.T) {
	t.Parallel()
	const text = "Gezeichnet Quorx Zlatvim\n"
	set := setOf(t, "Gezeichnet <DOCTOR W W>")
	with := func(names ...string) *ensemble.Ensemble {
		e, err := ensemble.New(ensemble.Options{Detectors: names})
		if err != nil {
			t.Fatal(err)
		}
		return e.WithTemplates(set)
	}
	all := with()
	spans, err := all.Detect(t.Context(), &ensemble.Note{Text: text})
	if err != nil || !all.HasTemplates() || len(spans) != 1 || text[spans[0].Start:spans[0].End] != "Quorx Zlatvim" || spans[0].Type != phi.Doctor {
		t.Fatalf("%v, %v", spans, err)
	}
	if names := all.Names(spans[0].By); !slices.Contains(names, "templates") {
		t.Errorf("found by %v", names)
	}
	if with("patterns").HasTemplates() || with().WithTemplates(nil).HasTemplates() {
		t.Error("templates where there are none")
	}
	ballot, err := all.Vote(t.Context(), &ensemble.Note{Text: text})
	if err != nil || len(ballot.VotesOf("templates")) != 1 {
		t.Errorf("%v, %v", ballot, err)
	}
}

func TestTemplatesConform(t *testing.T) {
	t.Parallel()
	ensembletest.Conform(t, ensemble.NewTemplates(nil))
	ensembletest.Conform(t, ensemble.NewTemplates(setOf(t, "Electronically signed by: <DOCTOR W, W W> on <DATE N/N/N> at <TIME N:N PM CST>", "Dr. <DOCTOR W> saw <PATIENT W W'W> on <DATE N/N/N>;", "Long <PATIENT A A A>")))
}
