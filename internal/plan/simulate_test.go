package plan

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"
)

// The simulation, which knows of pages, chunks, turns and chance, comes to what the formula says, wherever
// the bound is: never faster, and slower by what the ends of the line wait.
func TestTheFormulaIsWhatIsSimulated(t *testing.T) {
	t.Parallel()
	slowSource, plain := measured(), measured()
	slowSource.Reads = 800
	plain.Networks, plain.NetworkRun = 0, 0
	for name, r := range map[string]Rates{"networks": measured(), "rules alone": plain, "a slow source": slowSource} {
		for _, machines := range []int{1, 2, 3, 8, 16, 64} {
			h := paper()
			h.Notes = 10e6
			f := Fleet{Machines: machines, Cores: 16, Cache: 1e5}
			e, err := New(h, r, f)
			if err != nil {
				t.Fatal(err)
			}
			s, err := Simulate(h, r, f, 3)
			if err != nil {
				t.Fatal(err)
			}
			if ratio := s.Hours / e.Hours; ratio < 0.985 || ratio > 1.1 {
				t.Errorf("%s, %d machines, bounded by %s: %.3f hours, %.3f in the simulation", name, machines, e.Bound, e.Hours, s.Hours)
			}
			if busy := s.Busy[e.Bound]; busy < 0.85 || busy > 1.0001 {
				t.Errorf("%s, %d machines: %s bounds it, and is busy for %.2f of the time: %v", name, machines, e.Bound, busy, s.Busy)
			}
		}
	}
}

// Every page is read, searched and written once, whatever is waited for.
func TestSimulationDoesAllPages(t *testing.T) {
	t.Parallel()
	for _, notes := range []float64{1, 499, 500, 123_456} {
		h := paper()
		h.Notes = notes
		p, err := newPlanner(h, measured())
		if err != nil {
			t.Fatal(err)
		}
		s := newSimulation(p, Fleet{Machines: 5, Cores: 4, Cache: 1e5}, 9)
		s.run()
		if want := int(notes/pageNotes) + 1; s.done != want || s.pages != 0 {
			t.Errorf("%g notes: %d of %d pages done, %d left", notes, s.done, want, s.pages)
		}
	}
}

func TestSimulationIsOfItsSeed(t *testing.T) {
	t.Parallel()
	h := paper()
	h.Notes = 1e6
	hours := func(seed uint64) float64 {
		s, err := Simulate(h, measured(), Fleet{Machines: 4, Cores: 8, Cache: 1e5}, seed)
		if err != nil {
			t.Fatal(err)
		}
		return s.Hours
	}
	if hours(1) != hours(1) || hours(1) == hours(2) {
		t.Errorf("%g, %g; %g", hours(1), hours(1), hours(2))
	}
}

func TestReport(t *testing.T) {
	t.Parallel()
	h := paper()
	h.Prices = Prices{1, 0.1}
	slow := measured()
	slow.Writes, slow.NetworkRun = 1000, 0.002
	for _, c := range []struct {
		name  string
		rates Rates
		f     Fleet
		hours float64
		want  []string
		not   string
	}{
		{"in time", measured(), Fleet{Cores: 16, Cache: 1e5}, 24, []string{"machines", "bounded by searching", "312 GB of notes", "208 GB of the vault", "a month"}, "longer than a day"},
		{"writing bounds", slow, Fleet{Cores: 16, Cache: 1e5}, 24, []string{"28.9 hours are more than 24: writing bounds it", "write 1.2 times as fast", "16 machines take longer than a day"}, ""},
		{"two machines", measured(), Fleet{Machines: 2, Cores: 16, Cache: 1e5}, 10, []string{"2 of 16 cores", "searching bounds it"}, "16 machines take longer"},
	} {
		h.Hours = c.hours
		r, err := Make(h, c.rates, c.f)
		if err != nil {
			t.Fatal(err)
		}
		var text, data bytes.Buffer
		if err := r.WriteText(&text); err != nil {
			t.Fatal(err)
		}
		for _, want := range c.want {
			if !strings.Contains(text.String(), want) {
				t.Errorf("%s: no %q in\n%s", c.name, want, text.String())
			}
		}
		if c.not != "" && strings.Contains(text.String(), c.not) {
			t.Errorf("%s: %q in\n%s", c.name, c.not, text.String())
		}
		if err := r.WriteJSON(&data); err != nil {
			t.Fatal(err)
		}
		var again Report
		if err := json.Unmarshal(data.Bytes(), &again); err != nil || math.Abs(again.Plan.Hours-r.Plan.Hours) > 1e-9 || len(again.Curve) != len(CurveMachines) {
			t.Errorf("%s: %+v, %v", c.name, again.Plan, err)
		}
	}
	behind := paper()
	behind.NotesPerDay = 1e9
	r, err := Make(behind, measured(), Fleet{Machines: 1, Cores: 16, Cache: 1e5})
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := r.WriteText(&text); err != nil || !strings.Contains(text.String(), "never") || !strings.Contains(text.String(), "faster than one stream") {
		t.Errorf("%v\n%s", err, text.String())
	}
}

// Workers of a core each: while searching bounds them twice as many make twice as much; beyond what one writer bears more of them
// make no more.
func TestCurves(t *testing.T) {
	t.Parallel()
	rates := measured()
	rates.NetworkRun, rates.Networks, rates.Writes = 0, 0, 3500 // a core makes 1,000 notes a second
	r, err := Make(paper(), rates, Fleet{Machines: 1, Cores: 16, Cache: 1e5})
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range r.Workers {
		n := CurveMachines[i]
		bound, rate := Searching, 1000*float64(n)
		if rate > 3500 {
			bound, rate = Writing, 3500
		}
		if p.Fleet != (Fleet{Machines: n, Cores: 1, Cache: 1e5}) || p.Bound != bound || math.Abs(p.Rate/rate-1) > 0.1 ||
			math.Abs(p.Share-p.Rate/r.Workers[0].Rate/float64(n)) > 1e-9 {
			t.Errorf("%d workers: %+v, bounded by %s, %g notes a second, %g of linear", n, p.Fleet, p.Bound, p.Rate, p.Share)
		}
	}
	for _, p := range r.Curve {
		if p.Bound != Writing || math.Abs(p.Rate/3500-1) > 0.1 {
			t.Errorf("%d machines: bounded by %s, %g notes a second", p.Fleet.Machines, p.Bound, p.Rate)
		}
	}
}
