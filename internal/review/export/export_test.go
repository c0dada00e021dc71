package export

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pgdeid/pgdeid/ensemble/corpus"
	"github.com/pgdeid/pgdeid/internal/review"
	"github.com/pgdeid/pgdeid/internal/review/report"
	"github.com/pgdeid/pgdeid/internal/review/store"
)

// made has the texts of notes, by place, and remembers who was shown what.
type made struct {
	texts   map[int]string
	outcome map[int]store.Outcome
	shown   []string
	fail    error
}

func (m *made) Text(_ context.Context, it review.Item) (string, store.Outcome, error) {
	if o, ok := m.outcome[it.Place]; ok {
		return "", o, nil
	}
	return m.texts[it.Place], store.Shown, m.fail
}

func (m *made) Viewed(_ context.Context, reader string, it *review.Item, o store.Outcome) (int64, error) {
	m.shown = append(m.shown, reader+" "+it.Patient+" "+string(o))
	return 1, nil
}

func (m *made) TextHash(text string) []byte { return []byte(strings.ToUpper(text)) }

func mark(start, end int, typ string, v review.Verdict) review.Mark {
	m := review.Mark{Start: start, End: end, Type: typ, Verdict: v}
	if v != review.Missed {
		m.Found = &review.Span{Start: start, End: end, Type: typ}
	}
	return m
}

// read is a round of five notes. The last one is not read to the end.
func read() (*report.Input, *made) {
	m := &made{
		texts: map[int]string{1: "Né Zorvak saw 李 Quill.", 2: "nothing", 3: "changed since", 4: "Zorvak"},
	}
	in := &report.Input{Round: review.Round{Name: "spring", Readers: 1}}
	marks := map[int][]review.Mark{
		1: {mark(3, 9, "PATIENT", review.Right), mark(14, 21, "DOCTOR", review.Missed)},
		2: {mark(0, 7, "CITY", review.Wrong)},
		3: nil,
		4: {mark(0, 6, "PATIENT", review.Right)},
	}
	for place := 1; place <= 5; place++ {
		in.Items = append(in.Items, review.Item{Place: place, Patient: string(rune('p' + place%2))})
		if place < 5 {
			r := review.Reading{Place: place, Reader: "ann", Part: review.Reviewer, Marks: marks[place]}
			if r.Text = m.TextHash(m.texts[place]); place == 3 {
				r.Text = []byte("AS IT WAS")
			}
			in.Readings = append(in.Readings, r)
		}
	}
	return in, m
}

func collect(t *testing.T, e *Export, in *report.Input) (docs []corpus.Annotated, counts Counts) {
	t.Helper()
	for doc, err := range e.Documents(t.Context(), in, &counts) {
		if err != nil {
			t.Fatal(err)
		}
		docs = append(docs, doc)
	}
	return docs, counts
}

func TestDocuments(t *testing.T) {
	t.Parallel()
	in, m := read()
	docs, counts := collect(t, &Export{Texts: m, Vault: m, By: "kim"}, in)
	if diff := cmp.Diff(Counts{Notes: 3, Patients: 2, Marks: 3, Changed: 1}, counts); diff != "" {
		t.Error(diff)
	}
	first := docs[0]
	var quoted []string
	for _, mark := range first.Marks {
		quoted = append(quoted, mark.Label+" "+first.Text[mark.Start:mark.End])
	}
	if want := []string{"PATIENT Zorvak", "DOCTOR 李 Quill"}; !slices.Equal(quoted, want) || first.ID != "spring-1" || first.PatientID != "q" {
		t.Errorf("%q of %s, %s; want %q", quoted, first.ID, first.PatientID, want)
	}
	if len(docs[1].Marks) != 0 {
		t.Error("what is no PHI is marked")
	}
	if want := []string{"kim q shown", "kim p shown", "kim q shown", "kim p shown"}; !slices.Equal(m.shown, want) {
		t.Errorf("noted as shown: %q", m.shown)
	}
}

func TestCorrectedAlone(t *testing.T) {
	t.Parallel()
	in, m := read()
	docs, counts := collect(t, &Export{Texts: m, Vault: m, By: "kim", Corrected: true}, in)
	if len(docs) != 2 || counts.Right != 2 || len(m.shown) != 2 {
		t.Errorf("%d notes, %+v, shown %q", len(docs), counts, m.shown)
	}
}

