package acceptance

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

const (
	runs = 200
	// enoughRuns is how many of the runs' 95% intervals have to cover the truth: 190 are expected of an interval
	// that covers it exactly as often as it claims, and 184 are two standard deviations less. It has
	// fewer in 2% of such trials.
	enoughRuns = 184
)

// hospital is 500 notes of which everything is known, of 120 patients: some have many notes, some notes many names.
type hospital struct {
	notes   []Note
	strata  []string
	patient []int
}

const (
	hospitalNotes    = 500
	hospitalPatients = 120
)

func newHospital(rng *rand.Rand) *hospital {
	h := &hospital{}
	for i := range hospitalNotes {
		patient := int(hospitalPatients * rng.Float64() * rng.Float64())
		names := 1 + rng.IntN(8)
		if rng.IntN(10) == 0 {
			names += 20
		}
		h.patient = append(h.patient, patient)
		h.strata = append(h.strata, []string{"discharge", "nursing", "nursing", "radiology"}[i%4])
		h.notes = append(h.notes, Note{Patient: fmt.Sprint(patient), Weight: 1, Counts: map[phi.Type]Counts{
			phi.Patient: {Present: names}, phi.Date: {Present: 3, Shown: 3},
		}})
	}
	return h
}

// plant makes the program miss names, each with the probability that the pattern has for it.
func (h *hospital) plant(rng *rand.Rand, rate float64, p pattern) {
	missed := p(rng, rate, h)
	for i, n := range h.notes {
		c := n.Counts[phi.Patient]
		for range c.Present {
			if rng.Float64() < missed[i] {
				c.Missed++
			}
		}
		c.Shown = c.Present - c.Missed
		n.Counts[phi.Patient] = c
	}
}

// recall is that of all notes.
func (h *hospital) recall() float64 {
	var sum Counts
	for _, n := range h.notes {
		c := n.sum(Class(phi.ClassName))
		sum.Present, sum.Missed = sum.Present+c.Present, sum.Missed+c.Missed
	}
	return 1 - float64(sum.Missed)/float64(sum.Present)
}

// read draws notes at random, twice as many nursing notes as their share, and reads them.
func (h *hospital) read(t *testing.T, seed, n int) []Note {
	t.Helper()
	s := NewSampler(fmt.Sprint(seed), n)
	at := map[string]int{}
	for i, name := range h.strata {
		at[fmt.Sprint(i)] = i
		s.Add(name, fmt.Sprint(i))
	}
	drawn, err := s.Draw(n, map[string]float64{"nursing": 2})
	if err != nil {
		t.Fatal(err)
	}
	var notes []Note
	for _, d := range drawn {
		note := h.notes[at[d.ID]]
		note.Weight = d.Weight
		notes = append(notes, note)
	}
	return notes
}

// pattern returns for each note the probability that a name in it is missed: rate on average.
type pattern func(rng *rand.Rand, rate float64, h *hospital) []float64

// alone misses each name for itself.
func alone(_ *rand.Rand, rate float64, h *hospital) []float64 {
	out := make([]float64, len(h.notes))
	for i := range out {
		out[i] = rate
	}
	return out
}

// byNote misses most names of few notes: those of a layout that the program does not know.
func byNote(rng *rand.Rand, rate float64, h *hospital) []float64 {
	out := make([]float64, len(h.notes))
	for i := range out {
		if rng.Float64() < rate/.8 {
			out[i] = .8
		}
	}
	return out
}

// byName misses a patient's name wherever it is.
func byName(rng *rand.Rand, rate float64, h *hospital) []float64 {
	unknown := make([]bool, hospitalPatients)
	for i := range unknown {
		unknown[i] = rng.Float64() < rate/.8
	}
	out := make([]float64, len(h.notes))
	for i := range out {
		if unknown[h.patient[i]] {
			out[i] = .8
		}
	}
	return out
}

func recallOfNames(notes []Note) Share {
	return measure{notes, .95}.row("", Class(phi.ClassName)).Recall
}

