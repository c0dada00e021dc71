package score

import (
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// Scorer adds up documents. It is not safe for concurrent use.
type Scorer struct {
	cases   bool
	notes   []noteCounts
	count   int
	types   map[string]*TypeCounts
	words   [NumGroups][NumClasses]Counts
	i2b2    i2b2Counts
	kinds   map[string]*Slice
	groups  map[string]*Slice
	people  map[string]*Slice
	errors  *errorSums
	record  *RecordReport
	total   int
	plain   int
	bytes   int64
	misses  []Case
	alarms  []Case
	perfect int
	Sums    bool // no counts of single documents, so no intervals
	Lean    bool // no counts of single documents in the report
}

// NewScorer returns a scorer. If cases is true it keeps all misses and false alarms of group C:
// only for made-up data.
func NewScorer(cases bool) *Scorer {
	return &Scorer{
		cases: cases, types: map[string]*TypeCounts{}, i2b2: i2b2Counts{}, kinds: map[string]*Slice{}, groups: map[string]*Slice{},
		people: map[string]*Slice{}, errors: newErrorSums(),
	}
}

// Add scores the spans found in a document: sorted, without overlap.
func (s *Scorer) Add(doc *Document, found []phi.Span) {
	t := Score(doc, found, s.cases)
	t.Errors = ErrorsOf(doc, found)
	s.AddTally(doc, t)
}

// AddTally adds a document that was already scored.
func (s *Scorer) AddTally(doc *Document, t *Tally) {
	s.count++
	s.total += t.total
	s.plain += t.ordinary
	s.bytes += int64(len(doc.Text))
	s.misses = append(s.misses, t.misses...)
	s.alarms = append(s.alarms, t.alarms...)
	s.addCounts(t)
	sum := total(t.words[C], nil)
	if sum.Found == sum.Gold {
		s.perfect++
	}
	s.errors.add(doc.Kind, t.Errors)
	slices := s.addSlices(doc, t, sum)
	if !s.Sums {
		n := t.note(len(doc.Text))
		n.slices = slices
		s.notes = append(s.notes, n)
	}
}

func (s *Scorer) addCounts(t *Tally) {
	for g := range t.words {
		for c := range t.words[g] {
			s.words[g][c].Add(t.words[g][c])
		}
	}
	for k, n := range t.i2b2 {
		s.i2b2.add(k, n)
	}
	for name, c := range t.types {
		if s.types[name] == nil {
			s.types[name] = &TypeCounts{Class: c.Class}
		}
		s.types[name].add(*c)
	}
	if t.Record != nil {
		if s.record == nil {
			s.record = &RecordReport{Types: map[string]RecordType{}}
		}
		s.record.add(t.Record)
	}
}

// addSlices adds a document to its slices.
func (s *Scorer) addSlices(doc *Document, t *Tally, sum Counts) []sliceCell {
	var cells []sliceCell
	add := func(m map[string]*Slice, name string, c Counts) {
		if name == "" {
			return
		}
		if m[name] == nil {
			m[name] = &Slice{Name: name}
		}
		m[name].Docs++
		m[name].Counts.Add(c)
		cells = append(cells, sliceCell{m[name], narrow(c)})
	}
	add(s.kinds, doc.Kind, sum)
	add(s.groups, doc.Group, t.words[All][Names])
	for g, c := range t.people {
		if c.Gold > 0 {
			add(s.people, genderNames[g], c)
		}
	}
	return cells
}

// Unmarked lists the classes that no gold label of the documents can mean.
func (s *Scorer) Unmarked() []Class {
	var out []Class
	for c := Class(0); c < NumClasses; c++ {
		if s.words[All][c].Gold == 0 {
			out = append(out, c)
		}
	}
	return out
}

// total sums up counts without the false alarms of classes that the gold does not mark.
func total(counts [NumClasses]Counts, unmarked []Class) Counts {
	var sum Counts
	for c, n := range counts {
		sum.Add(judged(n, Class(c), unmarked))
	}
	return sum
}
