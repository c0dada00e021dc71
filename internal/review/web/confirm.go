package web

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"time"

	"golang.org/x/oauth2"
)

// person is somebody whom an identity provider has named, with what is needed to ask it again.
type person struct {
	subject, name string
	rights        Rights
	token         *oauth2.Token
}

// confirmed are the rights of a person who logged in at an identity provider, asked for again while the session lasts: with
// the refresh token where the provider gives one, or else at its userinfo endpoint. Where it has neither, the person has to log in
// again. Who is refused, or has no role any more, is out at once; a provider that does not answer is believed for a while.
type confirmed struct {
	oidc  *OIDC
	every time.Duration
	now   func() time.Time

	mu    sync.Mutex
	who   person
	at    time.Time // when the provider last confirmed the rights
	tried time.Time // when it was last asked
	out   bool
}

// DefaultRecheck is how often a provider is asked again, if nothing else is said.
const DefaultRecheck = 5 * time.Minute

// askTime is how long a provider may take to answer.
const askTime = 10 * time.Second

// errCannotAsk means that a provider gives nothing to ask it again with.
var errCannotAsk = errors.New("the provider gives no refresh token and has no userinfo endpoint")

// rights returns what the person may do; false if the session is over.
func (c *confirmed) rights(ctx context.Context) (Rights, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.now()
	if !c.out && now.Sub(c.at) >= c.every && now.Sub(c.tried) >= c.every/10 {
		c.tried = now
		c.ask(ctx, now)
	}
	return c.who.rights, !c.out
}

// ask asks the provider again. What it takes from the provider must not be lost when the browser goes away.
func (c *confirmed) ask(ctx context.Context, now time.Time) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), askTime)
	defer cancel()
	who, err := c.oidc.again(ctx, c.who)
	switch {
	case err == nil && who.subject == c.who.subject && who.name == c.who.name && len(who.rights.Roles) > 0:
		c.who, c.at = who, now
	case err == nil, refused(err):
		c.out = true
	default:
		c.out = now.Sub(c.at) >= 2*c.every
	}
}

// refused reports whether an error says that the provider does not confirm the person, rather than that it does not answer.
func refused(err error) bool {
	var answer *oauth2.RetrieveError
	if errors.As(err, &answer) && answer.Response != nil {
		return answer.Response.StatusCode >= 400 && answer.Response.StatusCode < 500 && answer.Response.StatusCode != http.StatusTooManyRequests
	}
	return errors.Is(err, errIdentity) || errors.Is(err, errCannotAsk)
}

// again asks the provider who a person is now.
func (o *OIDC) again(ctx context.Context, was person) (person, error) {
	if was.token.RefreshToken == "" {
		return o.userInfo(ctx, was)
	}
	token, err := o.oauth.TokenSource(ctx, &oauth2.Token{RefreshToken: was.token.RefreshToken}).Token()
	if err != nil {
		return person{}, err
	}
	was.token = token
	raw, given := token.Extra("id_token").(string)
	if !given {
		return o.userInfo(ctx, was)
	}
	id, err := o.verifier.Verify(ctx, raw)
	if err != nil {
		return person{}, errors.Join(errIdentity, err)
	}
	return o.personOf(id.Subject, id.Claims, token)
}

// userInfo asks the provider's userinfo endpoint who a person is now.
func (o *OIDC) userInfo(ctx context.Context, was person) (person, error) {
	if o.found.UserInfoEndpoint() == "" {
		return person{}, errCannotAsk
	}
	info, err := o.found.UserInfo(ctx, oauth2.StaticTokenSource(was.token))
	if err != nil && (strings.HasPrefix(err.Error(), "401") || strings.HasPrefix(err.Error(), "403")) { // go-oidc writes the status first
		return person{}, errors.Join(errIdentity, err)
	}
	if err != nil {
		return person{}, err
	}
	return o.personOf(info.Subject, info.Claims, was.token)
}

// personOf reads who somebody is from claims.
func (o *OIDC) personOf(subject string, read func(any) error, token *oauth2.Token) (person, error) {
	claims := map[string]any{}
	if err := read(&claims); err != nil {
		return person{}, errIdentity
	}
	name, rights, err := o.person(claims)
	return person{subject, name, rights, token}, err
}

// confirm returns the rights of a person who has just logged in.
func (s *Server) confirm(who person) func(context.Context) (Rights, bool) {
	every := s.opts.Recheck
	if every <= 0 {
		every = DefaultRecheck
	}
	c := &confirmed{oidc: s.opts.OIDC, every: every, now: s.opts.Now, who: who, at: s.opts.Now()}
	return func(ctx context.Context) (Rights, bool) {
		rights, ok := c.rights(ctx)
		if !ok {
			s.opts.Log.Warn("the identity provider does not confirm a person's rights any more", "user", who.name)
		}
		return rights, ok
	}
}
