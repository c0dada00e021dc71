package risk

import (
	"math"
	"math/rand/v2"
	"testing"
)

func near(a, b, within float64) bool { return math.Abs(a-b) <= within*max(1e-12, math.Abs(b)) }

// TestExpectedInverse compares with closed forms: p/q ln 1/p for one, and the recursion for more.
func TestExpectedInverse(t *testing.T) {
	t.Parallel()
	for _, p := range []float64{0.0001, 0.001, 0.01, 0.1, 0.3, 0.5, 0.9} {
		q := 1 - p
		want := p / q * math.Log(1/p)
		for f := int64(1); f <= 4; f++ {
			if got := expectedInverse(f, p); !near(got, want, 1e-6) {
				t.Errorf("E[1/F | f=%d, p=%v] = %v, want %v", f, p, got, want)
			}
			want = p / q * (1/float64(f) - want)
		}
	}
}

func TestExpectedInverseAtItsEnds(t *testing.T) {
	t.Parallel()
	for _, f := range []int64{1, 2, 7, 1000, 1_000_000} {
		if got := expectedInverse(f, 1); got != 1/float64(f) {
			t.Errorf("everybody is in the sample: %v for %d", got, f)
		}
		for _, p := range []float64{0.01, 0.5, 0.99} {
			got := expectedInverse(f, p)
			// By Jensen's inequality not below 1/E[F], and not above 1/f.
			if got < p/float64(f)*(1-1e-6) || got > 1/float64(f)*(1+1e-9) {
				t.Errorf("E[1/F | f=%d, p=%v] = %v, want between %v and %v", f, p, got, p/float64(f), 1/float64(f))
			}
		}
	}
}

func TestEstimate(t *testing.T) {
	t.Parallel()
	s := NewSizes(Size{1, 100}, Size{5, 20}, Size{100, 3})
	j := Population{People: 50_000}.Estimate(s, 11)
	if !j.Estimated || j.Fraction != 0.01 || j.Population != 50_000 {
		t.Errorf("%+v", j)
	}
	if want := expectedInverse(1, 0.01); !near(j.Highest, want, 1e-9) {
		t.Errorf("highest risk %v, want that of a unique record, %v", j.Highest, want)
	}
	if j.AtRisk != 0 || j.Average >= j.Highest || j.Average <= 0 {
		t.Errorf("%+v", j)
	}
	whole := Population{People: 500}.Estimate(s, 11)
	if prosecutor := s.Anonymity(11); !near(whole.Highest, prosecutor.Highest, 1e-9) || !near(whole.Average, prosecutor.Average, 1e-9) ||
		whole.AtRisk != prosecutor.AtRisk || whole.PopulationUnique != 100 {
		t.Errorf("where the records are the population, a journalist has the risk of a prosecutor: %+v, %+v", whole, prosecutor)
	}
	for name, j := range map[string]Journalist{
		"nobody":               Population{People: 10}.Estimate(nil, 11),
		"fewer than there are": Population{People: 10}.Estimate(s, 11),
	} {
		if j.Population != 0 || j.Highest != 0 {
			t.Errorf("%s: %+v", name, j)
		}
	}
}

func TestJournalistByRegister(t *testing.T) {
	t.Parallel()
	list := []Counted{
		{Sample: 1, Population: 1, Classes: 2},  // unique in both
		{Sample: 1, Population: 20, Classes: 3}, // unique in the sample alone
		{Sample: 4, Population: 2, Classes: 1},  // the register lacks two
	}
	j := Population{People: 90}.Journalist(list, 11)
	if j.Highest != 1 || j.AtRisk != 6 || j.PopulationUnique != 2 || j.Estimated {
		t.Errorf("%+v", j)
	}
	// 2 of 2, 3 of 60 people, and 4 of 4 would be one match each: 6 classes of 66 people; and 2 + 3/20 + 1 of 9 records.
	if want := max(6./66, (2+3./20+1)/9); !near(j.Average, want, 1e-12) {
		t.Errorf("average %v, want %v", j.Average, want)
	}
	if j.Fraction != 0.1 {
		t.Errorf("fraction %v", j.Fraction)
	}
	if got := (Population{}).Journalist(nil, 11); got.Highest != 0 || got.Average != 0 {
		t.Errorf("nobody: %+v", got)
	}
}

