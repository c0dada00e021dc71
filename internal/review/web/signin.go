package web

import (
	"context"
	"net/http"
	"net/netip"
	"time"

	"github.com/pgdeid/pgdeid/internal/login"
)

// firstWait is how long the first wrong password waits for its refusal.
const firstWait = 250 * time.Millisecond

// loginPage is what the page for logging in shows.
type loginPage struct {
	Failed         bool
	Name           string
	Passwords, SSO bool
}

func (s *Server) showLogin(w http.ResponseWriter, r *http.Request) {
	if in, _ := s.sessions.of(r); in != nil {
		http.Redirect(w, r, "/", http.StatusSeeOther)
		return
	}
	s.loginPage(w, http.StatusOK, loginPage{})
}

func (s *Server) loginPage(w http.ResponseWriter, status int, p loginPage) {
	p.Passwords, p.SSO = s.opts.Users != nil, s.opts.OIDC != nil
	s.pages.show(w, status, "login.html", page{Title: "Log in", Body: p})
}

// maxForm bounds a form in bytes: marks of a long note are the largest.
const maxForm = 4 << 20

func (s *Server) login(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, 4<<10)
	name, password := r.PostFormValue("name"), r.PostFormValue("password")
	if s.opts.Users == nil || name == "" || len(name) > 63 {
		s.loginPage(w, http.StatusForbidden, loginPage{Failed: true})
		return
	}
	end, err := s.turns.Take(r.Context(), login.TurnKey{User: name, From: origin(r.RemoteAddr)})
	if err != nil {
		return // the browser is gone
	}
	defer end()
	if !s.opts.Users.Verifier(name).Fits(password) {
		s.opts.Wait(r.Context(), firstWait*time.Duration(s.guard.FailedFor(name, s.opts.Now())))
		s.opts.Log.Warn("a login was refused", "user", name, "from", origin(r.RemoteAddr).String())
		s.loginPage(w, http.StatusForbidden, loginPage{Failed: true, Name: name})
		return
	}
	s.welcome(w, r, name, func(context.Context) (Rights, bool) {
		rights := s.opts.Users.Rights(name)
		return rights, len(rights.Roles) > 0
	})
}

// welcome begins a session and leads to the first page.
func (s *Server) welcome(w http.ResponseWriter, r *http.Request, name string, rights func(context.Context) (Rights, bool)) {
	s.sessions.begin(w, r, name, rights)
	s.opts.Log.Info("logged in", "user", name, "from", origin(r.RemoteAddr).String())
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

func (s *Server) logout(w http.ResponseWriter, r *http.Request) {
	if in, _ := s.sessions.of(r); in != nil {
		s.opts.Log.Info("logged out", "user", in.name)
	}
	s.sessions.end(w, r)
	w.Header().Set("Clear-Site-Data", `"cache", "cookies", "storage"`)
	http.Redirect(w, r, "/login", http.StatusSeeOther)
}

// origin returns where a browser is.
func origin(remote string) netip.Prefix {
	from, err := netip.ParseAddrPort(remote)
	if err != nil {
		return netip.Prefix{}
	}
	return login.Origin(from.Addr())
}