func TestWhatIsNotToBeHad(t *testing.T) {
	t.Parallel()
	in, m := read()
	m.outcome = map[int]store.Outcome{1: store.Refused, 2: store.Gone}
	docs, counts := collect(t, &Export{Texts: m, Vault: m, By: "kim"}, in)
	if len(docs) != 1 || counts.Absent != 2 || m.shown[0] != "kim q refused" || m.shown[1] != "kim p gone" {
		t.Errorf("%d notes, %+v, %q", len(docs), counts, m.shown)
	}
	m.fail = errors.New("lost")
	m.outcome = nil
	for _, err := range (&Export{Texts: m, Vault: m}).Documents(t.Context(), in, &Counts{}) {
		if !errors.Is(err, m.fail) {
			t.Errorf("%v", err)
		}
	}
}

func TestTwoReaders(t *testing.T) {
	t.Parallel()
	in, m := read()
	in.Round.Readers = 2
	in.Readings = append(in.Readings, review.Reading{
		Place: 4, Reader: "ben", Part: review.Reviewer, Text: in.Readings[3].Text, Marks: []review.Mark{mark(0, 6, "DOCTOR", review.Retyped)},
	})
	docs, _ := collect(t, &Export{Texts: m, Vault: m, By: "kim"}, in)
	if len(docs) != 1 || docs[0].ID != "spring-4" || len(docs[0].Marks) != 1 {
		t.Errorf("%d notes", len(docs))
	}
}

func TestMarksBeyondTheText(t *testing.T) {
	t.Parallel()
	for _, r := range [][2]int{{-1, 3}, {3, 3}, {4, 2}, {0, 8}} {
		if fit([]review.Mark{mark(r[0], r[1], "PATIENT", review.Missed)}, "Zorvak.") {
			t.Errorf("%v was taken for a range of seven characters", r)
		}
	}
}

func TestNotePrintsNoText(t *testing.T) {
	t.Parallel()
	n := Note{Item: review.Item{Place: 2, Key: []string{"Zorvak"}}, Text: "Zorvak"}
	for _, s := range []string{fmt.Sprint(n), fmt.Sprintf("%+v %#v", n, &n), n.LogValue().String()} {
		if strings.Contains(s, "Zorvak") {
			t.Error(s)
		}
	}
}

// FuzzDocument has any marks, in characters of any text: a document that is made has marks on borders of characters.
func FuzzDocument(f *testing.F) {
	f.Add("Né Zorvak 李", 3, 9)
	f.Fuzz(func(t *testing.T, text string, start, end int) {
		marks := []review.Mark{mark(start, end, "PATIENT", review.Missed)}
		if !fit(marks, text) {
			return
		}
		m := Document("r", Note{Item: review.Item{Place: 1}, Text: text, Marks: marks}).Marks[0]
		if got, want := string([]rune(text[m.Start:m.End])), string([]rune(text)[start:end]); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	})
}

// TestWritten writes an export in each format, and reads it again.
func TestWritten(t *testing.T) {
	t.Parallel()
	for _, format := range []corpus.Format{corpus.JSONLines, corpus.BRAT, corpus.I2B2} {
		in, m := read()
		path := t.TempDir() + "/out"
		w, err := corpus.NewAnnotatedWriter(path, format, corpus.BuiltinLabels())
		if err != nil {
			t.Fatal(err)
		}
		var counts Counts
		copied, err := corpus.CopyAnnotated(t.Context(), w, (&Export{Texts: m, Vault: m}).Documents(t.Context(), in, &counts), func(err error) { t.Error(err) })
		if err := errors.Join(err, w.Close()); err != nil || copied.Docs != counts.Notes {
			t.Errorf("%s: %+v, %v", format, copied, err)
		}
		marks := 0
		for doc, err := range corpus.ReadAnnotatedAs(path, format) {
			if err != nil {
				t.Fatal(err)
			}
			marks += len(doc.Marks)
		}
		if marks != counts.Marks {
			t.Errorf("%s: %d marks, want %d", format, marks, counts.Marks)
		}
	}
}
