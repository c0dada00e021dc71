package plan

import (
	"bytes"
	"math"
	"strings"
	"testing"
)

// offloaded are measured rates of which a tenth of a network's run stays with the stream.
func offloaded() Rates {
	r := measured()
	r.AwayRun = 0.0001
	return r
}

func TestWhatDetectionWorkersAreWorth(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		rates   Rates
		cores   int
		workers int
		perDay  float64
		bound   func(e *Estimate) float64 // notes a second
		needed  int
	}{
		"none":                         {offloaded(), 4, 0, 1000, func(e *Estimate) float64 { return 4 / e.Search }, 0},
		"two":                          {offloaded(), 4, 2, 1000, func(e *Estimate) float64 { return 12 / e.Search }, 0},
		"more than help":               {offloaded(), 4, 100, 1000, func(e *Estimate) float64 { return 4 / (0.001 + e.Runs*0.0001) }, 0},
		"more than can be written":     {offloaded(), 64, 100, 1000, func(*Estimate) float64 { return 4000 }, 0},
		"not measured":                 {measured(), 4, 5, 1000, func(e *Estimate) float64 { return 4 / e.Search }, 0},
		"more comes in than one takes": {offloaded(), 4, 0, 86400 * 300, func(e *Estimate) float64 { return 4 / e.Search }, 2},
		"more comes in than any take":  {offloaded(), 4, 0, 86400 * 2000, func(e *Estimate) float64 { return 4 / e.Search }, -1},
		"the same, not measured":       {measured(), 4, 0, 86400 * 300, func(e *Estimate) float64 { return 4 / e.Search }, -1},
	} {
		h := paper()
		h.NotesPerDay = c.perDay
		e, err := New(h, c.rates, Fleet{Machines: 1, Cores: c.cores, Cache: 1e5, Detection: c.workers})
		if err != nil {
			t.Fatal(err)
		}
		s := e.Stream
		if math.Abs(s.Rate-c.bound(e)) > 1e-6 || s.Alone > s.Rate || s.Rate > s.Most+1e-9 {
			t.Errorf("%s: %+v, want %g", name, s, c.bound(e))
		}
		arriving := c.perDay / 86400
		if c.needed >= 0 != (s.Needed >= 0) || c.needed == 0 != (s.Needed == 0) || e.Behind != (arriving >= s.Rate) {
			t.Errorf("%s: %d are needed, behind %v", name, s.Needed, e.Behind)
		}
		if s.Needed > 0 {
			with, err := New(h, c.rates, Fleet{Machines: 1, Cores: c.cores, Cache: 1e5, Detection: s.Needed})
			fewer, err2 := New(h, c.rates, Fleet{Machines: 1, Cores: c.cores, Cache: 1e5, Detection: s.Needed - 1})
			if err != nil || err2 != nil || with.Stream.Rate < arriving || fewer.Stream.Rate > arriving {
				t.Errorf("%s: %d are needed: %+v, with one less %+v", name, s.Needed, with.Stream, fewer.Stream)
			}
		}
		if s.Helpful > 0 {
			all, err := New(h, c.rates, Fleet{Machines: 1, Cores: c.cores, Cache: 1e5, Detection: s.Helpful})
			if err != nil || math.Abs(all.Stream.Rate-s.Most) > 1e-6 {
				t.Errorf("%s: %d help: %+v", name, s.Helpful, all.Stream)
			}
		}
	}
}

func TestDetectionWorkersAreInTheReport(t *testing.T) {
	t.Parallel()
	h := paper()
	h.Prices = Prices{1, 0}
	text := func(r Rates, f Fleet) string {
		made, err := Make(h, r, f)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := made.WriteText(&out); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	f := Fleet{Machines: 1, Cores: 4, Cache: 1e5}
	if got := text(measured(), f); !strings.Contains(got, "none would make it faster") {
		t.Error(got)
	}
	h.NotesPerDay = 86400 * 300
	if got := text(offloaded(), f); !strings.Contains(got, "it needs 2 detection workers") || !strings.Contains(got, "0 detection workers") {
		t.Error(got)
	}
	h.NotesPerDay = 86400 * 150
	if got := text(offloaded(), f); !strings.Contains(got, "it needs 1 detection worker (") {
		t.Error(got)
	}
	f.Detection = 3
	if got := text(offloaded(), f); !strings.Contains(got, "with 3 detection workers") || strings.Contains(got, "faster than one stream") {
		t.Error(got)
	}
	h.NotesPerDay = 86400 * 3000
	if got := text(offloaded(), f); !strings.Contains(got, "more cores") {
		t.Error(got)
	}
}
