package itest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/replicator/admin"
	"github.com/pgdeid/pgdeid/replicator/apply"

	"golang.org/x/sync/errgroup"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator"
	"github.com/pgdeid/pgdeid/sql"
	"github.com/pgdeid/pgdeid/sql/finding"
	"github.com/pgdeid/pgdeid/sql/migrations"
)

const (
	inBatches = "release: {mode: batches, every: 10000h}\n"
	delayed   = "release: delayed\ndates: {direction: forward, min_days: 30, max_days: 60}\n"
)

// releaseNow releases what is due, batches before their time.
func (r *replication) releaseNow(t *testing.T) apply.Released {
	t.Helper()
	o, _ := r.options(t, nil)
	done, err := admin.Release(t.Context(), o, r.cfg.Release.Mode == config.Batches)
	if err != nil {
		t.Fatal(err)
	}
	return done
}

// waiting counts the versions that wait for a release.
func (r *replication) waiting(t testing.TB) string {
	t.Helper()
	return one(t, r.dst, `select ((select count(*) from deid_waiting."ehr.patient") + (select count(*) from deid_waiting."ehr.visit")
		+ (select count(*) from deid_waiting."ehr.note") + (select count(*) from deid_waiting."ehr.line"))::text`)
}

// allIsReleased fails where analysts see other rows than were written.
func (r *replication) allIsReleased(t *testing.T) {
	t.Helper()
	for _, table := range []string{"patient", "visit", "note", "line"} {
		columns := one(t, r.dst, "select string_agg(quote_ident(attname), ', ') from pg_attribute where attnum > 0 and attrelid = $1::text::regclass", "ehr."+table)
		rows := func(place string) []string {
			return texts(t, r.dst, fmt.Sprintf("select row(%s)::text from %s order by 1", columns, place))
		}
		compareTwins(t, rows("ehr."+table), rows(`deid_rows."ehr.`+table+`"`))
	}
	want(t, r.dst, "0", "select $1::text", r.waiting(t))
}

// In batches nothing is to be seen of what happens until a release shows all of it:
// then the replica equals one that is live.
func TestBatchesShowOneMoment(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t), inBatches)
	twin := r.twin(t)
	m := newMixer(3)
	if err := m.begin(t.Context(), r.src); err != nil {
		t.Fatal(err)
	}
	run := r.run(t, nil)
	twin.run(t, nil)
	r.caughtUp(t)
	twin.caughtUp(t)
	eventually(t, "the first release", func() bool { return one(t, r.dst, "select complete::text from deid_info.freshness") == "true" })
	for range 3 {
		before := texts(t, r.analyst(t), "select x::text from ehr.note x order by 1")
		seen := one(t, r.dst, "select as_of::text from deid_info.freshness")
		if err := m.steps(t.Context(), r.src, 150); err != nil {
			t.Fatal(err)
		}
		r.caughtUp(t)
		twin.caughtUp(t)
		for _, line := range texts(t, r.analyst(t), "select x::text from ehr.note x") {
			// A row may go, and a text may be made anew; nothing comes.
			if !slices.ContainsFunc(before, func(was string) bool { return strings.SplitN(was, ",", 2)[0] == strings.SplitN(line, ",", 2)[0] }) {
				t.Fatalf("a row came without a release")
			}
		}
		want(t, r.dst, seen, "select as_of::text from deid_info.freshness")
		if done := r.releaseNow(t); done.Rows == 0 {
			t.Fatalf("nothing was released: %s", done.Why)
		}
		r.allIsReleased(t)
		shareFormers(t, r, twin)
		compareTwins(t, r.facts(t), twin.facts(t))
	}
	run.stop(t)
	// What is truncated goes at once, like what is deleted.
	r.run(t, nil)
	do(t, r.src, "truncate ehr.line; delete from ehr.note where note_id % 2 = 0")
	r.caughtUp(t)
	want(t, r.dst, count(t, r.src, "ehr.note"), "select count(*)::text from ehr.note")
}

// With every release the rows lie in the order of their keys, and after maintenance all
// of them.
func TestReleasedRowsTellNoOrder(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t), inBatches)
	r.crowd(t, 1, 900)
	r.run(t, nil)
	r.caughtUp(t)
	eventually(t, "the first release", func() bool { return count(t, r.dst, "ehr.note") == "900" })
	analyst := r.analyst(t)
	look := func(when string, n int) {
		t.Helper()
		for column, pseudonym := range r.pseudonyms() {
			table, key, _ := strings.Cut(column, ".")
			sameAsChance(t, when+": scan of "+column, texts(t, analyst, fmt.Sprintf("select %s::text from ehr.%s", key, table)), n, pseudonym)
		}
	}
	look("after the first release", 900)
	r.crowd(t, 901, 600)
	r.caughtUp(t)
	r.releaseNow(t)
	o, _ := r.options(t, nil)
	if _, err := admin.Maintain(t.Context(), o, []string{"order"}); err != nil {
		t.Fatal(err)
	}
	look("after the second", 1500)
}

