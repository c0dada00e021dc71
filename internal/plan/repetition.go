package plan

import (
	"errors"
	"math"
)

// Sentences of notes repeat as words of a language do: the i-th most frequent one with a probability that falls as a
// power of i. Which power follows from how many different ones a corpus has.

// Law is a distribution of sentences by frequency, Zipf's, in steps of equal probability.
type Law struct {
	Exponent float64
	steps    []step
}

// step are sentences of about the same probability.
type step struct {
	sentences float64 // how many
	each      float64 // the probability of one
}

// mostSentences bounds the sentences that there can be; those beyond have next to no probability.
const mostSentences = 1e14

// newLaw returns the law of an exponent.
func newLaw(exponent float64) *Law {
	l := &Law{Exponent: exponent}
	total := 0.0
	for from := 1.0; from < mostSentences; {
		to := math.Max(from+1, math.Floor(from*1.02))
		weight := math.Pow(from, -exponent)
		if to > from+1 {
			weight = between(from-0.5, to-0.5, exponent) / (to - from)
		}
		l.steps = append(l.steps, step{to - from, weight})
		total += weight * (to - from)
		from = to
	}
	for i := range l.steps {
		l.steps[i].each /= total
	}
	return l
}

// between is the integral of x to the power of -exponent.
func between(from, to, exponent float64) float64 {
	if math.Abs(exponent-1) < 1e-9 {
		return math.Log(to / from)
	}
	return (math.Pow(to, 1-exponent) - math.Pow(from, 1-exponent)) / (1 - exponent)
}

// ErrDistinct means that no law has so many different sentences.
var ErrDistinct = errors.New("the share of distinct sentences has to be above 0 and below 1")

// Fit returns the law by which so many sentences have so many different ones among them.
func Fit(sentences, distinct float64) (*Law, error) {
	if !(distinct > 0 && distinct < sentences) {
		return nil, ErrDistinct
	}
	low, high := 0.2, 4.0
	for range 60 {
		middle := (low + high) / 2
		if newLaw(middle).Distinct(sentences) > distinct {
			low = middle
		} else {
			high = middle
		}
	}
	return newLaw(high), nil
}

// Distinct returns how many different sentences are among so many, on average.
func (l *Law) Distinct(sentences float64) float64 {
	n := 0.0
	for _, s := range l.steps {
		n += s.sentences * -math.Expm1(-s.each*sentences)
	}
	return n
}

// Hits returns the share of so many sentences that a cache knows which keeps so many, those that were
// met last. It is what the approximation of Che, Tung and Wang (2002) says once the cache is full, and
// exact before.
func (l *Law) Hits(sentences, kept float64) float64 {
	met := l.Distinct(sentences)
	if met <= kept {
		return 1 - met/sentences
	}
	// How many sentences go by until one that is not met again is forgotten.
	low, high := kept, sentences
	for range 80 {
		middle := math.Sqrt(low * high)
		if l.Distinct(middle) < kept {
			low = middle
		} else {
			high = middle
		}
	}
	full := 0.0
	for _, s := range l.steps {
		full += s.sentences * s.each * -math.Expm1(-s.each*high)
	}
	filling := high * (1 - kept/high) // known while it fills
	return (filling + (sentences-high)*full) / sentences
}
