package rules_test

import (
	"testing"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/ensembletest"
)

func BenchmarkPatterns(b *testing.B) {
	d := ensemble.NewPatterns()
	b.SetBytes(int64(len(ensembletest.BenchNote)))
	b.ReportAllocs()
	for b.Loop() {
		if spans, err := d.Detect(b.Context(), &ensemble.Note{Text: ensembletest.BenchNote}, nil); err != nil || len(spans) == 0 {
			b.Fatalf("%d spans, error %v", len(spans), err)
		}
	}
}
