package web

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/internal/login"
	"github.com/pgdeid/pgdeid/internal/review"
	"github.com/pgdeid/pgdeid/internal/review/store"
)

// Notes reads notes with the rights of roles of the source.
type Notes interface {
	// View returns a note with what is found in it and what the replica shows of it.
	View(ctx context.Context, role string, of review.Item) (review.View, error)
	// Remember makes words of a note, a range in characters of the text that was seen, known of its patient and has the
	// patient's notes made anew.
	Remember(ctx context.Context, role, by string, of review.Item, seen string, at [2]int) (repair int64, err error)
	// Original returns the text of a note.
	Original(ctx context.Context, role string, of review.Item) (string, error)
	// RepairHere has a decision about one place of a note hold whenever the note is made anew.
	RepairHere(ctx context.Context, role string, r review.Repair, of review.Item, seen string) (repair int64, err error)
	// TakeBack has a repair count no more, unless may returns an error.
	TakeBack(ctx context.Context, repair int64, by string, may func(*review.Repair) error) error
}

// Store keeps rounds, and what people decide: a [store.Store].
type Store interface {
	Rounds(ctx context.Context, reader string) ([]review.Progress, error)
	Round(ctx context.Context, id int64) (review.Round, error)
	Next(ctx context.Context, round int64, reader string) (place int, err error)
	Settle(ctx context.Context, round int64, reader string) (place int, err error)
	Reviews(ctx context.Context, round int64, place int) ([]review.Reading, error)
	Item(ctx context.Context, round int64, place int) (review.Item, error)
	Reading(ctx context.Context, round int64, place int, reader string) (review.Reading, error)
	Save(ctx context.Context, r review.Reading, finished bool) error
	Alike(ctx context.Context, round int64, place int) ([]review.Alike, error)
	AlikeRepaired(ctx context.Context, round int64, place int, reader string) (int, error)
	SentenceHash(words string) []byte
	NoteRepairs(ctx context.Context, of review.Note) ([]review.Repair, error)
	Repairs(ctx context.Context, all bool, most int) ([]review.Repair, error)
	Viewed(ctx context.Context, reader string, it *review.Item, o store.Outcome) (int64, error)
	StillViewed(ctx context.Context, reader string, id int64) error
	Views(ctx context.Context, most int) ([]store.View, error)
	TextHash(text string) []byte
	WordsHash(patient, words string) []byte
}

// Options are what a server works with. Notes, Store and one of Users and OIDC are required.
type Options struct {
	Notes Notes
	Store Store
	Users *login.Users[Rights] // who logs in with a password; nil: nobody
	OIDC  *OIDC                // who logs in elsewhere; nil: nobody
	// Harvest are files of harvested sentences and templates that verifiers decide about; none: there are none.
	Harvest []Proposals
	Source  string        // role of the source of those who have none of their own; "": they can't read
	Origin  *url.URL      // where browsers find the server; nil: this machine, or whatever they say over TLS
	Secure  bool          // browsers come over TLS
	Recheck time.Duration // how often an identity provider is asked again; 0: [DefaultRecheck]
	Idle    time.Duration // how long a session may be silent
	Most    time.Duration // how long a session lasts at most
	Log     *slog.Logger
	Now     func() time.Time
	Wait    func(context.Context, time.Duration) // how a refusal waits
}

// Server answers browsers.
type Server struct {
	opts     Options
	sessions *sessions
	guard    *login.Guard
	turns    *login.Turns
	pages    *pages
}

//go:embed static pages
var files embed.FS

