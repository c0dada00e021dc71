package itest

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/eval"
	"github.com/pgdeid/pgdeid/ensemble/eval/score"
	"github.com/pgdeid/pgdeid/internal/review"
	"github.com/pgdeid/pgdeid/internal/review/report"
)

// What nobody but a person finds in the notes of this test: a ward's nickname, and a relative's name.
var onlyPeopleFind = []string{"Rookery", "Grizzlewood"}

// The program as people run it, the whole way: a round is drawn, two read it without seeing each other's marks, a third one
// settles what they decided differently, the report is signed, what was marked is exported and measured, a phrase of the
// site is accepted, and reprocess repairs what was published. Nothing of a note stays behind.
func TestReviewFromDrawToReprocess(t *testing.T) {
	t.Parallel()
	w := newWalk(t)
	w.draw()
	d := startPgdeid(t, nil, "review", "serve", "--config", w.cfg.Path, "--users", w.users, "--listen", w.addr)
	w.read()
	w.reportAndSign()
	w.export()
	w.phrases()
	if got := w.ok("reprocess"); !strings.Contains(got.stdout, "2 rewritten") {
		t.Errorf("%+v", got)
	}
	for id, want := range map[int64]string{1: "slept on the ", 2: "slept on the ", 3: "ate."} {
		if got := w.body(t, id); !strings.Contains(got, want) || len(marksInText(got, onlyPeopleFind)) > 0 {
			t.Errorf("note %d after reprocess: %q", id, got)
		}
	}
	if code := d.terminate(t); code != 0 {
		t.Errorf("exit status %d", code)
	}
	w.nothingLeft(d.output(t))
}

// walk is what the steps of the test share.
type walk struct {
	*replication

	t     *testing.T
	role  string // of the source
	users string
	addr  string
	seen  map[string]int // how long each server's log was
}

func newWalk(t *testing.T) *walk {
	t.Helper()
	r := newReplication(t, newPair(t)).exactly(t)
	do(t, r.src, patients)
	do(t, r.src, `insert into ehr.note values (1, 1, '2021-03-04', 'new', 'Zebulon slept on the Rookery near Grizzlewood.'),
		(2, 2, null, 'old', 'Ottilie slept on the Rookery.'), (3, 2, null, 'new', 'Ottilie ate.')`)
	running := r.run(t, exactDetector(t))
	r.caughtUp(t)
	running.stop(t)
	w := &walk{replication: r, t: t, addr: freeAddr(t), seen: map[string]int{}}
	w.role = r.sourceRole(t, "reader", "grant select on ehr.note to READER")
	for _, setting := range []string{"log_statement = 'all'", "log_min_duration_statement = 0", "log_parameter_max_length_on_error = -1"} {
		do(t, r.dst, "alter database "+r.name+" set "+setting)
		do(t, r.src, "alter database "+r.name+" set "+setting)
	}
	for _, log := range []string{r.source.Log(), r.replica.Log()} {
		w.seen[log] = len(logged(t, log))
	}
	var lines strings.Builder
	for name, roles := range map[string]string{"ann": "reviewer", "ben": "reviewer", "ruth": "adjudicator", "office": "steward"} {
		cmd := prepare(t, nil, []string{"review", "passwd", name, "--roles", roles, "--source-role", w.role})
		cmd.Stdin = strings.NewReader(reviewPassword + "\n")
		line, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		lines.Write(line)
	}
	w.users = r.file(t, "reviewers", lines.String())
	return w
}

// ok runs a command of the program that must work.
func (w *walk) ok(args ...string) result {
	w.t.Helper()
	got := runPgdeid(w.t, nil, append(args, "--config", w.cfg.Path)...)
	if got.code != 0 {
		w.t.Fatalf("%q: %+v", args, got)
	}
	return got
}

func (w *walk) complains(code int, args []string, says ...string) {
	w.t.Helper()
	complains(w.t, code, append(args, "--config", w.cfg.Path), says...)
}

func (w *walk) draw() {
	w.t.Helper()
	if got := w.ok("review", "status"); !strings.Contains(got.stdout, "review draw") {
		w.t.Errorf("%+v", got)
	}
	if got := w.ok("review", "plan", "--recall", ".9", "--table", "ehr.note"); !strings.Contains(got.stdout, "counted in 3 notes") {
		w.t.Errorf("%+v", got)
	}
	w.complains(2, []string{"review", "draw", "spring"}, "--table ehr.note --column body, or ")
	draw := []string{"review", "draw", "spring", "--table", "ehr.note", "--by", "status,written:year", "--notes", "10", "--readers", "2", "--claim", "NAME=.9"}
	if got := w.ok(draw...); !strings.Contains(got.stdout, "spring: 3 notes, since there are no 10") {
		w.t.Errorf("%+v", got)
	}
	w.complains(1, draw, "a round of that name", "another name")
	w.complains(1, []string{"review", "report", "spring"}, "no note of it was read", "review serve")
	w.complains(1, []string{"review", "report", "autumn"}, "no round of that name", "review status")
	w.complains(1, []string{"review", "serve", "--users", w.users, "--listen", "0.0.0.0:0"}, "in the clear", "--tls-cert")
	w.complains(1, []string{"review", "serve", "--listen", "127.0.0.1:0"}, "nobody could log in", "review passwd")
}