// clock is a clock that a test sets.
type clock struct{ days atomic.Int64 }

func (c *clock) now() time.Time { return time.Now().UTC().AddDate(0, 0, int(c.days.Load())) }

// Delayed, a row is seen when the day of its arrival, moved for its patient, has come:
// the newest day that is shown is never after today, whatever the shift, and shows the
// same distance for all.
func TestDelayedRowsTellNoShift(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t), delayed)
	var at clock
	const people = 12
	// Half of what happened is there before the first copy, and its last day is today.
	for i := 1; i <= people; i++ {
		do(t, r.src, fmt.Sprintf(`insert into ehr.patient values (%d, 'Ann', 'Quark', 'MR-%d', '1950-02-03');
			insert into ehr.note select %[1]d * 1000 + d, %[1]d, now() at time zone 'utc' - d * interval '1 day', 'new', 'Slept well.' from generate_series(0, 20) d`, i, 4000+i))
	}
	o, _ := r.options(t, nil)
	o.Now = at.now
	step := func(what func() error) {
		t.Helper()
		if err := what(); err != nil {
			t.Fatalf("%v (%s)", err, fault.Hint(err))
		}
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	var g errgroup.Group
	g.Go(func() error { return replicator.Run(ctx, o) })
	t.Cleanup(func() { cancel(); step(g.Wait) })
	r.caughtUp(t)
	analyst := r.analyst(t)
	arrived := map[string]int{} // by published note, the day after the first one
	total := people * 21
	for day := range 64 {
		at.days.Store(int64(day))
		if day < 3 { // what happens today is written today
			for i := 1; i <= people; i++ {
				id := int64(i*1000 + 500 + day)
				do(t, r.src, fmt.Sprintf("insert into ehr.note values (%d, %d, '%s', 'new', 'Ate well.')", id, i, at.now().Format("2006-01-02 15:04:05")))
				arrived[r.note(id)] = day
				total++
			}
			r.caughtUp(t)
		}
		step(func() error { _, err := admin.Release(t.Context(), o, false); return err })
		today := at.now().Format(time.DateOnly)
		want(t, analyst, "0", "select count(*)::text from ehr.note where written::date > $1::text::date", today)
		// A patient who was seen every day so far shows today, or nothing of it: the newest day is
		// no more than today whenever something is new.
		for _, id := range texts(t, analyst, "select note_id::text from ehr.note") {
			came, live := arrived[id]
			if !live {
				continue
			}
			delete(arrived, id)
			want(t, r.dst, strconv.Itoa(day-came), `select (s.written::date - (current_date + $2::int))::text from deid_rows."ehr.note" s where note_id = $1::text::bigint`, id, came)
			want(t, analyst, "0", "select ($2::text::date - written::date)::text from ehr.note where note_id = $1::text::bigint", id, today)
		}
	}
	if len(arrived) > 0 {
		t.Errorf("%d rows were never released", len(arrived))
	}
	want(t, analyst, strconv.Itoa(total), "select count(*)::text from ehr.note")
	want(t, r.dst, "0", "select $1::text", r.waiting(t))
}

// A version that waits does not show what came after it, and a text that was made anew
// does not wait.
func TestDelayedVersionsAndRepairs(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t), delayed)
	do(t, r.src, `insert into ehr.patient values (1, 'Zebulon', 'Quarkstein', 'MR-4711', '1950-02-03');
		insert into ehr.note values (1, 1, '2020-01-01', 'old', 'Plonkmark slept well.'), (2, 1, '2020-01-01', 'old', 'Nobody slept.')`)
	r.run(t, nil)
	r.caughtUp(t)
	r.releaseNow(t)
	want(t, r.dst, "2", "select count(*)::text from ehr.note")
	do(t, r.src, "update ehr.note set body = 'Plonkmark woke up.', status = 'newer' where note_id = 2; update ehr.note set status = 'newest' where note_id = 2")
	do(t, r.src, "insert into ehr.note values (3, 1, now(), 'new', 'Plonkmark came in.')")
	r.caughtUp(t)
	r.releaseNow(t)
	want(t, r.dst, "old,old", "select string_agg(status, ',') from ehr.note")
	// The record gets the name: what is seen is repaired, what can't be is withdrawn.
	do(t, r.src, "update ehr.patient set family = 'Plonkmark' where patient_id = 1")
	r.caughtUp(t)
	want(t, r.dst, r.note(1), "select note_id::text from ehr.note")
	if found := marksInDatabase(t, r.dst, []string{"Plonkmark"}); len(found) > 0 {
		t.Errorf("the name is left in %v", found)
	}
	want(t, r.dst, "2", `select count(*)::text from deid_waiting."ehr.note"`)
	do(t, r.src, "delete from ehr.note where note_id = 1")
	r.caughtUp(t)
	want(t, r.dst, "0", "select count(*)::text from ehr.note")
	want(t, r.dst, "2", `select count(*)::text from deid_waiting."ehr.note"`)
}

