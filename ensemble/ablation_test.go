package ensemble_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/ensembletest"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// TestBallotOfAPartIsThatPartsEnsemble compares what is made of the votes of some
// members with what an ensemble of these finds by itself.
func TestBallotOfAPartIsThatPartsEnsemble(t *testing.T) {
	names := ensemble.DetectorNames()
	for _, threshold := range []int{1, 2} {
		whole := newEnsemble(t, names, threshold)
		for part := phi.Votes(1); part <= whole.Members(); part += 5 {
			members := whole.Names(part)
			alone := newEnsemble(t, members, min(threshold, len(members)))
			for _, text := range ensembletest.Texts() {
				if len(text.Text) > 4000 {
					continue
				}
				note := ensembletest.Note(text.Text)
				ballot, err := whole.Vote(t.Context(), note)
				if err != nil {
					t.Fatal(err)
				}
				want, err := alone.Detect(t.Context(), note)
				if err != nil {
					t.Fatal(err)
				}
				got := ballot.Spans(part)
				if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(phi.Span{}, "By")); diff != "" {
					t.Fatalf("%s, %v, threshold %d:\n%s", text.Name, members, threshold, diff)
				}
				for _, s := range got {
					if s.By&^part != 0 {
						t.Fatalf("a span by %v in a part of %v", whole.Names(s.By), members)
					}
				}
			}
		}
	}
}

func newEnsemble(t *testing.T, names []string, threshold int) *ensemble.Ensemble {
	t.Helper()
	e, err := ensemble.New(ensemble.Options{Detectors: slices.Clone(names), Threshold: threshold})
	if err != nil {
		t.Fatal(err)
	}
	return e
}
