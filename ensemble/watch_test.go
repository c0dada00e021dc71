package ensemble_test

import (
	"context"
	"slices"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble"
)

// Each member begins and ends once, one after the other, and what is found is the same whether it is watched or not.
func TestMembersAreWatched(t *testing.T) {
	t.Parallel()
	e, err := ensemble.New(ensemble.Options{Detectors: []string{"record", "patterns"}})
	if err != nil {
		t.Fatal(err)
	}
	const text = "Seen on 3/4/2021, call 617-555-0142."
	var began, ended []string
	ctx := ensemble.WithWatch(context.Background(), func(member string) func() {
		began = append(began, member)
		return func() { ended = append(ended, member) }
	})
	watched, err := e.Detect(ctx, &ensemble.Note{Text: text})
	if err != nil {
		t.Fatal(err)
	}
	alone, err := e.Detect(context.Background(), &ensemble.Note{Text: text})
	if err != nil || len(alone) == 0 || !slices.Equal(watched, alone) {
		t.Errorf("%d spans where it is watched, else %d: %v", len(watched), len(alone), err)
	}
	if !slices.Equal(began, []string{"record", "patterns"}) || !slices.Equal(ended, began) {
		t.Errorf("began %v, ended %v", began, ended)
	}
}
