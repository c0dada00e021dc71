// Package phrases proposes phrases of a site from what people decided, and measures them on the notes that they read before
// they count: those that are always PHI there, such as a ward's nickname, and those that never are, such as a local protocol.
package phrases

import (
	"context"
	"errors"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/site"
	"github.com/pgdeid/pgdeid/ensemble/text"
	"github.com/pgdeid/pgdeid/internal/acceptance"
	"github.com/pgdeid/pgdeid/internal/review"
	"github.com/pgdeid/pgdeid/internal/review/export"
)

// Sample is the notes on which phrases are measured.
type Sample struct {
	rounds []string
	notes  []note
}

// note is a note made ready for matching.
type note struct {
	export.Note

	view *text.View
	at   []int // offsets of its characters
}

// Add adds the notes of a round.
func (s *Sample) Add(round string, notes []export.Note) {
	s.rounds = append(s.rounds, round)
	for _, n := range notes {
		s.notes = append(s.notes, note{n, text.NewView(n.Text), export.Offsets(n.Text)})
	}
}

// Measure returns what a phrase comes to in the sample.
func (s *Sample) Measure(ctx context.Context, p *review.Phrase) (review.Measured, error) {
	found := review.Measured{Rounds: s.rounds, Read: len(s.notes)}
	as, err := p.Site()
	if err != nil {
		return found, err
	}
	if err := site.Check(as); err != nil {
		return found, err
	}
	if as.Never() {
		as.Type = phi.Hospital // any type: what is looked for are its words
	}
	list, err := site.NewList([]site.Phrase{as})
	if err != nil {
		return found, err
	}
	patients := map[string]bool{}
	for _, n := range s.notes {
		spans, err := list.Find(ctx, n.view, nil)
		if err != nil {
			return found, err
		}
		if len(spans) == 0 {
			continue
		}
		found.Notes++
		patients[n.Item.Patient] = true
		for _, at := range spans {
			n.judge(at, &found)
		}
	}
	found.Patients = len(patients)
	return found, nil
}

// judge counts one place where a phrase is by the marks on it.
func (n *note) judge(at phi.Span, found *review.Measured) {
	found.Found++
	isPHI, missed, alarm := false, false, false
	for i := range n.Marks {
		m := &n.Marks[i]
		if n.at[m.End] <= at.Start || n.at[m.Start] >= at.End {
			continue
		}
		isPHI = isPHI || m.IsPHI()
		missed = missed || m.Verdict == review.Missed
		alarm = alarm || m.Verdict == review.Wrong
	}
	switch {
	case isPHI && missed:
		found.PHI++
		found.Missed++
	case isPHI:
		found.PHI++
	case alarm:
		found.Alarms++
	}
}

// Why a phrase does not count. The errors quote nothing.
var (
	ErrNotThere = errors.New("the notes of the sample do not have it, so that it can't be measured: read more notes")
	ErrFew      = errors.New("too few patients have it in the sample: it may be of one of them alone")
	ErrIsPHI    = errors.New("people marked it as PHI in the sample, so it is not true that it never is")
	ErrIsNone   = errors.New("in more than one of ten places in the sample it is no PHI, so it is not true that it always is")
	ErrPersonal = errors.New("what belongs to single patients is no phrase of the site: names of patients, dates, ages, numbers and addresses of contact")
)

// Fit returns why a phrase that was measured does not count; nil if it does. patients is how many must have it.
func Fit(p *review.Phrase, patients int) error {
	m := p.Sample
	t, err := phi.ParseType(p.Type)
	switch {
	case p.Type != review.Never && err != nil:
		return err
	case p.Type != review.Never && !ofSite(t):
		return ErrPersonal
	case m.Found == 0:
		return ErrNotThere
	case m.Patients < patients:
		return ErrFew
	case p.Type == review.Never && m.PHI > 0:
		return ErrIsPHI
	case p.Type != review.Never && 10*(m.Found-m.PHI) > m.Found:
		return ErrIsNone
	}
	return nil
}

// ofSite reports whether what has this type may be one thing for many patients.
func ofSite(t phi.Type) bool {
	switch t {
	case phi.Doctor, phi.Profession:
		return true
	default:
		return t.Class() == phi.ClassLocation && t != phi.Zip
	}
}

// Bound returns what the share of places where a phrase that never is PHI is PHI after all is at most, with 95% confidence: of
// the sample's patients with it, none has it so.
func Bound(m review.Measured) float64 { return acceptance.Exact(0, float64(m.Patients), .9).High }
