package risk

import (
	"cmp"
	"slices"
)

// Size says how many equivalence classes have how many members. The members of a class show the same values of all
// quasi-identifiers.
type Size struct {
	Members int64 `json:"members"`
	Classes int64 `json:"classes"`
}

// Sizes is the distribution of equivalence classes, in ascending order of their members.
type Sizes []Size

// NewSizes returns a distribution in order; sizes that are given twice are added up.
func NewSizes(list ...Size) Sizes {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b Size) int { return cmp.Compare(a.Members, b.Members) })
	out := Sizes{}
	for _, s := range list {
		switch n := len(out); {
		case s.Members <= 0 || s.Classes <= 0:
		case n > 0 && out[n-1].Members == s.Members:
			out[n-1].Classes += s.Classes
		default:
			out = append(out, s)
		}
	}
	return out
}

// Records returns the number of records in all classes.
func (s Sizes) Records() int64 {
	var n int64
	for _, size := range s {
		n += size.Members * size.Classes
	}
	return n
}

// Classes returns the number of classes.
func (s Sizes) Classes() int64 {
	var n int64
	for _, size := range s {
		n += size.Classes
	}
	return n
}

// Smallest returns the size of the smallest class, the k of k-anonymity; 0 if there are no records.
func (s Sizes) Smallest() int64 {
	if len(s) == 0 {
		return 0
	}
	return s[0].Members
}

// Unique returns the number of records that are alone in their class.
func (s Sizes) Unique() int64 { return s.below(2) }

// Below returns the number of records in classes of fewer than k members.
func (s Sizes) below(k int64) int64 {
	var n int64
	for _, size := range s {
		if size.Members < k {
			n += size.Members * size.Classes
		}
	}
	return n
}

// Anonymity is what a distribution of classes says about a prosecutor: an attacker who knows that a person is among the records.
type Anonymity struct {
	Records int64 `json:"records"`
	Classes int64 `json:"classes"`
	K       int64 `json:"k"`       // members of the smallest class
	Unique  int64 `json:"unique"`  // records alone in their class
	AtRisk  int64 `json:"at_risk"` // records in classes smaller than the threshold
	// Highest is the probability that the record of the most exposed person is identified.
	Highest float64 `json:"highest"`
	// Average is the share of all records that are identified if an attacker tries all of them, the marketer's risk.
	Average float64 `json:"average"`
}

// Anonymity returns the measures of a distribution; classes smaller than k are at risk.
func (s Sizes) Anonymity(k int64) Anonymity {
	a := Anonymity{Records: s.Records(), Classes: s.Classes(), K: s.Smallest(), Unique: s.Unique(), AtRisk: s.below(k)}
	if a.Records > 0 {
		a.Highest = 1 / float64(a.K)
		a.Average = float64(a.Classes) / float64(a.Records)
	}
	return a
}

// Share returns part of the records as a share.
func (a Anonymity) Share(part int64) float64 { return share(part, a.Records) }

func share(part, whole int64) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}

// Bin is a range of class sizes with the records in it.
type Bin struct {
	From    int64 `json:"from"`
	To      int64 `json:"to"` // 0: no limit
	Records int64 `json:"records"`
}

// Bins returns how many records are in classes of which size, in ranges of which one ends below k.
func (s Sizes) Bins(k int64) []Bin {
	starts := []int64{1, 2, 3, 5, 11, 21, 51, 101, 1001}
	if k > 1 && !slices.Contains(starts, k) {
		starts = append(starts, k)
		slices.Sort(starts)
	}
	bins := make([]Bin, len(starts))
	for i, from := range starts {
		bins[i].From = from
		if i+1 < len(starts) {
			bins[i].To = starts[i+1] - 1
		}
	}
	for _, size := range s {
		at, found := slices.BinarySearch(starts, size.Members)
		if !found {
			at--
		}
		bins[at].Records += size.Members * size.Classes
	}
	return bins
}
