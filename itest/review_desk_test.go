package itest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/review"
	"github.com/pgdeid/pgdeid/replicator/desk"
)

// sourceRole makes a role of the source that may read some tables, as which pgdeid may read.
func (r *replication) sourceRole(t testing.TB, which, statements string) string {
	t.Helper()
	cc, err := r.cfg.SourceConn(config.Service)
	if err != nil {
		t.Fatal(err)
	}
	name := which + "_of_" + r.name
	role := pgx.Identifier{name}.Sanitize()
	do(t, r.src, fmt.Sprintf("create role %[1]s; grant usage on schema ehr to %[1]s; grant %[1]s to %[2]s; %[3]s",
		role, pgx.Identifier{cc.User}.Sanitize(), strings.ReplaceAll(statements, "READER", role)))
	t.Cleanup(func() {
		conn, err := r.source.Conn(context.Background(), r.name)
		if err != nil {
			t.Error(err)
			return
		}
		_, err = conn.Exec(context.Background(), fmt.Sprintf("drop owned by %[1]s; drop role %[1]s", role))
		if err := errors.Join(err, conn.Close(context.Background())); err != nil {
			t.Error(err)
		}
	})
	return name
}

func TestViewHasTheReadersRights(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t))
	do(t, r.src, patients)
	do(t, r.src, "insert into ehr.note values (1, 1, '2021-03-04', 'new', 'Zebulon Quarkstein met Dr. Vexterly.'), (2, 2, null, 'new', 'Ottilie slept.'), (3, null, null, 'new', 'whose?')")
	r.run(t, nil)
	r.caughtUp(t)
	role := r.sourceRole(t, "reader", "grant select on ehr.note to READER; alter table ehr.note enable row level security; create policy own on ehr.note using (note_id <> 2)")
	none := r.sourceRole(t, "blind", "")
	for _, f := range attention(findingsOf(t, r.cfg)) {
		if f.Subject == "source role" {
			t.Errorf("a reviewer's role is taken for a right of pgdeid's own: %s", f.Text)
		}
	}
	d := r.desk(t)
	at := func(id string) review.Item {
		return review.Item{Note: review.Note{Table: "ehr.note", Column: "body"}, Key: []string{id}}
	}
	v, err := d.View(t.Context(), role, at("1"))
	if err != nil || v.Text != "Zebulon Quarkstein met Dr. Vexterly." || v.Published != r.body(t, 1) || v.Absent || v.Waiting ||
		v.Patient != r.patient(1) || len(v.Spans) < 2 || v.Spans[0].Type != "PATIENT" || len(v.Spans[0].By) == 0 || len(v.Shown) != len(v.Spans) {
		t.Errorf("%+v, %v", v.Spans, err)
	}
	for name, tt := range map[string]struct {
		role, id string
		want     error
	}{
		"no role":               {"", "1", review.ErrNoRole},
		"a role without rights": {none, "1", review.ErrRole},
		"an unknown role":       {"no such role", "1", review.ErrRole},
		"a role of another":     {"pg_monitor", "1", review.ErrRole},
		"hidden by a policy":    {role, "2", review.ErrGone},
		"no such note":          {role, "77", review.ErrGone},
	} {
		if v, err := d.View(t.Context(), tt.role, at(tt.id)); !errors.Is(err, tt.want) || v.Text != "" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if v, err := d.View(t.Context(), role, at("3")); err != nil || v.Text != "whose?" || v.Aside != "no_patient" || v.Published != "" {
		t.Errorf("of no patient: %v, %v", v, err)
	}
	want(t, r.src, "off", "show default_transaction_read_only") // the session of the test, not the desk's
}

