package itest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/sql/roles"
)

// secretsOfBadInput must stand in no message, whatever goes wrong.
var secretsOfBadInput = []string{"Zebulon", "Quarkstein", "MR-4711", "1950-02-03", "a test's password", "hunter2", "goroutine", "panic"}

// complains runs the program, which must end with a code, and say all of says on
// standard error.
func complains(t *testing.T, code int, args []string, says ...string) {
	t.Helper()
	got := runPgdeid(t, nil, args...)
	if got.code != code {
		t.Errorf("pgdeid %s: exit status %d, want %d", strings.Join(args, " "), got.code, code)
	}
	for _, text := range says {
		if !strings.Contains(got.stderr, text) {
			t.Errorf("pgdeid %s does not say %q:\n%s", args[0], text, got.stderr)
		}
	}
	if found := marksInText(got.stdout+got.stderr, secretsOfBadInput); len(found) > 0 {
		t.Errorf("pgdeid %s says %v:\n%s", args[0], found, got.stderr)
	}
	// Some errors say in themselves what to do.
	if strings.Count(got.stderr, "\nhint: ") != 1 && code == 1 && !strings.Contains(got.stderr, ": run '") && !strings.Contains(got.stderr, ": make one with '") {
		t.Errorf("pgdeid %s gives no hint, or several:\n%s", args[0], got.stderr)
	}
}

// What is wrong in the file, or in what it names: edits of a file that works.
func TestBadConfiguration(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t))
	do(t, r.src, patients)
	good, err := os.ReadFile(r.cfg.Path)
	if err != nil {
		t.Fatal(err)
	}
	closed := "127.0.0.1:1"
	r.file(t, "wrong", "hunter2\n")
	r.file(t, "empty", "")
	for _, tt := range []struct {
		name, old, new string
		command        string
		code           int
		says           []string
	}{
		{"source port", r.source.Addr(), closed, "run", 1, []string{"connect to the source: dial tcp 127.0.0.1:1", "host and port in source.dsn"}},
		{"replica port", r.replica.Addr(), closed, "run", 1, []string{"connect to the replica: dial tcp 127.0.0.1:1", "host and port in replica.dsn"}},
		{"source host", "@" + r.source.Addr(), "@ehr.invalid", "run", 1, []string{"connect to the source", "ehr.invalid", "host and port in source.dsn"}},
		{"source port, status", r.source.Addr(), closed, "status", 1, []string{"connect to the source", "host and port in source.dsn"}},
		{"source port, migrate", r.source.Addr(), closed, "migrate up", 1, []string{"connect", "connect to database", "dial tcp 127.0.0.1:1", "host and port"}},
		{"wrong password", "password_file: " + filepath.Join(r.dir, "password\n"), "password_file: wrong\n", "run", 1, []string{"password authentication failed", "source.dsn"}},
		{"no password file", "password_file: " + filepath.Join(r.dir, "password\n"), "password_file: absent\n", "run", 1, []string{"absent", "password_file"}},
		{"empty password file", "password_file: " + filepath.Join(r.dir, "password\n"), "password_file: empty\n", "run", 1, []string{"its first line is empty", "PGDEID_SOURCE_PASSWORD"}},
		{"no source database", "/" + r.name + "?", "/nowhere?", "run", 1, []string{`database "nowhere" does not exist`, "name of the database in source.dsn"}},
		{"no key file", "key_file: key", "key_file: absent", "run", 1, []string{"absent", "pgdeid key new"}},
		{"broken YAML", "key_file: key", "key_file: [key", "run", 1, []string{r.cfg.Path, "line 16: not valid YAML: ',' or ']' must be specified"}},
		{"tab in YAML", "  ehr.staff:", "\tehr.staff:", "run", 1, []string{r.cfg.Path, "line 31: not valid YAML: found character 'tab'"}},
		{"unknown key", "key_file: key", "keyfile: key", "run", 1, []string{"line 15: keyfile: unknown key", "key_file"}},
		{"unknown policy", "status: keep", "status: kep", "run", 1, []string{"line ", "policy", `"kep"`, "keep"}},
		{"unknown role", "tells: mrn", "tells: mnr", "run", 1, []string{"line ", "role", `"mnr"`, "mrn"}},
		{"password in a DSN", "postgres://" + roles.Replication + "@", "postgres://" + roles.Replication + ":hunter2@", "run", 1, []string{"line 3", "password"}},
		{"no such table", "ehr.staff:", "ehr.stuff:", "migrate up", 1, []string{"ehr.stuff"}},
		{"no such column", "{phone: {tells: phone}}", "{fone: {tells: phone}}", "migrate up", 1, []string{"ehr.contact", "fone"}},
		{"no such column, run", "status: keep", "stattus: keep", "run", 1, []string{"another mapping", "pgdeid migrate up"}},
		{"no such profile", "key_file: key", "key_file: key\nprofile: hipaa", "run", 1, []string{"line ", "hipaa", "safe_harbor"}},
		{"no such detector", "detect: {models: fast}", "detect: {models: none, detectors: [magic]}", "run", 1, []string{"magic", "detect.detectors"}},
		{"no such model", "detect: {models: fast}", "detect: {models: [{folder: nowhere}]}", "run", 1, []string{"line 16", "pgdeid models verify"}},
		{"no admin DSN", "admin_dsn", "# admin_dsn", "migrate up", 1, []string{"source.admin_dsn"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			broken := strings.Replace(string(good), tt.old, tt.new, 1)
			if broken == string(good) {
				t.Fatalf("nothing like %q in\n%s", tt.old, good)
			}
			if tt.name == "source port, migrate" {
				broken = strings.ReplaceAll(string(good), tt.old, tt.new)
			}
			config := r.file(t, "broken.yaml", broken)
			for i, text := range tt.says {
				tt.says[i] = strings.ReplaceAll(text, r.cfg.Path, config)
			}
			complains(t, tt.code, append(strings.Fields(tt.command), "--config", config), tt.says...)
		})
	}
	complains(t, 1, []string{"run", "--config", filepath.Join(r.dir, "nowhere.yaml")}, "nowhere.yaml", "pgdeid init")
	complains(t, 2, []string{"run", "--confg", "x"}, "unknown flag: --confg", "--help")
	complains(t, 2, []string{"migrate"}, "up, down, version, force or engine")
}

