package eval

import (
	"cmp"
	"maps"
	"slices"

	"github.com/pgdeid/pgdeid/ensemble"
)

// Scorer adds up documents. It is not safe for concurrent use.
type Scorer struct {
	cases   bool
	docs    []docCounts
	types   map[string]*TypeCounts
	words   [numGroups][numClasses]Counts
	entity  [2][numClasses]Counts
	kinds   map[string]*Slice
	groups  map[string]*Slice
	total   int
	plain   int
	bytes   int64
	misses  []Case
	alarms  []Case
	perfect int
}

// docCounts are what the bootstrap draws: the words of each group in a document.
type docCounts [numGroups][numClasses]Counts

// NewScorer returns a scorer that keeps all misses and false alarms of group C if
// cases is true: only for made-up data.
func NewScorer(cases bool) *Scorer {
	return &Scorer{cases: cases, types: map[string]*TypeCounts{}, kinds: map[string]*Slice{}, groups: map[string]*Slice{}}
}

// Add scores what was found in a document: sorted, free of overlap.
func (s *Scorer) Add(doc *Document, found []ensemble.Span) {
	t := score(doc, found, s.cases)
	s.docs = append(s.docs, t.words)
	for g := range t.words {
		for c := range t.words[g] {
			s.words[g][c].add(t.words[g][c])
		}
	}
	for w := range t.entities {
		for c := range t.entities[w] {
			s.entity[w][c].add(t.entities[w][c])
		}
	}
	for label, c := range t.types {
		addType(s.types, label, c)
	}
	s.total += t.total
	s.plain += t.ordinary
	s.bytes += int64(len(doc.Text))
	s.misses = append(s.misses, t.misses...)
	s.alarms = append(s.alarms, t.alarms...)
	sum := total(t.words[C], nil)
	if sum.Found == sum.Gold {
		s.perfect++
	}
	addSlice(s.kinds, doc.Kind, sum)
	addSlice(s.groups, doc.Group, t.words[All][Names])
}

func addType(m map[string]*TypeCounts, label string, c *TypeCounts) {
	if m[label] == nil {
		m[label] = &TypeCounts{Class: c.Class}
	}
	m[label].Gold += c.Gold
	m[label].Found += c.Found
	m[label].Typed += c.Typed
}

func addSlice(m map[string]*Slice, name string, c Counts) {
	if name == "" {
		return
	}
	if m[name] == nil {
		m[name] = &Slice{Name: name}
	}
	m[name].Docs++
	m[name].add(c)
}

// total sums up; false alarms of classes that the gold does not mark don't count.
func total(counts [numClasses]Counts, unmarked []Class) Counts {
	var sum Counts
	for c, n := range counts {
		if slices.Contains(unmarked, Class(c)) {
			n.Predicted, n.False = n.Predicted-n.False, 0
		}
		sum.add(n)
	}
	return sum
}

// Rates are what counts say, with the limits of a 95% interval by bootstrap over
// documents.
type Rates struct {
	Counts
	Precision   float64    `json:"precision"`
	Recall      float64    `json:"recall"`
	F1          float64    `json:"f1"`
	PrecisionCI [2]float64 `json:"precision_ci"`
	RecallCI    [2]float64 `json:"recall_ci"`
}

func ratesOf(c Counts) Rates {
	return Rates{Counts: c, Precision: c.Precision(), Recall: c.Recall(), F1: c.F1()}
}

// Slice are the counts of a part of the documents.
type Slice struct {
	Name string `json:"name"`
	Docs int    `json:"docs"`
	Counts
}

func (s *Slice) add(c Counts) { s.Counts.add(c) }

// Report is everything that was measured.
type Report struct {
	Docs    int   `json:"docs"`
	Perfect int   `json:"docs_without_miss"` // of group C
	Bytes   int64 `json:"bytes"`
	Words   int   `json:"words"`
	// Unmarked are classes of which the gold holds no span: predictions of these are
	// not judged.
	Unmarked []string `json:"unmarked,omitempty"`
	// Overscrub is the share of ordinary words that group C would replace.
	Overscrub float64               `json:"overscrub"`
	Groups    map[string]Rates      `json:"groups"`  // words, of A, B, C and all
	Classes   map[string]Rates      `json:"classes"` // words, of group all
	Types     map[string]TypeCounts `json:"types"`   // words, of group all
	Strict    Rates                 `json:"strict"`  // entities
	Relaxed   Rates                 `json:"relaxed"`
	Entities  map[string]Rates      `json:"strict_classes"`
	Kinds     []Slice               `json:"kinds,omitempty"`       // words of group C
	NameGroup []Slice               `json:"name_groups,omitempty"` // words of names
	Misses    []Case                `json:"misses,omitempty"`
	Alarms    []Case                `json:"false_alarms,omitempty"`
}

// Report returns the sums so far.
func (s *Scorer) Report() Report {
	unmarked := s.unmarked()
	r := Report{
		Docs: len(s.docs), Perfect: s.perfect, Bytes: s.bytes, Words: s.total,
		Groups: map[string]Rates{}, Classes: map[string]Rates{}, Types: map[string]TypeCounts{}, Entities: map[string]Rates{},
		Strict: ratesOf(total(s.entity[strict], unmarked)), Relaxed: ratesOf(total(s.entity[relaxed], unmarked)),
		Kinds: sortedSlices(s.kinds), NameGroup: sortedSlices(s.groups), Misses: s.misses, Alarms: s.alarms,
	}
	for _, c := range unmarked {
		r.Unmarked = append(r.Unmarked, c.String())
	}
	for g := A; g < numGroups; g++ {
		rates := ratesOf(total(s.words[g], unmarked))
		rates.PrecisionCI, rates.RecallCI = s.bootstrap(g, unmarked)
		r.Groups[g.String()] = rates
	}
	for c := Class(0); c < numClasses; c++ {
		if !slices.Contains(unmarked, c) {
			r.Classes[c.String()] = ratesOf(s.words[All][c])
			r.Entities[c.String()] = ratesOf(s.entity[strict][c])
		}
	}
	for label, c := range s.types {
		r.Types[label] = *c
	}
	r.Overscrub = ratio(total(s.words[C], unmarked).False, max(s.plain, 1))
	return r
}

// unmarked lists the classes that no gold label of the documents may stand for.
func (s *Scorer) unmarked() []Class {
	var out []Class
	for c := Class(0); c < numClasses; c++ {
		if s.words[All][c].Gold == 0 {
			out = append(out, c)
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
