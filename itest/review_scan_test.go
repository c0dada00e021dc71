package itest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/ensemble/harvest"
	"github.com/pgdeid/pgdeid/internal/review"
	"github.com/pgdeid/pgdeid/internal/review/queue"
	"github.com/pgdeid/pgdeid/internal/review/web"
)

// A scanner, Wapiti, which PGDEID_WAPITI names, attacks the station with a session that may do everything, and finds nothing. That it
// finds what there is, a page with every fault shows first.
func TestReviewScanned(t *testing.T) {
	t.Parallel()
	program := os.Getenv("PGDEID_WAPITI")
	if program == "" {
		t.Skip("PGDEID_WAPITI names no scanner: 'make test-scan' gets it")
	}
	s := &scanner{program: program}
	s.endpoint = httptest.NewServer(http.HandlerFunc(s.answer))
	defer s.endpoint.Close()
	faulty := httptest.NewServer(http.HandlerFunc(faultyPage))
	defer faulty.Close()
	if found := s.scan(t, faulty.URL, []string{"/?name=x"}, "", nil, "http_headers,csp,xss,cookieflags"); len(found) < 3 {
		t.Fatalf("of a page with every fault the scanner finds %q", found)
	}
	r := newReplication(t, newPair(t)).exactly(t)
	do(t, r.src, patients)
	do(t, r.src, `insert into ehr.note select n, 1, '2021-03-04', 'new', 'Zebulon slept on day ' || n from generate_series(1, 3) n`)
	for i, name := range []string{"Grizzlewood", "Vexterly", "Quillhampton", "Zornfeld", "Hobblethwaite", "Pumblechook"} {
		do(t, r.src, fmt.Sprintf("insert into ehr.note values (%d, 2, null, 'new', 'Came to the ward with his nephew %s and went home again.')", i+4, name))
	}
	running := r.run(t, exactDetector(t))
	r.caughtUp(t)
	running.stop(t)
	d := r.deskWith(t, exactDetector(t))
	role := r.sourceRole(t, "reader", "grant select on ehr.note to READER")
	for _, spec := range []queue.Spec{{Name: "three", Kind: review.Acceptance, Notes: 3}, {Name: "alike", Kind: review.Clusters, Notes: 3, Among: 100}} {
		spec.Table, spec.Column, spec.Readers, spec.Seed, spec.DrawnBy = "ehr.note", "body", 1, "s", "lee"
		if _, _, err := queue.Draw(t.Context(), d, r.reviewStore(t), spec); err != nil {
			t.Fatal(err)
		}
	}
	address, log := r.reviewStation(t, d, role, func(o *web.Options) {
		o.Wait, o.Harvest = func(context.Context, time.Duration) {}, []web.Proposals{proposals(t, 500)}
	})
	front := &turnstile{requests: map[string]int{}}
	address = front.before(t, address)
	dee := logIn(t, address, "dee")
	at, _ := dee.post("/rounds/1/next", nil)
	cluster, _ := dee.post("/rounds/2/next", nil)
	dee.send(at+"/repair", `{"s":0,"e":4,"t":"PATIENT","v":"missed"}`) // so that there is one to take back
	clear(front.requests)
	found := s.scan(t, address, []string{at, cluster, "/harvest/1?again=1", "/repairs", "/views"}, dee.cookie(), scannedActions(at, cluster),
		"cookieflags,crlf,csp,exec,file,htaccess,http_headers,ldap,permanentxss,redirect,shellshock,sql,ssrf,timesql,upload,xss,xxe")
	for _, one := range found {
		t.Error(one)
	}
	if s.reached > 0 {
		t.Errorf("the station made %d requests elsewhere", s.reached)
	}
	for least, actions := range map[int][]string{ // pages without parameters are looked at, and what takes some is attacked
		1: {"GET " + at, "GET " + cluster, "GET /harvest", "GET /repairs", "GET /views"},
		5: {
			"POST " + at + "/save", "POST " + at + "/repair", "POST " + at + "/everywhere", "POST " + cluster + "/alike",
			"GET /harvest/1", "POST /harvest/1", "POST /repairs/1/take-back", "POST /login",
		},
	} {
		for _, action := range actions {
			if front.requests[action] < least {
				t.Errorf("%s was asked for %d times, want %d", action, front.requests[action], least)
			}
		}
	}
	if page := dee.get(cluster); !strings.Contains(page, "went home again") {
		t.Error("the session ended while it was scanned: the scanner saw nothing")
	}
	if page := dee.get("/harvest/1"); strings.Contains(page, "Nothing is left for you") {
		t.Error("the scanner has decided all that was harvested, and saw no question at its end")
	}
	if got := log.String(); strings.Contains(got, "panic") || strings.Contains(got, "could not be answered") || len(marksInText(got, []string{"slept", "went home"})) > 0 {
		t.Errorf("the log: %.2000s", got)
	}
}

// proposals are harvested sentences that a person verifies.
func proposals(t *testing.T, n int) *harvest.Panel {
	t.Helper()
	var list []harvest.Proposal
	for i := range n {
		text := fmt.Sprintf("Lungs clear on day %d.", i)
		list = append(list, harvest.Proposal{ID: harvest.IDOf(harvest.Sentence, text), Kind: harvest.Sentence, Text: text, Notes: 9, Patients: 7, Authors: 5})
	}
	path := filepath.Join(t.TempDir(), "proposals.jsonl")
	if err := harvest.WriteProposals(path, list); err != nil {
		t.Fatal(err)
	}
	panel, err := harvest.OpenPanel(path, 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = panel.Close() })
	return panel
}