// covered counts the intervals that cover the truth.
type covered struct{ exact, robust, bounded int }

func (c *covered) count(s Share, truth float64) {
	const rounding = 1e-9
	in := func(i Interval) int {
		if (Interval{i.Low - rounding, i.High + rounding}).Covers(truth) {
			return 1
		}
		return 0
	}
	c.exact, c.robust, c.bounded = c.exact+in(s.Exact), c.robust+in(s.Robust), c.bounded+in(s.Bounded)
}

// TestIntervalsCoverTheTruth has a person read 150 of 500 notes in 200 hospitals: the interval by which claims
// are judged covers what is true of all 500, however misses bunch. That of independent
// misses does not.
func TestIntervalsCoverTheTruth(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		misses pattern
		rate   float64
		breaks bool // intervals of independent misses
	}{
		{"alone, 5%", alone, .05, false},
		{"alone, 1%", alone, .01, false},
		{"alone, 0.1%", alone, .001, false},
		{"none", alone, 0, false},
		{"by note, 5%", byNote, .05, true},
		{"by note, 1%", byNote, .01, true},
		{"by note, 0.2%", byNote, .002, true},
		{"by patient, 5%", byName, .05, true},
		{"by patient, 1%", byName, .01, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var n covered
			for run := range runs {
				rng := rand.New(rand.NewPCG(uint64(run), 16))
				h := newHospital(rng)
				h.plant(rng, c.rate, c.misses)
				n.count(recallOfNames(h.read(t, run, 150)), h.recall())
			}
			t.Logf("%s, of %d: exact %d, robust %d, bounded %d", t.Name(), runs, n.exact, n.robust, n.bounded)
			if n.bounded < enoughRuns {
				t.Errorf("the truth is in %d of %d bounded intervals, want %d", n.bounded, runs, enoughRuns)
			}
			if broken := n.exact < enoughRuns; broken != c.breaks {
				t.Errorf("the truth is in %d of %d exact intervals: breaks %t, want %t", n.exact, runs, broken, c.breaks)
			}
		})
	}
}

// TestIntervalsCoverTheProcess reads all 500 notes, and asks for what made them: the recall that other notes of
// the hospital will have.
func TestIntervalsCoverTheProcess(t *testing.T) {
	t.Parallel()
	for name, misses := range map[string]pattern{"alone": alone, "by note": byNote, "by patient": byName} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const rate = .02
			var n covered
			for run := range runs {
				rng := rand.New(rand.NewPCG(uint64(run), 17))
				h := newHospital(rng)
				h.plant(rng, rate, misses)
				n.count(recallOfNames(h.notes), 1-rate)
			}
			t.Logf("%s, of %d: exact %d, robust %d, bounded %d", t.Name(), runs, n.exact, n.robust, n.bounded)
			if n.bounded < enoughRuns {
				t.Errorf("the truth is in %d of %d bounded intervals, want %d", n.bounded, runs, enoughRuns)
			}
			if broken := n.exact < enoughRuns; broken != (name != "alone") {
				t.Errorf("the truth is in %d of %d exact intervals", n.exact, runs)
			}
		})
	}
}

// TestFalseClaimsAreNotProven judges hospitals whose recall is just below the claim: with 95%
// confidence, no more than 5% of them pass. Ten of 200 are expected at most, and 16 are two standard
// deviations more.
func TestFalseClaimsAreNotProven(t *testing.T) {
	t.Parallel()
	for name, misses := range map[string]pattern{"alone": alone, "by note": byNote, "by patient": byName} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			claim := Claim{.96, .95}
			proven := 0
			for run := range runs {
				rng := rand.New(rand.NewPCG(uint64(run), 18))
				h := newHospital(rng)
				h.plant(rng, .045, misses)
				if Judge(h.notes, Class(phi.ClassName), claim).Proven {
					proven++
				}
			}
			if proven > 16 {
				t.Errorf("%d of %d false claims were proven", proven, runs)
			}
		})
	}
}

