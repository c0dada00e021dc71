package itest

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/sql"
	"github.com/pgdeid/pgdeid/sql/finding"
	"github.com/pgdeid/pgdeid/sql/migrations"
	"github.com/pgdeid/pgdeid/sql/publication"
)

// completes lets "migrate up" bring the publication back to the mapping.
func (r *replication) completes(t *testing.T) {
	t.Helper()
	if err := sqlUp(t, r.cfg, migrations.Source, sql.Options{}); err != nil {
		t.Fatal(err)
	}
}

// sameNotes compares the number of notes, and of those whose text ends in each word,
// with the source's.
func (r *replication) sameNotes(t *testing.T, words ...string) {
	t.Helper()
	for _, word := range append(words, "") {
		query := "select count(*)::text from ehr.note where body like '%" + word + "'"
		want(t, r.dst, one(t, r.src, query), query)
	}
}

const leaves = "alter publication pgdeid drop table ehr.note"

// While it streams, a table that leaves stops everything; once it is back it is
// copied, and only then does the stream go on.
func TestTableThatLeavesThePublicationIsNoticed(t *testing.T) {
	t.Parallel()
	r, addr := withHTTP(t)
	do(t, r.src, patients)
	do(t, r.src, "insert into ehr.note select n, 1, null, 'new', 'Quarkstein one' from generate_series(1, 50) n")
	run := r.run(t, nil)
	r.caughtUp(t)
	do(t, r.src, leaves)
	do(t, r.src, `insert into ehr.note values (801, 1, null, 'new', 'lost'); delete from ehr.note where note_id = 1;
		update ehr.note set body = 'Quarkstein changed' where note_id = 2`)
	eventually(t, "the absence is noticed", func() bool {
		return strings.Contains(run.log.String(), "table ehr.note is mapped but not published")
	})
	eventually(t, "the health page says so", func() bool {
		code, body := get(t, "http://"+addr+"/healthz")
		return code == http.StatusServiceUnavailable && strings.Contains(body, "lacks tables") && strings.Contains(body, "migrate up")
	})
	if problems := strings.Join(r.status(t).Problems, "; "); !strings.Contains(problems, "ehr.note is mapped but not published") ||
		!strings.Contains(problems, "migrate up --target source") {
		t.Errorf("status: %s", problems)
	}
	r.completes(t)
	do(t, r.src, "insert into ehr.note values (802, 1, null, 'new', 'kept')")
	eventually(t, "the stream goes on", func() bool { return count(t, r.dst, "ehr.note") == "51" })
	r.caughtUp(t)
	r.sameNotes(t, "lost", "kept", "changed")
}

// A table that left and came back while nothing ran, or between two heartbeats, is
// known by its entry in the publication, no matter who put it back. What the stream still
// has of the time before is not written over the copy.
func TestTableThatWasAwayIsCopiedAgain(t *testing.T) {
	t.Parallel()
	r := begun(t, newPair(t))
	do(t, r.dst, "create table public.before as select sealed from deid.note_provenance")
	do(t, r.src, "update ehr.note set body = 'second' where note_id = 1; update ehr.note set body = 'second' where note_id = 2")
	late := r.pair.onSource(t)
	do(t, late, "begin; insert into ehr.note values (803, 1, null, 'new', 'late')")
	do(t, r.src, leaves)
	do(t, r.src, `update ehr.note set body = 'altered' where note_id = 1; delete from ehr.note where note_id in (2, 3);
		insert into ehr.note values (801, 1, null, 'new', 'lost')`)
	r.completes(t)
	do(t, r.src, "update ehr.note set body = 'after' where note_id = 4; insert into ehr.note values (802, 1, null, 'new', 'kept')")
	if problems := strings.Join(r.status(t).Problems, "; "); !strings.Contains(problems, "table ehr.note lacks changes") {
		t.Errorf("status: %s", problems)
	}
	if !slices.ContainsFunc(findingsOf(t, r.cfg), func(f finding.Finding) bool {
		return f.Level == finding.Problem && f.Subject == "replica table ehr.note"
	}) {
		t.Error("check does not name the table")
	}
	run := r.run(t, nil)
	eventually(t, "the copy is asked for", func() bool { return strings.Contains(run.log.String(), "changes passed by") })
	do(t, late, "insert into ehr.note values (804, 1, null, 'new', 'late'); commit")
	r.caughtUp(t)
	r.sameNotes(t, "second", "altered", "lost", "kept", "after", "late")
	// Unchanged notes were not de-identified again.
	want(t, r.dst, "6", "select count(*)::text from deid.note_provenance where sealed not in (select sealed from public.before)")
	run.stop(t)
	// Nothing changed since: nothing is copied again, also after another "migrate up".
	r.completes(t)
	run = r.run(t, nil)
	r.caughtUp(t)
	if strings.Contains(run.log.String(), "changes passed by") {
		t.Error("copied again without a reason")
	}
}

