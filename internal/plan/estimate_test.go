package plan

import (
	"math"
	"strings"
	"testing"
)

// paper is the hospital of the paper.
func paper() Hospital {
	return Hospital{
		Notes: 104e6, BytesPerNote: 3000, SentencesPerNote: 30, Patients: 477e3, DistinctShare: 0.226, NotesPerDay: 30e3, Hours: 24, SourceCores: 4,
	}
}

// measured are rates such as a machine has.
func measured() Rates {
	return Rates{
		BytesPerNote: 3000, SearchPerNote: 0.001, NetworkRun: 0.001, Networks: 2, Reads: 40_000, Writes: 4000,
		WALPerNote: 3400, ReplicaPerNote: 3000, VaultPerNote: 2000,
	}
}

func TestTheSlowestStationBounds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		change func(*Hospital, *Rates, *Fleet)
		bound  string
		rate   float64 // 0: whatever it is
	}{
		{"few cores", func(*Hospital, *Rates, *Fleet) {}, Searching, 0},
		{"many cores", func(_ *Hospital, _ *Rates, f *Fleet) { f.Machines = 64 }, Writing, 4000},
		{"a slow source", func(_ *Hospital, r *Rates, f *Fleet) { f.Machines, r.Reads = 64, 500 }, Reading, 2000},
		{"a source with one core for it", func(h *Hospital, r *Rates, f *Fleet) { h.SourceCores, f.Machines, r.Reads = 1, 64, 3000 }, Reading, 3000},
		{"no networks", func(_ *Hospital, r *Rates, _ *Fleet) { r.Networks, r.NetworkRun = 0, 0 }, Writing, 4000},
		{"notes twice as long", func(h *Hospital, r *Rates, _ *Fleet) { h.BytesPerNote, r.Networks, r.NetworkRun = 6000, 0, 0 }, Writing, 2000},
	} {
		h, r, f := paper(), measured(), Fleet{Machines: 1, Cores: 16, Cache: 1e5}
		c.change(&h, &r, &f)
		e, err := New(h, r, f)
		if err != nil {
			t.Fatal(err)
		}
		if e.Bound != c.bound {
			t.Errorf("%s: bounded by %s, want %s: %+v", c.name, e.Bound, c.bound, e.Stations)
		}
		if want := h.Notes / c.rate / 3600; c.rate > 0 && math.Abs(e.Hours-want) > 1e-6 {
			t.Errorf("%s: %g hours, want %g", c.name, e.Hours, want)
		}
	}
}

// By hand: 30 sentences, two networks, a millisecond a run, and a millisecond for everything else.
func TestWhatANoteCosts(t *testing.T) {
	t.Parallel()
	e, err := New(paper(), measured(), Fleet{Machines: 2, Cores: 16, Cache: 1e5})
	if err != nil {
		t.Fatal(err)
	}
	if runs := 60 * (1 - e.Hits); math.Abs(e.Runs-runs) > 1e-9 || math.Abs(e.Search-(0.001+runs*0.001)) > 1e-12 {
		t.Errorf("%g runs, %g seconds with %g hits", e.Runs, e.Search, e.Hits)
	}
	if e.Hits < 0.5 || e.Hits > 0.56 { // the simulation of a cache says the same: TestHitsAreThoseOfACache
		t.Errorf("hits %g", e.Hits)
	}
	if rate := 32 / e.Search; math.Abs(e.Stations[1].Rate-rate) > 1e-9 {
		t.Errorf("%g notes a second, want %g", e.Stations[1].Rate, rate)
	}
	if want := 104e6 * 3000.; e.Disk.Replica != want || e.Disk.Vault != 104e6*2000. {
		t.Errorf("disk %+v", e.Disk)
	}
}