// What is wrong in the databases: each case breaks one thing and mends it.
func TestBadDatabases(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t))
	do(t, r.src, patients)
	do(t, r.src, "insert into ehr.note values (1, 1, null, 'new', 'Zebulon Quarkstein')")
	run := []string{"run", "--config", r.cfg.Path}
	do(t, r.src, "alter publication pgdeid rename to elsewhere")
	complains(t, 1, run, "publication pgdeid does not exist", "pgdeid migrate up --target source")
	do(t, r.src, "alter publication elsewhere rename to pgdeid")

	do(t, r.src, "revoke select on ehr.note from "+roles.Replication+"; revoke select (note_id, patient_id, written, status, body) on ehr.note from "+roles.Replication)
	complains(t, 1, run, "permission denied for table note", "'pgdeid migrate up'")
	mustRun(t, nil, "migrate", "up", "--target", "source", "--config", r.cfg.Path)

	do(t, r.dst, `revoke insert on deid_rows."ehr.note" from `+roles.Service)
	complains(t, 1, run, "permission denied for table ehr.note", "pgdeid migrate up --target replica")
	mustRun(t, nil, "migrate", "up", "--target", "replica", "--config", r.cfg.Path)

	do(t, r.dst, "revoke usage on schema deid from "+roles.Service)
	complains(t, 1, run, "permission denied for schema deid", "pgdeid migrate up --target replica")
	mustRun(t, nil, "migrate", "up", "--target", "replica", "--config", r.cfg.Path)

	do(t, r.src, "revoke select (given) on ehr.patient from "+roles.Reader)
	complains(t, 1, run, "permission denied for table patient", "pgdeid migrate up")
	mustRun(t, nil, "migrate", "up", "--target", "source", "--config", r.cfg.Path)

	for change, says := range map[string]string{"- 1": "older", "+ 1": "newer"} {
		do(t, r.dst, "update deid.schema_migrations set version = version "+change)
		complains(t, 1, run, says, "pgdeid")
		complains(t, 1, []string{"status", "--config", r.cfg.Path}, says, "pgdeid")
		do(t, r.dst, "update deid.schema_migrations set version = version - (0 "+change+")")
	}

	if err := os.Chmod(r.cfg.KeyFile, 0o644); err != nil {
		t.Fatal(err)
	}
	complains(t, 1, run, "key", "chmod 600")
	if err := os.Remove(r.cfg.KeyFile); err != nil {
		t.Fatal(err)
	}

	d := startedOnce(t, r)
	mustRun(t, nil, "key", "new", r.cfg.KeyFile+"2")
	config := r.file(t, "other.yaml", strings.Replace(r.settingsAgain(t), "key_file: key", "key_file: key2\nhttp: \"\"", 1)+wardTables)
	complains(t, 1, []string{"run", "--config", config}, "another key", "key")
	complains(t, 1, []string{"retry", "--config", config}, "another key")
	if !d.running() {
		t.Error("the one with the right key ended")
	}
}

