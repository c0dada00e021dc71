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
	notes   []noteCounts
	count   int
	types   map[string]*TypeCounts
	words   [numGroups][numClasses]Counts
	entity  [2][numClasses]Counts
	kinds   map[string]*Slice
	groups  map[string]*Slice
	record  *RecordReport
	total   int
	plain   int
	bytes   int64
	misses  []Case
	alarms  []Case
	perfect int
	sums    bool // no counts of single documents, so no intervals
}

// NewScorer returns a scorer that keeps all misses and false alarms of group C if
// cases is true: only for made-up data.
func NewScorer(cases bool) *Scorer {
	return &Scorer{cases: cases, types: map[string]*TypeCounts{}, kinds: map[string]*Slice{}, groups: map[string]*Slice{}}
}

// Add scores what was found in a document: sorted, free of overlap.
func (s *Scorer) Add(doc *Document, found []ensemble.Span) { s.add(doc, score(doc, found, s.cases)) }

// add adds a document that was scored elsewhere.
func (s *Scorer) add(doc *Document, t *tally) {
	s.count++
	if !s.sums {
		s.notes = append(s.notes, t.note(len(doc.Text)))
	}
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
	for name, c := range t.types {
		if s.types[name] == nil {
			s.types[name] = &TypeCounts{Class: c.Class}
		}
		s.types[name].add(*c)
	}
	if t.record != nil {
		if s.record == nil {
			s.record = &RecordReport{Types: map[string]RecordType{}}
		}
		s.record.add(t.record)
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
		sum.add(judged(n, Class(c), unmarked))
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
	Record    *RecordReport         `json:"record,omitempty"`      // words of group all, where documents have a record
	Misses    []Case                `json:"misses,omitempty"`
	Alarms    []Case                `json:"false_alarms,omitempty"`
	Notes     []Note                `json:"-"` // see WriteJSON
}

// Report returns the sums so far.
func (s *Scorer) Report() Report {
	unmarked := s.unmarked()
	r := Report{
		Docs: s.count, Perfect: s.perfect, Bytes: s.bytes, Words: s.total,
		Groups: map[string]Rates{}, Classes: map[string]Rates{}, Types: map[string]TypeCounts{}, Entities: map[string]Rates{},
		Strict: ratesOf(total(s.entity[strict], unmarked)), Relaxed: ratesOf(total(s.entity[relaxed], unmarked)),
		Kinds: sortedSlices(s.kinds), NameGroup: sortedSlices(s.groups), Misses: s.misses, Alarms: s.alarms, Record: s.record,
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
	r.Types = s.typeCounts(unmarked)
	for i := range s.notes {
		r.Notes = append(r.Notes, s.notes[i].saved(unmarked))
	}
	r.Overscrub = ratio(total(s.words[C], unmarked).False, max(s.plain, 1))
	return r
}

// typeCounts returns the rows of all types without the false alarms of classes that
// the gold does not mark, and without rows that say nothing then.
func (s *Scorer) typeCounts(unmarked []Class) map[string]TypeCounts {
	out := map[string]TypeCounts{}
	for name, c := range s.types {
		n := judgedType(name, c.counts(), unmarked)
		if n != (Counts{}) {
			row := *c
			row.Predicted, row.False = n.Predicted, n.False
			out[name] = row
		}
	}
	return out
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
