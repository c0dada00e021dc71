package eval

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/corpus"
	"github.com/pgdeid/pgdeid/ensemble/ensembletest"
	"github.com/pgdeid/pgdeid/ensemble/eval/score"
	"github.com/pgdeid/pgdeid/ensemble/synth"
)

// wrong returns the error sentences of a document given in two versions.
func wrong(t *testing.T, goldText, foundText string) []score.ErrorSentence {
	t.Helper()
	doc := gold(t, goldText)
	_, found := ensembletest.Unmark(t, foundText)
	return score.ErrorSentences(&doc, &ensemble.Note{Text: doc.Text}, found, nil)
}

func TestErrorSentences(t *testing.T) {
	got := wrong(t,
		"Zoë is well. Seen by Dr. ⟦Ann Moss|DOCTOR⟧ with 😀 ⟦Bob|PATIENT⟧. Braden of 12 today. Back on ⟦3/5/14|DATE⟧.",
		"Zoë is well. Seen by Dr. ⟦Ann|DOCTOR⟧ Moss with 😀 ⟦Bob|PATIENT⟧. ⟦Braden|DOCTOR⟧ of 12 today. Back on ⟦3/5/14|DATE⟧.")
	want := []score.ErrorSentence{
		{
			ID: "d@13", Note: "d", Offset: 13, Text: "Seen by Dr. Ann Moss with 😀 Bob.",
			Spans:  []score.ErrorSpan{{Start: 12, End: 20, Label: "DOCTOR", Text: "Ann Moss"}, {Start: 28, End: 31, Label: "PATIENT", Text: "Bob"}},
			Found:  []score.ErrorSpan{{Start: 12, End: 15, Type: "DOCTOR", Text: "Ann"}, {Start: 28, End: 31, Type: "PATIENT", Text: "Bob"}},
			Missed: []score.ErrorSpan{{Start: 12, End: 20, Label: "DOCTOR", Text: "Ann Moss"}}, False: []score.ErrorSpan{},
		},
		{
			ID: "d@46", Note: "d", Offset: 46, Text: "Braden of 12 today.", Spans: []score.ErrorSpan{},
			Found: []score.ErrorSpan{{Start: 0, End: 6, Type: "DOCTOR", Text: "Braden"}}, Missed: []score.ErrorSpan{},
			False: []score.ErrorSpan{{Start: 0, End: 6, Type: "DOCTOR", Text: "Braden"}},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestASpanOverTwoSentencesIsCut(t *testing.T) {
	got := wrong(t, "He met ⟦Ann.\n\nMoss|PATIENT⟧ came.", "He met Ann.\n\n⟦Moss|PATIENT⟧ came.")
	if len(got) != 1 || len(got[0].Missed) != 1 || !strings.HasPrefix(got[0].Missed[0].Text, "Ann") || strings.Contains(got[0].Text, "Moss") {
		t.Errorf("%+v", got)
	}
}

func TestErrorsAreReadBackAsGold(t *testing.T) {
	path := filepath.Join(t.TempDir(), "errors.jsonl")
	doc := gold(t, "Seen by ⟦Ann Moss|DOCTOR⟧ on ⟦3/5/14|DATE⟧.\n\nA glazier.")
	doc.Spans[0].Exact = true
	plain := gold(t, "A glazier came. ⟦Salem|CITY⟧ is far.")
	_, found := ensembletest.Unmark(t, "Seen by Ann Moss on ⟦3/5/14|DATE⟧.\n\nA ⟦glazier|PROFESSION⟧.")
	file, err := NewErrorFile(path, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	_, err = Run(t.Context(), fixed{doc.Text: found, plain.Text: nil}, ensembletest.Sequence(doc, plain), Options{Errors: file})
	if err != nil {
		t.Fatal(err)
	}
	// No profession is gold, so "glazier" is not scored; Salem is missed.
	if file.Count() != 2 {
		t.Errorf("%d sentences", file.Count())
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("%v %v", info.Mode(), err)
	}
	var back []corpus.Annotated
	for a, err := range corpus.ReadAnnotated(path) {
		if err != nil {
			t.Fatal(err)
		}
		back = append(back, a)
	}
	if len(back) != 2 || len(back[0].Marks) != 2 || back[0].Marks[0] != (corpus.Mark{Start: 8, End: 16, Label: "DOCTOR", Exact: true}) {
		t.Errorf("%d documents", len(back))
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v %v", entries, err)
	}
}

func TestAnErrorFileIsNotWrittenOver(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "errors.jsonl")
	file, err := NewErrorFile(path, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("corrected"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := file.finish(nil); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a file that came to be in the meantime: %v", err)
	}
	if err := file.Close(); err != nil {
		t.Error(err)
	}
	if _, err := NewErrorFile(path, false, nil); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a file that is there: %v", err)
	}
	if text, _ := os.ReadFile(path); string(text) != "corrected" {
		t.Error("the file was written over")
	}
	file, err = NewErrorFile(path, true, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := file.finish(nil); err != nil {
		t.Fatal(err)
	}
	if text, _ := os.ReadFile(path); len(text) != 0 {
		t.Error("the file was not written over by force")
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("left behind: %v", entries)
	}
}

func TestAFailedRunLeavesNoErrorFile(t *testing.T) {
	dir := t.TempDir()
	file, err := NewErrorFile(filepath.Join(dir, "errors.jsonl"), false, nil)
	if err != nil {
		t.Fatal(err)
	}
	a, b := gold(t, "⟦Ann|PATIENT⟧ came"), gold(t, "unknown")
	if _, err := Run(t.Context(), fixed{a.Text: nil}, ensembletest.Sequence(a, b), Options{Errors: file}); err == nil {
		t.Error("the run did not fail")
	}
	if err := file.Close(); err != nil {
		t.Error(err)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 0 {
		t.Errorf("left behind: %v", entries)
	}
}

func TestErrorsTellTheMembers(t *testing.T) {
	ens, err := ensemble.Default()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "errors.jsonl")
	file, err := NewErrorFile(path, false, ens.Names)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	doc := gold(t, "Seen on 3/5/2014 by Dr. Quisenberry, who saw ⟦4/5/2014|DATE⟧.")
	if _, err := Run(t.Context(), ens, ensembletest.Sequence(doc), Options{Errors: file}); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var e score.ErrorSentence
	if err := json.Unmarshal(raw, &e); err != nil || len(e.False) != 1 || len(e.False[0].By) == 0 || e.False[0].By[0] != "patterns" {
		t.Errorf("%+v %v", e.False, err)
	}
}

// TestErrorSentencesOfAHospital checks over many notes that sentences and spans have the right
// offsets and that no miss is lost.
func TestErrorSentencesOfAHospital(t *testing.T) {
	h, err := synth.NewHospital(5, synth.Options{Patients: 20, Notes: 80})
	if err != nil {
		t.Fatal(err)
	}
	ens, err := ensemble.New(ensemble.Options{Detectors: []string{"patterns"}})
	if err != nil {
		t.Fatal(err)
	}
	sentences := 0
	for doc := range Synthetic(h) {
		note := &ensemble.Note{Text: doc.Text}
		found, err := ens.Detect(t.Context(), note)
		if err != nil {
			t.Fatal(err)
		}
		missed := map[int]bool{} // code points
		runes := []rune(doc.Text)
		for _, e := range score.ErrorSentences(&doc, note, found, ens.Names) {
			sentences++
			text := []rune(e.Text)
			if string(runes[e.Offset:e.Offset+len(text)]) != e.Text {
				t.Fatalf("%s is not where it says", e.ID)
			}
			for _, list := range [][]score.ErrorSpan{e.Spans, e.Found, e.Missed, e.False} {
				for _, s := range list {
					if string(text[s.Start:s.End]) != s.Text {
						t.Fatalf("%s: a span is not where it says", e.ID)
					}
				}
			}
			for _, s := range e.Missed {
				for i := s.Start; i < s.End; i++ {
					missed[e.Offset+i] = true
				}
			}
		}
		at := corpus.NewCodePoints(doc.Text)
		for _, gold := range doc.Spans {
			for _, w := range score.Words(doc.Text, gold.Start, gold.End) {
				point := at.Of(w.Start)
				if covered, _ := score.Coverage(doc.Text, w, found, score.All, gold.Types); !covered && !gold.Ignored() && !missed[point] {
					t.Fatalf("document %s: a miss at %d is in no sentence", doc.ID, point)
				}
			}
		}
	}
	if sentences < 500 {
		t.Errorf("%d sentences", sentences)
	}
}
