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
	"github.com/pgdeid/pgdeid/ensemble/synth"
)

// wrong returns the error sentences of a document given in two versions.
func wrong(t *testing.T, goldText, foundText string) []ErrorSentence {
	t.Helper()
	doc := gold(t, goldText)
	_, found := marks2spans(t, foundText)
	return errorSentences(&doc, &ensemble.Note{Text: doc.Text}, found, nil)
}

func TestErrorSentences(t *testing.T) {
	got := wrong(t,
		"Zoë is well. Seen by Dr. [DOCTOR|Ann Moss] with 😀 [PATIENT|Bob]. Braden of 12 today. Back on [DATE|3/5/14].",
		"Zoë is well. Seen by Dr. [DOCTOR|Ann] Moss with 😀 [PATIENT|Bob]. [DOCTOR|Braden] of 12 today. Back on [DATE|3/5/14].")
	want := []ErrorSentence{
		{
			ID: "d@13", Note: "d", Offset: 13, Text: "Seen by Dr. Ann Moss with 😀 Bob.",
			Spans:  []ErrorSpan{{Start: 12, End: 20, Label: "DOCTOR", Text: "Ann Moss"}, {Start: 28, End: 31, Label: "PATIENT", Text: "Bob"}},
			Found:  []ErrorSpan{{Start: 12, End: 15, Type: "DOCTOR", Text: "Ann"}, {Start: 28, End: 31, Type: "PATIENT", Text: "Bob"}},
			Missed: []ErrorSpan{{Start: 12, End: 20, Label: "DOCTOR", Text: "Ann Moss"}}, False: []ErrorSpan{},
		},
		{
			ID: "d@46", Note: "d", Offset: 46, Text: "Braden of 12 today.", Spans: []ErrorSpan{},
			Found: []ErrorSpan{{Start: 0, End: 6, Type: "DOCTOR", Text: "Braden"}}, Missed: []ErrorSpan{},
			False: []ErrorSpan{{Start: 0, End: 6, Type: "DOCTOR", Text: "Braden"}},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestASpanOverTwoSentencesIsCut(t *testing.T) {
	got := wrong(t, "He met [PATIENT|Ann.\n\nMoss] came.", "He met Ann.\n\n[PATIENT|Moss] came.")
	if len(got) != 1 || len(got[0].Missed) != 1 || !strings.HasPrefix(got[0].Missed[0].Text, "Ann") || strings.Contains(got[0].Text, "Moss") {
		t.Errorf("%+v", got)
	}
}

func TestErrorsAreReadBackAsGold(t *testing.T) {
	path := filepath.Join(t.TempDir(), "errors.jsonl")
	doc := gold(t, "Seen by [DOCTOR|Ann Moss] on [DATE|3/5/14].\n\nA glazier.")
	doc.Spans[0].Exact = true
	plain := gold(t, "A glazier came. [CITY|Salem] is far.")
	_, found := marks2spans(t, "Seen by Ann Moss on [DATE|3/5/14].\n\nA [PROFESSION|glazier].")
	file, err := NewErrorFile(path, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	_, err = Run(t.Context(), fixed{doc.Text: found, plain.Text: nil}, sequence(doc, plain), Options{Errors: file})
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
	a, b := gold(t, "[PATIENT|Ann] came"), gold(t, "unknown")
	if _, err := Run(t.Context(), fixed{a.Text: nil}, sequence(a, b), Options{Errors: file}); err == nil {
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
	doc := gold(t, "Seen on 3/5/2014 by Dr. Quisenberry, who saw [DATE|4/5/2014].")
	if _, err := Run(t.Context(), ens, sequence(doc), Options{Errors: file}); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var e ErrorSentence
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
		for _, e := range errorSentences(&doc, note, found, ens.Names) {
			sentences++
			text := []rune(e.Text)
			if string(runes[e.Offset:e.Offset+len(text)]) != e.Text {
				t.Fatalf("%s is not where it says", e.ID)
			}
			for _, list := range [][]ErrorSpan{e.Spans, e.Found, e.Missed, e.False} {
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
			for _, w := range words(doc.Text, gold.Start, gold.End) {
				point := at.Of(w.Start)
				if covered, _ := coverage(doc.Text, w, found, All, gold.Types); !covered && !gold.Ignored() && !missed[point] {
					t.Fatalf("document %s: a miss at %d is in no sentence", doc.ID, point)
				}
			}
		}
	}
	if sentences < 500 {
		t.Errorf("%d sentences", sentences)
	}
}
