package itest

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

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
	if found := s.scan(t, faulty.URL, "/?name=x", "", nil, "http_headers,csp,xss,cookieflags"); len(found) < 3 {
		t.Fatalf("of a page with every fault the scanner finds %q", found)
	}
	r := newReplication(t, newPair(t)).exactly(t)
	do(t, r.src, patients)
	do(t, r.src, `insert into ehr.note select n, 1, '2021-03-04', 'new', 'Zebulon slept on day ' || n from generate_series(1, 3) n`)
	running := r.run(t, exactDetector(t))
	r.caughtUp(t)
	running.stop(t)
	d := r.deskWith(t, exactDetector(t))
	role := r.sourceRole(t, "reader", "grant select on ehr.note to READER")
	if _, _, err := queue.Draw(t.Context(), d, r.reviewStore(t), queue.Spec{
		Name: "three", Kind: review.Acceptance, Table: "ehr.note", Column: "body", Notes: 3, Readers: 1, Seed: "s", DrawnBy: "lee",
	}); err != nil {
		t.Fatal(err)
	}
	address, log := r.reviewStation(t, d, role, func(o *web.Options) { o.Wait = func(context.Context, time.Duration) {} })
	dee := logIn(t, address, "dee")
	at, _ := dee.post("/rounds/1/next", nil)
	found := s.scan(t, address, at, dee.cookie(), scannedActions(at),
		"cookieflags,crlf,csp,exec,file,htaccess,http_headers,ldap,permanentxss,redirect,shellshock,sql,ssrf,timesql,upload,xss,xxe")
	for _, one := range found {
		t.Error(one)
	}
	if s.reached > 0 {
		t.Errorf("the station made %d requests elsewhere", s.reached)
	}
	if page := dee.get(at); !strings.Contains(page, "slept") {
		t.Error("the session ended while it was scanned: the scanner saw nothing")
	}
	if got := log.String(); strings.Contains(got, "panic") || strings.Contains(got, "could not be answered") || strings.Contains(got, "slept") {
		t.Errorf("the log: %.2000s", got)
	}
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
func (s *scanner) scan(t *testing.T, address, start, cookie string, api any, modules string) []string {
	t.Helper()
	dir := t.TempDir()
	out := filepath.Join(dir, "found.json")
	args := []string{
		"-u", address + "/", "-s", address + start, "-x", address + "/logout", "--scope", "folder", "-m", modules, "--endpoint", s.endpoint.URL + "/",
		"--store-session", dir, "--store-config", dir, "--flush-session", "--no-bugreport", "--max-scan-time", "240", "--max-attack-time", "60", "-f", "json", "-o", out, "-v", "0",
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

// scannedActions describes what the scripts of a note's page send, which a crawler does not see, as OpenAPI has it.
func scannedActions(at string) any {
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
			at + "/save":       action(asJSON, object{"type": "array", "items": mark}),
			at + "/repair":     action(asJSON, mark),
			at + "/everywhere": action(asJSON, object{"type": "array", "items": number}),
			at + "/seen":       action(asJSON, object{"type": "object", "properties": object{"x": text}}),
			"/login":           action(form, object{"type": "object", "properties": object{"name": text, "password": text}}),
		},
	}
}

// faultyPage shows what a request says and protects nothing.
func faultyPage(w http.ResponseWriter, r *http.Request) {
	http.SetCookie(w, &http.Cookie{Name: "session", Value: "x"})
	w.Header().Set("Content-Type", "text/html")
	_, _ = w.Write([]byte("<html><body><a href='/?name=y'>more</a> Hello " + r.URL.Query().Get("name") + "</body></html>"))
}