// startedOnce makes the key anew and follows the stream.
func startedOnce(t *testing.T, r *replication) *daemon {
	t.Helper()
	do(t, r.dst, "delete from deid.key_check")
	mustRun(t, nil, "key", "new", r.cfg.KeyFile)
	d := startPgdeid(t, nil, "run", "--config", r.cfg.Path)
	r.streaming(t)
	r.caughtUp(t)
	return d
}

// A replica that nobody migrated.
func TestNotMigrated(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	do(t, p.onSource(t), ward)
	cfg := p.config(t, p.settings(t)+"http: \"\"\n"+wardTables)
	for _, command := range []string{"run", "status", "snapshot", "retry"} {
		complains(t, 1, []string{command, "--config", cfg.Path}, "pgdeid migrate up")
	}
}

// The second of two processes waits and says why; the first one is not disturbed.
func TestTwoRunsOnOneSlot(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t))
	first := startPgdeid(t, nil, "run", "--config", r.cfg.Path)
	r.streaming(t)
	second := startPgdeid(t, nil, "run", "--config", r.cfg.Path)
	eventually(t, "the second one says why it waits", func() bool {
		return strings.Contains(second.output(t), "another pgdeid is active for this slot")
	})
	do(t, r.src, patients)
	r.caughtUp(t)
	if !first.running() || !second.running() {
		t.Error("one of the two ended")
	}
	if code := second.terminate(t); code != 0 {
		t.Errorf("the one that waits ends with status %d", code)
	}
	if found := marksInText(first.output(t)+second.output(t), secretsOfBadInput); len(found) > 0 {
		t.Errorf("found %v in the logs", found)
	}
}

// What needs other settings of the server.
func TestSourceThatCannotReplicate(t *testing.T) {
	t.Parallel()
	p := newOwnPair(t)
	r := newReplication(t, p)
	run := []string{"run", "--config", r.cfg.Path}
	do(t, r.src, "alter role "+roles.Replication+" noreplication")
	complains(t, 1, run, "REPLICATION")
	do(t, r.src, fmt.Sprintf("alter role %s replication; alter role %[1]s nologin", roles.Replication))
	complains(t, 1, run, "not permitted to log in", "source.dsn")
	do(t, r.src, "alter role "+roles.Replication+" login")
	do(t, r.src, "alter system set wal_level = replica")
	if err := r.source.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	complains(t, 1, run, "wal_level", "restart")
	got := runPgdeid(t, nil, "check", "--attention", "--config", r.cfg.Path)
	if got.code != 3 || !strings.Contains(got.stdout, "source wal_level") || !strings.Contains(got.stdout, "wal_level = 'logical'") {
		t.Errorf("check: %d\n%s%s", got.code, got.stdout, got.stderr)
	}
}

// The slot before the first run, and after somebody dropped it.
func TestStatusAndCheckTellOfTheSlot(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t))
	do(t, r.src, patients)
	says := func(command string, code int, texts ...string) {
		t.Helper()
		got := runPgdeid(t, nil, command, "--config", r.cfg.Path)
		for _, text := range texts {
			if !strings.Contains(got.stdout, text) || got.code != code {
				t.Errorf("%s: exit status %d, and it does not say %q:\n%s%s", command, got.code, text, got.stdout, got.stderr)
			}
		}
	}
	says("check", 0, "does not exist yet")
	says("status", 3, "nothing was replicated yet", "pgdeid run")
	mustRun(t, nil, "snapshot", "--config", r.cfg.Path)
	says("status", 3, "no process streams", "start 'pgdeid run'")
	do(t, r.src, "select pg_drop_replication_slot('"+r.slot+"')")
	says("check", 3, "is gone, though", "pgdeid snapshot --resync")
	says("status", 3, "changes are missing: the slot is gone", "pgdeid snapshot --resync")
}
