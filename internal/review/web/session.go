package web

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/review"
)

// session is a person who has logged in. What it holds of notes is in memory alone and goes with it.
type session struct {
	id     string
	name   string // who it is
	rights func(context.Context) (Rights, bool)
	begun  time.Time
	seen   time.Time
	openMu sync.Mutex
	opened []*opened // notes that the browser may show, the last one at the end

	proposals map[int]int // the number of the proposal decided last, by set
}

// opened is a note that a session was shown.
type opened struct {
	phi.Redacted

	item  review.Item
	text  []rune
	spans []review.Span
	hash  []byte
	view  int64 // number of the audit entry

	settles bool // the person is the note's adjudicator
}

// Format prints who it is, and nothing that would let others be them.
func (s *session) Format(f fmt.State, _ rune) { _, _ = fmt.Fprintf(f, "session[%s]", s.name) }

// openedNotes is how many notes a session holds: those of the tabs that a person works with.
const openedNotes = 3

// show keeps what is needed of a note while it is worked on.
func (s *session) show(o *opened) {
	s.openMu.Lock()
	defer s.openMu.Unlock()
	s.drop(o.item.Round, o.item.Place)
	if len(s.opened) == openedNotes {
		s.opened = append(s.opened[:0:0], s.opened[1:]...)
	}
	s.opened = append(s.opened, o)
}

// shown returns a note that the session was shown; nil if it is not held any more.
func (s *session) shown(round int64, place int) *opened {
	s.openMu.Lock()
	defer s.openMu.Unlock()
	for _, o := range s.opened {
		if o.item.Round == round && o.item.Place == place {
			return o
		}
	}
	return nil
}

// forget drops a note that the person is done with.
func (s *session) forget(round int64, place int) {
	s.openMu.Lock()
	defer s.openMu.Unlock()
	s.drop(round, place)
}

func (s *session) drop(round int64, place int) {
	kept := s.opened[:0:0]
	for _, o := range s.opened {
		if o.item.Round != round || o.item.Place != place {
			kept = append(kept, o)
		}
	}
	s.opened = kept
}

// sessions are those who have logged in. They end when nothing is heard of them for some time, and in any case
// after a working day.
type sessions struct {
	idle, most time.Duration
	secure     bool // the cookie goes over TLS alone
	now        func() time.Time

	mu   sync.Mutex
	byID map[string]*session
}

// cookie is the name of the session's cookie: with the prefix, browsers take it over TLS and for this very host alone.
func (s *sessions) cookie() string {
	if s.secure {
		return "__Host-pgdeid-review"
	}
	return "pgdeid-review"
}

// maxSessions bounds memory.
const maxSessions = 1000

// begin makes a session with a new id, whatever the browser sent, and ends the one that it had.
func (s *sessions) begin(w http.ResponseWriter, r *http.Request, name string, rights func(context.Context) (Rights, bool)) {
	s.end(w, r)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sweep()
	now := s.now()
	in := &session{id: rand.Text() + rand.Text(), name: name, rights: rights, begun: now, seen: now}
	s.byID[in.id] = in
	s.set(w, in.id, 0)
}

func (s *sessions) set(w http.ResponseWriter, value string, age int) {
	http.SetCookie(w, &http.Cookie{ //nolint:gosec // Secure wherever browsers come over TLS; else the station is this machine's alone
		Name: s.cookie(), Value: value, Path: "/", MaxAge: age, HttpOnly: true, Secure: s.secure, SameSite: http.SameSiteStrictMode,
	})
}

// sweep drops sessions that have ended and, where there are too many, the one that was silent for longest.
func (s *sessions) sweep() {
	var oldest *session
	for id, in := range s.byID {
		if s.over(in) {
			delete(s.byID, id)
		} else if oldest == nil || in.seen.Before(oldest.seen) {
			oldest = in
		}
	}
	if len(s.byID) >= maxSessions {
		delete(s.byID, oldest.id)
	}
}

func (s *sessions) over(in *session) bool {
	now := s.now()
	return now.Sub(in.seen) > s.idle || now.Sub(in.begun) > s.most
}

// of returns the session of a request; nil if there is none. Rights are looked up each time: who is taken out of the
// users' file is out at once, and who is refused at an identity provider when it is next asked.
func (s *sessions) of(r *http.Request) (*session, Rights) {
	c, err := r.Cookie(s.cookie())
	if err != nil {
		return nil, Rights{}
	}
	s.mu.Lock()
	in := s.byID[c.Value]
	s.mu.Unlock()
	if in == nil {
		return nil, Rights{}
	}
	rights, ok := in.rights(r.Context()) // it may ask an identity provider
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.byID[c.Value] != in { // it ended meanwhile
		return nil, Rights{}
	}
	if s.over(in) || !ok {
		delete(s.byID, in.id)
		return nil, Rights{}
	}
	in.seen = s.now()
	return in, rights
}

// end ends the session of a request, if there is one.
func (s *sessions) end(w http.ResponseWriter, r *http.Request) {
	c, err := r.Cookie(s.cookie())
	if err != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.byID, c.Value)
	s.set(w, "", -1)
}
