package eval

import (
	"cmp"
	"maps"
	"slices"
)

// i2b2Row is a track scored in one of the ways.
type i2b2Row struct {
	Track, Way string
	Rates
}

func i2b2Rows(r Report) []i2b2Row {
	var out []i2b2Row
	for _, k := range Tracks() {
		for _, w := range Ways() {
			if s, ok := r.I2B2[k.String()][w.String()]; ok {
				out = append(out, i2b2Row{k.String(), w.String(), s})
			}
		}
	}
	return out
}

// i2b2TypeRow is one of i2b2's types, by the ways that its tables list.
type i2b2TypeRow struct {
	Name                    string
	Strict                  Counts
	Relaxed, Overlap, Words float64 // F1, F1, recall
}

func i2b2TypeRows(r Report) []i2b2TypeRow {
	var out []i2b2TypeRow
	for name, ways := range r.I2B2Types {
		out = append(out, i2b2TypeRow{
			name, ways[Strict.String()], ways[Relaxed.String()].F1(), ways[Overlap.String()].F1(),
			ways[BinaryTokens.String()].Recall(),
		})
	}
	slices.SortFunc(out, func(a, b i2b2TypeRow) int {
		return cmp.Or(cmp.Compare(b.Strict.Gold, a.Strict.Gold), cmp.Compare(a.Name, b.Name))
	})
	return out
}

// leakRow is what is left of a group or label after replacement.
type leakRow struct {
	Name string
	Leaks
}

func leakRows(r *LeakReport) []leakRow {
	if r == nil {
		return nil
	}
	var out []leakRow
	for g := A; g <= C; g++ {
		out = append(out, leakRow{"group " + g.String(), r.Groups[g.String()]})
	}
	for _, label := range slices.Sorted(maps.Keys(r.Types)) {
		out = append(out, leakRow{label, r.Types[label]})
	}
	return out
}
