package web

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/internal/review"
	"github.com/pgdeid/pgdeid/internal/review/store"
)

// Access control: every page and action, by everybody who may not.
func TestAccess(t *testing.T) {
	t.Parallel()
	s := newStation(t, nil, "Seen [Ann Lee].", "Other.")
	ann, ben, office, nobody := s.as(t, "ann"), s.as(t, "ben"), s.as(t, "office"), s.browser(t)
	ann.post("/rounds/3/next", nil)
	ann.get("/rounds/3/notes/1")
	gets := []string{"/", "/rounds/3/notes/1", "/views", "/repairs"}
	posts := []string{"/rounds/3/next", "/rounds/3/notes/1/save", "/rounds/3/notes/1/finish", "/rounds/3/notes/1/everywhere", "/rounds/3/notes/1/repair", "/rounds/3/notes/1/seen"}
	for _, path := range gets {
		if a := nobody.get(path); a.status != 303 || a.header.Get("Location") != "/login" || strings.Contains(a.body, "Ann") {
			t.Errorf("GET %s without a session: %d", path, a.status)
		}
	}
	for _, path := range posts {
		if a := nobody.send(path, "[]"); a.status != 401 {
			t.Errorf("POST %s without a session: %d", path, a.status)
		}
		if a := office.send(path, "[]"); a.status != 403 {
			t.Errorf("POST %s by a steward: %d", path, a.status)
		}
	}
	if a := office.get("/rounds/3/notes/1"); a.status != 403 || strings.Contains(a.body, "Ann") {
		t.Errorf("a steward reads: %d", a.status)
	}
	if a := ann.get("/views"); a.status != 403 {
		t.Errorf("a reviewer sees who looked at what: %d", a.status)
	}
	if a := office.get("/views"); a.status != 200 || !strings.Contains(a.body, "ann") {
		t.Errorf("a steward does not: %d", a.status)
	}
	for _, path := range []string{"/rounds/3/notes/1", "/rounds/3/notes/2", "/rounds/4/notes/1", "/rounds/3/notes/-1", "/rounds/x/notes/1", "/rounds/3/notes/1%20or%201=1"} {
		if a := ben.get(path); a.status != 404 || strings.Contains(a.body, "Ann") {
			t.Errorf("%s of another: %d", path, a.status)
		}
	}
	for _, path := range posts[1:] {
		if a := ben.send(path, "[]"); a.status != 404 {
			t.Errorf("POST %s of another's note: %d", path, a.status)
		}
	}
	for _, path := range []string{"/static/../pages/note.html", "/static/..%2f..%2fserver.go", "/../../etc/passwd", "/static/%2e%2e/server.go"} {
		if a := nobody.get(path); a.status == 200 {
			t.Errorf("%s is served", path)
		}
	}
}

// Who has no role in the source reads nothing, and what the source refuses is said and noted.
func TestTheSourceDecides(t *testing.T) {
	t.Parallel()
	s := newStation(t, nil, "Seen [Ann Lee].")
	ben := s.as(t, "ben")
	ben.post("/rounds/3/next", nil)
	if a := ben.get("/rounds/3/notes/1"); a.status != 403 || !strings.Contains(a.body, "No role of the source is known for you") ||
		strings.Contains(a.body, "Lee") {
		t.Errorf("%d\n%s", a.status, a.body)
	}
	if s.views[0].Outcome != store.Refused {
		t.Errorf("%+v", s.views)
	}
	s.view = func(int) (review.View, error) { return review.View{}, errors.New("password of Lee") }
	ann := s.as(t, "ann")
	ann.post("/rounds/3/next", nil)
	if a := ann.get("/rounds/3/notes/1"); a.status != 500 || strings.Contains(a.body, "Lee") || s.views[1].Outcome != store.Failed {
		t.Errorf("%d\n%s", a.status, a.body)
	}
	s.view = func(int) (review.View, error) { panic("note of Lee") }
	if a := ann.get("/rounds/3/notes/1"); a.status != 500 || strings.Contains(a.body, "Lee") ||
		strings.Contains(s.log.String(), "note of Lee") {
		t.Errorf("%d\n%s", a.status, s.log)
	}
	with := newStation(t, func(o *Options) { o.Source = "ehr_all" }, "x")
	b := with.as(t, "ben")
	b.post("/rounds/3/next", nil)
	if a := b.get("/rounds/3/notes/1"); a.status != 200 || with.roles[0] != "ehr_all" {
		t.Errorf("%d, %v", a.status, with.roles)
	}
}

