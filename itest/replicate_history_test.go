package itest

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/replicator/sandbox"
)

// turnTo lets the replication read from another server, with the same databases.
func (r *replication) turnTo(t *testing.T, s *sandbox.Server) {
	t.Helper()
	r.cfg.Source.DSN = strings.Replace(r.cfg.Source.DSN, fmt.Sprintf(":%d/", r.source.Port()), fmt.Sprintf(":%d/", s.Port()), 1)
	r.cfg.Source.AdminDSN = strings.Replace(r.cfg.Source.AdminDSN, fmt.Sprintf(":%d/", r.source.Port()), fmt.Sprintf(":%d/", s.Port()), 1)
	for _, server := range texts(t, r.dst, "select srvname::text from pg_foreign_server") {
		do(t, r.dst, fmt.Sprintf("alter server %s options (set port '%d')", server, s.Port()))
	}
	r.source = s
	r.src = connect(t, s, r.name)
}

func (r *replication) started(t *testing.T, s *sandbox.Server) {
	t.Helper()
	if err := s.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Kill() })
}

// A server that was restored from an older backup, on the same timeline, is the same
// cluster by every number. A slot made by hand does not make it the same history.
func TestOlderBackupWithASlotMadeByHandIsRefused(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newOwnPair(t))
	do(t, r.src, patients)
	first := r.run(t, nil)
	r.caughtUp(t)
	first.stop(t)
	dir := filepath.Join(filepath.Dir(filepath.Dir(r.source.Log())), "older")
	older, err := r.source.Backup(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	do(t, r.src, "insert into ehr.note select n, 1, null, 'new', 'Zebulon of the time that is lost' from generate_series(1, 400) n")
	second := r.run(t, nil)
	r.caughtUp(t)
	second.stop(t)
	if err := r.source.Stop(t.Context(), sandbox.Immediate); err != nil {
		t.Fatal(err)
	}
	r.started(t, older)
	r.turnTo(t, older)
	do(t, r.src, "select pg_create_logical_replication_slot('"+r.name+"', 'pgoutput')")
	do(t, r.src, "insert into ehr.note select n, 1, null, 'new', 'Zebulon anew' from generate_series(401, 403) n")
	r.refuses(t, "restored from an older backup", "--resync")
	r.resync(t)
	want(t, r.dst, "3", "select count(*)::text from ehr.note")
	r.run(t, nil)
	do(t, r.src, "insert into ehr.note values (404, 1, null, 'new', 'and on')")
	r.caughtUp(t)
	want(t, r.dst, "4", "select count(*)::text from ehr.note")
}

// failover is a primary with a standby that its slots follow.
func failover(t *testing.T) (*replication, *sandbox.Server) {
	t.Helper()
	p := newOwnPair(t)
	if one(t, p.onSource(t), "select (current_setting('server_version_num')::int >= 170000)::text") != "true" {
		t.Skip("slots follow a failover from PostgreSQL 17 on")
	}
	r := newReplication(t, p)
	do(t, r.src, patients)
	do(t, r.src, "select pg_create_physical_replication_slot('standby', true)")
	dir := filepath.Join(filepath.Dir(filepath.Dir(r.source.Log())), "standby")
	standby, err := r.source.Standby(t.Context(), dir, "standby", map[string]string{"sync_replication_slots": "on"})
	if err != nil {
		t.Fatal(err)
	}
	r.started(t, standby)
	return r, standby
}

// synced waits until the standby has the slot, to last.
func (r *replication) synced(t *testing.T, standby *sandbox.Server) {
	t.Helper()
	conn := connect(t, standby, r.name)
	eventually(t, "the slot is on the standby", func() bool {
		do(t, r.src, "select pg_log_standby_snapshot()")
		return count(t, conn, "pg_replication_slots where slot_name = '"+r.name+"' and synced and not temporary") == "1"
	})
}

// promote kills the primary and lets the standby take its place.
func (r *replication) promote(t *testing.T, standby *sandbox.Server) {
	t.Helper()
	if err := r.source.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := standby.Promote(t.Context()); err != nil {
		t.Fatal(err)
	}
	r.turnTo(t, standby)
}

// With the setting the stream waits for the standby, and goes on after its promotion
// where it was.
func TestFailoverIsFollowedWhereNothingIsLost(t *testing.T) {
	t.Parallel()
	r, standby := failover(t)
	do(t, r.src, "alter system set synchronized_standby_slots = 'standby'")
	do(t, r.src, "select pg_reload_conf()")
	run := r.run(t, nil)
	r.streaming(t)
	do(t, r.src, "insert into ehr.note select n, 1, null, 'new', 'Zebulon before' from generate_series(1, 50) n")
	r.caughtUp(t)
	r.synced(t, standby)
	run.stop(t)
	for _, f := range findingsOf(t, r.cfg) {
		if f.Subject == "source synchronized_standby_slots" && f.Level != "ok" {
			t.Errorf("the setting is there: %+v", f)
		}
	}
	do(t, r.src, "insert into ehr.note values (51, 1, null, 'new', 'Zebulon in between')")
	eventually(t, "the standby has everything", func() bool {
		return one(t, connect(t, standby, r.name), "select count(*)::text from ehr.note") == "51"
	})
	r.promote(t, standby)
	do(t, r.src, "insert into ehr.note values (52, 1, null, 'new', 'Zebulon after')")
	r.run(t, nil)
	r.caughtUp(t)
	want(t, r.dst, "52", "select count(*)::text from ehr.note")
	want(t, r.dst, "2", "select timeline::text from deid.progress")
}

// Without it the replica can have what the new primary never had.
func TestFailoverIsRefusedWhereSomethingIsLost(t *testing.T) {
	t.Parallel()
	r, standby := failover(t)
	run := r.run(t, nil)
	r.caughtUp(t)
	r.synced(t, standby)
	found := false
	for _, f := range attention(findingsOf(t, r.cfg)) {
		found = found || f.Subject == "source synchronized_standby_slots" && strings.Contains(f.Remedy, "'standby'")
	}
	if !found {
		t.Error("check does not ask for synchronized_standby_slots")
	}
	do(t, connect(t, standby, r.name), "select pg_wal_replay_pause()")
	if err := standby.Stop(t.Context(), sandbox.Fast); err != nil {
		t.Fatal(err)
	}
	do(t, r.src, "insert into ehr.note select n, 1, null, 'new', 'Zebulon of the time that is lost' from generate_series(1, 500) n")
	r.caughtUp(t)
	run.stop(t)
	if err := r.source.Kill(); err != nil {
		t.Fatal(err)
	}
	r.started(t, standby)
	r.promote(t, standby)
	do(t, r.src, "insert into ehr.note select n, 1, null, 'new', 'Zebulon anew' from generate_series(501, 550) n")
	r.refuses(t, "synchronized_standby_slots", "--resync")
	r.resync(t)
	want(t, r.dst, "50", "select count(*)::text from ehr.note")
}
