package web

import (
	"net/http"
	"strconv"

	"github.com/pgdeid/pgdeid/internal/review"
	"github.com/pgdeid/pgdeid/internal/review/store"
)

// viewsShown is how many entries the page of views has.
const viewsShown = 500

func (v *visit) page(title string, body any) page {
	return page{
		Title: title, User: v.name, Steward: v.rights.Has(Steward), Reviews: v.rights.Has(Reviewer, Adjudicator, Steward),
		Verify: v.rights.Has(Verifier), Body: body,
	}
}

// roundsPage is what the first page shows.
type roundsPage struct {
	Rounds []review.Progress
	Reads  bool // the person is a reviewer
	Rules  bool // the person is an adjudicator
	Source string
	Done   string // the round of which nothing is left
}

func (s *Server) showRounds(w http.ResponseWriter, r *http.Request, v *visit) {
	if !v.rights.Has(Reviewer, Adjudicator, Steward) {
		http.Redirect(w, r, "/harvest", http.StatusSeeOther)
		return
	}
	list, err := s.opts.Store.Rounds(r.Context(), v.name)
	if err != nil {
		s.broken(w, r, err)
		return
	}
	body := roundsPage{Rounds: list, Reads: v.rights.Has(Reviewer), Rules: v.rights.Has(Adjudicator), Source: v.source}
	for _, one := range list {
		if strconv.FormatInt(one.ID, 10) == r.URL.Query().Get("done") {
			body.Done = one.Name
		}
	}
	s.pages.show(w, http.StatusOK, "rounds.html", v.page("Rounds", body))
}

// next takes the next note of a round in hand.
func (s *Server) next(w http.ResponseWriter, r *http.Request, v *visit) {
	round, err := strconv.ParseInt(r.PathValue("round"), 10, 64)
	if err != nil {
		s.broken(w, r, store.ErrNone)
		return
	}
	s.toNext(w, r, v, round)
}

func (s *Server) toNext(w http.ResponseWriter, r *http.Request, v *visit, round int64) {
	place, err := s.opts.Store.Next(r.Context(), round, v.name)
	s.toPlace(w, r, round, place, err)
}

func (s *Server) showViews(w http.ResponseWriter, r *http.Request, v *visit) {
	list, err := s.opts.Store.Views(r.Context(), viewsShown)
	if err != nil {
		s.broken(w, r, err)
		return
	}
	s.pages.show(w, http.StatusOK, "views.html", v.page("Who looked at what", list))
}
