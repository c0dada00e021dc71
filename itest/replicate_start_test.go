package itest

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator"
	"github.com/pgdeid/pgdeid/sql"
	"github.com/pgdeid/pgdeid/sql/finding"
	"github.com/pgdeid/pgdeid/sql/migrations"
	"github.com/pgdeid/pgdeid/surrogate"
)

// refuses runs the replicator, which must end with an error about what, and a hint.
func (r *replication) refuses(t *testing.T, what, hint string) {
	t.Helper()
	err := r.run(t, nil).fails(t)
	if !strings.Contains(err.Error(), what) {
		t.Errorf("error %q does not say %q", err, what)
	}
	if got := fault.Hint(err); !strings.Contains(got, hint) {
		t.Errorf("hint %q does not say %q", got, hint)
	}
}

func (r *replication) resync(t *testing.T) {
	t.Helper()
	o, _ := r.options(t, nil)
	if err := replicator.Snapshot(t.Context(), o, true); err != nil {
		t.Fatal(err)
	}
}

// begun is a replication that has run and was stopped.
func begun(t *testing.T, p *pair) *replication {
	t.Helper()
	r := newReplication(t, p)
	do(t, r.src, patients)
	do(t, r.src, "insert into ehr.note select n, 1, null, 'new', 'Quarkstein ' || n from generate_series(1, 700) n")
	run := r.run(t, nil)
	r.caughtUp(t)
	run.stop(t)
	eventually(t, "the source lets go of the slot", func() bool {
		return count(t, r.src, "pg_replication_slots where active and slot_name = '"+r.name+"'") == "0"
	})
	return r
}

func TestMissingSlotIsRefusedAndResynced(t *testing.T) {
	t.Parallel()
	r := begun(t, newPair(t))
	do(t, r.src, "select pg_drop_replication_slot('"+r.name+"')")
	// What happens without a slot is lost to the stream.
	do(t, r.src, `delete from ehr.note where note_id <= 100; update ehr.note set body = 'Quarkstein changed' where note_id = 700;
		delete from ehr.visit where visit_id = 8; insert into ehr.note values (701, 2, null, 'new', 'Wampfler new')`)
	r.refuses(t, "does not exist", "resync")
	do(t, r.dst, "create table public.before as select * from deid.note_provenance")
	r.resync(t)
	want(t, r.dst, "601", "select count(*)::text from ehr.note")
	want(t, r.dst, "1", "select count(*)::text from ehr.visit")
	want(t, r.dst, "601", "select count(*)::text from deid.note_provenance")
	// Only what changed was de-identified again.
	want(t, r.dst, "2", "select count(*)::text from deid.note_provenance p where sealed not in (select sealed from public.before)")
	if text := r.body(t, 700); !strings.HasSuffix(text, " changed") {
		t.Errorf("note 700: %q", text)
	}
	r.run(t, nil)
	do(t, r.src, "insert into ehr.note values (702, 2, null, 'new', 'and on')")
	r.caughtUp(t)
	want(t, r.dst, "602", "select count(*)::text from ehr.note")
}

func TestRecreatedSlotIsRefused(t *testing.T) {
	t.Parallel()
	r := begun(t, newPair(t))
	do(t, r.src, "select pg_drop_replication_slot('"+r.name+"')")
	do(t, r.src, "insert into ehr.note values (801, 1, null, 'new', 'lost')")
	do(t, r.src, "select pg_create_logical_replication_slot('"+r.name+"', 'pgoutput')")
	r.refuses(t, "ahead of the replica's", "resync")
}

func TestRestoredReplicaIsRefused(t *testing.T) {
	t.Parallel()
	r := begun(t, newPair(t))
	do(t, r.dst, "update deid.progress set lsn = '0/1'")
	r.refuses(t, "ahead of the replica's", "resync")
}

func TestLostSlotIsRefused(t *testing.T) {
	t.Parallel()
	r := begun(t, newOwnPair(t))
	do(t, r.src, "alter system set max_slot_wal_keep_size = '16MB'")
	do(t, r.src, "alter system set max_wal_size = '32MB'")
	do(t, r.src, "select pg_reload_conf()")
	for range 6 {
		do(t, r.src, "insert into ehr.noise (filler) select repeat('x', 5000) from generate_series(1, 3000); select pg_switch_wal(); checkpoint")
	}
	eventually(t, "the slot is lost", func() bool {
		do(t, r.src, "select pg_switch_wal(); checkpoint")
		return one(t, r.src, "select wal_status from pg_replication_slots") == "lost"
	})
	r.refuses(t, "threw away WAL", "resync")
	do(t, r.src, "alter system reset max_slot_wal_keep_size")
	do(t, r.src, "select pg_reload_conf()")
	r.resync(t)
	want(t, r.dst, "700", "select count(*)::text from ehr.note")
}