// New returns a server.
func New(o Options) (*Server, error) {
	if o.Users == nil && o.OIDC == nil {
		return nil, fault.New("start the review station", errors.New("nobody could log in"),
			"name a file of users with --users ('pgdeid review passwd' makes its lines), or an identity provider with review.oidc")
	}
	p, err := parsePages()
	if err != nil {
		return nil, err
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Wait == nil {
		o.Wait = wait
	}
	return &Server{
		opts: o, guard: login.NewGuard(), turns: login.NewTurns(), pages: p,
		sessions: &sessions{idle: o.Idle, most: o.Most, secure: o.Secure, now: o.Now, byID: map[string]*session{}},
	}, nil
}

func wait(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// Handler returns what answers requests.
func (s *Server) Handler() http.Handler {
	crossing := http.NewCrossOriginProtection()
	crossing.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.fail(w, r, http.StatusForbidden, "The request comes from another site.", "")
	}))
	return s.headers(s.recovered(s.host(crossing.Handler(s.routes().mux))))
}

// routes returns every page and action, with who may call it.
func (s *Server) routes() *routes {
	mux := newRoutes()
	mux.HandleFunc("GET /static/{file}", s.static)
	mux.HandleFunc("GET /login", s.showLogin)
	mux.HandleFunc("POST /login", s.login)
	mux.HandleFunc("POST /logout", s.logout)
	if s.opts.OIDC != nil {
		mux.HandleFunc("GET /login/begin", s.beginOIDC)
		mux.HandleFunc("GET /login/callback", s.finishOIDC)
	}
	mux.Handle("GET /{$}", s.only(s.showRounds, Reviewer, Adjudicator, Steward, Verifier))
	mux.Handle("POST /rounds/{round}/next", s.only(s.next, Reviewer))
	mux.Handle("POST /rounds/{round}/settle", s.only(s.settle, Adjudicator))
	mux.Handle("GET /rounds/{round}/notes/{place}", s.only(s.showNote, Reviewer, Adjudicator))
	mux.Handle("POST /rounds/{round}/notes/{place}/save", s.only(s.save, Reviewer, Adjudicator))
	mux.Handle("POST /rounds/{round}/notes/{place}/finish", s.only(s.finish, Reviewer, Adjudicator))
	mux.Handle("POST /rounds/{round}/notes/{place}/everywhere", s.only(s.everywhere, Reviewer, Adjudicator))
	mux.Handle("POST /rounds/{round}/notes/{place}/repair", s.only(s.repairHere, Reviewer, Adjudicator))
	mux.Handle("POST /rounds/{round}/notes/{place}/alike", s.only(s.decideAlike, Reviewer, Adjudicator))
	mux.Handle("POST /rounds/{round}/notes/{place}/seen", s.only(s.stillSeen, Reviewer, Adjudicator))
	mux.Handle("GET /repairs", s.only(s.showRepairs, Reviewer, Adjudicator, Steward))
	mux.Handle("POST /repairs/{repair}/take-back", s.only(s.takeBack, Reviewer, Adjudicator, Steward))
	mux.Handle("GET /harvest", s.only(s.showHarvest, Verifier))
	mux.Handle("GET /harvest/{set}", s.only(s.showProposal, Verifier))
	mux.Handle("POST /harvest/{set}", s.only(s.decideProposal, Verifier))
	mux.Handle("GET /views", s.only(s.showViews, Steward))
	mux.HandleFunc("GET /", func(w http.ResponseWriter, r *http.Request) {
		s.fail(w, r, http.StatusNotFound, "There is no such page.", "")
	})
	return mux
}

// static answers with a file of the pages. [http.ServeFileFS] would take headers away where there is none.
func (s *Server) static(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("file")
	content, err := files.ReadFile("static/" + name)
	if err != nil {
		s.fail(w, r, http.StatusNotFound, "There is no such page.", "")
		return
	}
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(content))
}

// policy lets pages have nothing but the program's own files, and nothing be around them.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; " +
	"base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

// headers are those of every answer.
func (s *Server) headers(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("Cache-Control", "no-store")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cross-Origin-Embedder-Policy", "require-corp")
		h.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=(), clipboard-read=(), display-capture=()")
		if s.opts.Secure {
			h.Set("Strict-Transport-Security", "max-age=31536000")
		}
		next.ServeHTTP(w, r)
	})
}

