package acceptance

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/eval/score"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// Counts are numbers of identifiers in a note: those Present, those of them that were Missed, whole or in part,
// those that the program has Shown as such, and those of them that are Wrong.
type Counts struct {
	Present int `json:"present"`
	Missed  int `json:"missed"`
	Shown   int `json:"shown"`
	Wrong   int `json:"wrong"`
}

// Note is a note of the sample, as persons found it.
type Note struct {
	Patient string  // whose misses may come together; "" for nobody else's
	Weight  float64 // notes of the population that it stands for
	Counts  map[phi.Type]Counts
	Names   Names
}

// Names are the names in a note by groups of those who bear such names, such as their likely origin. Groups of which it says
// nothing have none.
type Names struct{ Origins, Sexes map[string]Counts }

// Types chooses the types of an estimate.
type Types func(phi.Type) bool

// Share is a share of good items, with its intervals.
type Share struct {
	Items   int      `json:"items"`
	Bad     int      `json:"bad"`
	Point   float64  `json:"point"` // weighted
	Exact   Interval `json:"exact"`
	Robust  Interval `json:"robust"`
	Bounded Interval `json:"bounded"`
}

// Row is what the sample says of some types, or of names of a group, of which it has no precision.
type Row struct {
	Name      string `json:"name"`
	Notes     int    `json:"notes"`    // with such identifiers
	Patients  int    `json:"patients"` // likewise
	Recall    Share  `json:"recall"`
	Precision Share  `json:"precision"`
}

// enoughPatients is how many patients a row needs so that, if nothing is missed, the bounded interval of 95% says that recall is
// above 90%.
const enoughPatients = 36

// Few reports whether a row has identifiers of so few patients that, whatever was found, it hardly says anything.
func (r *Row) Few() bool { return r.Patients < enoughPatients }

// Estimate is what a sample says of the population that it was drawn from. Each interval has the confidence
// for itself, not all of them together.
type Estimate struct {
	Notes      int     `json:"notes"`
	Patients   int     `json:"patients"`
	Confidence float64 `json:"confidence"`
	Groups     []Row   `json:"groups"`  // the groups of package score
	Classes    []Row   `json:"classes"` // tag groups of i2b2
	Types      []Row   `json:"types"`
	Origins    []Row   `json:"origins,omitempty"` // names by the likely origin of those who bear such names
	Sexes      []Row   `json:"sexes,omitempty"`   // names by the likely sex
}

// Measure estimates recall and precision by group, class and type. Rows without identifiers are left
// out, but for groups. Ages count in the group of all types alone. Groups of names are in [NamesBy].
func Measure(notes []Note, confidence float64) Estimate {
	m := measure{notes, confidence}
	all := m.row("all", Group(score.All))
	out := Estimate{Notes: len(notes), Patients: len(byPatient(notes)), Confidence: confidence}
	for g := score.A; g < score.All; g++ {
		out.Groups = append(out.Groups, m.row(g.String(), Group(g)))
	}
	out.Groups = append(out.Groups, all)
	for c := phi.ClassName; c <= phi.ClassID; c++ {
		out.Classes = m.found(out.Classes, c.String(), Class(c))
	}
	for _, t := range phi.Types() {
		out.Types = m.found(out.Types, t.String(), func(o phi.Type) bool { return o == t })
	}
	return out
}

// Group returns the types of a group of package score.
func Group(g score.Group) Types { return func(t phi.Type) bool { return g.Has(t, "") } }

// Class returns the types of a tag group. Times, which are kept, are in none.
func Class(c phi.Class) Types {
	return func(t phi.Type) bool { return t.Class() == c && t != phi.Time }
}

type measure struct {
	notes      []Note
	confidence float64
}

// found appends a row where there is anything to say.
func (m measure) found(rows []Row, name string, in Types) []Row {
	row := m.row(name, in)
	if row.Recall.Items+row.Precision.Items == 0 {
		return rows
	}
	return append(rows, row)
}

func (m measure) row(name string, in Types) Row {
	return m.rowOf(name, func(n *Note) Counts { return n.sum(in) })
}

func (m measure) rowOf(name string, of func(*Note) Counts) Row {
	var with []Note
	for i := range m.notes {
		if of(&m.notes[i]).Present > 0 {
			with = append(with, m.notes[i])
		}
	}
	return Row{
		Name: name, Notes: len(with), Patients: len(byPatient(with)),
		Recall:    m.share(func(n Note) (int, int) { c := of(&n); return c.Present, c.Missed }),
		Precision: m.share(func(n Note) (int, int) { c := of(&n); return c.Shown, c.Wrong }),
	}
}

