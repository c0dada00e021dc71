package harvest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// The forms of the notes that makeForms writes, as templates.
const (
	formSigned  = "Electronically signed by: <DOCTOR W, W W> on <DATE N/N/N> at <TIME N:N PM> CST"
	formPaged   = "Page Dr. <DOCTOR W> at <PHONE N-N-N> with questions."
	formRare    = "Mailed to Dr. <DOCTOR W> on <DATE N/N/N>."
	formMissed  = "Transcribed by: DEWEY, <DOCTOR W W>, MD"
	formWider   = "Transcribed by: <DOCTOR W, W W>, MD"
	formGrouped = "Visited on <DATE W N> and left."
)

var (
	formSurnames = strings.Fields("SMITH JOHNSON WILLIAMS MILLER DAVIS GARCIA MARTINEZ ANDERSON TAYLOR MOORE")
	formFirst    = strings.Fields("JOHN MARY ROBERT LINDA JAMES SUSAN DAVID KAREN")
)

// makeForms writes notes with sentences of few forms, each with other people, and noise.
func makeForms(seed uint64, n int) []Note {
	rng := rand.New(rand.NewPCG(seed, 2))
	pick := func(list []string) string { return list[rng.IntN(len(list))] }
	var notes []Note
	for i := range n {
		last, first := pick(formSurnames), pick(formFirst)
		title := strings.ToUpper(last[:1]) + strings.ToLower(last[1:])
		day := fmt.Sprintf("%02d/%02d/20%02d", 1+rng.IntN(12), 1+rng.IntN(28), 10+rng.IntN(9))
		lines := []string{
			"No fever.",
			fmt.Sprintf("Electronically signed by: %s, %s %c on %s at %d:%02d PM CST", last, first, 'A'+rng.IntN(26), day, 1+rng.IntN(12),
				rng.IntN(60)),
		}
		if i%3 == 0 {
			lines = append(lines, fmt.Sprintf("Page Dr. %s at 555-010-%04d with questions.", title, rng.IntN(10000)))
		}
		if i%100 == 7 {
			lines = append(lines, fmt.Sprintf("Mailed to Dr. %s on %s.", title, day))
		}
		lines = append(lines, fmt.Sprintf("The %s of Dr. %s was heard on %s.", noise(rng), title, day))
		notes = append(notes, Note{
			Texts: []string{strings.Join(lines, "\n") + "\n"}, Patient: fmt.Sprint(rng.IntN(max(n/8, 30))), Author: fmt.Sprint("a", rng.IntN(20)),
		})
	}
	return notes
}

func forms(t *testing.T, notes []Note, opts Options) ([]Proposal, Summary) {
	t.Helper()
	opts.Kind = Template
	if opts.InNotes == nil {
		opts.InNotes = rules(t)
	}
	list, sum, err := Run(t.Context(), &memorySource{notes: notes}, opts)
	if err != nil {
		t.Fatal(err)
	}
	return list, sum
}

func TestTemplatesAreFound(t *testing.T) {
	notes := makeForms(1, 400)
	list, sum := forms(t, notes, Options{})
	if got, want := textsOf(list), []string{formSigned, formPaged}; !slices.Equal(got, want) {
		t.Fatalf("%q, want %q, %+v", got, want, sum)
	}
	if list[0].Notes != 400 || list[1].Notes != 134 || list[0].Patients != 11 || list[0].Authors != 5 ||
		list[0].ID != IDOf(Template, formSigned) {
		t.Errorf("%+v, %+v", list[0].Notes, list[1].Notes)
	}
	if sum.Notes != 400 || sum.Prevalent != 2 || sum.Proposed != 2 || sum.Ambiguous != 0 || sum.Suspect != 0 {
		t.Errorf("%+v", sum)
	}
	for name, opts := range map[string]Options{
		"more notes": {Notes: 200}, "one of them": {Top: 1},
		"more patients": {Notes: 300, Patients: 20},
	} {
		if list, _ := forms(t, notes, opts); !slices.Equal(textsOf(list), []string{formSigned}) {
			t.Errorf("%s: %q", name, textsOf(list))
		}
	}
	if list, _ := forms(t, notes, Options{Patients: 60}); len(list) != 0 {
		t.Errorf("of 60 patients: %q", textsOf(list))
	}
	if list, _ := forms(t, notes, Options{Notes: 4, Patients: 2, Authors: 2}); !slices.Contains(textsOf(list), formRare) {
		t.Errorf("in four notes: %q", textsOf(list))
	}
}

// The state of a stopped run leads to the same proposals.
func TestTemplatesGoOn(t *testing.T) {
	notes := makeForms(2, 600)
	opts := Options{Kind: Template, InNotes: rules(t), Counters: 200, Every: time.Nanosecond, Notes: 15}
	want, sum := forms(t, notes, opts)
	opts.State = filepath.Join(t.TempDir(), "state")
	stopped := errors.New("stopped")
	for _, stops := range [][]int{{1}, {0, 11, 12}, {5, 9, 13, 17}} {
		batches := 0
		src := &memorySource{notes: notes, fail: func(int) error {
			if batches++; len(stops) > 0 && batches == stops[0]+1 {
				stops = stops[1:]
				return stopped
			}
			return nil
		}}
		got, again, err := Run(t.Context(), src, opts)
		times := 0
		for errors.Is(err, stopped) {
			times++
			got, again, err = Run(t.Context(), src, opts)
		}
		if err != nil || times == 0 {
			t.Fatal(times, err)
		}
		if !slices.Equal(textsOf(got), textsOf(want)) || again != sum || len(want) != 2 || sum.Lost == 0 {
			t.Errorf("%+v, want %+v", again, sum)
		}
		sentences := opts
		sentences.Kind = Sentence
		if _, _, err := Run(t.Context(), src, sentences); !errors.Is(err, ErrOtherState) {
			t.Errorf("sentences go on with a state of templates: %v", err)
		}
		if err := Finish(opts.State); err != nil {
			t.Fatal(err)
		}
	}
}

