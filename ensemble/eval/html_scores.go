package eval

import (
	"cmp"
	"maps"
	"slices"

	"github.com/pgdeid/pgdeid/ensemble/eval/leakage"
	"github.com/pgdeid/pgdeid/ensemble/eval/score"
)

// i2b2Row is a track scored in one of the ways.
type i2b2Row struct {
	Track, Way string
	score.Rates
}

func i2b2Rows(r score.Report) []i2b2Row {
	var out []i2b2Row
	for _, k := range score.Tracks() {
		for _, w := range score.Ways() {
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
	Strict                  score.Counts
	Relaxed, Overlap, Words float64 // F1, F1, recall
}

func i2b2TypeRows(r score.Report) []i2b2TypeRow {
	var out []i2b2TypeRow
	for name, ways := range r.I2B2Types {
		out = append(out, i2b2TypeRow{
			name, ways[score.Strict.String()], ways[score.Relaxed.String()].F1(), ways[score.Overlap.String()].F1(),
			ways[score.BinaryTokens.String()].Recall(),
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
	leakage.Leaks
}

func leakRows(r *leakage.Report) []leakRow {
	if r == nil {
		return nil
	}
	var out []leakRow
	for g := score.A; g <= score.C; g++ {
		out = append(out, leakRow{"group " + g.String(), r.Groups[g.String()]})
	}
	for _, label := range slices.Sorted(maps.Keys(r.Types)) {
		out = append(out, leakRow{label, r.Types[label]})
	}
	return out
}
