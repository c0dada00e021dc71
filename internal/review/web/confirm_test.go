package web

import (
	"testing"
	"time"
)

// loggedInAt is a browser in which cy has logged in at a provider.
func (s *station) loggedInAt(t testing.TB, p *issuer) *browser {
	t.Helper()
	b := s.browser(t)
	if a := b.get("/login/callback?code=c&state=" + b.begin(p)); a.status != 200 || b.get("/").status != 200 {
		t.Fatalf("can't log in: %d", a.status)
	}
	return b
}

// Whose role was taken away at the provider is out when it is next asked, whichever way it can be asked.
func TestRightsAreConfirmed(t *testing.T) {
	t.Parallel()
	gone := map[string]any{"roles": []string{"of another program"}}
	for name, tt := range map[string]struct {
		provider func(*issuer) // what it can
		after    func(*issuer) // what happens while the person is logged in
		in       bool          // the person stays in
		asked    int
	}{
		"refreshed, all as before": {func(p *issuer) { p.refresh = true }, func(*issuer) {}, true, 1},
		"refreshed, no role":       {func(p *issuer) { p.refresh = true }, func(p *issuer) { p.claims = gone }, false, 1},
		"refreshed, another person": {
			func(p *issuer) { p.refresh = true }, func(p *issuer) { p.claims = map[string]any{"sub": "18"} }, false, 1,
		},
		"refreshed, another name": {
			func(p *issuer) { p.refresh = true }, func(p *issuer) { p.claims = map[string]any{"preferred_username": "dee"} }, false, 1,
		},
		"refreshed, for others": {
			func(p *issuer) { p.refresh = true }, func(p *issuer) { p.claims = map[string]any{"aud": "payroll"} }, false, 1,
		},
		"refused":               {func(p *issuer) { p.refresh = true }, func(p *issuer) { p.status = 400 }, false, 0},
		"does not answer":       {func(p *issuer) { p.refresh = true }, func(p *issuer) { p.status = 503 }, true, 0},
		"too many questions":    {func(p *issuer) { p.refresh = true }, func(p *issuer) { p.status = 429 }, true, 0},
		"userinfo, as before":   {func(p *issuer) { p.userinfo = true }, func(*issuer) {}, true, 1},
		"userinfo, no role":     {func(p *issuer) { p.userinfo = true }, func(p *issuer) { p.claims = gone }, false, 1},
		"userinfo, refused":     {func(p *issuer) { p.userinfo = true }, func(p *issuer) { p.status = 401 }, false, 1},
		"userinfo, no answer":   {func(p *issuer) { p.userinfo = true }, func(p *issuer) { p.status = 502 }, true, 1},
		"refreshed without ID":  {func(p *issuer) { p.refresh, p.userinfo, p.bare = true, true, true }, func(*issuer) {}, true, 2},
		"nothing to ask with":   {func(*issuer) {}, func(*issuer) {}, false, 0},
		"gone from the network": {func(p *issuer) { p.refresh = true }, func(p *issuer) { p.Close() }, true, 0},
	} {
		p := newIssuer(t)
		tt.provider(p)
		s := newStationAt(t, p, "Seen [Ann Lee].")
		b := s.loggedInAt(t, p)
		tt.after(p)
		s.now = s.now.Add(DefaultRecheck - time.Second)
		if a := b.get("/"); a.status != 200 || p.again != 0 {
			t.Errorf("%s: asked again before it is time: %d, %d times", name, a.status, p.again)
		}
		s.now = s.now.Add(time.Second)
		want := 303
		if tt.in {
			want = 200
		}
		if a := b.get("/"); a.status != want || p.again != tt.asked {
			t.Errorf("%s: %d, asked %d times", name, a.status, p.again)
		}
		if a := b.get("/"); a.status != want || p.again != tt.asked {
			t.Errorf("%s, once more: %d, asked %d times", name, a.status, p.again)
		}
	}
}

// A provider that does not answer is believed for two intervals, asked again meanwhile, and taken at its word when it is back.
func TestAProviderThatDoesNotAnswer(t *testing.T) {
	t.Parallel()
	for _, back := range []bool{true, false} {
		p := newIssuer(t)
		p.refresh = true
		s := newStationAt(t, p, "x")
		b := s.loggedInAt(t, p)
		p.status = 503
		s.now = s.now.Add(DefaultRecheck)
		if a := b.get("/"); a.status != 200 {
			t.Fatalf("%d", a.status)
		}
		if s.now = s.now.Add(DefaultRecheck - time.Second); back {
			p.status = 0
		}
		if a := b.get("/"); a.status != 200 {
			t.Errorf("within two intervals: %d", a.status)
		}
		s.now = s.now.Add(time.Minute)
		if a := b.get("/"); (a.status == 200) != back {
			t.Errorf("after two intervals, back %v: %d", back, a.status)
		}
	}
}

// Roles that the provider gives or takes are those of the next request after it was asked.
func TestRolesFollowTheProvider(t *testing.T) {
	t.Parallel()
	p := newIssuer(t)
	p.refresh = true
	s := newStationAt(t, p, "x")
	b := s.loggedInAt(t, p)
	if a := b.get("/views"); a.status != 403 {
		t.Errorf("%d", a.status)
	}
	p.claims = map[string]any{"roles": []string{"steward"}}
	s.now = s.now.Add(DefaultRecheck)
	if a := b.get("/views"); a.status != 200 {
		t.Errorf("a role that was given: %d", a.status)
	}
	if a := b.post("/rounds/3/next", nil); a.status != 403 {
		t.Errorf("a role that was taken: %d", a.status)
	}
}
