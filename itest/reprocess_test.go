package itest

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/replicator"
	"github.com/pgdeid/pgdeid/replicator/admin"
	"github.com/pgdeid/pgdeid/replicator/session"
)

// reprocess runs it and checks the result; what is nil of the wanted one is empty.
func (r *replication) reprocess(t *testing.T, o session.Options, q admin.Reprocess, wanted admin.ReprocessResult) {
	t.Helper()
	if wanted.Spans.Added == nil {
		wanted.Spans.Added = map[string]int64{}
	}
	wanted.Spans.Removed, wanted.Spans.Retyped = map[string]int64{}, map[string]map[string]int64{}
	got, err := q.Run(t.Context(), o, nil)
	if err != nil || !reflect.DeepEqual(got, wanted) {
		t.Errorf("%+v: got %+v, %v, want %+v", q, got, err, wanted)
	}
}

// written returns the transactions that wrote the rows of the notes and their provenance.
func written(t *testing.T, r *replication) (rows, provenance string) {
	t.Helper()
	return one(t, r.dst, `select md5(string_agg(xmin::text, ',' order by note_id)) from deid_rows."ehr.note"`),
		one(t, r.dst, "select md5(string_agg(xmin::text, ',' order by row_key)) from deid.note_provenance")
}

// Only notes that come out otherwise are written; all are known to be made by the new version.
func TestReprocess(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t))
	do(t, r.src, patients)
	do(t, r.src, "insert into ehr.note select n, 1, null, 'new', 'Quarkstein ' || n || case when n = 5 then ' Blorgwatz' else '' end from generate_series(1, 250) n")
	r.run(t, exactDetector(t))
	r.caughtUp(t)
	o, _ := r.options(t, exactDetector(t))
	r.reprocess(t, o, admin.Reprocess{}, admin.ReprocessResult{Read: 250, UpToDate: 250})
	rows, provenance := written(t, r)

	o.Version = "newer"
	o.Detector = alsoFinds(exactDetector(t), "Blorgwatz")
	first := admin.ReprocessResult{Read: 250, Unchanged: 249, Changed: 1}
	first.Spans.Added = map[string]int64{"PATIENT": 1}
	r.reprocess(t, o, admin.Reprocess{DryRun: true}, first)
	if nowRows, nowProvenance := written(t, r); nowRows != rows || nowProvenance != provenance {
		t.Error("a dry run has written something")
	}
	const others = `select md5(string_agg(xmin::text, ',' order by note_id)) from deid_rows."ehr.note" where note_id <> $1::text::bigint`
	before := one(t, r.dst, others, r.note(5))
	r.reprocess(t, o, admin.Reprocess{}, first)
	want(t, r.dst, before, others, r.note(5))
	want(t, r.dst, "newer", "select string_agg(distinct version, ',') from deid.note_provenance where table_name = 'ehr.note'")
	r.reprocess(t, o, admin.Reprocess{}, admin.ReprocessResult{Read: 250, UpToDate: 250})
	if text := r.body(t, 5); strings.Contains(text, "Blorgwatz") {
		t.Errorf("note 5: %q", text)
	}

	// What somebody changed by hand comes back, a text as well as a column, and with it nothing else.
	do(t, r.dst, `update deid_rows."ehr.note" set body = 'x' where note_id = `+r.note(7)+`; update deid_rows."ehr.note" set status = 'x' where note_id = `+r.note(8))
	r.reprocess(t, o, admin.Reprocess{All: true}, admin.ReprocessResult{Read: 250, Unchanged: 248, Changed: 2})
	want(t, r.dst, "0", `select count(*)::text from ehr.note where body = 'x' or status = 'x'`)
}

// Killed three times on the way, it ends as it would have without.
func TestKilledReprocessEndsTheSame(t *testing.T) {
	t.Parallel()
	const notes = 900
	r := newReplication(t, newPair(t)).exactly(t)
	do(t, r.src, patients)
	do(t, r.src, "insert into ehr.note select n, 1 + n % 2, null, 'new', 'Quarkstein ' || n from generate_series(1, 900) n")
	stream := r.run(t, alsoFinds(exactDetector(t), "2")) // the program finds no name in a number
	r.caughtUp(t)
	stream.stop(t)
	state := func() string { return count(t, r.dst, "deid.note_provenance where version <> 'test'") }
	for kill := range 3 {
		before := state()
		d := startPgdeid(t, nil, "reprocess", "--config", r.cfg.Path)
		eventually(t, "it has made some notes", func() bool { return state() != before || !d.running() })
		d.kill()
		t.Logf("kill %d: %s of %d notes made", kill+1, state(), notes)
	}
	got := runPgdeid(t, nil, "reprocess", "--json", "--config", r.cfg.Path)
	var res admin.ReprocessResult
	if err := json.NewDecoder(bytes.NewBufferString(got.stdout)).Decode(&res); err != nil || got.code != 0 {
		t.Fatalf("%+v: %v", got, err)
	}
	if res.Read != notes || res.UpToDate == 0 || res.Aside+res.Absent != 0 {
		t.Errorf("the last run: %+v", res)
	}
	want(t, r.dst, "900", "select count(*)::text from deid.note_provenance where version <> 'test'")
	streamed := r.published(t)
	exact, _ := r.options(t, exactDetector(t))
	exact.Version = "another" // so that the copy makes everything anew
	if err := replicator.Snapshot(t.Context(), exact, true); err != nil {
		t.Fatal(err)
	}
	compareTwins(t, r.published(t), streamed)
	if strings.Contains(got.stdout+got.stderr, "Quarkstein") {
		t.Errorf("the output has a text: %s", got.stderr)
	}
}

// While notes are made anew, the stream goes on, and what it writes meanwhile is not overwritten with what was made before.
func TestStreamPassesReprocess(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t))
	do(t, r.src, patients+"insert into ehr.note values (1, 1, null, 'new', 'Blorgwatz ate.'), (2, 1, null, 'new', 'Blorgwatz slept.')")
	r.run(t, exactDetector(t))
	r.caughtUp(t)
	o, _ := r.options(t, exactDetector(t))
	g := newGate(alsoFinds(exactDetector(t), "Blorgwatz"), "slept")
	g.arm(1) // it is made once to be compared, and held when it is made to be written
	o.Version, o.Detector = "newer", g
	ended := make(chan error, 1)
	go func() {
		_, err := admin.Reprocess{}.Run(t.Context(), o, nil)
		ended <- err
	}()
	<-g.held
	do(t, r.src, "update ehr.note set body = 'Blorgwatz woke.', status = 'read' where note_id = 2; insert into ehr.note values (3, 2, null, 'fresh', 'Ottilie sang.')")
	eventually(t, "the stream while a note is made", func() bool { return count(t, r.dst, "ehr.note where status in ('read', 'fresh')") == "2" })
	close(g.open)
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	want(t, r.dst, "0", "select count(*)::text from ehr.note where body ~ 'Blorgwatz'")
	if text := r.body(t, 2); !strings.HasSuffix(text, " woke.") {
		t.Errorf("note 2: %q", text)
	}
	want(t, r.dst, "1", "select count(*)::text from ehr.note where status = 'read'")
	want(t, r.dst, "2", "select count(*)::text from deid.note_provenance where version = 'newer'")
}
