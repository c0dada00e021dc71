package score

import (
	"cmp"
	"maps"
	"slices"
)

// Rates are the rates of counts, with the limits of 95% intervals by bootstrap over documents, if
// there are any.
type Rates struct {
	Counts
	Precision   float64    `json:"precision"`
	Recall      float64    `json:"recall"`
	F1          float64    `json:"f1"`
	PrecisionCI [2]float64 `json:"precision_ci,omitzero"`
	RecallCI    [2]float64 `json:"recall_ci,omitzero"`
	F1CI        [2]float64 `json:"f1_ci,omitzero"`
}

// RatesOf returns the rates of counts, without intervals.
func RatesOf(c Counts) Rates {
	return Rates{Counts: c, Precision: c.Precision(), Recall: c.Recall(), F1: c.F1()}
}

// Slice is the counts of a subset of the documents, or of the names of one gender.
type Slice struct {
	Name string `json:"name"`
	Docs int    `json:"docs"`
	Counts
	RecallCI [2]float64 `json:"recall_ci,omitzero"`
}

// Spread is the difference between the slices' recall.
type Spread struct {
	Best   string  `json:"best"`
	Worst  string  `json:"worst"`
	Points float64 `json:"points"` // of a hundred
}

// Report is everything that was measured.
type Report struct {
	Docs    int   `json:"docs"`
	Perfect int   `json:"docs_without_miss"` // of group C
	Bytes   int64 `json:"bytes"`
	Words   int   `json:"words"`
	// Unmarked are classes without any gold span: their predictions are not scored.
	Unmarked []string `json:"unmarked,omitempty"`
	// Overscrub is the share of ordinary words that group C would replace.
	Overscrub float64               `json:"overscrub"`
	Groups    map[string]Rates      `json:"groups"`  // words, of A, B, C and all
	Classes   map[string]Rates      `json:"classes"` // words, of group all
	Types     map[string]TypeCounts `json:"types"`   // words, of group all
	TableS4   TableS4               `json:"table_s4"`

	// I2B2 holds the scores of i2b2 2014 by track and way; Strict, Relaxed and Overlap are those of
	// its types, and Entities is Strict by class.
	I2B2      map[string]map[string]Rates  `json:"i2b2,omitempty"`
	I2B2Types map[string]map[string]Counts `json:"i2b2_types,omitempty"` // of i2b2's types: type, way
	// Categories are i2b2's tags (NAME, LOCATION, ...) by CategoryTokens.
	Categories map[string]Rates `json:"i2b2_categories,omitempty"`
	Strict     Rates            `json:"strict"`
	Relaxed    Rates            `json:"relaxed"`
	Overlap    Rates            `json:"overlap"`
	Entities   map[string]Rates `json:"strict_classes"`

	Kinds        []Slice       `json:"kinds,omitempty"`       // words of group C
	NameGroup    []Slice       `json:"name_groups,omitempty"` // words of names
	GroupSpread  *Spread       `json:"name_group_spread,omitempty"`
	Genders      []Slice       `json:"genders,omitempty"` // words of names of patients and staff
	GenderSpread *Spread       `json:"gender_spread,omitempty"`
	Errors       ErrorReport   `json:"errors"` // by category, note and kind of note
	Record       *RecordReport `json:"record,omitempty"`
	Misses       []Case        `json:"misses,omitempty"`
	Alarms       []Case        `json:"false_alarms,omitempty"`
	Notes        []Note        `json:"-"` // see WriteJSON
}

