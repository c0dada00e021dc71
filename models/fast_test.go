package models

import (
	"testing"

	"github.com/pgdeid/pgdeid/ensemble"
)

// Those of the default models that are no networks run wherever Go does.
func TestFastModels(t *testing.T) {
	detector, set, err := Fast()
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	text := "Pt works for Harrow Ridge Logistics, son Keshawn Oyelaran at bedside."
	spans, err := detector.Detect(t.Context(), &ensemble.Note{Text: text})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range spans {
		for _, by := range detector.Names(s.By) {
			if text[s.Start:s.End] == "Keshawn Oyelaran" && by == "crf" {
				return
			}
		}
	}
	t.Errorf("the CRF has no voice: %v", spans)
}