// drawn makes a population of classes whose sizes are of a Zipf distribution, and a sample of it.
func drawn(seed uint64, people int, fraction float64) (sample Sizes, truth float64) {
	r := rand.New(rand.NewPCG(seed, 7))
	zipf := rand.NewZipf(r, 1.4, 3, 200_000)
	population, inSample := map[uint64]int64{}, map[uint64]int64{}
	for range people {
		class := zipf.Uint64()
		population[class]++
		if r.Float64() < fraction {
			inSample[class]++
		}
	}
	var sizes []Size
	for class, n := range inSample {
		sizes = append(sizes, Size{n, 1})
		if population[class] == 1 {
			truth++
		}
	}
	return NewSizes(sizes...), truth
}

func TestPopulationUniqueIsNearTheTruth(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		fraction float64
		model    string
		factor   float64
	}{
		{0.02, modelPitman, 1.6},
		{0.08, modelPitman, 1.6},
		{0.3, modelZayatz, 2},
		{0.7, modelZayatz, 1.6},
	} {
		for seed := range uint64(3) {
			const people = 100_000
			sample, truth := drawn(seed+1, people, tt.fraction)
			got, model := populationUnique(sample, people)
			if model != tt.model {
				t.Errorf("fraction %v: model %s, want %s", tt.fraction, model, tt.model)
			}
			if got > truth*tt.factor || got < truth/tt.factor {
				t.Errorf("fraction %v: estimated %.0f, truth %.0f, of %d unique in the sample", tt.fraction, got, truth, sample.Unique())
			}
		}
	}
}

func TestPopulationUniqueAtItsEnds(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		sizes  Sizes
		people int64
		want   float64
		model  string
	}{
		"nobody unique":  {NewSizes(Size{5, 10}), 1000, 0, modelZayatz},
		"nobody":         {nil, 1000, 0, modelZayatz},
		"the population": {NewSizes(Size{1, 7}, Size{2, 2}), 11, 7, modelWhole},
	} {
		got, model := populationUnique(tt.sizes, tt.people)
		if got != tt.want || model != tt.model {
			t.Errorf("%s: %v by %s", name, got, model)
		}
	}
	// All alone: Pitman's model has no maximum, Zayatz's estimate is that they stay alone.
	got, model := populationUnique(NewSizes(Size{1, 50}), 5000)
	if model != modelZayatz || !near(got, 50, 1e-6) {
		t.Errorf("all unique: %v by %s", got, model)
	}
}

// TestPitmanRecoversItsParameters draws a Chinese restaurant with two parameters.
func TestPitmanRecoversItsParameters(t *testing.T) {
	t.Parallel()
	const theta, alpha = 50.0, 0.6
	r := rand.New(rand.NewPCG(3, 4))
	var tables []int64
	for n := range 20_000 {
		x := r.Float64() * (float64(n) + theta)
		at := -1
		if x >= theta+alpha*float64(len(tables)) {
			x -= theta + alpha*float64(len(tables))
			for i, size := range tables {
				if x -= float64(size) - alpha; x < 0 {
					at = i
					break
				}
			}
		}
		if at < 0 {
			tables = append(tables, 1)
			continue
		}
		tables[at]++
	}
	var sizes []Size
	for _, n := range tables {
		sizes = append(sizes, Size{n, 1})
	}
	gotTheta, gotAlpha := fitPitman(NewSizes(sizes...))
	if math.Abs(gotAlpha-alpha) > 0.04 || gotTheta < theta/2.5 || gotTheta > theta*2.5 {
		t.Errorf("theta %v, alpha %v; drawn with %v and %v", gotTheta, gotAlpha, theta, alpha)
	}
}

func TestGreatest(t *testing.T) {
	t.Parallel()
	at, value := greatest(-3, 10, func(x float64) float64 { return 5 - (x-2)*(x-2) })
	if !near(at, 2, 1e-6) || !near(value, 5, 1e-9) {
		t.Errorf("%v at %v", value, at)
	}
}

func TestOneOf(t *testing.T) {
	t.Parallel()
	if got := oneOf(1, 25, 100); !near(got, 0.25, 1e-9) {
		t.Errorf("one person is in a quarter of the samples of a quarter: %v", got)
	}
	if got := oneOf(2, 1, 2); !near(got, 1, 1e-9) {
		t.Errorf("a sample of one has one of two: %v", got)
	}
	if got := oneOf(90, 50, 100); got != 0 {
		t.Errorf("a sample of 50 has more than one of 90 out of 100: %v", got)
	}
}
