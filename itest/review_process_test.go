package itest

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The program as people run it: a round is drawn, somebody logs in, reads a note and finishes it.
func TestReviewProcess(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t)).exactly(t)
	do(t, r.src, patients)
	do(t, r.src, "insert into ehr.note values (1, 1, '2021-03-04', 'new', 'Zebulon slept near Grizzlewood.'), (2, 2, null, 'old', 'Ottilie slept near Grizzlewood.')")
	running := r.run(t, exactDetector(t))
	r.caughtUp(t)
	running.stop(t)
	role := r.sourceRole(t, "reader", "grant select on ehr.note to READER")
	complains(t, 2, []string{"review", "draw", "first", "--config", r.cfg.Path, "--kind", "all"}, "--kind", "acceptance")
	complains(t, 2, []string{"review", "draw", "first", "--config", r.cfg.Path}, "--table", "columns")
	draw := []string{"review", "draw", "first", "--config", r.cfg.Path, "--table", "ehr.note", "--by", "status,written:year", "--notes", "10"}
	if got := runPgdeid(t, nil, draw...); got.code != 0 || !strings.Contains(got.stdout, "first: 2 notes") {
		t.Fatalf("%+v", got)
	}
	complains(t, 1, draw, "a round of that name", "another name")
	cmd := prepare(t, nil, []string{"review", "passwd", "ann"})
	cmd.Stdin = strings.NewReader(reviewPassword + "\n")
	line, err := cmd.Output()
	if err != nil || !strings.HasSuffix(string(line), " reviewer\n") {
		t.Fatalf("%q, %v", line, err)
	}
	users := filepath.Join(t.TempDir(), "reviewers")
	if err := os.WriteFile(users, []byte(strings.TrimSpace(string(line))+" steward source="+role+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	complains(t, 1, []string{"review", "serve", "--config", r.cfg.Path, "--users", users, "--listen", "0.0.0.0:0"}, "in the clear", "--tls-cert")
	complains(t, 1, []string{"review", "serve", "--config", r.cfg.Path}, "nobody could log in", "review passwd")
	addr := freeAddr(t)
	d := startPgdeid(t, nil, "review", "serve", "--config", r.cfg.Path, "--users", users, "--listen", addr)
	readFirstNote(t, "http://"+addr)
	got := runPgdeid(t, nil, "review", "status", "--config", r.cfg.Path)
	if fields := strings.Fields(strings.Split(got.stdout, "\n")[1]); got.code != 0 ||
		strings.Join(fields[:5], " ") != "first acceptance 2 1 1" {
		t.Errorf("%+v", got)
	}
	if got := runPgdeid(t, nil, "reprocess", "--config", r.cfg.Path); got.code != 0 || !strings.Contains(got.stdout, "1 rewritten") {
		t.Errorf("%+v", got)
	}
	if both := r.body(t, 1) + r.body(t, 2); strings.Count(both, "Grizzlewood") != 1 {
		t.Errorf("after reprocess: %q", both)
	}
	if got := runPgdeid(t, nil, "review", "close", "--config", r.cfg.Path, "first"); got.code != 0 {
		t.Errorf("%+v", got)
	}
	if code := d.terminate(t); code != 0 {
		t.Errorf("exit status %d", code)
	}
	if log := d.output(t); strings.Contains(log, "Grizzlewood") || strings.Contains(log, "slept") || strings.Contains(log, reviewPassword) {
		t.Errorf("the log: %s", log)
	}
}

// readFirstNote logs in, and reads and finishes the first note of the first round.
func readFirstNote(t *testing.T, address string) {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Jar: jar}
	post := func(path string, form url.Values) (string, string) {
		t.Helper()
		a, err := client.PostForm(address+path, form) //nolint:noctx // the test's time is bounded
		if err != nil {
			t.Fatal(err)
		}
		defer a.Body.Close()
		body, err := io.ReadAll(a.Body)
		if err != nil {
			t.Fatal(err)
		}
		return a.Request.URL.Path, string(body)
	}
	eventually(t, "it listens", func() bool {
		a, err := http.Get(address + "/login") //nolint:noctx // likewise
		if err == nil {
			a.Body.Close()
		}
		return err == nil
	})
	if at, body := post("/login", url.Values{"name": {"ann"}, "password": {reviewPassword}}); at != "/" ||
		!strings.Contains(body, "0 of 2 finished") {
		t.Fatalf("%s\n%s", at, body)
	}
	at, body := post("/rounds/1/next", nil)
	if at != "/rounds/1/notes/1" || !strings.Contains(body, " slept near Grizzlewood.") || !strings.Contains(body, `<mark class="mark name`) {
		t.Fatalf("%s\n%s", at, body)
	}
	answer, err := client.Post(address+at+"/everywhere", "application/json", strings.NewReader("[19,30]"))
	if err != nil {
		t.Fatal(err)
	}
	if err := answer.Body.Close(); err != nil || answer.StatusCode != http.StatusNoContent {
		t.Errorf("%s, %v", answer.Status, err)
	}
	if at, _ := post(at+"/finish", url.Values{"marks": {""}}); at != "/rounds/1/notes/2" {
		t.Errorf("%s", at)
	}
}
