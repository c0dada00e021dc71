package merge

import "math"

// LogOdds returns the log-odds of a probability, kept within 1/1024 of 0 and 1.
func LogOdds(p float64) float64 {
	p = min(max(p, Least), 1-Least)
	return math.Log(p / (1 - p))
}

// logOdds is [LogOdds] limited only to finite numbers.
func logOdds(p float64) float64 {
	p = min(max(p, 1e-9), 1-1e-9)
	return math.Log(p / (1 - p))
}

// Probability is the inverse of [LogOdds].
func Probability(z float64) float64 { return 1 / (1 + math.Exp(-z)) }
