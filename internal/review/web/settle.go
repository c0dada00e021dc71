package web

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/review"
	"github.com/pgdeid/pgdeid/internal/review/store"
)

// difference is a place that two reviewers decided differently. Who they are is not said.
type difference struct {
	phi.Redacted
	Words, First, Second string
}

// settle takes a note in hand that two reviewers decided differently.
func (s *Server) settle(w http.ResponseWriter, r *http.Request, v *visit) {
	round, err := strconv.ParseInt(r.PathValue("round"), 10, 64)
	if err != nil {
		s.broken(w, r, store.ErrNone)
		return
	}
	s.toSettle(w, r, v, round)
}

func (s *Server) toSettle(w http.ResponseWriter, r *http.Request, v *visit, round int64) {
	place, err := s.opts.Store.Settle(r.Context(), round, v.name)
	s.toPlace(w, r, round, place, err)
}

// toPlace leads to a note that was taken in hand, or back where nothing is left.
func (s *Server) toPlace(w http.ResponseWriter, r *http.Request, round int64, place int, err error) {
	switch {
	case errors.Is(err, store.ErrDone):
		http.Redirect(w, r, "/?done="+strconv.FormatInt(round, 10), http.StatusSeeOther)
	case err != nil:
		s.broken(w, r, err)
	default:
		http.Redirect(w, r, fmt.Sprintf("/rounds/%d/notes/%d", round, place), http.StatusSeeOther)
	}
}

// begin returns the marks with which a reading of a note begins, and what there is to settle. For an adjudicator these are
// what both reviewers decided, if both read the text that is shown.
func (s *Server) begin(r *http.Request, o *opened, reading *review.Reading) (marks []review.Mark, differ []difference, err error) {
	if reading.Part != review.Adjudicator {
		return review.Fresh(o.spans, s.opts.Now()), nil, nil
	}
	list, err := s.opts.Store.Reviews(r.Context(), o.item.Round, o.item.Place)
	if err != nil {
		return nil, nil, err
	}
	if len(list) < 2 || !bytes.Equal(list[0].Text, o.hash) || !bytes.Equal(list[1].Text, o.hash) {
		return review.Fresh(o.spans, s.opts.Now()), nil, nil
	}
	marks = review.Join(list[0].Marks, list[1].Marks)
	o.adopt(marks)
	return marks, o.differences(list[0].Marks, list[1].Marks), nil
}

func (o *opened) differences(a, b []review.Mark) []difference {
	var list []difference
	said := func(m *review.Mark) string {
		if m == nil {
			return "no PHI"
		}
		return m.Type
	}
	for _, d := range review.Differences(a, b) {
		m := d.A
		if m == nil {
			m = d.B
		}
		if m.End <= len(o.text) {
			list = append(list, difference{Words: string(o.text[m.Start:m.End]), First: said(d.A), Second: said(d.B)})
		}
	}
	return list
}