// TestPlannedSamplesProve reads as many notes of as many patients as the plan asks for. The expected recall is the
// true one, so that the claim is proven about as often as the plan promises: with a power of 80%, 160 of 200,
// and 148 are two standard deviations less.
func TestPlannedSamplesProve(t *testing.T) {
	t.Parallel()
	claim := Claim{.97, .95}
	e := Expectation{Recall: .99, Power: .8, PerNote: 8, Bunch: 4}
	sizes, err := claim.Sizes(e)
	if err != nil {
		t.Fatal(err)
	}
	proven := 0
	for run := range runs {
		rng := rand.New(rand.NewPCG(uint64(run), 19))
		notes := sample(sizes.Bounded.Notes)
		for i := range notes {
			missed := 0
			if rng.Float64() < (1-e.Recall)*e.PerNote/e.Bunch {
				missed = int(e.Bunch)
			}
			notes[i].Counts = names(int(e.PerNote), missed)
		}
		if Judge(notes, Class(phi.ClassName), claim).Proven {
			proven++
		}
	}
	if proven < int(math.Floor(.74*runs)) {
		t.Errorf("%d of %d planned samples prove what they were planned for", proven, runs)
	}
}

// TestIntervalsByGroupCoverTheTruth has the program miss names of one origin more often than those of others, in bunches by patient: the
// bounded interval of each group, also of the small one, covers what is true of all 500 notes.
func TestIntervalsByGroupCoverTheTruth(t *testing.T) {
	t.Parallel()
	groups := []string{"common", "second", "rare"}
	rates := []float64{.01, .03, .12}
	var n [3]covered
	few, below := 0, 0
	for run := range runs {
		rng := rand.New(rand.NewPCG(uint64(run), 20))
		h := newHospital(rng)
		h.plantByGroup(rng, groups, rates)
		sample := h.read(t, run, 150)
		e := Measure(sample, .95)
		e.NamesBy(sample, groups, nil)
		for i, row := range e.Origins {
			n[i].count(row.Recall, h.recallOf(groups[i]))
		}
		if e.Origins[2].Few() {
			few++
		}
		if e.Origins[2].Recall.Point < e.Origins[0].Recall.Point {
			below++
		}
	}
	for i, name := range groups {
		t.Logf("%s, of %d: exact %d, robust %d, bounded %d", name, runs, n[i].exact, n[i].robust, n[i].bounded)
		if n[i].bounded < enoughRuns {
			t.Errorf("%s: the truth is in %d of %d bounded intervals, want %d", name, n[i].bounded, runs, enoughRuns)
		}
	}
	if few < runs*9/10 || below < runs/2 {
		t.Errorf("of %d samples %d say that the rare group has few names, and %d show that it is found worse", runs, few, below)
	}
}

// plantByGroup gives each patient an origin, most of them the first, and misses names of each with its rate, all in a note or none.
func (h *hospital) plantByGroup(rng *rand.Rand, groups []string, rates []float64) {
	of := make([]int, hospitalPatients)
	for i := range of {
		switch p := rng.Float64(); {
		case p < .08:
			of[i] = 2
		case p < .35:
			of[i] = 1
		}
	}
	for i := range h.notes {
		g := of[h.patient[i]]
		c := Counts{Present: h.notes[i].Counts[phi.Patient].Present}
		if rng.Float64() < rates[g] {
			c.Missed = c.Present
		}
		h.notes[i].Counts = map[phi.Type]Counts{phi.Patient: c}
		h.notes[i].Names.Origins = map[string]Counts{groups[g]: c}
	}
}

// recallOf is that of all names of a group.
func (h *hospital) recallOf(group string) float64 {
	var sum Counts
	for _, n := range h.notes {
		c := n.Names.Origins[group]
		sum.Present, sum.Missed = sum.Present+c.Present, sum.Missed+c.Missed
	}
	if sum.Present == 0 {
		return 1
	}
	return 1 - float64(sum.Missed)/float64(sum.Present)
}
