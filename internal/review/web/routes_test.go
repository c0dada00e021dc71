package web

import (
	"net/http"
	"slices"
	"strings"
	"testing"
)

// openRoutes are those that need no login.
var openRoutes = []string{
	"GET /static/{file}", "GET /login", "POST /login", "POST /logout", "GET /login/begin", "GET /login/callback", "GET /",
}

// mayCall says who may call each other route. A route that is added has to be added here.
var mayCall = map[string][]Role{
	"GET /{$}":                                      {Reviewer, Adjudicator, Steward, Verifier},
	"GET /harvest":                                  {Verifier},
	"GET /harvest/{set}":                            {Verifier},
	"POST /harvest/{set}":                           {Verifier},
	"POST /rounds/{round}/next":                     {Reviewer},
	"POST /rounds/{round}/settle":                   {Adjudicator},
	"GET /rounds/{round}/notes/{place}":             {Reviewer, Adjudicator},
	"POST /rounds/{round}/notes/{place}/save":       {Reviewer, Adjudicator},
	"POST /rounds/{round}/notes/{place}/finish":     {Reviewer, Adjudicator},
	"POST /rounds/{round}/notes/{place}/everywhere": {Reviewer, Adjudicator},
	"POST /rounds/{round}/notes/{place}/repair":     {Reviewer, Adjudicator},
	"GET /repairs":                                  {Reviewer, Adjudicator, Steward},
	"POST /repairs/{repair}/take-back":              {Reviewer, Adjudicator, Steward},
	"POST /rounds/{round}/notes/{place}/alike":      {Reviewer, Adjudicator},
	"POST /rounds/{round}/notes/{place}/seen":       {Reviewer, Adjudicator},
	"GET /views":                                    {Steward},
}

// fill returns method and path of a route, with the round and note that ann has in hand.
func (r route) fill() (method, path string) {
	method, path, _ = strings.Cut(r.pattern, " ")
	path = strings.NewReplacer("{round}", "3", "{place}", "1", "{file}", "style.css", "{$}", "").Replace(path)
	for {
		before, rest, found := strings.Cut(path, "{")
		if !found {
			return method, path
		}
		_, after, _ := strings.Cut(rest, "}")
		path = before + "1" + after
	}
}

// Every route, by everybody: those who have no right to it get nothing, and those who have one are not sent away.
func TestRoutes(t *testing.T) {
	t.Parallel()
	s := newStationAt(t, newIssuer(t), "Seen [Ann Lee].")
	people := map[string]*browser{"nobody": s.browser(t), "ann": s.as(t, "ann"), "ruth": s.as(t, "ruth"), "office": s.as(t, "office"), "vera": s.as(t, "vera")}
	roles := map[string]Role{"ann": Reviewer, "ruth": Adjudicator, "office": Steward, "vera": Verifier}
	people["ann"].post("/rounds/3/next", nil)
	people["ann"].get("/rounds/3/notes/1")
	list := s.routes().list
	if len(list) != len(openRoutes)+len(mayCall) {
		t.Errorf("%d routes, of which this test knows %d", len(list), len(openRoutes)+len(mayCall))
	}
	for _, r := range list {
		if len(r.roles) == 0 {
			if !slices.Contains(openRoutes, r.pattern) {
				t.Errorf("%s asks for no role", r.pattern)
			}
			continue
		}
		if want := mayCall[r.pattern]; !slices.Equal(r.roles, want) {
			t.Errorf("%s is for %v, want %v", r.pattern, r.roles, want)
		}
		method, path := r.fill()
		for name, b := range people {
			a := b.do(b.request(method, path, "application/json", "[]"))
			testHeaders(t, r.pattern, a)
			switch may := slices.Contains(r.roles, roles[name]); {
			case may && (a.status == http.StatusUnauthorized || a.status == http.StatusForbidden):
				t.Errorf("%s may %s: %d", name, r.pattern, a.status)
			case !may && strings.Contains(a.body, "Lee"):
				t.Errorf("%s sees a note: %s", name, r.pattern)
			case name == "nobody" && method == http.MethodGet && (a.status != http.StatusSeeOther || a.header.Get("Location") != "/login"):
				t.Errorf("nobody, %s: %d", r.pattern, a.status)
			case name == "nobody" && method != http.MethodGet && a.status != http.StatusUnauthorized:
				t.Errorf("nobody, %s: %d", r.pattern, a.status)
			case !may && name != "nobody" && a.status != http.StatusForbidden:
				t.Errorf("%s may not %s: %d", name, r.pattern, a.status)
			}
		}
	}
}

// A request that another site begins does nothing, at any route; other methods than a route's own do not either.
func TestRoutesRefuseOtherSitesAndMethods(t *testing.T) {
	t.Parallel()
	s := newStationAt(t, newIssuer(t), "Seen [Ann Lee].")
	b := s.as(t, "ann")
	b.post("/rounds/3/next", nil)
	b.get("/rounds/3/notes/1")
	for _, r := range s.routes().list {
		method, path := r.fill()
		if method != http.MethodGet {
			for name, value := range map[string]string{"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"} {
				ask := b.request(method, path, "application/json", "[]")
				ask.Header.Del("Sec-Fetch-Site")
				ask.Header.Set(name, value)
				if a := b.do(ask); a.status != http.StatusForbidden {
					t.Errorf("%s with %s: %d", r.pattern, name, a.status)
				}
			}
		}
		for _, other := range []string{http.MethodPut, http.MethodDelete, http.MethodPatch, http.MethodTrace, http.MethodOptions, "PROPFIND"} {
			if a := b.do(b.request(other, path, "", "")); a.status < 400 || a.status >= 500 || strings.Contains(a.body, "Lee") {
				t.Errorf("%s %s: %d", other, path, a.status)
			}
		}
	}
	if len(s.heard) > 0 || !s.readings[at(1, "ann")].FinishedAt.IsZero() {
		t.Error("something was done")
	}
}

// testHeaders checks what every answer has: nothing is kept, framed, guessed or asked from elsewhere.
func testHeaders(t *testing.T, of string, a answer) {
	t.Helper()
	for name, want := range map[string]string{
		"Cache-Control": "no-store", "X-Frame-Options": "DENY", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
		"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin", "Content-Security-Policy": policy,
	} {
		if got := a.header.Get(name); got != want {
			t.Errorf("%.60s, %d: %s is %q", of, a.status, name, got)
		}
	}
	for _, name := range []string{"Server", "X-Powered-By", "Access-Control-Allow-Origin", "ETag", "Last-Modified"} {
		if got := a.header.Get(name); got != "" {
			t.Errorf("%.60s, %d: %s is %q", of, a.status, name, got)
		}
	}
}
