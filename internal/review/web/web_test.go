package web

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/internal/review"
	"github.com/pgdeid/pgdeid/internal/review/store"
)

func mustURL(t testing.TB, s string) *url.URL {
	t.Helper()
	u, err := url.Parse(s)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func readAll(t testing.TB, r *http.Response) string {
	t.Helper()
	data, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// A person works through a round: takes a note, marks, finishes, and gets the next.
func TestReviewing(t *testing.T) {
	t.Parallel()
	s := newStation(t, nil, "Seen [Ann Lee] with Zorn.", "Second.")
	b := s.as(t, "ann")
	if a := b.get("/"); a.status != 200 || !strings.Contains(a.body, "first") || !strings.Contains(a.body, "0 of 2 finished") {
		t.Errorf("%d\n%s", a.status, a.body)
	}
	if a := b.post("/rounds/3/next", nil); a.status != 303 || a.header.Get("Location") != "/rounds/3/notes/1" {
		t.Fatalf("%d, %s", a.status, a.header)
	}
	a := b.get("/rounds/3/notes/1")
	for _, part := range []string{`Seen <mark class="mark name right"`, ">Ann Lee</mark> with Zorn.", "found by record and crf, 97 %", "Mo Doe</span> with Zorn."} {
		if !strings.Contains(a.body, part) {
			t.Errorf("no %q in\n%s", part, a.body)
		}
	}
	if a := b.send("/rounds/3/notes/1/save", `[{"s":5,"e":12,"t":"PATIENT","v":"right","f":0},{"s":18,"e":22,"t":"DOCTOR","v":"missed"}]`); a.status != 204 {
		t.Errorf("save: %d %s", a.status, a.body)
	}
	if a := b.send("/rounds/3/notes/1/everywhere", `[18,22]`); a.status != 204 || len(s.heard) != 1 || s.heard[0] != "ehr_ann 1 Zorn" {
		t.Errorf("everywhere: %d %v", a.status, s.heard)
	}
	if a := b.send("/rounds/3/notes/1/seen", ""); a.status != 204 || s.views[0].Left.IsZero() {
		t.Errorf("seen: %d %v", a.status, s.views)
	}
	if a := b.get("/rounds/3/notes/1"); !strings.Contains(a.body, `mark name missed`) {
		t.Errorf("what was saved is not shown:\n%s", a.body)
	}
	if a := b.post("/rounds/3/notes/1/finish", nil); a.status != 303 || a.header.Get("Location") != "/rounds/3/notes/2" {
		t.Errorf("finish: %d %s", a.status, a.body)
	}
	r := s.readings[at(1, "ann")]
	if r.FinishedAt.IsZero() || len(r.Marks) != 2 || r.Marks[0].Found == nil || r.Marks[1].Verdict != review.Missed || len(r.Marks[1].Words) == 0 || len(r.Text) == 0 {
		t.Errorf("%+v", r)
	}
	if a := b.send("/rounds/3/notes/1/save", `[]`); a.status != 409 {
		t.Errorf("after it was finished: %d", a.status)
	}
	b.get("/rounds/3/notes/2")
	if a := b.post("/rounds/3/notes/2/finish", url.Values{"marks": {"[]"}}); a.header.Get("Location") != "/?done=3" {
		t.Errorf("the last note: %v", a.header)
	}
	if len(s.views) != 3 || s.views[2].Reader != "ann" || s.views[2].Outcome != store.Shown {
		t.Errorf("views %+v", s.views)
	}
}

// An adjudicator sees what two readers decided differently, not who they are, and what is decided then holds.
func TestSettling(t *testing.T) {
	t.Parallel()
	s := newStation(t, nil, "Seen [Ann Lee] with Zorn on May 3.")
	text := []byte(s.TextHash("Seen Ann Lee with Zorn on May 3."))
	found := &review.Span{Start: 5, End: 12, Type: "PATIENT"}
	s.reviews = []review.Reading{
		{Reader: "ann", Text: text, Marks: []review.Mark{
			{Start: 5, End: 12, Type: "PATIENT", Verdict: review.Right, Found: found}, {Start: 18, End: 22, Type: "PATIENT", Verdict: review.Missed},
		}},
		{Reader: "ben", Text: text, Marks: []review.Mark{
			{Start: 5, End: 12, Type: "PATIENT", Verdict: review.Right, Found: found}, {Start: 18, End: 22, Type: "DOCTOR", Verdict: review.Missed},
			{Start: 26, End: 31, Type: "DATE", Verdict: review.Missed},
		}},
	}
	b := s.as(t, "ruth")
	if a := b.post("/rounds/3/next", nil); a.status != 403 {
		t.Errorf("an adjudicator reviews: %d", a.status)
	}
	if a := s.as(t, "ann").post("/rounds/3/settle", nil); a.status != 403 {
		t.Errorf("a reviewer settles: %d", a.status)
	}
	if a := b.post("/rounds/3/settle", nil); a.status != 303 || a.header.Get("Location") != "/rounds/3/notes/1" {
		t.Fatalf("%d %v", a.status, a.header)
	}
	a := b.get("/rounds/3/notes/1")
	for _, part := range []string{"<strong>Zorn</strong>: PATIENT says one, DOCTOR the other", "<strong>May 3</strong>: no PHI says one, DATE the other", `<mark class="mark time missed"`} {
		if !strings.Contains(a.body, part) {
			t.Errorf("no %q in\n%s", part, a.body)
		}
	}
	if strings.Contains(a.body, "ben") || strings.Contains(a.body, ">ann<") {
		t.Error("the page says who they are")
	}
	if a := b.post("/rounds/3/notes/1/finish", url.Values{"marks": {`[{"s":5,"e":12,"t":"PATIENT","v":"right","f":0},{"s":18,"e":22,"t":"DOCTOR","v":"missed"}]`}}); a.header.Get("Location") != "/?done=3" {
		t.Errorf("%d %v", a.status, a.header)
	}
	if r := s.readings[at(1, "ruth")]; r.Part != review.Adjudicator || len(r.Marks) != 2 || r.FinishedAt.IsZero() {
		t.Errorf("%+v", r)
	}
	if a := b.get("/?done=3"); !strings.Contains(a.body, "Nothing is left for you in first") {
		t.Error("the page does not say that nothing is left")
	}
}

// Marks that do not fit the note or what was found in it are refused, whatever a browser says was found.
func TestMarksAreChecked(t *testing.T) {
	t.Parallel()
	s := newStation(t, nil, "Seen [Ann Lee] with Zorn.")
	b := s.as(t, "ann")
	b.post("/rounds/3/next", nil)
	b.get("/rounds/3/notes/1")
	for name, marks := range map[string]string{
		"no JSON":                   `{`,
		"nothing of what was found": `[]`,
		"found twice":               `[{"s":0,"e":4,"t":"PATIENT","v":"resized","f":0},{"s":5,"e":12,"t":"PATIENT","v":"right","f":0}]`,
		"never found":               `[{"s":5,"e":12,"t":"PATIENT","v":"right","f":7}]`,
		"another range":             `[{"s":0,"e":3,"t":"PATIENT","v":"right","f":0}]`,
		"behind the text":           `[{"s":5,"e":12,"t":"PATIENT","v":"right","f":0},{"s":20,"e":900,"t":"DATE","v":"missed"}]`,
		"unknown type":              `[{"s":5,"e":12,"t":"<script>","v":"retyped","f":0}]`,
		"unknown verdict":           `[{"s":5,"e":12,"t":"PATIENT","v":"perhaps","f":0}]`,
	} {
		if a := b.send("/rounds/3/notes/1/save", marks); a.status != 400 || strings.Contains(a.body, "Ann Lee") {
			t.Errorf("%s: %d", name, a.status)
		}
	}
	if r := s.readings[at(1, "ann")]; len(r.Marks) != 0 {
		t.Errorf("stored: %+v", r.Marks)
	}
}

// Without a script, a note is finished with what was found.
func TestFinishWithoutScript(t *testing.T) {
	t.Parallel()
	s := newStation(t, nil, "Seen [Ann Lee].")
	b := s.as(t, "ann")
	b.post("/rounds/3/next", nil)
	b.get("/rounds/3/notes/1")
	b.post("/rounds/3/notes/1/finish", url.Values{"marks": {""}})
	if r := s.readings[at(1, "ann")]; len(r.Marks) != 1 || r.Marks[0].Verdict != review.Right || r.FinishedAt.IsZero() {
		t.Errorf("%+v", r)
	}
}

// Access control: every page and action, by everybody who may not.
func TestAccess(t *testing.T) {
	t.Parallel()
	s := newStation(t, nil, "Seen [Ann Lee].", "Other.")
	ann, ben, office, nobody := s.as(t, "ann"), s.as(t, "ben"), s.as(t, "office"), s.browser(t)
	ann.post("/rounds/3/next", nil)
	ann.get("/rounds/3/notes/1")
	gets := []string{"/", "/rounds/3/notes/1", "/views"}
	posts := []string{"/rounds/3/next", "/rounds/3/notes/1/save", "/rounds/3/notes/1/finish", "/rounds/3/notes/1/everywhere", "/rounds/3/notes/1/seen"}
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
	if a := ben.get("/rounds/3/notes/1"); a.status != 403 || !strings.Contains(a.body, "No role of the source is known for you") || strings.Contains(a.body, "Lee") {
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
	if a := ann.get("/rounds/3/notes/1"); a.status != 500 || strings.Contains(a.body, "Lee") || strings.Contains(s.log.String(), "note of Lee") {
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
	if set == nil || set.Value == "planted" || len(set.Value) < 40 || !set.HttpOnly || set.SameSite != http.SameSiteStrictMode || set.Path != "/" || set.Domain != "" {
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
	if a.status != 303 || !strings.Contains(a.header.Get("Clear-Site-Data"), `"cache", "cookies", "storage"`) || a.header.Get("Cache-Control") != "no-store" {
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
		if a.status != 403 || !strings.Contains(a.body, "Name or password is wrong") || strings.Contains(a.body, "<script>a") || len(b.Jar.Cookies(mustURL(t, s.url))) > 0 {
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
		if strings.Contains(csp, "unsafe") || h.Get("X-Frame-Options") != "DENY" || h.Get("Cache-Control") != "no-store" || h.Get("X-Content-Type-Options") != "nosniff" ||
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
		if a.status != 200 || strings.Contains(a.body, "<script>a") || strings.Contains(a.body, "<img") || strings.Contains(a.body, "<svg") || strings.Contains(a.body, "action=//evil>") {
			t.Errorf("%q: %d\n%s", text, a.status, a.body)
		}
		if n := strings.Count(a.body, "</script>"); n != 2 {
			t.Errorf("%q: %d scripts end", text, n)
		}
	}
}

func TestRights(t *testing.T) {
	t.Parallel()
	for words, ok := range map[string]bool{
		"reviewer": true, "reviewer steward adjudicator source=ehr_ann": true, "": false, "source=x": false, "reviewer source=": false, "root": false,
		"reviewer=1": false, "tables=detect reviewer": false,
	} {
		if r, err := ParseRights(strings.Fields(words)); (err == nil) != ok || err == nil && !r.Has(Reviewer) {
			t.Errorf("%q: %v, %v", words, r, err)
		}
	}
	if line, err := Words([]string{"reviewer"}, "ehr_ann"); err != nil || line != "reviewer source=ehr_ann" {
		t.Errorf("%q, %v", line, err)
	}
	if _, err := Words([]string{"reviewer"}, "two words"); err == nil {
		t.Error("a role with a blank")
	}
}

func TestSegments(t *testing.T) {
	t.Parallel()
	class := func(int) (string, string) { return "c", "l" }
	spans := []review.Span{{Start: 0, End: 2}, {Start: 1, End: 3}, {Start: 3, End: 5}, {Start: 6, End: 99}}
	var got []string
	for _, g := range segments([]rune("äbcde fg"), spans, class) {
		mark := ""
		if g.Span != nil {
			mark = "*"
		}
		got = append(got, g.Text+mark)
	}
	if strings.Join(got, "|") != "äb*|c|de*| fg" {
		t.Errorf("%q", got)
	}
}