func TestCatchingUp(t *testing.T) {
	t.Parallel()
	h, r := paper(), measured()
	r.Networks, r.NetworkRun = 0, 0
	f := Fleet{Machines: 1, Cores: 2, Cache: 1} // 2,000 notes a second, copied in 14.4 hours
	h.NotesPerDay = 86400 * 400                 // a fifth of what the stream takes
	e, err := New(h, r, f)
	if err != nil || e.Behind || math.Abs(e.CatchUp-e.Hours/4) > 1e-9 {
		t.Errorf("%+v, %v", e, err)
	}
	if want := 400 * 3400 * 3600 * (e.Hours + e.CatchUp); math.Abs(e.Disk.SlotWAL/want-1) > 1e-9 {
		t.Errorf("%g bytes of WAL, want %g", e.Disk.SlotWAL, want)
	}
	h.WALRate = 5e6
	if e, err = New(h, r, f); err != nil || math.Abs(e.Disk.SlotWAL/(5e6*3600*(e.Hours+e.CatchUp))-1) > 1e-9 {
		t.Errorf("%+v, %v", e, err)
	}
	h.NotesPerDay = 86400 * 2000
	if e, err = New(h, r, f); err != nil || !e.Behind {
		t.Errorf("%+v, %v", e, err)
	}
}

func TestFewest(t *testing.T) {
	t.Parallel()
	f := Fleet{Cores: 16, Cache: 1e5}
	for _, hours := range []float64{200, 48, 24, 12, 8} {
		h := paper()
		h.Hours = hours
		e, err := Fewest(h, measured(), f)
		if err != nil || e.Hours > hours {
			t.Fatalf("%g hours: %+v, %v", hours, e, err)
		}
		if n := e.Fleet.Machines; n > 1 {
			fewer, err := New(h, measured(), Fleet{Machines: n - 1, Cores: 16, Cache: 1e5})
			if err != nil || fewer.Hours <= hours {
				t.Errorf("%g hours: %d machines do as well as %d (%v)", hours, n-1, n, err)
			}
		}
	}
	h := paper()
	h.Hours = 1 // no number of machines writes so fast
	e, err := Fewest(h, measured(), f)
	if err != nil || e.Bound != Writing || e.Hours < 7 || e.Fleet.Machines > 16 {
		t.Errorf("%+v, %v", e, err)
	}
}

func TestMoney(t *testing.T) {
	t.Parallel()
	h := paper()
	h.Prices = Prices{MachineHour: 2, GBMonth: 0.1}
	h.NotesPerDay = 0
	e, err := New(h, measured(), Fleet{Machines: 3, Cores: 16, Cache: 1e5})
	if err != nil || math.Abs(e.Cost-6*e.Hours) > 1e-9 || math.Abs(e.Storage-52) > 1e-9 || e.Disk.SlotWAL != 0 {
		t.Errorf("%+v, %v", e, err)
	}
}

func TestWhatCantBeIsRefused(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*Hospital, *Rates){
		"notes":            func(h *Hospital, _ *Rates) { h.Notes = 0 },
		"bytes per note":   func(h *Hospital, _ *Rates) { h.BytesPerNote = -1 },
		"sentences":        func(h *Hospital, _ *Rates) { h.SentencesPerNote = math.NaN() },
		"patients":         func(h *Hospital, _ *Rates) { h.Patients = 0 },
		"hours":            func(h *Hospital, _ *Rates) { h.Hours = 0 },
		"source cores":     func(h *Hospital, _ *Rates) { h.SourceCores = 0 },
		"distinct":         func(h *Hospital, _ *Rates) { h.DistinctShare = 1 },
		"below 0":          func(h *Hospital, _ *Rates) { h.WALRate = -1 },
		"nothing of":       func(_ *Hospital, r *Rates) { r.Writes = 0 },
		"measure with":     func(_ *Hospital, r *Rates) { r.SearchPerNote = 0 },
		"rates of network": func(_ *Hospital, r *Rates) { r.NetworkRun = 0 },
	} {
		h, r := paper(), measured()
		change(&h, &r)
		if _, err := New(h, r, Fleet{Machines: 1, Cores: 1, Cache: 1}); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
