package ensemble_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/corpus"
	"github.com/pgdeid/pgdeid/ensemble/ensembletest"
)

// asVotes returns what a template can say of spans: no occupations, and no scores.
func asVotes(spans []ensemble.Span) []ensemble.Span {
	var out []ensemble.Span
	for _, s := range spans {
		if s.Type != ensemble.Profession {
			out = append(out, ensemble.Span{Start: s.Start, End: s.End, Type: s.Type})
		}
	}
	return out
}

// checkTemplate checks that a sentence fits the template that was made of it, in which
// the same is PHI, and that the template is read back as it was.
func checkTemplate(t *testing.T, text string, r ensemble.Range, tm *ensemble.Template, want []ensemble.Span) {
	t.Helper()
	again, err := ensemble.ParseTemplate(tm.String())
	if err != nil || again.String() != tm.String() || again.Form() != tm.Form() || again.Coarse() != tm.Coarse() {
		t.Fatalf("%q is read back as %v, %v", tm, again, err)
	}
	got, ok := again.Matches(text[r.Start:r.End])
	for i := range got {
		got[i].Start, got[i].End = got[i].Start+r.Start, got[i].End+r.Start
	}
	if !ok || !slices.Equal(asVotes(got), want) {
		t.Fatalf("%q of %q: %v, want %v", tm, text[r.Start:r.End], got, want)
	}
}

// checkDetector checks that the templates of a note find something in it.
func checkDetector(t *testing.T, note *ensemble.Note, spans []ensemble.Span) {
	t.Helper()
	for _, tm := range ensemble.TemplatesOf(note, spans, 400) {
		got, err := ensemble.NewTemplateDetector(ensemble.NewTemplates([]*ensemble.Template{tm})).Detect(t.Context(), note, nil)
		if err != nil || len(got) < len(tm.Types()) {
			t.Fatalf("%q finds %d spans in its own note, %v", tm, len(got), err)
		}
	}
}

func spansIn(spans []ensemble.Span, r ensemble.Range) []ensemble.Span {
	return slices.DeleteFunc(asVotes(spans), func(s ensemble.Span) bool { return s.End <= r.Start || s.Start >= r.End })
}

// Every sentence that made a template fits it and has the same PHI there, whether an
// ensemble found it or whoever wrote the note.
func TestTemplatesFitWhatMadeThem(t *testing.T) {
	h, err := corpus.NewHospital(7, corpus.Options{Notes: 60})
	if err != nil {
		t.Fatal(err)
	}
	ens, err := ensemble.Default()
	if err != nil {
		t.Fatal(err)
	}
	made := 0
	for doc := range h.Notes() {
		note := &ensemble.Note{Text: doc.Text, Patient: ensemble.NewGazetteer(doc.Patient.Record())}
		found, err := ens.Detect(t.Context(), note)
		if err != nil {
			t.Fatal(err)
		}
		for _, spans := range [][]ensemble.Span{found, doc.Spans} {
			for _, r := range note.Sentences() {
				if tm := ensemble.TemplateOf(note, r, spans); tm != nil {
					checkTemplate(t, doc.Text, r, tm, spansIn(spans, r))
					made++
				}
			}
			checkDetector(t, note, spans)
		}
	}
	if made < 500 {
		t.Errorf("%d templates of 60 notes", made)
	}
}

func FuzzTemplateOf(f *testing.F) {
	f.Add("Electronically signed by: SMITH, JOHN C on 01/02/1980 at 12:12 PM CST", 26, 14, uint8(ensemble.Doctor), 44, 10)
	f.Add("• a\\<b> Ann's 12b\u200d\tx", 10, 3, uint8(ensemble.Patient), 16, 3)
	f.Add("by W at A N\n\nto 5 PM", 3, 1, uint8(ensemble.Time), 8, 1)
	f.Fuzz(func(t *testing.T, text string, at, length int, typ uint8, at2, length2 int) {
		n := len(text)
		if ensemble.CheckText(text) != nil || n == 0 || at < 0 || length <= 0 || at2 < 0 || length2 <= 0 || at > n || length > n || at2 > n || length2 > n {
			t.Skip()
		}
		types := ensemble.Types()
		spans := []ensemble.Span{{Start: at, End: at + length, Type: types[int(typ)%len(types)]}}
		if at2 >= at+length {
			spans = append(spans, ensemble.Span{Start: at2, End: at2 + length2, Type: ensemble.Date})
		}
		note := &ensemble.Note{Text: text}
		for _, r := range note.Sentences() {
			if tm := ensemble.TemplateOf(note, r, spans); tm != nil {
				checkTemplate(t, text, r, tm, spansIn(spans, r))
			}
		}
	})
}

// What is read is written as it was, has PHI, and fits itself with made-up words for its
// slots.
func FuzzParseTemplate(f *testing.F) {
	for _, s := range []string{signed, `at <TIME N \A M \W> by <DOCTOR W> A W N`, `a\<b\\c\> by <DOCTOR W>`, "Seen\tby <DOCTOR W W>\n\nMD", "by <DOCTOR W><DATE N>", "<PATIENT A>-<DATE N/N> ok"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		tm, err := ensemble.ParseTemplate(text)
		if err != nil {
			return
		}
		if tm.String() != text || len(tm.Types()) == 0 || len(tm.Literals()) == 0 {
			t.Fatalf("%q is read as %q", text, tm)
		}
		set := ensemble.NewTemplates([]*ensemble.Template{tm})
		if set.Len() != 1 || len(set.Wider(tm)) != 0 {
			t.Fatalf("%q is wider than itself", text)
		}
	})
}

// Whatever the text, the detector keeps its contract.
func FuzzTemplates(f *testing.F) {
	for _, text := range ensembletest.Texts() {
		if len(text.Text) < 2000 {
			f.Add(text.Text, signed)
		}
	}
	f.Add("Seen by Ann Moss", "Seen by <DOCTOR W W>")
	f.Fuzz(func(t *testing.T, text, template string) {
		tm, err := ensemble.ParseTemplate(template)
		if err != nil || ensemble.CheckText(text) != nil {
			t.Skip()
		}
		d := ensemble.NewTemplateDetector(ensemble.NewTemplates([]*ensemble.Template{tm}))
		text = strings.Repeat(text+"\n", 2)
		got, err := d.Detect(t.Context(), &ensemble.Note{Text: text}, nil)
		if err != nil {
			t.Fatal(err)
		}
		ensembletest.CheckSpans(t, text, got)
	})
}
