package itest

import (
	"fmt"
	"log/slog"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	replica "github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/login"
	"github.com/pgdeid/pgdeid/internal/review"
	"github.com/pgdeid/pgdeid/internal/review/browsertest"
	"github.com/pgdeid/pgdeid/internal/review/queue"
	"github.com/pgdeid/pgdeid/internal/review/store"
	"github.com/pgdeid/pgdeid/internal/review/web"
	"github.com/pgdeid/pgdeid/internal/scram"
	"github.com/pgdeid/pgdeid/replicator/desk"
)

const reviewPassword = "four or five words"

// reviewStation serves the review station for ann, and for dee, who may do everything. Both read as a role of the source.
func (r *replication) reviewStation(t *testing.T, d *desk.Desk, role string, change ...func(*web.Options)) (address string, log *lockedBuffer) {
	t.Helper()
	verifier, err := scram.Generate(reviewPassword)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "reviewers")
	if err := os.WriteFile(path, []byte("ann:"+verifier+" reviewer steward\ndee:"+verifier+" reviewer adjudicator steward verifier\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	users, err := login.Load(path, make([]byte, 32), web.ParseRights)
	if err != nil {
		t.Fatal(err)
	}
	pool := r.replicaPool(t)
	log = &lockedBuffer{}
	o := web.Options{
		Notes: d, Store: store.New(pool, r.key), Users: users, Source: role, Idle: time.Hour, Most: time.Hour,
		Log: slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}
	for _, f := range change {
		f(&o)
	}
	s, err := web.New(o)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s.Handler())
	t.Cleanup(server.Close)
	return server.URL, log
}

// In a real browser, with keys alone: ten notes are read, a name that was missed is marked and remembered, and the
// replica is repaired.
func TestReviewInABrowser(t *testing.T) {
	t.Parallel()
	b := browsertest.Open(t, 1280, 800)
	r := newReplication(t, newPair(t)).exactly(t)
	do(t, r.src, patients)
	do(t, r.src, `insert into ehr.note values (1, 1, '2021-03-04', 'new', 'Zebulon Quarkstein, MRN MR-4711, came with his nephew Grizzlewood.')`)
	do(t, r.src, `insert into ehr.note select n, 1, '2021-03-04', 'new', 'Day ' || n ||
		' on the ward. Grizzlewood called Zebulon.' from generate_series(2, 9) n`)
	do(t, r.src, `insert into ehr.note values (10, 2, '2021-03-04', 'new', 'Ottilie knows of no Grizzlewood.')`)
	running := r.run(t, exactDetector(t))
	r.caughtUp(t)
	running.stop(t)
	d := r.deskWith(t, exactDetector(t))
	role := r.sourceRole(t, "reader", "grant select on ehr.note to READER")
	if _, n, err := queue.Draw(t.Context(), d, r.reviewStore(t), queue.Spec{
		Name: "ten", Kind: review.Acceptance, Table: "ehr.note", Column: "body", Notes: 10, Readers: 1, Seed: "s", DrawnBy: "lee",
	}); err != nil || n != 10 {
		t.Fatalf("%d notes, %v", n, err)
	}
	address, log := r.reviewStation(t, d, role)
	b.Go(address, "#name:focus")
	b.Press("ann", browsertest.Tabulator, reviewPassword, browsertest.Enter)
	b.Wait(".rounds")
	b.Focus(".rounds button")
	b.Press(browsertest.Enter)
	for place := 1; place <= 10; place++ {
		b.Wait(fmt.Sprintf(`form[action="/rounds/1/notes/%d/finish"]`, place))
		b.Wait("#original:focus")
		if strings.Contains(b.Text("#original"), "nephew Grizzlewood") {
			if !strings.Contains(b.Text("#published"), "nephew Grizzlewood") {
				t.Error("the page does not show what was missed in the replica")
			}
			b.Press("a", "n", "a", "a") // all that was found is right
			b.Press(browsertest.Home)
			for !strings.HasSuffix(b.Text("#now"), ": Grizzlewood") {
				b.Press(browsertest.Right)
			}
			b.Press("m")
			b.Wait("#type:focus")
			b.Press(browsertest.Enter)
			b.Wait(".mark.missed")
			b.Press("p")
			b.Until(`document.getElementById("saved").textContent.startsWith("Remembered")`)
		}
		b.Press("f")
	}
	b.Wait(".rounds")
	if text := b.Text(".rounds"); !strings.Contains(text, "10 of 10 finished") {
		t.Errorf("%s", text)
	}
	b.Go(address+"/views", "table")
	if n := strings.Count(b.Text("table"), "shown"); n != 10 {
		t.Errorf("%d notes were shown, by the table of views", n)
	}
	b.Click(".who button")
	b.Wait("#password")
	r.run(t, exactDetector(t))
	r.caughtUp(t)
	for id := int64(1); id <= 10; id++ {
		if has := strings.Contains(r.body(t, id), "Grizzlewood"); has != (id == 10) { // note 10 is another patient's
			t.Errorf("note %d after it was made anew: %q", id, r.body(t, id))
		}
	}
	if found := marksInVault(t, r, []string{"Grizzlewood", "Quarkstein", "nephew"}); len(found) > 0 ||
		strings.Contains(log.String(), "Grizzlewood") {
		t.Errorf("words of notes stand in %v, or in the log", found)
	}
	if kept := b.Kept("Quarkstein", "nephew", "127.0.0.1"); kept["Quarkstein"]+kept["nephew"] > 0 || kept["127.0.0.1"] == 0 {
		t.Errorf("files of the browser after the logout: %v", kept)
	}
}

// replicaPool connects as the service's role does.
func (r *replication) replicaPool(t testing.TB) *pgxpool.Pool {
	t.Helper()
	pool, err := replica.ReplicaPool(t.Context(), r.cfg, 2)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return pool
}
