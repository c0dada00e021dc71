package itest

import (
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/sandbox"
	"github.com/pgdeid/pgdeid/sql"
	"github.com/pgdeid/pgdeid/sql/attach"
	"github.com/pgdeid/pgdeid/sql/migrations"
)

func adminOf(t *testing.T, s *sandbox.Server, database string) *pgx.ConnConfig {
	t.Helper()
	conf, err := s.Config(database)
	if err != nil {
		t.Fatal(err)
	}
	return conf
}

func attachEngine(t testing.TB, conf *pgx.ConnConfig, a attach.Engine) {
	t.Helper()
	migrating.Lock()
	defer migrating.Unlock()
	if err := attach.Up(t.Context(), conf, a, slog.New(slog.DiscardHandler)); err != nil {
		t.Fatalf("attach: %v (%s)", err, fault.Hint(err))
	}
}

func detach(t testing.TB, conf *pgx.ConnConfig) {
	t.Helper()
	migrating.Lock()
	defer migrating.Unlock()
	if err := attach.Down(t.Context(), conf); err != nil {
		t.Fatalf("detach: %v (%s)", err, fault.Hint(err))
	}
}

// Nothing has to listen for a migration, and "down" leaves a database as it was.
func TestEngineUpDownUp(t *testing.T) {
	t.Parallel()
	p := newOwnPair(t)
	conf := adminOf(t, p.source, p.name)
	there := attach.Engine{Host: "engine.example", Port: "7432", User: "staging", Password: enginePassword}
	other := attach.Engine{Host: "127.0.0.1", Port: "6433", User: "night", Password: "another", SSLMode: "require", SSLRootCert: "/etc/ssl/it's.crt"}
	for _, before := range []string{"select 1", "create schema fdw; create extension postgres_fdw schema fdw"} {
		do(t, p.onSource(t), before)
		bare := catalogue(t, p.source, p.name)
		attachEngine(t, conf, there)
		up := catalogue(t, p.source, p.name)
		attachEngine(t, conf, there)
		if d := differences(up, catalogue(t, p.source, p.name)); d != "" {
			t.Errorf("a second up changes\n%s", d)
		}
		attachEngine(t, conf, other)
		if d := differences(up, catalogue(t, p.source, p.name)); !strings.Contains(d, "port=6433,sslmode=require,") && !strings.Contains(d, "it's.crt") {
			t.Errorf("another address changes\n%s", d)
		}
		attachEngine(t, conf, there)
		// PostgreSQL keeps an option that is set again in its place, one that is new at the end.
		if d := differences(up, catalogue(t, p.source, p.name)); strings.Count(d, "\n") > 1 || strings.Contains(d, "6433") {
			t.Errorf("the first address again changes\n%s", d)
		}
		detach(t, conf)
		detach(t, conf)
		if d := differences(bare, catalogue(t, p.source, p.name)); d != "" {
			t.Errorf("down does not leave it as it was:\n%s", d)
		}
		attachEngine(t, conf, there)
		if d := differences(up, catalogue(t, p.source, p.name)); d != "" {
			t.Errorf("up, down, up changes\n%s", d)
		}
		detach(t, conf)
	}
}

func TestEngineMigrationRefusesAndTells(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	conf := adminOf(t, p.source, p.name)
	a := attach.Engine{Host: "127.0.0.1", Port: "7432", User: "staging", Password: "x"}
	for _, wrong := range []attach.Engine{{}, {Host: "h", Port: "1"}, {Host: "h", Port: "1", User: "u"}} {
		if err := attach.Up(t.Context(), conf, wrong, slog.New(slog.DiscardHandler)); err == nil {
			t.Errorf("attached to %s", wrong.Host)
		}
	}
	attachEngine(t, conf, a)
	s, err := attach.Version(t.Context(), conf)
	if latest, lerr := migrations.Latest(migrations.Engine); err != nil || lerr != nil || s.Version != latest || s.Dirty {
		t.Errorf("version %+v, %v, %v", s, err, lerr)
	}
	admin := p.onSource(t)
	do(t, admin, `create materialized view cohort as select 1 as x where false and deid.deidentify('1', 'x') = 'y';
		create view asks as select deid_note from deid.deidentify where patient_id = '1' and note = 'x'`)
	if err := attach.Down(t.Context(), conf); err == nil || !strings.Contains(err.Error(), "cohort") || !strings.Contains(err.Error(), "asks") {
		t.Errorf("detached from under a view: %v", err)
	}
	do(t, admin, "drop materialized view cohort; drop view asks; create foreign table mine (x int) server pgdeid_engine")
	if err := attach.Down(t.Context(), conf); err == nil || !strings.Contains(err.Error(), "mine") {
		t.Errorf("detached from under a table: %v", err)
	}
	do(t, admin, "drop foreign table mine; update deid.engine_migrations set version = 999")
	if err := attach.Down(t.Context(), conf); err == nil || !strings.Contains(err.Error(), "newer") {
		t.Errorf("down of a version that nobody knows: %v", err)
	}
	if err := attach.Force(t.Context(), conf, int(s.Latest)); err != nil {
		t.Error(err)
	}
	// An extension that others use by then stays.
	do(t, admin, "create server other foreign data wrapper postgres_fdw")
	detach(t, conf)
	if got := texts(t, admin, "select extnamespace::regnamespace::text from pg_extension where extname = 'postgres_fdw'"); !slices.Equal(got, []string{"public"}) {
		t.Errorf("the extension is in %v", got)
	}
}

