package chart

import (
	"math"
	"strconv"

	"gonum.org/v1/plot"
)

// limits returns a rounded range that contains every value and interval, and the step of its
// ticks.
func (d Dots) limits() (low, high, step float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, s := range d.Series {
		for _, p := range s.Points {
			for _, v := range []float64{p.Value, p.Low, p.High} {
				if !math.IsNaN(v) {
					low, high = min(low, v), max(high, v)
				}
			}
		}
	}
	if d.Zero {
		low, high = min(low, 0), max(high, 0)
	} else {
		high = d.Ceil // for rates, show the distance to the maximum
	}
	step = stepOf(high - low)
	low, high = math.Floor(low/step)*step, math.Ceil(high/step)*step
	if low == high {
		low, high = low-step, high+step
	}
	return max(low, d.Floor), min(high, d.Ceil), step
}

// stepOf returns 1, 2 or 5 times a power of ten, such that a length has 4 to 10 steps.
func stepOf(length float64) float64 {
	if !(length > 0) {
		return 1
	}
	const most = 8
	base := math.Pow(10, math.Floor(math.Log10(length/most)))
	for _, times := range []float64{1, 2, 5} {
		if length/(base*times) <= most {
			return base * times
		}
	}
	return base * 10
}

// ticks labels every step.
func ticks(low, high, step float64) plot.ConstantTicks {
	var out plot.ConstantTicks
	places := max(0, int(math.Ceil(-math.Log10(step)-1e-9)))
	for i := math.Ceil(low/step - 1e-9); i*step <= high+step*1e-9; i++ {
		value := i*step + 0 // no "-0"
		out = append(out, plot.Tick{Value: value, Label: strconv.FormatFloat(value, 'f', places, 64)})
	}
	return out
}
