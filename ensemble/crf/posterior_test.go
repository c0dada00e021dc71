package crf

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/ensembletest"
	"github.com/pgdeid/pgdeid/ensemble/merge"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

func scorerOf(t testing.TB, opts MemberOptions) ensemble.Scorer {
	t.Helper()
	s, ok := smallMember(t, opts).(ensemble.Scorer)
	if !ok {
		t.Fatal("a CRF member gives no probabilities")
	}
	return s
}

func scoreOf(t testing.TB, s ensemble.Scorer, note *ensemble.Note, ask []phi.Range) *merge.Posterior {
	t.Helper()
	var p merge.Posterior
	if err := s.Score(t.Context(), note, ask, &p); err != nil {
		t.Fatal(err)
	}
	return &p
}

func TestScoreIsAPosterior(t *testing.T) {
	t.Parallel()
	s := scorerOf(t, MemberOptions{})
	if !slices.IsSorted(s.Types()) || len(s.Types()) == 0 {
		t.Fatalf("types %v", s.Types())
	}
	for _, text := range ensembletest.Texts() {
		note := ensembletest.Note(text.Text)
		p := scoreOf(t, s, note, nil)
		if !slices.IsSorted(p.Tokens) || !slices.Equal(p.Types, s.Types()) || len(p.First) != p.Len() {
			t.Fatalf("%s: tokens out of order, or other types", text.Name)
		}
		for i, token := range p.Tokens {
			sum := 0.0
			for _, q := range p.Row(i) {
				if !(q >= 0 && q <= 1) {
					t.Fatalf("%s: probability %v", text.Name, q)
				}
				sum += float64(q)
			}
			if int(token) >= len(note.View().Tokens) || i > 0 && token == p.Tokens[i-1] || sum > 1+1e-5 || sum < merge.Least*0.99 {
				t.Fatalf("%s: token %d of %d with %v", text.Name, token, len(note.View().Tokens), sum)
			}
		}
	}
}

// What is asked of a part of a note is what is said of it when all is asked.
func TestScoreOfAPart(t *testing.T) {
	t.Parallel()
	s := scorerOf(t, MemberOptions{})
	for _, text := range ensembletest.Texts() {
		note := ensembletest.Note(text.Text)
		n := len(note.View().Tokens)
		if n < 20 || n > 5000 {
			continue
		}
		ask := []phi.Range{{Start: 0, End: 3}, {Start: n / 3, End: n / 2}, {Start: n - 1, End: n}}
		whole, part := scoreOf(t, s, note, nil), scoreOf(t, s, note, ask)
		var want merge.Posterior
		want.Reset(whole.Types)
		for i, token := range whole.Tokens {
			if slices.ContainsFunc(ask, func(r phi.Range) bool { return r.Start <= int(token) && int(token) < r.End }) {
				copy(want.Add(token, whole.First[i]), whole.Row(i))
			}
		}
		if diff := cmp.Diff(want.Tokens, part.Tokens); diff != "" || !slices.Equal(want.Probs, part.Probs) ||
			!slices.Equal(want.First, part.First) {
			t.Errorf("%s: another posterior\n%s", text.Name, diff)
		}
		if none := scoreOf(t, s, note, []phi.Range{}); none.Len() != 0 {
			t.Errorf("%s: %d tokens that were not asked", text.Name, none.Len())
		}
	}
}

// A member of some types says of them what the member of all types does.
func TestScoreOfSomeTypes(t *testing.T) {
	t.Parallel()
	all, names := scorerOf(t, MemberOptions{}), scorerOf(t, MemberOptions{Types: []phi.Type{phi.Doctor, phi.Patient}})
	if !slices.Equal(names.Types(), []phi.Type{phi.Patient, phi.Doctor}) {
		t.Fatalf("types %v", names.Types())
	}
	note := ensembletest.Note("Seen by Dr. Jane Moss on 3/5/2014 in Flint.")
	whole, some := scoreOf(t, all, note, nil), scoreOf(t, names, note, nil)
	if some.Len() == 0 || some.Len() > whole.Len() {
		t.Fatalf("%d tokens of %d", some.Len(), whole.Len())
	}
	for i, token := range some.Tokens {
		at, ok := whole.Find(token)
		for c, typ := range some.Types {
			if !ok || math.Abs(float64(some.Row(i)[c]-whole.Row(at)[slices.Index(whole.Types, typ)])) > 1e-6 {
				t.Errorf("token %d, %s: %v", token, typ, some.Row(i)[c])
			}
		}
	}
}

func TestScoreStopsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var p merge.Posterior
	if err := scorerOf(t, MemberOptions{}).Score(ctx, ensembletest.Note("Seen by Dr. Jane Moss."), nil, &p); !errors.Is(err,
		context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func BenchmarkScore(b *testing.B) {
	s := scorerOf(b, MemberOptions{})
	text := ensembletest.Texts()[0].Text
	b.SetBytes(int64(len(text)))
	var p merge.Posterior
	for b.Loop() {
		if err := s.Score(b.Context(), &ensemble.Note{Text: text}, nil, &p); err != nil {
			b.Fatal(err)
		}
	}
}