// Killed at random moments, of releases too, nothing is lost or doubled.
func TestKilledReleasesLoseNothing(t *testing.T) {
	t.Parallel()
	const kills = 12
	r := newReplication(t, newPair(t), "release: {mode: batches, every: 1s}\n")
	twin := r.twin(t)
	m := newMixer(5)
	if err := m.begin(t.Context(), r.src); err != nil {
		t.Fatal(err)
	}
	twin.run(t, nil)
	first := startPgdeid(t, nil, "run", "--config", r.cfg.Path)
	r.streaming(t)
	twin.streaming(t)
	first.kill()
	rnd := rand.New(rand.NewPCG(5, 6))
	writer := r.onSource(t)
	for range kills {
		d := startPgdeid(t, nil, "run", "--config", r.cfg.Path)
		var g errgroup.Group
		g.Go(func() error { return m.steps(t.Context(), writer, 60) })
		time.Sleep(time.Duration(200+rnd.IntN(1200)) * time.Millisecond)
		d.kill()
		if err := g.Wait(); err != nil {
			t.Fatal(err)
		}
	}
	d := startPgdeid(t, nil, "run", "--config", r.cfg.Path)
	twin.caughtUp(t)
	r.caughtUp(t)
	eventually(t, "everything is released", func() bool { return r.waiting(t) == "0" })
	d.kill()
	r.allIsReleased(t)
	shareFormers(t, r, twin)
	compareTwins(t, r.facts(t), twin.facts(t))
	if got := runPgdeid(t, nil, "release", "--now", "--json", "--config", r.cfg.Path); got.stdout != `{"rows":0}`+"\n" {
		t.Errorf("release: %+v", got)
	}
}

// The mode is the replica's too: a program with another one does not write there, and
// what was visible stays so.
func TestReleaseModeFollowsTheMapping(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t))
	r.crowd(t, 1, 50)
	run := r.run(t, nil)
	r.caughtUp(t)
	run.stop(t)
	warned := func() bool {
		return slices.ContainsFunc(findingsOf(t, r.cfg), func(f finding.Finding) bool {
			return f.Subject == "release" && f.Level == finding.Warning && strings.Contains(f.Remedy, "delayed")
		})
	}
	if !warned() {
		t.Error("nothing is said of what a live replica gives away")
	}
	bare := strings.Replace(r.settingsAgain(t), "key_file", inBatches+"key_file", 1) + "http: \"\"\n" + wardTables
	live := r.cfg
	r.cfg = r.config(t, bare)
	o, _ := r.options(t, nil)
	if err := replicator.Run(t.Context(), o); err == nil || !strings.Contains(fault.Hint(err), "migrate up") {
		t.Errorf("a replica that is live took batches: %v", err)
	}
	migrateUp(t, r.cfg)
	if warned() {
		t.Error("batches are taken for live")
	}
	for _, f := range attention(findingsOf(t, r.cfg)) {
		t.Errorf("%s: %s", f.Subject, f.Text)
	}
	want(t, r.analyst(t), "50", "select count(*)::text from ehr.note")
	run = r.run(t, nil)
	r.caughtUp(t)
	eventually(t, "the first release", func() bool { return one(t, r.dst, "select complete::text from deid_info.freshness") == "true" })
	r.crowd(t, 51, 10)
	r.caughtUp(t)
	want(t, r.dst, "50", "select count(*)::text from ehr.note")
	s, err := admin.ReadStatus(t.Context(), r.cfg, 0)
	if err != nil || s.Release == nil || s.Release.Waiting != 40 || s.Release.Next == nil {
		t.Errorf("status: %+v, %v", s.Release, err)
	}
	run.stop(t)
	r.cfg = live
	if err := sqlUp(t, r.cfg, migrations.Replica, sql.Options{}); err != nil {
		t.Fatal(err)
	}
	want(t, r.analyst(t), "60", "select count(*)::text from ehr.note")
	want(t, r.dst, "0", "select count(*)::text from pg_class where relnamespace in ('deid_waiting'::regnamespace, 'deid_released'::regnamespace)")
	want(t, r.dst, "live", "select release from deid_info.freshness")
	r.run(t, nil)
	r.caughtUp(t)
}
