package record_test

import (
	"math/rand/v2"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/ensembletest"
	"github.com/pgdeid/pgdeid/ensemble/record"
)

func BenchmarkRecord(b *testing.B) {
	d := ensemble.NewRecord()
	b.SetBytes(int64(len(ensembletest.BenchNote)))
	b.ReportAllocs()
	for b.Loop() {
		note := &ensemble.Note{Text: ensembletest.BenchNote, Patient: will}
		if spans, err := d.Detect(b.Context(), note, nil); err != nil || len(spans) == 0 {
			b.Fatalf("%d spans, error %v", len(spans), err)
		}
	}
}

// A site with 20,000 made-up members of the staff, each with two of 4,000 names.
func BenchmarkDirectory(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	rec := record.Record{}
	names := make([]string, 4000)
	for i := range names {
		names[i] = madeUpName(rng)
	}
	for range 20000 {
		name := names[rng.IntN(len(names))] + " " + names[rng.IntN(len(names))] + ", MD"
		rec[record.ProviderName] = append(rec[record.ProviderName], name)
	}
	rec.Add(record.ProviderName, "Gregory House")
	directory := record.NewGazetteer(rec)
	d := ensemble.NewDirectory()
	b.SetBytes(int64(len(ensembletest.BenchNote)))
	for b.Loop() {
		note := &ensemble.Note{Text: ensembletest.BenchNote, Directory: directory}
		if spans, err := d.Detect(b.Context(), note, nil); err != nil || len(spans) == 0 {
			b.Fatalf("%d spans, error %v", len(spans), err)
		}
	}
}

func BenchmarkLeaks(b *testing.B) {
	b.SetBytes(int64(len(ensembletest.BenchNote)))
	b.ReportAllocs()
	for b.Loop() {
		will.Leaks(ensembletest.BenchNote)
	}
}
