package eval

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/eval/overscrub"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// wordTaker finds every occurrence of a word, in any case.
type wordTaker struct {
	word string
	typ  phi.Type
}

func (w wordTaker) Detect(_ context.Context, note *ensemble.Note) ([]phi.Span, error) {
	if i := strings.Index(strings.ToLower(note.Text), w.word); i >= 0 {
		return []phi.Span{{Start: i, End: i + len(w.word), Type: w.typ}}, nil
	}
	return nil, nil
}

func (wordTaker) Names(phi.Votes) []string { return []string{"taker"} }

func TestOverscrubCountsWhatIsTaken(t *testing.T) {
	r, err := Overscrub(t.Context(), wordTaker{"penrose", phi.Doctor}, overscrub.Both, nil)
	if err != nil {
		t.Fatal(err)
	}
	all := r.Halves[2]
	if len(r.Taken) != 1 || r.Taken[0].Term != "Penrose drain" || r.Taken[0].Times != 5 || r.Taken[0].Of != 5 ||
		!slices.Equal(r.Taken[0].By, []string{"taker"}) || !slices.Equal(r.Taken[0].Types, []string{"DOCTOR"}) {
		t.Errorf("taken: %+v", r.Taken)
	}
	if all.Terms < 2000 || all.TermsTaken != 1 || all.CasesTaken != 5 || all.Cases != r.Halves[0].Cases+r.Halves[1].Cases || r.Scrubbed != 0 {
		t.Errorf("%+v, %d words around", r.Halves, r.Scrubbed)
	}
	half := r.Taken[0].Half
	if r.Hide(half); len(r.Taken) != 0 || r.Halves[2].TermsTaken != 1 {
		t.Error("a hidden half is listed, or not counted any more")
	}
	if r, err = Overscrub(t.Context(), wordTaker{"penrose", phi.Profession}, half, nil); err != nil || r.Halves[2].CasesTaken != 0 ||
		r.Halves[2].Terms >= all.Terms {
		t.Errorf("%+v, %v: group C does not replace professions", r.Halves[2], err)
	}
	if r, err = Overscrub(t.Context(), wordTaker{"under sterile technique", phi.Doctor}, overscrub.Both, nil); err != nil ||
		r.Halves[2].CasesTaken != 0 || r.Scrubbed == 0 || r.Scrubbed%3 != 0 {
		t.Errorf("%+v, %d words around, %v", r.Halves[2], r.Scrubbed, err)
	}
}

type failing struct{}

func (failing) Detect(context.Context, *ensemble.Note) ([]phi.Span, error) {
	return nil, errors.New("out of order")
}

func TestOverscrubFailsWithTheDetector(t *testing.T) {
	if _, err := Overscrub(t.Context(), failing{}, overscrub.Both, nil); err == nil || !strings.Contains(err.Error(), "out of order") {
		t.Errorf("%v", err)
	}
}

func TestOverscrubReports(t *testing.T) {
	r, err := Overscrub(t.Context(), wordTaker{"foley", phi.Patient}, overscrub.Both, func() {})
	if err != nil || len(r.Taken) == 0 {
		t.Fatalf("%d taken, %v", len(r.Taken), err)
	}
	var table, page strings.Builder
	if err := r.WriteTable(&table); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"devices and instruments", "Foley", "PATIENT by taker"} {
		if !strings.Contains(table.String(), want) {
			t.Errorf("no %q in the table", want)
		}
	}
	if err := r.WriteHTML(&page, "terms"); err != nil {
		t.Fatal(err)
	}
	checkPage(t, page.String(), 1)
}
