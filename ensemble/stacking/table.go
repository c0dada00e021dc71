package stacking

import (
	"math"
	"slices"
)

// maxBins is the maximum number of bins of a column.
const maxBins = 48

// table holds examples: by column, the bin of each example's value and, by bin, the value that
// begins the next one.
type table struct {
	bins [][]uint8   // by column, by example
	cuts [][]float32 // by column: values below cuts[b] are in bins 0 to b
	y    []float32   // 1: PHI
}

// bin sorts the values of rows into bins of about equal size. Columns with few distinct values
// have a bin for each.
func bin(rows [][]float32, y []float32) *table {
	t := &table{y: y}
	if len(rows) == 0 {
		return t
	}
	values := make([]float32, len(rows))
	for c := range rows[0] {
		for i, r := range rows {
			values[i] = r[c]
		}
		cuts := cutsOf(slices.Clone(values))
		bins := make([]uint8, len(rows))
		for i, v := range values {
			b, _ := slices.BinarySearchFunc(cuts, v, func(cut, v float32) int {
				if cut <= v {
					return -1
				}
				return 1
			})
			bins[i] = uint8(b)
		}
		t.bins, t.cuts = append(t.bins, bins), append(t.cuts, cuts)
	}
	return t
}

// cutsOf returns the values between the bins of a column, whose values it sorts.
func cutsOf(values []float32) []float32 {
	slices.Sort(values)
	distinct := slices.Compact(slices.Clone(values))
	var cuts []float32
	if len(distinct) <= maxBins {
		for i := 1; i < len(distinct); i++ {
			cuts = append(cuts, between(distinct[i-1], distinct[i]))
		}
		return cuts
	}
	for b := 1; b < maxBins; b++ {
		v := values[b*len(values)/maxBins]
		if at, _ := slices.BinarySearch(distinct, v); at > 0 {
			cuts = append(cuts, between(distinct[at-1], v))
		}
	}
	return slices.Compact(cuts)
}

// between returns a value over a and not over b with few digits, for readability.
func between(a, b float32) float32 {
	for _, unit := range []float64{1, 0.5, 0.1, 0.01, 0.001, 0.0001} {
		v := float32(math.Floor(float64(b)/unit+1e-6) * unit)
		if v > a && v <= b {
			return v
		}
	}
	return b
}
