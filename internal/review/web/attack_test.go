package web

import (
	"context"
	"crypto/tls"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/internal/review"
)

// hostile is markup that a page must show as text.
const hostile = `"'><script>alert(1)</script><img src=x onerror=alert(1)>`

// escaped reports whether no markup of hostile is in a page.
func escaped(body string) bool {
	return !strings.Contains(body, "<script>alert") && !strings.Contains(body, "<img src=x")
}

// What a request says comes back as text, or not at all, and never in a header.
func TestReflected(t *testing.T) {
	t.Parallel()
	s := newStationAt(t, newIssuer(t), "Seen [Ann Lee].")
	ann, nobody := s.as(t, "ann"), s.browser(t)
	broken := "x\r\nSet-Cookie: pgdeid-review=planted\r\n"
	for _, said := range []string{hostile, broken, "\u2028{{.}}${alert(1)}", strings.Repeat("x", 5000)} {
		query := url.QueryEscape(said)
		answers := map[string]answer{"the name of a login": nobody.post("/login", url.Values{"name": {said}, "password": {said}})}
		for _, path := range []string{
			"/?done=" + query, "/" + url.PathEscape(said), "/rounds/" + url.PathEscape(said) + "/notes/1", "/views?" + query,
			"/static/" + url.PathEscape(said), "/login/callback?error=" + query + "&error_description=" + query + "&state=" + query,
		} {
			answers[path] = ann.get(path)
		}
		for what, a := range answers {
			if !escaped(a.body) || strings.Contains(strings.Join(a.header["Set-Cookie"], ""), "planted") {
				t.Errorf("%.60s: %d %v\n%s", what, a.status, a.header, a.body)
			}
			testHeaders(t, what, a)
		}
	}
}

// Names of rounds and people, patients, types and members of the ensemble are text as well.
func TestHostileNames(t *testing.T) {
	t.Parallel()
	s := newStation(t, nil, "Seen [Ann Lee].")
	s.round.Name, s.round.DrawnBy, s.round.Kind = hostile, hostile, hostile
	s.view = func(int) (review.View, error) {
		span := review.Span{End: 4, Type: hostile, By: []string{hostile}, Score: .5}
		return review.View{
			Text: "Seen by nobody", Published: "Mary" + hostile, Patient: hostile, Row: hostile, Aside: hostile,
			Spans: []review.Span{span}, Shown: []review.Span{span},
		}, nil
	}
	ann, office := s.as(t, "ann"), s.as(t, "office")
	ann.post("/rounds/3/next", nil)
	for path, b := range map[string]*browser{"/": ann, "/rounds/3/notes/1": ann, "/?done=3": ann, "/views": office} {
		if a := b.get(path); a.status != http.StatusOK || !escaped(a.body) {
			t.Errorf("%s: %d\n%s", path, a.status, a.body)
		}
	}
}