// turnstile counts the requests that come to a server, by method and path.
type turnstile struct {
	mu       sync.Mutex
	requests map[string]int
}

// before puts a proxy that counts in front of a server, and returns its address.
func (c *turnstile) before(t *testing.T, address string) string {
	t.Helper()
	to, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	behind := httputil.NewSingleHostReverseProxy(to)
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c.mu.Lock()
		c.requests[r.Method+" "+r.URL.Path]++
		c.mu.Unlock()
		behind.ServeHTTP(w, r)
	}))
	t.Cleanup(front.Close)
	return front.URL
}

// scanner is Wapiti, with the server that it asks whether a scanned one made a request elsewhere.
type scanner struct {
	program  string
	endpoint *httptest.Server
	reached  int
}

// answer says of what Wapiti asks for that nothing came, and counts what comes.
func (s *scanner) answer(w http.ResponseWriter, r *http.Request) {
	if !strings.HasPrefix(r.URL.Path, "/get_") && r.URL.Path != "/" {
		s.reached++
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write([]byte("{}")) // the scanner went away
}

// scan returns what was found at an address.
func (s *scanner) scan(t *testing.T, address string, starts []string, cookie string, api any, modules string) []string {
	t.Helper()
	dir := t.TempDir()
	out := filepath.Join(dir, "found.json")
	args := []string{
		"-u", address + "/", "-x", address + "/logout", "--scope", "folder", "-m", modules, "--endpoint", s.endpoint.URL + "/",
		"--store-session", dir, "--store-config", dir, "--flush-session", "--no-bugreport", "--max-scan-time", "240", "--max-attack-time", "60", "-f", "json", "-o", out, "-v", "0",
	}
	for _, start := range starts {
		args = append(args, "-s", address+start)
	}
	if cookie != "" {
		args = append(args, "-H", "Cookie: "+cookie)
	}
	if api != nil {
		data, err := json.Marshal(api)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, "api.json")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		args = append(args, "--swagger", path)
	}
	cmd := exec.CommandContext(t.Context(), s.program, args...)
	said, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	if api != nil && !bytes.Contains(said, []byte("Launching module xxe")) {
		t.Errorf("the scanner did not come to its end:\n%s", said)
	}
	return findings(t, out)
}

// findings reads a report of Wapiti.
func findings(t *testing.T, path string) (list []string) {
	t.Helper()
	type finding struct {
		Method, Path, Info, Module string
	}
	var found struct{ Vulnerabilities, Anomalies map[string][]finding }
	if err := json.Unmarshal([]byte(logged(t, path)), &found); err != nil {
		t.Fatal(err)
	}
	for _, kinds := range []map[string][]finding{found.Vulnerabilities, found.Anomalies} {
		for kind, cases := range kinds {
			for _, c := range cases {
				list = append(list, kind+" ("+c.Module+"): "+c.Method+" "+c.Path+": "+c.Info)
			}
		}
	}
	return list
}

// scannedActions describes what the scripts of pages send, which a crawler does not see, as OpenAPI has it: of a note, and of one that leads a
// cluster.
func scannedActions(at, cluster string) any {
	type object = map[string]any
	text, number := object{"type": "string"}, object{"type": "integer"}
	action := func(kind string, schema any) object {
		return object{"post": object{
			"requestBody": object{"content": object{kind: object{"schema": schema}}}, "responses": object{"200": object{"description": "done"}},
		}}
	}
	mark := object{"type": "object", "properties": object{"s": number, "e": number, "t": text, "v": text, "f": number}}
	const form, asJSON = "application/x-www-form-urlencoded", "application/json"
	return object{
		"openapi": "3.0.0", "info": object{"title": "review", "version": "1"},
		"paths": object{
			at + "/save":           action(asJSON, object{"type": "array", "items": mark}),
			at + "/repair":         action(asJSON, mark),
			at + "/everywhere":     action(asJSON, object{"type": "array", "items": number}),
			at + "/seen":           action(asJSON, object{"type": "object", "properties": object{"x": text}}),
			cluster + "/alike":     action(asJSON, object{"type": "object", "properties": object{"s": number, "e": number, "t": text, "v": text, "f": number, "from": number}}),
			"/harvest/1":           action(form, object{"type": "object", "properties": object{"number": number, "say": text}}),
			"/repairs/1/take-back": action(form, object{"type": "object", "properties": object{"x": text}}),
			"/login":               action(form, object{"type": "object", "properties": object{"name": text, "password": text}}),
		},
	}
}

// faultyPage shows what a request says and protects nothing.
func faultyPage(w http.ResponseWriter, r *http.Request) {
	http.SetCookie(w, &http.Cookie{Name: "session", Value: "x"})
	w.Header().Set("Content-Type", "text/html")
	_, _ = w.Write([]byte("<html><body><a href='/?name=y'>more</a> Hello " + r.URL.Query().Get("name") + "</body></html>"))
}