// recovered answers a panic with a page that says nothing of its cause, which may hold a note.
func (s *Server) recovered(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			if v := recover(); v != nil {
				s.opts.Log.Error("a request ended in a panic", "path", r.Pattern)
				s.fail(w, r, http.StatusInternalServerError, "Something went wrong.", "The log of the server says when.")
			}
		}()
		next.ServeHTTP(w, r)
	})
}

// host refuses requests for another host: a page of another site may have its name lead here.
func (s *Server) host(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !s.ownHost(r.Host) {
			s.fail(w, r, http.StatusMisdirectedRequest, "This server is not what the address names.", "")
			return
		}
		next.ServeHTTP(w, r)
	})
}

func (s *Server) ownHost(host string) bool {
	if s.opts.Origin != nil {
		return strings.EqualFold(host, s.opts.Origin.Host)
	}
	if s.opts.Secure {
		return true // the certificate says which hosts it is
	}
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

// visit is a request of a person who has logged in.
type visit struct {
	*session

	rights Rights
	source string // role of the source as which the person reads
}

// only passes requests of people with one of the roles on.
func (s *Server) only(do func(http.ResponseWriter, *http.Request, *visit), as ...Role) http.Handler {
	return &guarded{roles: as, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		in, rights := s.sessions.of(r)
		switch {
		case in == nil && r.Method == http.MethodGet:
			http.Redirect(w, r, "/login", http.StatusSeeOther)
		case in == nil:
			s.fail(w, r, http.StatusUnauthorized, "You are not logged in any more.", "Log in and open the note again: what was saved is there.")
		case !rights.Has(as...):
			s.fail(w, r, http.StatusForbidden, "You may not see this page.", "A steward decides who may what.")
		default:
			v := &visit{session: in, rights: rights, source: rights.Source}
			if v.source == "" {
				v.source = s.opts.Source
			}
			do(w, r, v)
		}
	})}
}

// fail answers with a page that says what went wrong in words of this package alone.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, status int, message, hint string) {
	name := ""
	if in, _ := s.sessions.of(r); in != nil {
		name = in.name
	}
	s.pages.show(w, status, "error.html", page{Title: message, User: name, Body: problem{message, hint, status}})
}

// problem is what an error page says.
type problem struct {
	Message, Hint string
	Status        int
}

// broken answers an error. What is not a reader's business is in the log alone.
func (s *Server) broken(w http.ResponseWriter, r *http.Request, err error) {
	var refusal *review.Refusal
	switch {
	case errors.As(err, &refusal):
		s.fail(w, r, http.StatusForbidden, sentence(refusal.Message), sentence(refusal.Hint))
	case notAsked(err):
		s.fail(w, r, http.StatusNotFound, "You are not asked about this proposal.", "Somebody else may have decided it: go on with the next one.")
	case errors.Is(err, store.ErrNone):
		s.fail(w, r, http.StatusNotFound, "You do not have this note in hand.", "Take the next one from its round.")
	case errors.Is(err, store.ErrFinished), errors.Is(err, store.ErrDone):
		s.fail(w, r, http.StatusConflict, "This note is finished.", "Go on with the next one.")
	case errors.Is(err, review.ErrMark), errors.Is(err, errRequest):
		s.fail(w, r, http.StatusBadRequest, "The browser sent marks that do not fit the note.", "Open the note again.")
	default:
		s.opts.Log.Error("a request could not be answered", "path", r.Pattern, "error", err, "hint", fault.Hint(err))
		s.fail(w, r, http.StatusInternalServerError, "The databases could not be asked.", "Try again; the log of the server says more.")
	}
}

// sentence writes words of an error as a sentence.
func sentence(words string) string {
	if words == "" {
		return ""
	}
	return strings.ToUpper(words[:1]) + words[1:] + "."
}

// errRequest means that a request is not what a page of this package sends.
var errRequest = errors.New("malformed request")