// No request leads a browser to another site but to the identity provider, and to that with the station's own address alone.
func TestRedirects(t *testing.T) {
	t.Parallel()
	p := newIssuer(t)
	s := newStationAt(t, p, "x")
	nobody, ann := s.browser(t), s.as(t, "ann")
	for _, path := range []string{
		"/", "/login?next=//evil.example", "/?done=//evil.example", "//evil.example/", "//evil.example/../login", `/\evil.example`, "/%2f%2fevil.example",
		"/%0d%0aLocation:%20https://evil.example", "/login/callback?redirect_uri=https://evil.example", "/login/?url=https://evil.example", "/views/..//evil.example",
	} {
		for who, b := range map[string]*browser{"nobody": nobody, "ann": ann} {
			to := b.get(path).header.Get("Location")
			if at, err := url.Parse(to); err != nil || at.Host != "" || strings.HasPrefix(to, "//") || strings.HasPrefix(to, `/\`) {
				t.Errorf("%s by %s leads to %q", path, who, to)
			}
		}
	}
	to := mustURL(t, nobody.get("/login/begin?redirect_uri=https://evil.example&next=//evil.example").header.Get("Location"))
	if !strings.HasPrefix(to.String(), p.URL+"/auth?") || to.Query().Get("redirect_uri") != "http://127.0.0.1/login/callback" {
		t.Errorf("the login at the provider leads to %s", to)
	}
}

// No request has the station ask an address that the request names.
func TestNothingIsAskedElsewhere(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	defer elsewhere.Close()
	s := newStationAt(t, newIssuer(t), "Seen [Ann Lee].")
	ann := s.as(t, "ann")
	ann.post("/rounds/3/next", nil)
	ann.get("/rounds/3/notes/1")
	for _, r := range s.routes().list {
		method, path := r.fill()
		ask := ann.request(method, path+"?url="+url.QueryEscape(elsewhere.URL)+"&issuer="+url.QueryEscape(elsewhere.URL), "application/x-www-form-urlencoded",
			url.Values{"marks": {elsewhere.URL}, "url": {elsewhere.URL}, "name": {elsewhere.URL}}.Encode())
		for _, name := range []string{"Referer", "X-Forwarded-Host", "X-Original-URL", "Forwarded", "X-Forwarded-For"} {
			ask.Header.Set(name, elsewhere.URL)
		}
		ann.do(ask)
	}
	if n := asked.Load(); n > 0 {
		t.Errorf("%d requests", n)
	}
}

// Nothing but the files of the program's own folder is served, and no list of them.
func TestPaths(t *testing.T) {
	t.Parallel()
	b := newStation(t, nil, "x").browser(t)
	for _, path := range []string{
		"/static/", "/static", "/static/.", "/static/..", "/static/..%2fpages%2fnote.html", "/static/..%5c..%5cserver.go", "/static/%2e%2e%2fserver.go",
		"/static/%00", "/static/style.css%00.html", "/static/style.css/", "/static//etc/passwd", "/static/%2fetc%2fpasswd", "/static/....//server.go",
		"/static/%c0%ae%c0%ae/server.go", "/pages/note.html", "/.git/config", "/server.go", "/static/index.html",
	} {
		if a := b.get(path); a.status == http.StatusOK || strings.Contains(a.body, "style.css</a>") || strings.Contains(a.body, "package web") {
			t.Errorf("%s: %d", path, a.status)
		}
	}
	for _, file := range []string{"style.css", "note.js", "icon.svg"} {
		if a := b.get("/static/" + file); a.status != http.StatusOK || a.body == "" {
			t.Errorf("%s: %d", file, a.status)
		}
	}
}

// Whether a name exists can't be seen from what a wrong password gets: neither from the page, nor from the work that it takes.
func TestUnknownUsers(t *testing.T) {
	t.Parallel()
	var waits []time.Duration
	s := newStation(t, func(o *Options) { o.Wait = func(_ context.Context, d time.Duration) { waits = append(waits, d) } }, "x")
	b := s.browser(t)
	known := b.post("/login", url.Values{"name": {"ann"}, "password": {"a wrong password"}})
	unknown := b.post("/login", url.Values{"name": {"eve"}, "password": {"a wrong password"}})
	if known.status != unknown.status || strings.ReplaceAll(known.body, "ann", "eve") != unknown.body || len(waits) != 2 || waits[0] != waits[1] {
		t.Errorf("%d and %d, after %v", known.status, unknown.status, waits)
	}
	if of := s.opts.Users; of.Verifier("ann").Shape() != of.Verifier("eve").Shape() {
		t.Error("a password for a name that is unknown is checked with other work")
	}
	for range 8 {
		b.post("/login", url.Values{"name": {"eve"}, "password": {"a wrong password"}})
	}
	if last := waits[len(waits)-1]; last < 4*waits[0] {
		t.Errorf("the last of many guesses waits %s", last)
	}
}

// What a login says can't write a line of its own into the log.
func TestLogLines(t *testing.T) {
	t.Parallel()
	s := newStation(t, nil, "x")
	s.browser(t).post("/login", url.Values{"name": {"eve\nlevel=INFO msg=\"logged in\" user=root"}, "password": {"a wrong password"}})
	if log := s.log.String(); strings.Count(log, "\n") != 1 || strings.Contains(log, "\nlevel=INFO") || !strings.Contains(log, "a login was refused") {
		t.Errorf("%s", log)
	}
}

// What is too large is refused and takes no memory.
func TestLargeRequests(t *testing.T) {
	t.Parallel()
	s := newStation(t, nil, "Seen [Ann Lee].")
	b := s.as(t, "ann")
	b.post("/rounds/3/next", nil)
	b.get("/rounds/3/notes/1")
	large := strings.Repeat(" ", maxForm) + "[]"
	for _, path := range []string{"save", "everywhere"} {
		if a := b.send("/rounds/3/notes/1/"+path, large); a.status != http.StatusBadRequest {
			t.Errorf("%s: %d", path, a.status)
		}
	}
	if a := b.post("/login", url.Values{"name": {"ann"}, "password": {testPassword}, "more": {strings.Repeat("x", 8<<10)}}); a.status != http.StatusForbidden {
		t.Errorf("a large login: %d", a.status)
	}
}

// Browsers with TLS before 1.2 get no connection.
func TestOldTLS(t *testing.T) {
	t.Parallel()
	c, pool := ownCertificate(t)
	inner := newStation(t, nil, "x")
	address, stop := (&Station{Options: inner.opts, TLS: c}).serving(t)
	for version, ok := range map[uint16]bool{tls.VersionTLS10: false, tls.VersionTLS11: false, tls.VersionTLS12: true, tls.VersionTLS13: true} {
		d := &tls.Dialer{Config: &tls.Config{RootCAs: pool, MinVersion: version, MaxVersion: version}}
		conn, err := d.DialContext(t.Context(), "tcp", address)
		if (err == nil) != ok {
			t.Errorf("%s: %v", tls.VersionName(version), err)
		}
		if err == nil {
			conn.Close()
		}
	}
	stop()
}

// Pages have no script or style in them, and nothing of theirs is anywhere else: the policy, which refuses both, keeps nothing
// from working.
func TestPagesAskNobody(t *testing.T) {
	t.Parallel()
	inline := regexp.MustCompile(`(?i)\son[a-z]+\s*=|\sstyle\s*=|<style|<script>|javascript:|\beval\(|innerHTML|insertAdjacentHTML|document\.write`)
	elsewhere := regexp.MustCompile(`(?i)(https?:)?//[a-z0-9-]+\.[a-z]`)
	namespace := "http://www.w3.org/2000/svg"
	err := fs.WalkDir(files, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := fs.ReadFile(files, path)
		if err != nil {
			return err
		}
		text := strings.ReplaceAll(string(content), namespace, "")
		for _, wrong := range []*regexp.Regexp{inline, elsewhere} {
			if found := wrong.FindString(text); found != "" {
				t.Errorf("%s has %q", path, found)
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