// Names that changed while the patients' table was away are looked for in notes.
func TestNamesThatChangedUnseenAreFound(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t))
	do(t, r.src, patients)
	do(t, r.src, "insert into ehr.note values (1, 1, null, 'new', 'asked for glimmerwick today')")
	r.run(t, nil)
	r.caughtUp(t)
	if text := r.body(t, 1); !strings.Contains(text, "glimmerwick") {
		t.Fatalf("the test's name is found without a record: %q", text)
	}
	do(t, r.src, "alter publication pgdeid drop table ehr.patient; update ehr.patient set family = 'Glimmerwick' where patient_id = 1")
	r.completes(t)
	eventually(t, "the note is written again", func() bool { return !strings.Contains(r.body(t, 1), "glimmerwick") })
	r.caughtUp(t)
}

// What pgdeid itself does to the publication is no gap: a pause for the vendor's
// upgrade, its end, and "migrate up" at any time.
func TestPauseAndResumeCopyNothing(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t))
	do(t, r.src, patients)
	run := r.run(t, nil)
	r.caughtUp(t)
	before := one(t, r.dst, "select min(since) from deid.membership")
	if _, err := publication.Pause(t.Context(), r.cfg); err != nil {
		t.Fatal(err)
	}
	do(t, r.src, "insert into ehr.note values (1, 1, null, 'new', 'Zebulon')")
	r.completes(t)
	r.completes(t)
	do(t, r.src, "insert into ehr.note values (2, 1, null, 'new', 'Zebulon')")
	eventually(t, "the heartbeat sees the new entries", func() bool {
		return one(t, r.dst, "select min(since) from deid.membership") != before
	})
	r.caughtUp(t)
	r.sameNotes(t)
	if log := run.log.String(); strings.Contains(log, "interrupted") || strings.Contains(log, "passed by") {
		t.Error("taken for a gap")
	}
}

const rounds = `
create schema ehr;
create table ehr.round (round_id bigint, ward int, patient_id int, body text, primary key (round_id, ward)) partition by list (ward);
create table ehr.round_1 partition of ehr.round for values in (1);
create table ehr.round_2 partition of ehr.round for values in (2);
insert into ehr.round select n, 1 + n % 2, n % 5, 'round ' || n from generate_series(1, 40) n;`

const roundTables = `
tables:
  ehr.round:
    patient: patient_id
    columns: {round_id: pseudonym, ward: keep, patient_id: pseudonym, body: text}
`

// Partitions come and go without a row in the stream.
func TestPartitionsComeAndGo(t *testing.T) {
	t.Parallel()
	r := newReplicationOf(t, newPair(t), rounds, roundTables)
	run := r.run(t, nil)
	r.caughtUp(t)
	same := func(what string) {
		t.Helper()
		eventually(t, what, func() bool { return count(t, r.dst, "ehr.round") == count(t, r.src, "ehr.round") })
		r.caughtUp(t)
		for _, ward := range []string{"1", "2", "3", "4"} {
			query := "select count(*)::text from ehr.round where ward = " + ward
			want(t, r.dst, one(t, r.src, query), query)
		}
	}
	do(t, r.src, "create table ehr.round_4 partition of ehr.round for values in (4)")
	do(t, r.src, "insert into ehr.round values (900, 4, 1, 'new')")
	same("a new partition's rows")
	if strings.Contains(run.log.String(), "changes passed by") {
		t.Log("a partition that was empty made a copy: its row came before the look at it")
	}
	do(t, r.src, `create table ehr.round_3 (round_id bigint not null, ward int not null, patient_id int, body text, primary key (round_id, ward));
		insert into ehr.round_3 select n, 3, 2, 'attached ' || n from generate_series(100, 120) n;
		alter table ehr.round attach partition ehr.round_3 for values in (3)`)
	same("an attached partition's rows")
	do(t, r.src, "alter table ehr.round detach partition ehr.round_1")
	same("a detached partition's rows go")
	do(t, r.src, "update ehr.round_1 set body = 'elsewhere'; alter table ehr.round attach partition ehr.round_1 for values in (1)")
	same("an attached partition's rows come again")
	want(t, r.dst, one(t, r.src, "select count(*)::text from ehr.round_1"), "select count(*)::text from ehr.round where body = 'elsewhere'")
	do(t, r.src, "drop table ehr.round_2")
	same("a dropped partition's rows go")
	run.stop(t)
	do(t, r.src, "alter table ehr.round detach partition ehr.round_3")
	run = r.run(t, nil)
	same("what was detached meanwhile goes")
	if strings.Contains(run.log.String(), "not mapped") {
		t.Error("a partition is said not to be mapped")
	}
}
