package bench

import (
	"slices"
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/internal/plan"
	"github.com/pgdeid/pgdeid/replicator/sandbox"
)

// Every stage runs over all notes, and what a plan says by it is what five times as many notes use.
func TestRun(t *testing.T) {
	if testing.Short() {
		t.Skip("starts servers")
	}
	if _, err := sandbox.FindBinDir(); err != nil {
		t.Skip("PostgreSQL is not installed: ", err)
	}
	opened, closed := 0, 0
	o := Options{Notes: 400, Patients: 20, Rounds: 1, NetworkNotes: 50, Workers: []int{1, 2}, Program: call, settings: sandbox.FastSettings()}
	o.Networks = func() (*Networks, error) {
		opened++
		rules, err := ensemble.Default()
		return &Networks{
			Detector: rules, Close: func() error { closed++; return nil },
			Ran: func() (int, uint64, time.Duration) { return 2, 600, time.Second },
		}, err
	}
	r, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Stages) != 14 || opened != 1 || closed != 1 {
		t.Fatalf("%d stages, networks opened %d and closed %d times", len(r.Stages), opened, closed)
	}
	for _, s := range r.Stages {
		if len(s.Rates) != 1 || s.Median <= 0 || (s.Limit != "") != (s.Share > 0) {
			t.Errorf("%+v", s)
		}
	}
	if cold := r.Find(NetworksCold); cold.RunsPerNote != 12 || r.Networks != 2 {
		t.Errorf("%g runs a note", cold.RunsPerNote)
	}
	if z := r.Sizes; z.WALPerNote < r.BytesPerNote/4 || z.ReplicaPerNote < r.BytesPerNote/8 || z.VaultPerNote <= 0 {
		t.Errorf("sizes %+v of notes of %.0f bytes", z, r.BytesPerNote)
	}
	for i, c := range r.Crews {
		if len(c.CPU) != i+1 || slices.Max(c.CPU) <= 0 || c.Planner <= 0 || c.Replica <= 0 || c.Rate <= 0 {
			t.Errorf("%+v", c)
		}
	}
	if len(r.Crews) != 2 {
		t.Errorf("%d copies by workers", len(r.Crews))
	}
	checkPlan(t, r)
}

// checkPlan compares a plan with a run of more notes: bytes on disk and seconds of cores, which do not depend
// on what else the machine does.
func checkPlan(t *testing.T, short *Report) {
	t.Helper()
	const notes = 2000
	long, err := Run(t.Context(), Options{Notes: notes, Patients: notes / 20, Rounds: 1, Only: []string{StreamRules}, settings: sandbox.FastSettings()})
	if err != nil {
		t.Fatal(err)
	}
	h := plan.Hospital{
		Notes: notes, BytesPerNote: long.BytesPerNote, SentencesPerNote: long.SentencesPerNote, Patients: notes / 20, DistinctShare: 0.5, Hours: 1, SourceCores: 1,
	}
	rates := short.Rates()
	rates.Networks, rates.NetworkRun = 0, 0 // the longer run has none
	e, err := plan.New(h, rates, plan.Fleet{Machines: 1, Cores: cores(), Cache: 1})
	if err != nil {
		t.Fatal(err)
	}
	used, _ := long.Find(StreamRules).MedianCPU()
	for _, c := range []struct {
		what          string
		planned, seen float64
		factor        float64
	}{
		{"bytes of the replica", e.Disk.Replica, notes * long.Sizes.ReplicaPerNote, 1.3},
		{"bytes of the vault", e.Disk.Vault, notes * long.Sizes.VaultPerNote, 1.5},
		{"bytes of WAL", notes * rates.WALPerNote, notes * long.Sizes.WALPerNote, 1.3},
		{"seconds of a core for a note", e.Search, used, 2.5},
	} {
		t.Logf("%s: %.4g planned, %.4g seen", c.what, c.planned, c.seen)
		if ratio := c.planned / c.seen; ratio > c.factor || ratio < 1/c.factor {
			t.Errorf("%s: %.4g planned, %.4g seen", c.what, c.planned, c.seen)
		}
	}
}
