package web

import (
	"context"
	"crypto/rand"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"github.com/pgdeid/pgdeid/internal/fault"
)

// Provider is an identity provider at which people log in (OpenID Connect).
type Provider struct {
	Issuer, ClientID, ClientSecret string
	Redirect                       string // the station's address with /login/callback, as the provider knows it
	NameClaim                      string // who it is
	RolesClaim                     string // a list of texts; those that are no roles of the station are of other programs
	SourceClaim                    string // role of the source
}

// OIDC logs people in at a provider.
type OIDC struct {
	provider Provider
	oauth    oauth2.Config
	found    *oidc.Provider
	verifier *oidc.IDTokenVerifier

	mu      sync.Mutex
	waiting map[string]attempt // by state
}

// attempt is a login under way at the provider.
type attempt struct {
	nonce, pkce, browser string
	at                   time.Time
}

// Discover asks a provider for its addresses and keys.
func Discover(ctx context.Context, p Provider) (*OIDC, error) {
	found, err := oidc.NewProvider(ctx, p.Issuer)
	if err != nil {
		return nil, fault.New("ask the identity provider", err,
			"check review.oidc.issuer: "+p.Issuer+"/.well-known/openid-configuration has to answer")
	}
	return &OIDC{
		provider: p,
		oauth: oauth2.Config{
			ClientID: p.ClientID, ClientSecret: p.ClientSecret, RedirectURL: p.Redirect, Endpoint: found.Endpoint(),
			Scopes: []string{oidc.ScopeOpenID, "profile"},
		},
		found:    found,
		verifier: found.Verifier(&oidc.Config{ClientID: p.ClientID}),
		waiting:  map[string]attempt{},
	}, nil
}

const (
	// attemptTime is how long a person may take at the provider.
	attemptTime = 10 * time.Minute
	// maxAttempts bounds memory.
	maxAttempts = 10_000
)

// begin notes a login and returns its state, what it waits for, and the address at the provider.
func (o *OIDC) begin(now time.Time) (state string, a attempt, to string) {
	state = rand.Text()
	a = attempt{nonce: rand.Text(), pkce: oauth2.GenerateVerifier(), browser: rand.Text(), at: now}
	o.mu.Lock()
	defer o.mu.Unlock()
	for s, other := range o.waiting {
		if now.Sub(other.at) > attemptTime || len(o.waiting) >= maxAttempts {
			delete(o.waiting, s)
		}
	}
	o.waiting[state] = a
	return state, a, o.oauth.AuthCodeURL(state, oidc.Nonce(a.nonce), oauth2.S256ChallengeOption(a.pkce))
}

// take returns the login with a state, once.
func (o *OIDC) take(state string, now time.Time) (attempt, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	a, ok := o.waiting[state]
	delete(o.waiting, state)
	return a, ok && now.Sub(a.at) <= attemptTime
}

// errIdentity means that what the provider says can't be taken for a person.
var errIdentity = errors.New("the provider's answer is not taken")

// identify asks the provider who the code is of.
func (o *OIDC) identify(ctx context.Context, code string, a attempt) (person, error) {
	token, err := o.oauth.Exchange(ctx, code, oauth2.VerifierOption(a.pkce))
	if err != nil {
		return person{}, errors.Join(errIdentity, err)
	}
	raw, _ := token.Extra("id_token").(string)
	id, err := o.verifier.Verify(ctx, raw)
	if err != nil {
		return person{}, errors.Join(errIdentity, err)
	}
	if id.Nonce != a.nonce {
		return person{}, errIdentity
	}
	return o.personOf(id.Subject, id.Claims, token)
}

// person reads who somebody is, and what they may do.
func (o *OIDC) person(claims map[string]any) (name string, r Rights, err error) {
	name, _ = claims[o.provider.NameClaim].(string)
	r.Source, _ = claims[o.provider.SourceClaim].(string)
	var names []string
	switch v := claims[o.provider.RolesClaim].(type) {
	case string:
		names = []string{v}
	case []any:
		for _, one := range v {
			if s, ok := one.(string); ok {
				names = append(names, s)
			}
		}
	}
	r.Roles = rolesOf(names)
	if name == "" || len(name) > 200 || len(r.Source) > 63 {
		return "", Rights{}, errIdentity
	}
	return name, r, nil
}

// attemptCookie binds a login to the browser that began it. The answer comes by a link from another site, so it can't be
// strict.
func (s *Server) attemptCookie(value string, age int) *http.Cookie {
	name := "pgdeid-login"
	if s.opts.Secure {
		name = "__Host-" + name
	}
	return &http.Cookie{ //nolint:gosec // Secure wherever browsers come over TLS; else the station is this machine's alone
		Name: name, Value: value, Path: "/", MaxAge: age, HttpOnly: true, Secure: s.opts.Secure, SameSite: http.SameSiteLaxMode,
	}
}

func (s *Server) beginOIDC(w http.ResponseWriter, r *http.Request) {
	_, a, to := s.opts.OIDC.begin(s.opts.Now())
	http.SetCookie(w, s.attemptCookie(a.browser, int(attemptTime.Seconds())))
	http.Redirect(w, r, to, http.StatusSeeOther)
}

func (s *Server) finishOIDC(w http.ResponseWriter, r *http.Request) {
	a, ok := s.opts.OIDC.take(r.FormValue("state"), s.opts.Now())
	c, err := r.Cookie(s.attemptCookie("", 0).Name)
	if !ok || err != nil || c.Value != a.browser {
		s.fail(w, r, http.StatusForbidden, "This login was not begun in this browser, or too long ago.", "Log in again.")
		return
	}
	http.SetCookie(w, s.attemptCookie("", -1))
	who, err := s.opts.OIDC.identify(r.Context(), r.FormValue("code"), a)
	if err != nil {
		s.opts.Log.Warn("a login at the identity provider was refused", "error", err)
		s.fail(w, r, http.StatusForbidden, "The identity provider's answer was not accepted.",
			"Log in again; the log of the server says more.")
		return
	}
	if len(who.rights.Roles) == 0 {
		s.fail(w, r, http.StatusForbidden, "You have no role here.", "The identity provider has to give you reviewer, adjudicator, steward or verifier.")
		return
	}
	if s.opts.Users != nil && len(s.opts.Users.Rights(who.name).Roles) > 0 {
		s.fail(w, r, http.StatusForbidden, "Somebody else logs in here with a password and your name.",
			"A steward takes that line out of the users' file.")
		return
	}
	s.sessions.begin(w, r, who.name, s.confirm(who))
	s.opts.Log.Info("logged in at the identity provider", "user", who.name, "from", origin(r.RemoteAddr).String())
	// A redirect would be a part of what began at the provider's site, and the browser would keep the cookie back.
	w.Header().Set("Refresh", "0; url=/")
	body := problem{Message: "You are logged in.", Status: http.StatusOK}
	s.pages.show(w, http.StatusOK, "error.html", page{Title: "You are logged in", User: who.name, Body: body})
}