// The replica and a database that asks the engine are two, whichever comes first.
func TestEngineKeepsOutOfTheReplica(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	cfg := p.hospital(t)
	a := attach.Engine{Host: "127.0.0.1", Port: "7432", User: "staging", Password: "x"}
	conf := adminOf(t, p.replica, p.name)
	attachEngine(t, conf, a)
	if err := sqlUp(t, cfg, migrations.Replica, sql.Options{}); err == nil || fault.Hint(err) == "" {
		t.Errorf("a replica beside the engine: %v", err)
	}
	detach(t, conf)
	migrateUp(t, cfg)
	if err := attach.Up(t.Context(), conf, a, slog.New(slog.DiscardHandler)); err == nil || fault.Hint(err) == "" {
		t.Errorf("the engine in a replica: %v", err)
	}
	attachEngine(t, adminOf(t, p.source, p.name), a) // whose schema pgdeid is another
}

// The password goes from a file into the user mapping, and nowhere else.
func TestEngineCommand(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	args := func(more ...string) []string {
		return append([]string{"migrate", "engine", more[0], "--dsn", p.source.DSN(p.source.Superuser(), p.name), "--admin-password-file", p.secret(t, p.source)}, more[1:]...)
	}
	const password = "marked7password"
	do(t, p.onSource(t), "alter database "+p.name+" set log_statement = 'all'")
	up := runPgdeid(t, nil, args("up", "--engine", "engine.example:7432", "--user", "staging", "--password-file", p.file(t, "pw", password+"\n"))...)
	if up.code != 0 || strings.Contains(up.stdout+up.stderr, password) {
		t.Errorf("up: %+v", up)
	}
	mapped := texts(t, p.onSource(t), "select usename || array_to_string(umoptions, ',') from pg_user_mappings where srvname = 'pgdeid_engine'")
	if !slices.Equal(mapped, []string{"pgdeid_engineuser=staging,password=" + password}) {
		t.Errorf("user mappings %v", mapped)
	}
	if found := marksInFiles(t, []string{"pgdeid_option('host'"}, p.source.Log()); len(found) == 0 {
		t.Error("the server's log has no statements, so this shows nothing")
	}
	if found := marksInFiles(t, []string{password}, p.source.Log()); len(found) > 0 {
		t.Errorf("the server's log has the password: %v", found)
	}
	if got := runPgdeid(t, nil, args("version", "--json")...); got.code != 0 || !strings.Contains(got.stdout, `"engine":{"version":`) {
		t.Errorf("version: %+v", got)
	}
	if got := runPgdeid(t, nil, args("down")...); got.code != 0 || got.stdout != "engine: migrated down\n" {
		t.Errorf("down: %+v", got)
	}
	if got := runPgdeid(t, nil, args("version")...); got.code != 3 {
		t.Errorf("version after down: %+v", got)
	}
	for _, wrong := range [][]string{
		{"migrate", "engine"},
		{"migrate", "engine", "up", "--user", "x"},
		args("up"), args("up", "--user", "x", "--engine", "nowhere"),
		args("down", "--target", "source"), args("force", "many"),
		{"migrate", "engine", "down", "--dsn", "host=h password=p"},
	} {
		if got := runPgdeid(t, nil, wrong...); got.code != 2 {
			t.Errorf("%v: exit %d, %s", wrong, got.code, got.stderr)
		}
	}
}