// withLines adds a sentence to those notes for which line returns one.
func withLines(notes []Note, line func(i int) string) []Note {
	out := slices.Clone(notes)
	for i := range out {
		if s := line(i); s != "" {
			out[i].Texts = []string{out[i].Texts[0] + s + "\n"}
		}
	}
	return out
}

// A name that the ensemble misses makes a form of its own, next to the one with a slot.
func TestTemplatesWithMissedNamesAreSuspect(t *testing.T) {
	blind, err := ensemble.New(ensemble.Options{Detectors: []string{"patterns"}, Members: []ensemble.Member{{Detector: namedFinder{
		"SMITH, JOHN C", "MILLER, MARY R", "GARCIA, LINDA B", "JONES K",
	}}}})
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"SMITH, JOHN C", "MILLER, MARY R", "DEWEY, JONES K", "GARCIA, LINDA B"}
	notes := withLines(makeForms(3, 200), func(i int) string { return "Transcribed by: " + names[i%4] + ", MD" })
	list, sum := forms(t, notes, Options{InNotes: blind})
	if got := textsOf(list); !slices.Contains(got, formWider) || slices.Contains(got, formMissed) || sum.Suspect != 1 {
		t.Errorf("%q, %+v", got, sum)
	}
	list, sum = forms(t, notes, Options{InNotes: blind, Suspects: true})
	for _, p := range list {
		if p.Suspect != (p.Text == formMissed) {
			t.Errorf("%s is suspect: %v", p.Text, p.Suspect)
		}
	}
	if !slices.Contains(textsOf(list), formMissed) || sum.Suspect != 1 {
		t.Errorf("%q, %+v", textsOf(list), sum)
	}
}

// If the ensemble disagrees with itself, nothing is proposed; disagreement on the type within a
// class does no harm.
func TestTemplatesOfAmbiguousForms(t *testing.T) {
	var members []ensemble.Member
	for i, typ := range []phi.Type{phi.Doctor, phi.Patient, phi.City} {
		members = append(members, ensemble.Member{Detector: typedFinder{fmt.Sprint("t", i), []string{"Quark", "Zlat", "Orx"}[i], typ}})
	}
	ens, err := ensemble.New(ensemble.Options{Detectors: []string{"patterns"}, Members: members})
	if err != nil {
		t.Fatal(err)
	}
	words := []string{"Quark", "Quark", "Zlat"}
	fine := withLines(makeForms(4, 120), func(i int) string { return "Picked up by " + words[i%3] })
	if list, sum := forms(t, fine, Options{InNotes: ens}); !slices.Contains(textsOf(list), "Picked up by <DOCTOR W>") || sum.Ambiguous != 0 {
		t.Errorf("%q, %+v", textsOf(list), sum)
	}
	mixed := withLines(fine, func(i int) string {
		if i == 100 {
			return "Picked up by Orx"
		}
		return ""
	})
	if list, sum := forms(t, mixed, Options{InNotes: ens}); len(list) != 0 || sum.Ambiguous != 1 {
		t.Errorf("%q, %+v", textsOf(list), sum)
	}
	grouped := withLines(makeForms(5, 60), func(i int) string { return fmt.Sprintf("Visited on March %d and left.", 1+i%28) })
	if list, sum := forms(t, grouped, Options{InNotes: ens}); !slices.Contains(textsOf(list), formGrouped) {
		t.Errorf("%q, %+v", textsOf(list), sum)
	}
}

func TestVariantsAreBounded(t *testing.T) {
	var v variants
	for i := range 2 * maxVariants {
		v.add("by " + strings.Repeat("<DOCTOR W> ", i) + "<DOCTOR W>")
	}
	if !v.Mixed || len(v.Notes) > maxVariants {
		t.Errorf("%d variants, mixed: %v", len(v.Notes), v.Mixed)
	}
}

func TestListTemplates(t *testing.T) {
	entry := func(text string) Verified { return Verified{Kind: Template, Text: text} }
	if set, err := (List{{Kind: Sentence, Text: "No fever."}}).Templates(); err != nil || set.Len() != 0 {
		t.Errorf("%d, %v", set.Len(), err)
	}
	if set, err := (List{{Kind: Sentence, Text: "No fever."}, entry(formSigned), entry(formPaged)}).Templates(); err != nil || set.Len() != 2 {
		t.Errorf("%d, %v", set.Len(), err)
	}
	if _, err := (List{entry("by <NEW W>")}).Templates(); err == nil || strings.Contains(err.Error(), "NEW") {
		t.Errorf("a template of another version: %v", err)
	}
}

// The review shows the meaning of a template and points out names among its words.
func TestReviewOfTemplates(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p")
	text := "Smith and <DOCTOR W> on <DATE N>"
	list := []Proposal{{ID: IDOf(Template, text), Kind: Template, Text: text, Notes: 30, Patients: 11, Authors: 5, Suspect: true}}
	shown, tally := session(t, path, list, "y", false)
	for _, want := range []string{"PHI between < and >", "more frequent form", "are names too: Smith\n", text} {
		if !strings.Contains(shown, want) {
			t.Errorf("%q is not in %q", want, shown)
		}
	}
	if verdicts, err := ReadVerdicts(path); err != nil || tally.Yes != 1 || verdicts[list[0].ID].Decision != Yes {
		t.Errorf("%+v, %v, %v", tally, verdicts, err)
	}
}
