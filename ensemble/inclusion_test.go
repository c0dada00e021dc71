package ensemble

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/inclusion"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/record"
)

// pointer finds given words wherever they stand.
type pointer struct {
	name  string
	words []string
	typ   phi.Type
	sure  bool
}

func (p pointer) Name() string { return p.name }

func (p pointer) Detect(_ context.Context, note *Note, dst []phi.Span) ([]phi.Span, error) {
	for _, w := range p.words {
		for from := 0; ; {
			i := strings.Index(note.Text[from:], w)
			if i < 0 {
				break
			}
			from += i + len(w)
			dst = append(dst, phi.Span{Start: from - len(w), End: from, Type: p.typ, Sure: p.sure})
		}
	}
	phi.SortSpans(dst)
	return dst, nil
}

func TestInclusion(t *testing.T) {
	t.Parallel()
	list := inclusion.New(slices.Values([]string{"Please call Brown if it hurts.", "Wilbur was kind."}))
	brown := record.NewGazetteer(record.Record{"name.last": {"Brownlow"}, "name.first": {"Wilbur"}})
	for _, tt := range []struct {
		name, text string
		patient    *record.Gazetteer
		sure       bool
		want       []string
	}{
		{name: "a sentence of the list passes", text: "He is well. Please call Brown if it hurts. Bye."},
		{name: "another one does not", text: "Please call Brown when it hurts.", want: []string{"Brown"}},
		{name: "case counts", text: "PLEASE CALL Brown IF IT HURTS.", want: []string{"Brown"}},
		{name: "what is sure stays", text: "Please call Brown if it hurts.", sure: true, want: []string{"Brown"}},
		{name: "a name that is found elsewhere is kept", text: "Jane Brown was seen.\nPlease call Brown if it hurts.", want: []string{"Brown", "Brown"}},
		{name: "the record beats the list", text: "Wilbur was kind.", patient: brown, want: []string{"Wilbur"}},
		{name: "another sentence of that patient passes", text: "Please call Brown if it hurts.", patient: brown},
	} {
		e, err := New(Options{Detectors: []string{}, Members: []Member{{Detector: pointer{"pointer", []string{"Brown", "Wilbur"}, phi.Patient, tt.sure}}}})
		if err != nil {
			t.Fatal(err)
		}
		spans, err := e.WithInclusion(list).Detect(t.Context(), &Note{Text: tt.text, Patient: tt.patient})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, s := range spans {
			got = append(got, tt.text[s.Start:s.End])
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
		plain, err := e.Detect(t.Context(), &Note{Text: tt.text, Patient: tt.patient})
		if err != nil || len(plain) == 0 {
			t.Errorf("%s: without a list %v, %v", tt.name, plain, err)
		}
		ballot, err := e.WithInclusion(list).Vote(t.Context(), &Note{Text: tt.text, Patient: tt.patient})
		if err != nil {
			t.Fatal(err)
		}
		bare, err := ballot.SpansWithoutList(t.Context())
		if err != nil || !slices.Equal(bare, plain) {
			t.Errorf("%s: without the list %v, %v", tt.name, bare, err)
		}
		whole, err := ballot.Spans(t.Context(), e.Members())
		if err != nil || !slices.Equal(whole, spans) {
			t.Errorf("%s: the whole finds %v, %v", tt.name, whole, err)
		}
	}
}

func TestVotesOf(t *testing.T) {
	t.Parallel()
	e, err := Default()
	if err != nil {
		t.Fatal(err)
	}
	b, err := e.Vote(t.Context(), &Note{Text: "Seen by Dr. Jane Rosewood on 03/05/2014."})
	if err != nil {
		t.Fatal(err)
	}
	if got := b.VotesOf("patterns"); len(got) != 1 || got[0].Type != phi.Date {
		t.Errorf("patterns: %v", got)
	}
	if got := b.VotesOf("oracle"); got != nil {
		t.Errorf("no member: %v", got)
	}
}
