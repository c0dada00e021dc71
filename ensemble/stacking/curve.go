package stacking

import "math"

// thresholds are the thresholds of a curve.
var thresholds = []float64{
	0, 0.005, 0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.8, 0.9,
}

// curve counts the effect of each threshold on the words that votes would find.
func curve(p []float64, y []float32, counted []bool) []Point {
	points := make([]Point, len(thresholds))
	for i, threshold := range thresholds {
		var phi, kept, others, dropped float64
		for j, prob := range p {
			if !counted[j] {
				continue
			}
			if y[j] == 0 {
				others++
				if prob < threshold {
					dropped++
				}
				continue
			}
			phi++
			if prob >= threshold {
				kept++
			}
		}
		points[i] = Point{threshold, share(kept, phi), share(dropped, others)}
	}
	return points
}

// share is rounded down, so that a floor missed by a hair does not look met.
func share(part, whole float64) float64 {
	if whole == 0 {
		return 1
	}
	return math.Floor(part/whole*1e5) / 1e5
}
