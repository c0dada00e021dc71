package ensemble_test

import (
	"testing"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/ensembletest"
)

// A note may break off anywhere: whatever a rule looks for behind a cue may be missing.
func TestBrokenOff(t *testing.T) {
	t.Parallel()
	ens, err := ensemble.Default()
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range ensembletest.Texts() {
		if len(text.Text) > 600 {
			continue
		}
		for i := range text.Text {
			for _, part := range []string{text.Text[:i], text.Text[i:]} {
				if _, err := ens.Detect(t.Context(), ensembletest.Note(part)); err != nil {
					t.Fatalf("%s, cut at %d: %v", text.Name, i, err)
				}
			}
		}
	}
}