// read has ann find all that was missed, ben a part of it, and ruth settle it.
func (w *walk) read() {
	t := w.t
	t.Helper()
	ann, ben := logIn(t, "http://"+w.addr, "ann"), logIn(t, "http://"+w.addr, "ben")
	ann.round("next", func(n *noteOnPage) {
		n.miss("Rookery", "HOSPITAL")
		if n.miss("Grizzlewood", "PATIENT") {
			n.everywhere("Grizzlewood")
		}
	})
	ben.round("next", func(n *noteOnPage) {
		if len(n.state.Marks) != len(n.state.Found) || strings.Contains(n.page, "ann") {
			t.Errorf("ben is shown what ann marked: %d marks of %d found", len(n.state.Marks), len(n.state.Found))
		}
		ofZebulon := strings.Contains(n.state.Text, "Zebulon") // of whom ann had a word remembered
		if len(n.state.Found) != 1 || strings.Contains(n.page, "Kept back") != ofZebulon {
			t.Errorf("ben is shown what ann had remembered: %+v\n%s", n.state.Found, n.page)
		}
		if ofZebulon {
			n.miss("Rookery", "HOSPITAL")
		}
	})
	if got := runPgdeid(t, nil, "review", "report", "spring", "--config", w.cfg.Path); got.code != 3 || !strings.Contains(got.stdout, "2 notes, two readers differ") {
		t.Errorf("%+v", got)
	}
	settled := 0
	logIn(t, "http://"+w.addr, "ruth").round("settle", func(n *noteOnPage) {
		settled++
		if !strings.Contains(n.page, "decided differently") || strings.Contains(n.page, "ann") || strings.Contains(n.page, "ben") {
			t.Error("ruth is not shown what differs, or who said it")
		}
	})
	if settled != 2 {
		t.Errorf("%d notes were settled", settled)
	}
	if page := logIn(t, "http://"+w.addr, "office").get("/views"); strings.Count(page, "<td>shown</td>") != 8 || strings.Contains(page, "slept") {
		t.Errorf("views: %s", page)
	}
	if got := w.ok("review", "close", "spring"); !strings.Contains(got.stdout, "spring is closed: 3 of 3 notes finished") {
		t.Errorf("%+v", got)
	}
}