func TestOtherClusterIsRefused(t *testing.T) {
	t.Parallel()
	r := begun(t, newPair(t))
	do(t, r.dst, "update deid.progress set system_id = '1'")
	r.refuses(t, "another cluster", "source.dsn")
	do(t, r.dst, "update deid.progress set system_id = (select system_identifier::text from pg_control_system()), timeline = 9")
	r.refuses(t, "another cluster", "") // the replica's own identifier
}

func TestChangedMappingIsRefused(t *testing.T) {
	t.Parallel()
	r := begun(t, newPair(t))
	table, _ := r.cfg.Table("ehr", "note")
	for i := range table.Columns {
		if table.Columns[i].Name == "status" {
			table.Columns[i].Publish = "drop"
		}
	}
	r.refuses(t, "made for another mapping", "migrate up")
	if err := sqlUp(t, r.cfg, migrations.Replica, sql.Options{DropData: true}); err != nil {
		t.Fatal(err)
	}
	r.refuses(t, "changed since the replica was written", "migrate up")
	r.resync(t)
	want(t, r.dst, "700", "select count(*)::text from ehr.note")
}

// A replica without a row has comments already, which say what is done to each column.
func TestOtherMappingThanMigratedIsRefusedWhenEmpty(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t))
	table, _ := r.cfg.Table("ehr", "visit")
	for i := range table.Columns {
		if table.Columns[i].Name == "started" {
			table.Columns[i].Publish = "keep"
		}
	}
	r.refuses(t, "made for another mapping", "migrate up")
	want(t, r.src, "0", "select count(*)::text from pg_replication_slots where slot_name = $1", r.slot)
	fs := findingsOf(t, r.cfg)
	if !slices.ContainsFunc(fs, func(f finding.Finding) bool {
		return f.Level == finding.Problem && strings.Contains(f.Text, "made for another mapping") && strings.Contains(f.Remedy, "migrate up")
	}) {
		t.Errorf("the check does not say so: %+v", attention(fs))
	}
	migrateUp(t, r.cfg)
	r.run(t, nil)
	r.caughtUp(t)
}

func TestWrongKeyIsRefused(t *testing.T) {
	t.Parallel()
	r := begun(t, newPair(t))
	if err := os.Remove(r.cfg.KeyFile); err != nil {
		t.Fatal(err)
	}
	if err := surrogate.NewKeyFile(r.cfg.KeyFile); err != nil {
		t.Fatal(err)
	}
	key, err := surrogate.ReadKey(r.cfg.KeyFile)
	if err != nil {
		t.Fatal(err)
	}
	r.key = key
	r.refuses(t, "another key", "key")
}

func TestMissingPublicationIsRefused(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t))
	do(t, r.src, "drop publication pgdeid")
	r.refuses(t, "publication pgdeid does not exist", "migrate up")
	do(t, r.src, "create publication pgdeid for table ehr.note, ehr.patient")
	r.refuses(t, "ehr.contact is mapped but not published", "migrate up")
}

func TestActiveSlotIsWaitedFor(t *testing.T) {
	t.Parallel()
	r := begun(t, newPair(t))
	first := r.run(t, nil)
	do(t, r.src, "insert into ehr.note values (801, 1, null, 'new', 'first')")
	eventually(t, "the stream", func() bool { return count(t, r.dst, "ehr.note") == "701" })
	second := r.run(t, nil)
	eventually(t, "the second one meets the first one", func() bool { return strings.Contains(second.log.String(), "active") })
	first.stop(t)
	do(t, r.src, "insert into ehr.note values (802, 1, null, 'new', 'second')")
	eventually(t, "the second one goes on", func() bool { return count(t, r.dst, "ehr.note") == "702" })
}

// A slot whose creator died before it could store the position is taken over.
func TestFreshSlotIsTakenOver(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t))
	do(t, r.src, patients)
	do(t, r.src, "insert into ehr.note values (1, 1, null, 'new', 'before the slot')")
	do(t, r.src, "select pg_create_logical_replication_slot('"+r.name+"', 'pgoutput')")
	do(t, r.src, "insert into ehr.note values (2, 1, null, 'new', 'after the slot')")
	do(t, r.src, "delete from ehr.note where note_id = 1")
	r.run(t, nil)
	r.caughtUp(t)
	want(t, r.dst, "1", "select count(*)::text from ehr.note")
}
