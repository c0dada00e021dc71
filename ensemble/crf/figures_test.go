package crf

import (
	"context"
	"maps"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/corpus"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// fixed always finds the same spans.
type fixed []phi.Span

func (fixed) Name() string { return "fixed" }

func (f fixed) Detect(_ context.Context, _ *ensemble.Note, dst []phi.Span) ([]phi.Span, error) {
	return append(dst, f...), nil
}

func TestScore(t *testing.T) {
	const line = `{"words":["Moss","saw","Oak",",","5","at","6","Elm","Lynn"],"gaps":[2,1,1,0,1,1,1,1,1],` +
		`"tags":["B-NAME","O","B-DOCTOR","I-DOCTOR","B-DATE","O","B-TIME","*","B-CITY"],"covers":["NAME","DATE","TIME","LOCATION"]}`
	spans := fixed{
		{Start: 1, End: 5, Type: phi.Patient}, // Moss
		{Start: 6, End: 9, Type: phi.Doctor},  // saw
		{Start: 15, End: 16, Type: phi.City},  // 5
		{Start: 20, End: 21, Type: phi.Time},  // 6
		{Start: 22, End: 25, Type: phi.City},  // Elm
		{Start: 26, End: 30, Type: phi.Phone}, // Lynn, as a class that is not covered
	}
	got, err := Score(t.Context(), spans, corpus.ReadLabelledLines(strings.NewReader(line)))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]Counts{
		AnyClass: {Gold: 4, Right: 2, Marked: 3}, "NAME": {Gold: 2, Right: 1, Marked: 2}, "DATE": {Gold: 1}, "LOCATION": {Gold: 1, Marked: 1},
	}
	if !maps.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if c := want[AnyClass]; c.Recall() != 0.5 || c.Precision() != 2.0/3 || (Counts{}).F1() != 0 {
		t.Errorf("rates %v %v %v", c.Recall(), c.Precision(), c.F1())
	}
}
