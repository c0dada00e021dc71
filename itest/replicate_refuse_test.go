package itest

import (
	"os"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/fault"
)

// Each wrong setting ends the run with an error that names it and a hint that helps.
func TestBadSettingsAreExplained(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t))
	good := *r.cfg
	at := r.source.Addr()
	for _, c := range []struct {
		name         string
		spoil        func()
		says, advice string
	}{
		{"no server", func() { r.cfg.Source.DSN = strings.Replace(good.Source.DSN, at, "127.0.0.1:1", 1) }, "connection refused", "source.dsn"},
		{"no host", func() { r.cfg.Replica.DSN = "postgres://pgdeid_service@host.invalid/x?sslmode=disable" }, "host.invalid", "replica.dsn"},
		{"no database", func() { r.cfg.Source.DSN = strings.Replace(good.Source.DSN, "/"+r.name, "/nowhere", 1) }, "nowhere", "name of the database"},
		{"no role", func() { r.cfg.Replica.DSN = strings.Replace(good.Replica.DSN, "pgdeid_service", "nobody", 1) }, "nobody", "pg_hba.conf"},
		{"wrong password", func() { r.cfg.Source.PasswordFile = r.file(t, "wrong", "wrong\n") }, "password authentication failed", "password"},
		{"no migration", func() { r.cfg.Replica.DSN = strings.Replace(good.Replica.DSN, "/"+r.name, "/postgres", 1) }, "has not been set up", "migrate up"},
		{"no TLS", func() { r.cfg.Replica.DSN = strings.Replace(good.Replica.DSN, "sslmode=disable", "sslmode=require", 1) }, "TLS", "replica.dsn"},
	} {
		*r.cfg = good
		c.spoil()
		err := r.run(t, nil).fails(t)
		if !strings.Contains(err.Error(), c.says) || !strings.Contains(fault.Hint(err), c.advice) {
			t.Errorf("%s: %v\nhint: %s", c.name, err, fault.Hint(err))
		}
		if strings.Contains(err.Error(), "postgres://") {
			t.Errorf("%s: the error has the connection string: %v", c.name, err)
		}
	}
	*r.cfg = good
}

func TestMissingRightsAreExplained(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newOwnPair(t))
	for _, c := range []struct{ spoil, repair, says, advice string }{
		{"alter role pgdeid_replication noreplication", "alter role pgdeid_replication replication", "replication", "REPLICATION"},
		{
			"revoke select on ehr.note from pgdeid_replication; revoke usage on schema ehr from pgdeid_replication",
			"grant usage on schema ehr to pgdeid_replication; grant select on ehr.note to pgdeid_replication", "permission denied", "",
		},
		{"alter table ehr.visit drop constraint visit_pkey", "alter table ehr.visit add primary key (visit_id)", "no primary key", "ADD PRIMARY KEY"},
		{"alter table ehr.visit rename to stay", "alter table ehr.stay rename to visit", "ehr.visit", "exists"},
	} {
		do(t, r.src, c.spoil)
		err := r.run(t, nil).fails(t)
		if !strings.Contains(err.Error(), c.says) || !strings.Contains(fault.Hint(err), c.advice) {
			t.Errorf("%s: %v\nhint: %s", c.spoil, err, fault.Hint(err))
		}
		do(t, r.src, c.repair)
	}
	r.run(t, nil)
	r.caughtUp(t)
	if err := os.Chmod(r.cfg.KeyFile, 0o644); err != nil {
		t.Fatal(err)
	}
	got := runPgdeid(t, nil, "run", "--config", r.cfg.Path)
	if got.code != 1 || !strings.Contains(got.stderr, "chmod 600") {
		t.Errorf("a key that all can read: %+v", got)
	}
}

// wal_level is what most databases lack at first.
func TestWalLevelIsExplained(t *testing.T) {
	t.Parallel()
	p := newOwnPair(t)
	r := newReplication(t, p)
	do(t, r.src, "alter system set wal_level = 'replica'")
	if err := p.source.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	err := r.run(t, nil).fails(t)
	if !strings.Contains(err.Error(), "wal_level") || !strings.Contains(fault.Hint(err), "wal_level = logical") {
		t.Errorf("%v\nhint: %s", err, fault.Hint(err))
	}
}