// NamesBy adds the recall of names by groups of those who bear such names: a row for each group that is named, however few names
// it has, since a group that was hardly looked at is what a reader must see.
func (e *Estimate) NamesBy(notes []Note, origins, sexes []string) {
	m := measure{notes, e.Confidence}
	for _, name := range origins {
		e.Origins = append(e.Origins, m.rowOf(name, func(n *Note) Counts { return n.Names.Origins[name] }))
	}
	for _, name := range sexes {
		e.Sexes = append(e.Sexes, m.rowOf(name, func(n *Note) Counts { return n.Names.Sexes[name] }))
	}
}

// counter returns the items of a note, and the bad ones.
type counter func(Note) (items, bad int)

func (m measure) share(count counter) Share {
	s := Share{Point: 1}
	for _, n := range m.notes {
		items, bad := count(n)
		s.Items, s.Bad = s.Items+items, s.Bad+bad
	}
	clusters := clustersOf(m.notes, count)
	if sum := total(clusters); sum.Items > 0 {
		s.Point = 1 - sum.share()
	}
	seen := float64(s.Items)
	s.Exact = Exact(float64(s.Bad), seen, m.confidence).complement()
	s.Robust = Robust(clusters, seen, m.confidence).complement()
	s.Bounded = Bounded(clusters, m.confidence).complement()
	return s
}

// Verdict is what a sample says of a claim.
type Verdict struct {
	Claim  Claim   `json:"claim"`
	Low    float64 `json:"low"` // what recall is at least, with the confidence of the claim
	Proven bool    `json:"proven"`
}

// Judge returns whether notes prove a claim about types.
func Judge(notes []Note, in Types, c Claim) Verdict {
	clusters := clustersOf(notes, func(n Note) (int, int) { sum := n.sum(in); return sum.Present, sum.Missed })
	low := 1 - stringer(clusters, 1-c.Confidence)
	return Verdict{c, low, low >= c.Recall}
}

func (n *Note) sum(in Types) (sum Counts) {
	for t, c := range n.Counts {
		if in(t) {
			sum.Present += c.Present
			sum.Missed += c.Missed
			sum.Shown += c.Shown
			sum.Wrong += c.Wrong
		}
	}
	return sum
}

// byPatient groups notes by patient; each note of nobody is a group of its own.
func byPatient(notes []Note) [][]Note {
	var groups [][]Note
	at := map[string]int{}
	for _, n := range notes {
		i, ok := at[n.Patient]
		if !ok || n.Patient == "" {
			i = len(groups)
			at[n.Patient], groups = i, append(groups, nil)
		}
		groups[i] = append(groups[i], n)
	}
	return groups
}

// clustersOf counts by patient. Patients without items say nothing about a share of items.
func clustersOf(notes []Note, count counter) []Cluster {
	var clusters []Cluster
	for _, group := range byPatient(notes) {
		var c Cluster
		for _, n := range group {
			items, bad := count(n)
			c.Items += n.Weight * float64(items)
			c.Bad += n.Weight * float64(bad)
		}
		if c.Items > 0 {
			clusters = append(clusters, c)
		}
	}
	return clusters
}

// PerNote returns the mean of identifiers in a note, and their standard deviation as a share of it.
func PerNote(counts []int) (mean, spread float64) {
	if len(counts) == 0 {
		return 0, 0
	}
	n := float64(len(counts))
	for _, c := range counts {
		mean += float64(c) / n
	}
	var variance float64
	for _, c := range counts {
		variance += (float64(c) - mean) * (float64(c) - mean) / n
	}
	if mean == 0 {
		return 0, 0
	}
	return mean, math.Sqrt(variance) / mean
}

// Weakest returns the rows by what is certain of their recall, the worst first.
func Weakest(rows []Row) []Row {
	return slices.SortedStableFunc(slices.Values(rows), func(a, b Row) int {
		return cmp.Compare(a.Recall.Bounded.Low, b.Recall.Bounded.Low)
	})
}

// ParseTypes returns the types that a name stands for: a group of package score ("C", "all"), a tag group of i2b2 ("NAME")
// or a type ("PATIENT"), in upper or lower case, and the name as estimates write it.
func ParseTypes(name string) (in Types, canonical string, err error) {
	for g := range score.NumGroups {
		if strings.EqualFold(name, g.String()) {
			return Group(g), g.String(), nil
		}
	}
	for c := phi.ClassName; c <= phi.ClassID; c++ {
		if strings.EqualFold(name, c.String()) && c != phi.ClassTime {
			return Class(c), c.String(), nil
		}
	}
	t, err := phi.ParseType(name)
	if err != nil || t == phi.Time {
		return nil, "", fmt.Errorf("%q is no group (A, B, C, all), class (NAME, DATE, …) or type (PATIENT, …) of identifiers", name)
	}
	return func(o phi.Type) bool { return o == t }, t.String(), nil
}