// A name that was missed and that a person marks is known of its patient from then on, and the replica is repaired.
func TestRememberRepairsTheReplica(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t)).exactly(t)
	do(t, r.src, patients)
	do(t, r.src, `insert into ehr.note values (1, 1, null, 'new', 'Seen with her nephew Grizzlewood, who drove.'), (2, 1, null, 'new', 'Called Grizzlewood.'),
		(3, 2, null, 'new', 'The Grizzlewood protocol.')`)
	running := r.run(t, exactDetector(t))
	r.caughtUp(t)
	for id := range int64(3) {
		if !strings.Contains(r.body(t, id+1), "Grizzlewood") {
			t.Fatalf("note %d: the name was found without help", id+1)
		}
	}
	role := r.sourceRole(t, "reader", "grant select on ehr.note to READER")
	d := r.deskWith(t, exactDetector(t))
	at := review.Item{Note: review.Note{Table: "ehr.note", Column: "body"}, Key: []string{"1"}}
	const seen = "Seen with her nephew Grizzlewood, who drove."
	remember := func(role, seen string, start, end int) error {
		_, err := d.Remember(t.Context(), role, "ann", at, seen, [2]int{start, end})
		return err
	}
	if err := remember(role, "Seen with her niece Grizzlewood, who drove.", 21, 32); !errors.Is(err, review.ErrChanged) {
		t.Errorf("another text: %v", err)
	}
	if err := remember("no such role", seen, 21, 32); !errors.Is(err, review.ErrRole) {
		t.Errorf("without the right to read: %v", err)
	}
	if err := remember(role, seen, 0, 400); !errors.Is(err, review.ErrChanged) {
		t.Errorf("a range behind the text: %v", err)
	}
	if err := remember(role, seen, 34, 35); !errors.Is(err, review.ErrNotKept) {
		t.Errorf("a word of one letter: %v", err)
	}
	if err := remember(role, seen, 21, 32); err != nil {
		t.Fatal(err)
	}
	if v, err := d.View(t.Context(), role, at); err != nil || len(v.Spans) != 1 {
		t.Errorf("what is remembered is found at once: %+v, %v", v.Spans, err)
	}
	r.caughtUp(t)
	for id, has := range []bool{false, false, true} {
		if got := strings.Contains(r.body(t, int64(id+1)), "Grizzlewood"); got != has {
			t.Errorf("note %d: %q", id+1, r.body(t, int64(id+1)))
		}
	}
	running.stop(t)
	if err := remember(role, seen, 21, 32); err != nil {
		t.Errorf("by a second person: %v", err)
	}
	for _, id := range []int64{1, 2} {
		if err := d.TakeBack(t.Context(), id, "office", nil); err != nil {
			t.Fatal(err)
		}
		r.reprocessed(t)
		for note := range int64(2) { // the second person's decision keeps the words
			if got := strings.Contains(r.body(t, note+1), "Grizzlewood"); got != (id == 2) {
				t.Errorf("repair %d was taken back, note %d: %q", id, note+1, r.body(t, note+1))
			}
		}
	}
	if err := d.TakeBack(t.Context(), 2, "office", nil); !errors.Is(err, review.ErrTaken) {
		t.Errorf("taken back twice: %v", err)
	}
	want(t, r.dst, "ann/office/ann/office", "select string_agg(made_by || '/' || taken_by, '/' order by id) from deid.review_repair")
}

func TestFrameAndLocate(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t)).exactly(t)
	do(t, r.src, patients)
	do(t, r.src, `insert into ehr.note values (1, 1, '2021-03-04', 'new', 'a'), (2, 2, null, 'old', 'b'), (3, 2, null, 'old', null), (4, null, null, 'new', 'c')`)
	r.run(t, exactDetector(t))
	r.caughtUp(t)
	d := r.deskWith(t, exactDetector(t))
	var got []string
	err := d.Frame(t.Context(), "ehr.note", "body", []string{"status", "written:year"}, func(c review.Candidate) error {
		got = append(got, strings.Join(append(c.Key, c.Strata...), "/"))
		return nil
	})
	if want := "1/new/2021 2/old/ 4/new/"; err != nil || strings.Join(got, " ") != want {
		t.Errorf("%v, %v", got, err)
	}
	for _, by := range []string{"nothing", "status:month", "status; drop table ehr.note"} {
		if err := d.Frame(t.Context(), "ehr.note", "body", []string{by}, nil); !errors.As(err, new(*desk.Refusal)) {
			t.Errorf("%s: %v", by, err)
		}
	}
	list, err := d.Locate(t.Context(), "ehr.note", "body", [][]string{{"1"}, {"4"}, {"9"}, {"2"}}, false)
	if err != nil || len(list) != 2 || list[1].Patient != r.patient(2) ||
		list[1].Note.Row != one(t, r.dst, "select row_key from deid.note_provenance where patient = $1", r.patient(2)) {
		t.Errorf("%v, %v", list, err)
	}
}
