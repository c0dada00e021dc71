package bench

import (
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/replicator/sandbox"
)

// Every stage runs over all notes, with servers that leave nothing behind.
func TestRun(t *testing.T) {
	if testing.Short() {
		t.Skip("starts servers")
	}
	if _, err := sandbox.FindBinDir(); err != nil {
		t.Skip("PostgreSQL is not installed: ", err)
	}
	opened, closed := 0, 0
	o := Options{Notes: 120, Patients: 20, Rounds: 1, NetworkNotes: 60, settings: sandbox.FastSettings()}
	o.Networks = func() (*Networks, error) {
		opened++
		rules, err := ensemble.Default()
		return &Networks{
			Detector: rules, Close: func() error { closed++; return nil },
			Ran: func() (uint64, time.Duration) { return 600, time.Second },
		}, err
	}
	r, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Stages) != 13 || opened != 1 || closed != 1 {
		t.Fatalf("%d stages, networks opened %d and closed %d times", len(r.Stages), opened, closed)
	}
	for _, s := range r.Stages {
		if len(s.Rates) != 1 || s.Median <= 0 || (s.Limit != "") != (s.Share > 0) {
			t.Errorf("%+v", s)
		}
	}
	if cold := r.Find(NetworksCold); cold.RunsPerNote != 6 && cold.RunsPerNote != 10 {
		t.Errorf("%g runs a note", cold.RunsPerNote)
	}
	if z := r.Sizes; z.WALPerNote < r.BytesPerNote/4 || z.ReplicaPerNote < r.BytesPerNote/8 || z.VaultPerNote <= 0 {
		t.Errorf("sizes %+v of notes of %.0f bytes", z, r.BytesPerNote)
	}
}
