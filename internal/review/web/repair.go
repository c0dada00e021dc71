package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"

	"github.com/pgdeid/pgdeid/internal/review"
	"github.com/pgdeid/pgdeid/internal/review/store"
)

// sentRepair is a repair as a page of its note has it.
type sentRepair struct {
	ID      int64          `json:"id"`
	Start   int            `json:"s"`
	End     int            `json:"e"`
	Type    string         `json:"t"`
	Verdict review.Verdict `json:"v"`
	Scope   review.Scope   `json:"scope"`
	Void    bool           `json:"void,omitempty"`  // it has no effect, as the text has changed
	Other   bool           `json:"other,omitempty"` // the range is one of another text than the page shows
}

func (o *opened) sendRepair(r *review.Repair) sentRepair {
	m := &r.Mark
	return sentRepair{
		ID: r.ID, Start: m.Start, End: m.End, Type: m.Type, Verdict: m.Verdict, Scope: r.Scope, Void: r.Void,
		Other: !bytes.Equal(r.Text, o.hash) || m.End > len(o.text),
	}
}

// repairsOf returns the repairs of a note that a person may take back. A reviewer does not see what others decided.
func (s *Server) repairsOf(r *http.Request, v *visit, o *opened) ([]sentRepair, error) {
	list, err := s.opts.Store.NoteRepairs(r.Context(), o.item.Note)
	if err != nil {
		return nil, err
	}
	sent := []sentRepair{}
	for i := range list {
		if list[i].By == v.name || o.settles {
			sent = append(sent, o.sendRepair(&list[i]))
		}
	}
	return sent, nil
}

// everywhere has words remembered of the note's patient.
func (s *Server) everywhere(w http.ResponseWriter, r *http.Request, v *visit) {
	s.change(w, r, v, func(ctx context.Context, o *opened, data []byte) (any, error) {
		var at [2]int
		if json.Unmarshal(data, &at) != nil {
			return nil, errRequest
		}
		id, err := s.opts.Notes.Remember(ctx, v.source, v.name, o.item, string(o.text), at)
		if err != nil {
			return nil, err
		}
		s.opts.Log.Info("words of a note are remembered of its patient", "user", v.name, "patient", o.item.Patient, "repair", id)
		return sentRepair{ID: id, Start: at[0], End: at[1], Verdict: review.Missed, Scope: review.Everywhere}, nil
	})
}

// repairHere has what a person decided about one place of a note hold whenever the note is made anew.
func (s *Server) repairHere(w http.ResponseWriter, r *http.Request, v *visit) {
	s.change(w, r, v, func(ctx context.Context, o *opened, data []byte) (any, error) {
		mark, err := s.receiveRepair(o, data)
		if err != nil {
			return nil, err
		}
		one := review.Repair{By: v.name, Mark: mark}
		id, err := s.opts.Notes.RepairHere(ctx, v.source, one, o.item, string(o.text))
		if err != nil {
			return nil, err
		}
		s.opts.Log.Info("a place of a note is repaired", "user", v.name, "patient", o.item.Patient, "repair", id)
		one.ID, one.Scope, one.Text = id, review.Here, o.hash
		return o.sendRepair(&one), nil
	})
}

// repairsShown is how many repairs their page has.
const repairsShown = 500

// repairsPage is what the page of repairs shows.
type repairsPage struct {
	Repairs []review.Repair
	All     bool // of everybody
}

// showRepairs lists repairs: a person's own, and for those who rule over others all of them.
func (s *Server) showRepairs(w http.ResponseWriter, r *http.Request, v *visit) {
	list, err := s.opts.Store.Repairs(r.Context(), true, repairsShown)
	if err != nil {
		s.broken(w, r, err)
		return
	}
	body := repairsPage{All: v.rights.Has(Adjudicator, Steward)}
	for i := len(list) - 1; i >= 0; i-- { // the last one first
		if body.All || list[i].By == v.name {
			body.Repairs = append(body.Repairs, list[i])
		}
	}
	s.pages.show(w, http.StatusOK, "repairs.html", v.page("Repairs", body))
}

// takeBack has a repair count no more: one's own, or for those who rule over others anybody's.
func (s *Server) takeBack(w http.ResponseWriter, r *http.Request, v *visit) {
	id, err := strconv.ParseInt(r.PathValue("repair"), 10, 64)
	if err != nil {
		s.broken(w, r, store.ErrNone)
		return
	}
	err = s.opts.Notes.TakeBack(r.Context(), id, v.name, func(was *review.Repair) error {
		if was.By != v.name && !v.rights.Has(Adjudicator, Steward) {
			return store.ErrNone
		}
		return nil
	})
	switch {
	case err == nil:
		s.opts.Log.Info("a repair was taken back", "user", v.name, "repair", id)
	case !errors.Is(err, review.ErrTaken):
		s.broken(w, r, err)
		return
	}
	http.Redirect(w, r, "/repairs", http.StatusSeeOther)
}