// A session has a new id at login, ends when nothing is heard, after a day, and when the person is taken out of the file.
func TestSessions(t *testing.T) {
	t.Parallel()
	s := newStation(t, nil, "x")
	b := s.browser(t)
	planted := b.request(http.MethodPost, "/login", "application/x-www-form-urlencoded", url.Values{"name": {"ann"}, "password": {testPassword}}.Encode())
	planted.AddCookie(&http.Cookie{Name: "pgdeid-review", Value: "planted"})
	a := b.do(planted)
	var set *http.Cookie
	for _, line := range a.header["Set-Cookie"] {
		c, err := http.ParseSetCookie(line)
		if err == nil && c.Value != "" {
			set = c
		}
	}
	if set == nil || set.Value == "planted" || len(set.Value) < 40 || !set.HttpOnly || set.SameSite != http.SameSiteStrictMode ||
		set.Path != "/" || set.Domain != "" {
		t.Fatalf("%+v", set)
	}
	alive := func(want bool) {
		t.Helper()
		if a := b.get("/"); (a.status == 200) != want {
			t.Errorf("%d", a.status)
		}
	}
	alive(true)
	s.now = s.now.Add(14 * time.Minute)
	alive(true)
	s.now = s.now.Add(16 * time.Minute)
	alive(false)
	b = s.as(t, "ann")
	for range 44 {
		s.now = s.now.Add(14 * time.Minute)
		if time.Until(s.now) > 11*time.Hour {
			break
		}
		b.get("/")
	}
	alive(false)
	b = s.as(t, "ann")
	if err := os.WriteFile(s.users, []byte("ben:SCRAM-SHA-256$64:YSBzYWx0IG9mIDE2IGJ5dA==$"+strings.Repeat("A", 43)+"=:"+strings.Repeat("A", 43)+"= reviewer\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.opts.Users.Reload(); err != nil {
		t.Fatal(err)
	}
	alive(false)
}

func TestLogout(t *testing.T) {
	t.Parallel()
	s := newStation(t, nil, "x")
	b := s.as(t, "ann")
	cookies := b.Jar.Cookies(mustURL(t, s.url))
	a := b.post("/logout", nil)
	if a.status != 303 || !strings.Contains(a.header.Get("Clear-Site-Data"), `"cache", "cookies", "storage"`) ||
		a.header.Get("Cache-Control") != "no-store" {
		t.Errorf("%d %v", a.status, a.header)
	}
	r := b.request(http.MethodGet, "/", "", "")
	r.AddCookie(cookies[0])
	if a := b.do(r); a.status != 303 {
		t.Errorf("the cookie still opens: %d", a.status)
	}
}

func TestLogin(t *testing.T) {
	t.Parallel()
	var waits []time.Duration
	s := newStation(t, nil, "x")
	s.opts.Wait = func(_ context.Context, d time.Duration) { waits = append(waits, d) }
	b := s.browser(t)
	for _, who := range []url.Values{
		{"name": {"ann"}, "password": {"wrong"}},
		{"name": {"ann"}, "password": {""}},
		{"name": {"nobody"}, "password": {testPassword}},
		{"name": {"<script>alert(1)</script>"}, "password": {"x"}},
		{"name": {""}},
		{"name": {strings.Repeat("x", 100)}, "password": {"x"}},
	} {
		a := b.post("/login", who)
		if a.status != 403 || !strings.Contains(a.body, "Name or password is wrong") || strings.Contains(a.body, "<script>a") ||
			len(b.Jar.Cookies(mustURL(t, s.url))) > 0 {
			t.Errorf("%v: %d", who, a.status)
		}
	}
	if len(waits) != 4 || waits[0] >= waits[1] {
		t.Errorf("waits %v: who guesses has to wait longer each time", waits)
	}
	if strings.Contains(s.log.String(), "wrong") {
		t.Error("a password is in the log")
	}
}

// Requests from other sites change nothing, whatever cookie the browser adds.
func TestOtherSites(t *testing.T) {
	t.Parallel()
	s := newStation(t, nil, "Seen [Ann Lee].")
	b := s.as(t, "ann")
	b.post("/rounds/3/next", nil)
	b.get("/rounds/3/notes/1")
	for name, header := range map[string][2]string{
		"another site":  {"Sec-Fetch-Site", "cross-site"},
		"a sister":      {"Sec-Fetch-Site", "same-site"},
		"an old one":    {"Origin", "https://evil.example"},
		"a hidden one":  {"Origin", "null"},
		"by its scheme": {"Origin", strings.Replace(s.url, "http:", "https:", 1) + "1"},
	} {
		for _, path := range []string{"/login", "/logout", "/rounds/3/next", "/rounds/3/notes/1/save", "/rounds/3/notes/1/finish", "/rounds/3/notes/1/everywhere"} {
			r := b.request(http.MethodPost, path, "", "[]")
			r.Header.Set(header[0], header[1])
			if a := b.do(r); a.status != 403 {
				t.Errorf("%s, %s: %d", name, path, a.status)
			}
		}
	}
	if len(s.heard) > 0 || !s.readings[at(1, "ann")].FinishedAt.IsZero() {
		t.Error("something was done")
	}
	r := b.request(http.MethodGet, "/", "", "")
	r.Host = "evil.example"
	if a := b.do(r); a.status != 421 {
		t.Errorf("a name of another site that leads here: %d", a.status)
	}
}

func TestHeaders(t *testing.T) {
	t.Parallel()
	s := newStation(t, nil, "Seen [Ann Lee].")
	b := s.as(t, "ann")
	b.post("/rounds/3/next", nil)
	for _, path := range []string{"/", "/login", "/rounds/3/notes/1", "/nothing", "/static/note.js", "/static/style.css"} {
		h := b.get(path).header
		csp := h.Get("Content-Security-Policy")
		for _, part := range []string{"default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'"} {
			if !strings.Contains(csp, part) {
				t.Errorf("%s: no %s", path, part)
			}
		}
		if strings.Contains(csp, "unsafe") || h.Get("X-Frame-Options") != "DENY" || h.Get("Cache-Control") != "no-store" ||
			h.Get("X-Content-Type-Options") != "nosniff" ||
			h.Get("Referrer-Policy") != "no-referrer" {
			t.Errorf("%s: %v", path, h)
		}
	}
}

// Whatever a note says is text.
func TestHostileNotes(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`<script>alert(1)</script> [<img src=x onerror=alert(1)>]`, `</script><script>alert(1)</script>`, `"><svg/onload=alert(1)>`,
		`{{.Session}} ${alert(1)} <!--`, "javascript:alert(1)\u2028\u2029", `</mark></div><form action=//evil>`, "a\r\nb\rc [d]", "née [Zoë] 李 👩‍⚕️ [x]",
	} {
		s := newStation(t, nil, text)
		b := s.as(t, "ann")
		b.post("/rounds/3/next", nil)
		a := b.get("/rounds/3/notes/1")
		if a.status != 200 || strings.Contains(a.body, "<script>a") || strings.Contains(a.body, "<img") || strings.Contains(a.body, "<svg") ||
			strings.Contains(a.body, "action=//evil>") {
			t.Errorf("%q: %d\n%s", text, a.status, a.body)
		}
		if n := strings.Count(a.body, "</script>"); n != 2 {
			t.Errorf("%q: %d scripts end", text, n)
		}
	}
}
