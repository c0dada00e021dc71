package score

import (
	"cmp"
	"maps"
	"slices"
)

// TableS4 is Supplementary Table 4 of Murugadoss et al., Patterns 2 (2021): words, by class and,
// for recall, by type. Precision there is TP / (TP + FP), where TP are the gold words found and FP
// the words of predictions that are not gold, attributed to the predicted class: 4095 / (4095 +
// 109) = 0.974 for names. Counts.Precision differs in that it is the share of predicted words, in
// which a gold word found in two pieces counts twice and a half-found one once.
//
// Its last line, All, takes recall and TP from group B and FP from every class, as the paper does:
// hospitals, states and countries are in the table, but not in its sum.
// Ages and professions are excluded.
type TableS4 struct {
	Classes []RowS4 `json:"classes"`
	All     RowS4   `json:"all"`
}

// RowS4 is a class, or the sum.
type RowS4 struct {
	Class          string   `json:"class"`
	Support        int      `json:"support"` // gold words
	FalsePositives int      `json:"false_positives"`
	FalseNegatives int      `json:"false_negatives"`
	Types          []TypeS4 `json:"types,omitempty"`
}

// TypeS4 is a label of the gold within a class.
type TypeS4 struct {
	Type           string `json:"type"`
	Support        int    `json:"support"`
	FalseNegatives int    `json:"false_negatives"`
}

// Precision is TP / (TP + FP).
func (r RowS4) Precision() float64 {
	found := r.Support - r.FalseNegatives
	return Ratio(found, found+r.FalsePositives)
}

// Recall is TP / (TP + FN).
func (r RowS4) Recall() float64 { return Ratio(r.Support-r.FalseNegatives, r.Support) }

// F1 is the harmonic mean of precision and recall.
func (r RowS4) F1() float64 { return harmonic(r.Precision(), r.Recall()) }

// Recall is TP / (TP + FN).
func (t TypeS4) Recall() float64 { return Ratio(t.Support-t.FalseNegatives, t.Support) }

// classesS4 are the classes of the table in its order.
var classesS4 = []Class{Dates, Names, Locations, Organizations, Identifiers, Contacts}

func (s *Scorer) tableS4(types map[string]TypeCounts, unmarked []Class) TableS4 {
	var out TableS4
	for _, c := range classesS4 {
		n := judged(s.words[C][c], c, unmarked)
		out.All.FalsePositives += n.False
		out.All.Support += s.words[B][c].Gold
		out.All.FalseNegatives += s.words[B][c].Missed()
		if n == (Counts{}) {
			continue
		}
		row := RowS4{Class: c.String(), Support: n.Gold, FalsePositives: n.False, FalseNegatives: n.Missed()}
		for _, name := range slices.Sorted(maps.Keys(types)) {
			if t := types[name]; t.Class == row.Class && t.Gold > 0 {
				row.Types = append(row.Types, TypeS4{name, t.Gold, t.Missed()})
			}
		}
		slices.SortStableFunc(row.Types, func(a, b TypeS4) int { return cmp.Compare(b.Support, a.Support) })
		out.Classes = append(out.Classes, row)
	}
	out.All.Class = "ALL"
	return out
}