// Report returns the sums so far.
func (s *Scorer) Report() Report {
	unmarked := s.Unmarked()
	r := Report{
		Docs: s.count, Perfect: s.perfect, Bytes: s.bytes, Words: s.total, Groups: map[string]Rates{}, Classes: map[string]Rates{},
		Types: s.typeCounts(unmarked), Errors: s.errors.report(), Misses: s.misses, Alarms: s.alarms, Record: s.record,
	}
	for _, c := range unmarked {
		r.Unmarked = append(r.Unmarked, c.String())
	}
	for g := A; g < NumGroups; g++ {
		r.Groups[g.String()] = RatesOf(total(s.words[g], unmarked))
	}
	for c := Class(0); c < NumClasses; c++ {
		if !slices.Contains(unmarked, c) {
			r.Classes[c.String()] = RatesOf(s.words[All][c])
		}
	}
	s.reportI2B2(&r, unmarked)
	if !s.Sums {
		s.intervals(&r, unmarked)
	}
	types := r.I2B2[FineTypes.String()]
	r.Strict, r.Relaxed, r.Overlap = types[Strict.String()], types[Relaxed.String()], types[Overlap.String()]
	r.Kinds, r.NameGroup, r.Genders = sortedSlices(s.kinds), sortedSlices(s.groups), sortedSlices(s.people)
	r.GroupSpread, r.GenderSpread = spreadOf(r.NameGroup), spreadOf(r.Genders)
	r.TableS4 = s.tableS4(r.Types, unmarked)
	if !s.Lean {
		for i := range s.notes {
			r.Notes = append(r.Notes, s.notes[i].saved(unmarked))
		}
	}
	r.Overscrub = Ratio(total(s.words[C], unmarked).False, max(s.plain, 1))
	return r
}

// reportI2B2 sums up types.
func (s *Scorer) reportI2B2(r *Report, unmarked []Class) {
	r.I2B2, r.I2B2Types, r.Entities = map[string]map[string]Rates{}, map[string]map[string]Counts{}, map[string]Rates{}
	var sums [numTracks][numWays]Counts
	var classes [NumClasses]Counts
	categories := map[string]Counts{}
	for k, n := range s.i2b2 {
		class, _ := ClassOf(k.typ)
		n = judged(n, class, unmarked)
		if k.track == FineTypes && k.way == CategoryTokens {
			sum := categories[k.typ.Class().String()]
			sum.Add(n)
			categories[k.typ.Class().String()] = sum
		}
		sums[k.track][k.way].Add(n)
		if k.track != FineTypes || n == (Counts{}) {
			continue
		}
		if k.way == Strict {
			classes[class].Add(n)
		}
		name := k.typ.String()
		if r.I2B2Types[name] == nil {
			r.I2B2Types[name] = map[string]Counts{}
		}
		r.I2B2Types[name][k.way.String()] = n
	}
	for k, ways := range sums {
		row := map[string]Rates{}
		for w, n := range ways {
			row[Way(w).String()] = RatesOf(n)
		}
		r.I2B2[Track(k).String()] = row
	}
	r.Categories = map[string]Rates{}
	for name, n := range categories {
		r.Categories[name] = RatesOf(n)
	}
	for c, n := range classes {
		if !slices.Contains(unmarked, Class(c)) {
			r.Entities[Class(c).String()] = RatesOf(n)
		}
	}
}

// typeCounts returns the rows of all types without the false alarms of classes that the gold does
// not mark, and without rows that are empty then.
func (s *Scorer) typeCounts(unmarked []Class) map[string]TypeCounts {
	out := map[string]TypeCounts{}
	for name, c := range s.types {
		n := judgedType(name, c.Counts(), unmarked)
		if n != (Counts{}) {
			row := *c
			row.Predicted, row.False = n.Predicted, n.False
			out[name] = row
		}
	}
	return out
}

func sortedSlices(m map[string]*Slice) []Slice {
	var out []Slice
	for _, name := range slices.Sorted(maps.Keys(m)) {
		out = append(out, *m[name])
	}
	slices.SortStableFunc(out, func(a, b Slice) int { return cmp.Compare(a.Recall(), b.Recall()) })
	return out
}

// spreadOf compares slices, lowest recall first, ignoring the unknown one.
func spreadOf(list []Slice) *Spread {
	list = slices.DeleteFunc(slices.Clone(list), func(s Slice) bool { return s.Gold == 0 || s.Name == genderNames[unknownGender] })
	if len(list) < 2 {
		return nil
	}
	worst, best := list[0], list[len(list)-1]
	return &Spread{Best: best.Name, Worst: worst.Name, Points: 100 * (best.Recall() - worst.Recall())}
}

// Labels lists the gold's types or labels, class by class.
func (r Report) Labels() []string {
	return slices.SortedFunc(maps.Keys(r.Types), func(a, b string) int {
		return cmp.Or(cmp.Compare(r.Types[a].Class, r.Types[b].Class), cmp.Compare(a, b))
	})
}
