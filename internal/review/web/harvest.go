package web

import (
	"errors"
	"net/http"
	"strconv"

	"github.com/pgdeid/pgdeid/ensemble/harvest"
	"github.com/pgdeid/pgdeid/internal/review/store"
)

// Proposals are sentences or templates that people verify: a [harvest.Panel].
type Proposals interface {
	Name() string
	People() int
	Standing(person string) harvest.Standing
	Next(person string) (harvest.Asked, bool)
	Again(person string, number int) (harvest.Asked, error)
	Decide(person string, number int, d harvest.Decision) error
	Skip(person string, number int) error
}

// proposalSet is a file of proposals on the page that lists them.
type proposalSet struct {
	Set    int
	Name   string
	People int
	harvest.Standing
}

// proposalPage is what the page of a proposal shows.
type proposalPage struct {
	proposalSet

	Asked *harvest.Asked // nil: nothing is left
	Last  int            // number of the proposal that the person decided before; 0: none
}

func (s *Server) showHarvest(w http.ResponseWriter, _ *http.Request, v *visit) {
	var list []proposalSet
	for i := range s.opts.Harvest {
		list = append(list, s.proposalSet(i+1, v))
	}
	s.pages.show(w, http.StatusOK, "harvest.html", v.page("Harvest", list))
}

func (s *Server) proposalSet(number int, v *visit) proposalSet {
	p := s.opts.Harvest[number-1]
	return proposalSet{number, p.Name(), p.People(), p.Standing(v.name)}
}

// setOf returns the number of the set of proposals that a request is about.
func (s *Server) setOf(r *http.Request) (int, bool) {
	set, err := strconv.Atoi(r.PathValue("set"))
	return set, err == nil && set >= 1 && set <= len(s.opts.Harvest)
}

// showProposal asks a person about the next proposal, or again about one.
func (s *Server) showProposal(w http.ResponseWriter, r *http.Request, v *visit) {
	set, ok := s.setOf(r)
	if !ok {
		s.broken(w, r, store.ErrNone)
		return
	}
	body := proposalPage{proposalSet: s.proposalSet(set, v), Last: v.lastDecided(set)}
	if again := r.URL.Query().Get("again"); again != "" {
		number, err := strconv.Atoi(again)
		if err != nil {
			s.broken(w, r, errRequest)
			return
		}
		asked, err := s.opts.Harvest[set-1].Again(v.name, number)
		if err != nil {
			s.broken(w, r, err)
			return
		}
		body.Asked = &asked
	} else if asked, more := s.opts.Harvest[set-1].Next(v.name); more {
		body.Asked = &asked
	}
	s.pages.show(w, http.StatusOK, "proposal.html", v.page("Harvest: "+body.Name, body))
}

// decideProposal stores what a person says about a proposal and goes on to the next.
func (s *Server) decideProposal(w http.ResponseWriter, r *http.Request, v *visit) {
	set, ok := s.setOf(r)
	r.Body = http.MaxBytesReader(w, r.Body, 4<<10)
	number, err := strconv.Atoi(r.PostFormValue("number"))
	if !ok || err != nil {
		s.broken(w, r, store.ErrNone)
		return
	}
	of := s.opts.Harvest[set-1]
	switch r.PostFormValue("say") {
	case "yes":
		err = of.Decide(v.name, number, harvest.Yes)
	case "no":
		err = of.Decide(v.name, number, harvest.No)
	case "skip":
		err = of.Skip(v.name, number)
	default:
		err = errRequest
	}
	if err != nil {
		s.broken(w, r, err)
		return
	}
	v.decided(set, number)
	http.Redirect(w, r, "/harvest/"+strconv.Itoa(set), http.StatusSeeOther)
}

// lastDecided returns the number of the proposal of a set that the person decided last in this session; 0 for none.
func (s *session) lastDecided(set int) int {
	s.openMu.Lock()
	defer s.openMu.Unlock()
	return s.proposals[set]
}

func (s *session) decided(set, number int) {
	s.openMu.Lock()
	defer s.openMu.Unlock()
	if s.proposals == nil {
		s.proposals = map[int]int{}
	}
	s.proposals[set] = number
}

// notAsked reports whether an error means that there is no such proposal for a person.
func notAsked(err error) bool { return errors.Is(err, harvest.ErrAsked) }
