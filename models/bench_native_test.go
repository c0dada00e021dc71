//go:build native

package models

import (
	"runtime"
	"sync/atomic"
	"testing"

	"golang.org/x/sync/errgroup"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/corpus"
	"github.com/pgdeid/pgdeid/ensemble/synth"
	"github.com/pgdeid/pgdeid/internal/config"
)

// BenchmarkShippedEnsemble searches made-up notes, none twice, with the whole default
// ensemble, as many at a time as detect and the stream do; one operation is one note. Sentences that repeat are
// answered from the cache: runs/sentence is how often networks ran.
func BenchmarkShippedEnsemble(b *testing.B) {
	haveRuntime(b)
	plan, err := NewPlan([]config.Model{{Default: true}}, nil)
	if err != nil {
		b.Fatal(err)
	}
	set, err := plan.Open()
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = set.Close() }()
	e, err := set.Ensemble(0)
	if err != nil {
		b.Fatal(err)
	}
	h, err := synth.NewHospital(11, synth.Options{Patients: 2000, Sites: 40})
	if err != nil {
		b.Fatal(err)
	}
	notes := make([]*ensemble.Note, b.N)
	sentences, bytes := 0, 0
	for i := range notes {
		notes[i] = &ensemble.Note{Text: h.Note(i).Text}
		sentences += len(notes[i].View().Sentences())
		bytes += len(notes[i].Text)
	}
	b.SetBytes(int64(bytes / b.N))
	var next atomic.Int64
	b.ResetTimer()
	var workers errgroup.Group
	for range corpus.PerCore * runtime.GOMAXPROCS(0) {
		workers.Go(func() error {
			for i := next.Add(1) - 1; int(i) < b.N; i = next.Add(1) - 1 {
				if _, err := e.Detect(b.Context(), notes[i]); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err := workers.Wait(); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(sentences)/b.Elapsed().Seconds(), "sentences/s")
	windows := uint64(0)
	for _, m := range set.Stats() {
		windows += m.Windows
	}
	b.ReportMetric(float64(windows)/float64(sentences), "runs/sentence")
}
