package risk

import "math"

// Population is what is known of the people of whom the records are a sample: those of a region, or all patients of which a
// cohort is published.
type Population struct {
	People int64 // 0: not known
}

// Journalist is the risk from an attacker who does not know whether a person is among the records, and compares them with
// a register of the population.
type Journalist struct {
	Population int64   `json:"population"`
	Fraction   float64 `json:"sampling_fraction"`
	// Estimated is whether sizes in the population are estimated from those in the sample.
	Estimated bool    `json:"estimated"`
	Highest   float64 `json:"highest"` // of the most exposed record
	Average   float64 `json:"average"` // expected share of records identified
	AtRisk    int64   `json:"at_risk"` // records of which the risk is above the threshold
	// PopulationUnique is the estimated number of records that are unique in the population too, by Model.
	PopulationUnique float64  `json:"population_unique"`
	Model            string   `json:"model,omitempty"`
	Columns          []string `json:"columns,omitempty"` // by which a register was compared
}

// Estimate returns the risk for a population of which only the number of people is known. k is the smallest size of a
// class that is not at risk.
func (p Population) Estimate(s Sizes, k int64) Journalist {
	n := s.Records()
	if n == 0 || p.People < n {
		return Journalist{}
	}
	j := Journalist{Population: p.People, Fraction: float64(n) / float64(p.People), Estimated: true}
	for _, size := range s {
		risk := expectedInverse(size.Members, j.Fraction)
		j.Highest = max(j.Highest, risk)
		j.Average += risk * float64(size.Members*size.Classes) / float64(n)
		if risk > 1/float64(k) {
			j.AtRisk += size.Members * size.Classes
		}
	}
	j.PopulationUnique, j.Model = populationUnique(s, p.People)
	return j
}

// Counted is a distribution of classes of which the size in the population is known.
type Counted struct{ Sample, Population, Classes int64 }

// Journalist returns the risk where each class was counted in the population. A population in which fewer people have the
// values of a class than the sample is not the one that the sample is from: those who lack are taken as in it.
func (p Population) Journalist(list []Counted, k int64) Journalist {
	var n, classes, people int64
	j := Journalist{Population: p.People}
	var matched float64
	for _, c := range list {
		size := max(c.Sample, c.Population)
		risk := 1 / float64(size)
		n, classes, people = n+c.Sample*c.Classes, classes+c.Classes, people+size*c.Classes
		j.Highest = max(j.Highest, risk)
		matched += risk * float64(c.Sample*c.Classes)
		if size < k {
			j.AtRisk += c.Sample * c.Classes
		}
		if size == 1 {
			j.PopulationUnique += float64(c.Sample * c.Classes)
		}
	}
	if n == 0 {
		return Journalist{}
	}
	j.Average = max(float64(classes)/float64(people), matched/float64(n))
	if p.People > 0 {
		j.Fraction = float64(n) / float64(p.People)
	}
	return j
}

// expectedInverse returns the expectation of 1/F for a class of f records in a sample of which each person of the
// population is a member with probability p: F - f is negative binomial with f successes.
func expectedInverse(f int64, p float64) float64 {
	if p >= 1 {
		return 1 / float64(f)
	}
	q := 1 - p
	// E[1/F] is the integral of (p x / (1 - q x))^f / x over x from 0 to 1. With y = p x / (1 - q x), x = y / (p + q y), it
	// becomes that of p y^(f-1) / (p + q y): smooth, of one sign.
	return simpson(func(y float64) float64 { return p * math.Pow(y, float64(f-1)) / (p + q*y) }, f, p)
}

// simpson integrates from 0 to 1, in steps that become smaller towards both ends, where the mass is for a small p and for a large f.
func simpson(of func(float64) float64, f int64, p float64) float64 {
	edges := []float64{0}
	for edge := min(p, 0.5); edge < 0.5; edge *= 2 {
		edges = append(edges, edge)
	}
	edges = append(edges, 0.5)
	for rest := 0.25; rest > min(0.1, 1/float64(8*f)); rest /= 2 {
		edges = append(edges, 1-rest)
	}
	edges = append(edges, 1)
	const pieces = 64
	sum := 0.0
	for i := 1; i < len(edges); i++ {
		step := (edges[i] - edges[i-1]) / pieces
		part := of(edges[i-1]) + of(edges[i])
		for n := 1; n < pieces; n++ {
			weight := 2 + 2*float64(n%2)
			part += weight * of(edges[i-1]+float64(n)*step)
		}
		sum += part * step / 3
	}
	return sum
}