func (w *walk) reportAndSign() {
	t := w.t
	t.Helper()
	key, name := filepath.Join(w.dir, "board.key"), filepath.Join(w.dir, "spring")
	w.ok("key", "signing", key)
	made := []string{"review", "report", "spring", "--output", name, "--sign", key, "--config", w.cfg.Path}
	if got := runPgdeid(t, nil, made...); got.code != 3 || !strings.Contains(got.stdout, "recall of NAME at least 0.9 with 0.95 confidence: not proven") {
		t.Errorf("%+v", got)
	}
	complains(t, 2, made, "spring.json exists")
	var r report.Report
	if err := json.Unmarshal([]byte(logged(t, name+".json")), &r); err != nil {
		t.Fatal(err)
	}
	all := r.Estimate.Groups[len(r.Estimate.Groups)-1].Recall
	if p := r.Pair; p == nil || p.Notes != 3 || p.Misses.Both != 1 || p.Misses.OnlyA != 1 || p.Misses.Neither != 1 || p.Kappa >= 1 || p.Kappa <= 0 ||
		p.Identifiers.Both != 4 || p.Identifiers.OnlyA != 2 || p.Typed != 4 || r.Round.Open != 0 || all.Bad != 3 || len(r.Readers) != 3 {
		t.Errorf("%+v, %+v, %+v", r.Pair, all, r.Readers)
	}
	verify := []string{"review", "verify", "--public-key", key + ".pub", name + ".json", name + ".html"}
	if got := w.ok(verify...); strings.Count(got.stdout, "is what the holder of key") != 2 {
		t.Errorf("%+v", got)
	}
	page := logged(t, name+".html")
	if len(marksInText(page, append([]string{"slept", "Zebulon"}, onlyPeopleFind...))) > 0 || !strings.Contains(page, "is it PHI?") {
		t.Error("words of a note are in the report, or how the readers agree is not")
	}
	if err := os.WriteFile(name+".html", []byte(strings.Replace(page, "spring", "Spring", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	w.complains(1, verify, "it is not what was signed")
}

// export writes what was marked in each format, and has eval read it: of six identifiers three were missed.
func (w *walk) export() {
	t := w.t
	t.Helper()
	w.complains(2, []string{"review", "export", "spring", filepath.Join(w.dir, "no")}, "--role")
	for _, format := range []string{"jsonl", "i2b2", "brat"} {
		out := filepath.Join(w.dir, "marked-"+format)
		got := w.ok("review", "export", "--role", w.role, "--format", format, "spring", out)
		if !strings.Contains(got.stderr, "3 notes of 2 patients with 6 marks") {
			t.Errorf("%s: %+v", format, got)
		}
		var res eval.Result
		measured := w.ok("eval", "--models", "none", "--format", format, "--json", out)
		if err := json.Unmarshal([]byte(measured.stdout), &res); err != nil {
			t.Fatal(err)
		}
		if c := res.Groups[score.C.String()]; res.Docs != 3 || c.Gold != 6 || c.Recall >= 1 {
			t.Errorf("%s: %d documents, %+v", format, res.Docs, c)
		}
	}
	got := w.ok("review", "export", "--role", w.role, "--corrected", "spring", filepath.Join(w.dir, "cases.jsonl"))
	if !strings.Contains(got.stderr, "2 notes of 2 patients") || !strings.Contains(got.stderr, "1 note left out in which nothing was to correct") {
		t.Errorf("%+v", got)
	}
}

// phrases has what was missed in notes of two patients proposed, accepted and measured.
func (w *walk) phrases() {
	t := w.t
	t.Helper()
	file := filepath.Join(w.dir, "phrases.jsonl")
	few := w.ok("review", "phrases", "propose", "--role", w.role, "--output", file, "--patients", "3", "spring")
	if _, err := os.Stat(file); !strings.Contains(few.stdout, "nothing to propose") || !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%+v, %v", few, err)
	}
	if got := w.ok("review", "phrases", "propose", "--role", w.role, "--output", file, "spring"); !strings.Contains(got.stdout, "1 proposal written") {
		t.Errorf("%+v", got)
	}
	imported := []string{"review", "phrases", "import", "--role", w.role, "--round", "spring", file}
	w.complains(2, imported, "no phrase is accepted")
	content := strings.Replace(logged(t, file), `"accept":false`, `"accept":true`, 1)
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := w.ok(imported...); !strings.Contains(got.stdout, "version 1: 1 added") {
		t.Errorf("%+v", got)
	}
	if got := w.ok("review", "phrases", "show"); !strings.Contains(got.stdout, "PHI in 2 of 2 places, 2 of them missed") {
		t.Errorf("%+v", got)
	}
}

// nothingLeft searches every table of the replica, what the station printed and what the servers logged of every statement.
func (w *walk) nothingLeft(printed string) {
	t := w.t
	t.Helper()
	marks := append([]string{"Quarkstein", "Ottilie", reviewPassword}, onlyPeopleFind...)
	if found := marksInDatabase(t, w.dst, marks); len(found) > 0 {
		t.Errorf("words of notes are in %v", found)
	}
	if found := marksInVault(t, w.replication, []string{"slept", "ate."}); len(found) > 0 {
		t.Errorf("texts are in %v", found)
	}
	if found := marksInText(printed, append(marks, "slept")); len(found) > 0 {
		t.Errorf("%v is in the log: %s", found, printed)
	}
	for log, before := range w.seen {
		after := logged(t, log)[before:]
		statements := 0
		for line := range strings.SplitSeq(after, "\n") {
			if !strings.Contains(line, w.name) || strings.Contains(line, "insert into ehr.patient") {
				continue
			}
			statements++
			if found := marksInText(line, marks); len(found) > 0 {
				t.Errorf("%s has %v: %.300s", filepath.Base(filepath.Dir(log)), found, line)
			}
		}
		if statements == 0 {
			t.Errorf("%s has no statements: the test looks at nothing", log)
		}
	}
}

// noteOnPage is a note as its page shows it to a browser, with what a person decides.
type noteOnPage struct {
	*person

	at, page string
	state    struct {
		Text  string        `json:"text"`
		Marks []sentMark    `json:"marks"`
		Found []review.Span `json:"found"`
	}
}

// sentMark is a mark as pages and the station exchange it.
type sentMark struct {
	Start   int    `json:"s"`
	End     int    `json:"e"`
	Type    string `json:"t"`
	Verdict string `json:"v"`
	Found   *int   `json:"f,omitempty"`
}

func (n *noteOnPage) find(word string) (start int, ok bool) {
	before, _, ok := strings.Cut(n.state.Text, word)
	return len([]rune(before)), ok
}

// miss marks a word that was missed, and reports whether the note has it.
func (n *noteOnPage) miss(word, typ string) bool {
	start, ok := n.find(word)
	if ok {
		n.state.Marks = append(n.state.Marks, sentMark{Start: start, End: start + len([]rune(word)), Type: typ, Verdict: string(review.Missed)})
	}
	return ok
}

func (n *noteOnPage) everywhere(word string) {
	n.t.Helper()
	start, _ := n.find(word)
	n.send(n.at+"/everywhere", "["+strconv.Itoa(start)+","+strconv.Itoa(start+len([]rune(word)))+"]")
}
