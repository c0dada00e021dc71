package review

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// Verdict is what a reader says about a range of a note.
type Verdict string

// The verdicts. Of what the ensemble found, Right is the one that holds when a reader finishes a
// note without another one.
const (
	Right   Verdict = "right"   // it was found, and is what was found
	Missed  Verdict = "missed"  // it is PHI and was not found
	Retyped Verdict = "retyped" // it was found with another type
	Resized Verdict = "resized" // another range was found
	Wrong   Verdict = "wrong"   // it was found and is no PHI
)

// Span is what the ensemble found: a range in characters of the note's text.
type Span struct {
	Start int      `json:"s"`
	End   int      `json:"e"`
	Type  string   `json:"t"`
	By    []string `json:"by,omitempty"` // the members that found it
	Score float32  `json:"p,omitempty"`  // probability, from 0 to 1; 0: no member gives one
}

// Mark is a decision about a range in characters of a note's text.
type Mark struct {
	Start   int       `json:"s"`
	End     int       `json:"e"`
	Type    string    `json:"t"` // what it is; of what is no PHI, what it was taken for
	Verdict Verdict   `json:"v"`
	Found   *Span     `json:"f,omitempty"` // what the ensemble found; nil: it was missed
	Words   []byte    `json:"w,omitempty"` // keyed hash of the words, with the patient
	Bearer  Bearer    `json:"n,omitempty"` // of a name, who bears such names
	At      time.Time `json:"at"`
}

// IsPHI reports whether the reader says that PHI is there.
func (m *Mark) IsPHI() bool { return m.Verdict != Wrong }

// Reading is what one person decided about a note.
type Reading struct {
	Round      int64
	Place      int
	Reader     string
	Part       Part
	OpenedAt   time.Time
	SavedAt    time.Time
	FinishedAt time.Time // zero: not yet
	Text       []byte    // keyed hash of the text that was read
	Marks      []Mark
}

// Part is in what role a person reads a note.
type Part string

// The parts.
const (
	Reviewer    Part = "reviewer"
	Adjudicator Part = "adjudicator" // settles what two reviewers decided differently
)

// ErrMark means that a mark can't be: its range, type or verdict does not fit the note.
var ErrMark = errors.New("no such mark")

// Check returns an error that wraps [ErrMark] unless all marks fit a text of so many characters: in order,
// without overlap, of known types, with what was found where the verdict needs it.
func Check(marks []Mark, chars int) error {
	end := 0
	for i := range marks {
		m := &marks[i]
		if _, err := phi.ParseType(m.Type); err != nil || m.Start < end || m.End <= m.Start || m.End > chars {
			return fmt.Errorf("%w: number %d", ErrMark, i+1)
		}
		if !m.fits() {
			return fmt.Errorf("%w: number %d has a verdict that does not fit what was found", ErrMark, i+1)
		}
		end = m.End
	}
	return nil
}

// fits reports whether the verdict agrees with what was found.
func (m *Mark) fits() bool {
	f := m.Found
	if f == nil {
		return m.Verdict == Missed
	}
	same := m.Start == f.Start && m.End == f.End
	switch m.Verdict {
	case Right, Wrong:
		return same && m.Type == f.Type
	case Retyped:
		return same && m.Type != f.Type
	case Resized:
		return !same && m.Start < f.End && f.Start < m.End
	default:
		return false
	}
}

// Fresh returns the marks with which a reading begins: what was found is right.
func Fresh(found []Span, at time.Time) []Mark {
	marks := make([]Mark, len(found))
	for i := range found {
		f := &found[i]
		marks[i] = Mark{Start: f.Start, End: f.End, Type: f.Type, Verdict: Right, Found: f, At: at}
	}
	return marks
}

// Sort puts marks in the order of their ranges.
func Sort(marks []Mark) {
	slices.SortFunc(marks, func(a, b Mark) int { return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End)) })
}

// Difference is a place of which two readers say different things. One of the marks may be nil:
// that reader says there is no PHI.
type Difference struct{ A, B *Mark }

// Differences returns where two readers' marks say different things about what is PHI: another range,
// another type, or PHI for one of them alone.
func Differences(a, b []Mark) []Difference {
	theirs := map[[2]int]*Mark{}
	for i := range b {
		if b[i].IsPHI() {
			theirs[[2]int{b[i].Start, b[i].End}] = &b[i]
		}
	}
	var out []Difference
	for i := range a {
		m := &a[i]
		if !m.IsPHI() {
			continue
		}
		at := [2]int{m.Start, m.End}
		other := theirs[at]
		delete(theirs, at)
		if other == nil || other.Type != m.Type {
			out = append(out, Difference{A: m, B: other})
		}
	}
	for _, other := range theirs {
		out = append(out, Difference{B: other})
	}
	slices.SortFunc(out, func(x, y Difference) int { return cmp.Compare(x.start(), y.start()) })
	return out
}

func (d Difference) start() int {
	if d.A != nil {
		return d.A.Start
	}
	return d.B.Start
}