// Models of uniqueness in the population.
const (
	modelPitman = "Pitman (Hoshino 2001)"
	modelZayatz = "Zayatz (1991)"
	modelWhole  = "the records are the population"
)

// smallFraction is the sampling fraction up to which Pitman's model is the better one (Dankar et al. 2012).
const smallFraction = 0.1

// populationUnique estimates how many records are unique in a population of so many people.
func populationUnique(s Sizes, people int64) (float64, string) {
	n, unique := s.Records(), s.Unique()
	switch {
	case unique == 0 || n == 0:
		return 0, modelZayatz
	case people <= n:
		return float64(unique), modelWhole
	}
	if float64(n)/float64(people) <= smallFraction {
		if u, ok := pitman(s, people); ok {
			return min(u, float64(unique)), modelPitman
		}
	}
	return zayatz(s, people), modelZayatz
}

// zayatz estimates the number of records that are unique in the population: sizes of classes in the population
// are taken to be distributed as in the sample, which is drawn without replacement.
func zayatz(s Sizes, people int64) float64 {
	n, classes, unique := s.Records(), s.Classes(), s.Unique()
	if unique == 0 {
		return 0
	}
	var sampled float64 // probability that a class has one member in the sample
	for _, size := range s {
		sampled += share(size.Classes, classes) * oneOf(size.Members, n, people)
	}
	conditional := share(unique, classes) * share(n, people) / sampled
	return float64(unique) * min(1, conditional)
}

// oneOf returns the probability that a sample of n out of N people has exactly one of i.
func oneOf(i, n, population int64) float64 {
	if population-i < n-1 {
		return 0
	}
	return float64(i) * math.Exp(choose(population-i, n-1)-choose(population, n))
}

// choose returns the logarithm of a binomial coefficient.
func choose(n, k int64) float64 {
	return lgamma(float64(n)+1) - lgamma(float64(k)+1) - lgamma(float64(n-k)+1)
}

func lgamma(x float64) float64 {
	value, _ := math.Lgamma(x)
	return value
}

// pitman estimates the number of records that are unique in the population by Pitman's model, fitted by maximum likelihood. It
// reports false where the model does not fit.
func pitman(s Sizes, people int64) (float64, bool) {
	if s.Classes() < 2 || s.Unique() == s.Records() {
		return 0, false
	}
	theta, alpha := fitPitman(s)
	if !(alpha > minAlpha*2 && alpha < 1-minAlpha*2) {
		return 0, false
	}
	n, N := float64(s.Records()), float64(people)
	// The expected number of classes of one person in the population, each of which is in the sample with probability n/N.
	unique := math.Exp(lgamma(theta+1)-lgamma(theta+alpha)+lgamma(theta+alpha+N-1)-lgamma(theta+N)) * N
	unique *= n / N
	return unique, !math.IsNaN(unique) && !math.IsInf(unique, 0)
}

const minAlpha = 1e-4

// fitPitman returns the parameters of greatest likelihood.
func fitPitman(s Sizes) (theta, alpha float64) {
	best := func(alpha float64) (float64, float64) {
		return greatest(-7, 25, func(x float64) float64 { return pitmanLikelihood(s, math.Exp(x), alpha) })
	}
	alpha, _ = greatest(minAlpha, 1-minAlpha, func(a float64) float64 { _, l := best(a); return l })
	x, _ := best(alpha)
	return math.Exp(x), alpha
}

// pitmanLikelihood is the logarithm of Pitman's sampling formula, without what does not depend on the parameters.
func pitmanLikelihood(s Sizes, theta, alpha float64) float64 {
	n, u := float64(s.Records()), float64(s.Classes())
	l := (u-1)*math.Log(alpha) + lgamma(theta/alpha+u) - lgamma(theta/alpha+1)
	l -= lgamma(theta+n) - lgamma(theta+1)
	for _, size := range s {
		l += float64(size.Classes) * (lgamma(float64(size.Members)-alpha) - lgamma(1-alpha))
	}
	return l
}

// greatest returns where a function with one maximum has it, and its value there (golden section).
func greatest(low, high float64, of func(float64) float64) (at, value float64) {
	const golden = 0.6180339887498949
	a, b := high-golden*(high-low), low+golden*(high-low)
	fa, fb := of(a), of(b)
	for range 60 {
		if fa > fb {
			high, b, fb = b, a, fa
			a = high - golden*(high-low)
			fa = of(a)
		} else {
			low, a, fa = a, b, fb
			b = low + golden*(high-low)
			fb = of(b)
		}
	}
	at = (low + high) / 2
	return at, of(at)
}
