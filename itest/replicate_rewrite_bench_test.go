package itest

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/replicator/deid"
)

// BenchmarkLagUnderRewrites is how long a new note takes from its commit at the source to
// the replica while a load of demographics has all old notes rewritten, and how many of
// these are rewritten in a second: with the models of "fast", and with 20 ms for each old note.
func BenchmarkLagUnderRewrites(b *testing.B) {
	b.Run("fast", func(b *testing.B) { lagUnderRewrites(b, realDetector(b)) })
	b.Run("20ms", func(b *testing.B) { lagUnderRewrites(b, sleepy(realDetector(b), 20*time.Millisecond)) })
}

func lagUnderRewrites(b *testing.B, d deid.Detector) {
	b.Helper()
	const patients, notes = 200, 10
	for range b.N {
		r := newReplication(b, newPair(b))
		do(b, r.src, fmt.Sprintf(`
			insert into ehr.patient select n, 'Given' || n, 'Oldname' || n, 'M' || n, null from generate_series(1, %d) n;
			insert into ehr.note select n, 1 + n %% %[1]d, null, 'new', 'SLOW. Seen on the ward with cough. '
				|| repeat('Mr Vexterly from Quillhampton came on 3/4 with fever, was seen by Dr Hobbs and sent home with amoxicillin. ', 8)
			from generate_series(1, %d) n`, patients, patients*notes))
		r.run(b, d)
		r.caughtUp(b)
		do(b, r.src, "update ehr.patient set family = 'Vexterly' || patient_id")
		start := time.Now()
		eventually(b, "the requests", func() bool { return count(b, r.dst, "deid.requeue") != "0" })
		var lags []time.Duration
		for n := 0; count(b, r.dst, "deid.requeue") != "0" || n < 20; n++ {
			do(b, r.src, fmt.Sprintf("insert into ehr.note values (%d, %d, null, 'fresh', 'Mr Vexterly went home on 3/5.')", 100000+n, 1+n%patients))
			sent := time.Now()
			for count(b, r.dst, "ehr.note where status = 'fresh'") != fmt.Sprint(n+1) {
				time.Sleep(2 * time.Millisecond)
			}
			lags = append(lags, time.Since(sent))
			time.Sleep(20 * time.Millisecond)
		}
		slices.Sort(lags)
		b.ReportMetric(float64(lags[len(lags)/2].Milliseconds()), "ms-median")
		b.ReportMetric(float64(lags[len(lags)*95/100].Milliseconds()), "ms-p95")
		b.ReportMetric(float64(lags[len(lags)-1].Milliseconds()), "ms-max")
		b.ReportMetric(patients*notes/time.Since(start).Seconds(), "rewritten/s")
	}
}
