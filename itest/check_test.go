package itest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/sql/finding"
	"github.com/pgdeid/pgdeid/sql/preflight"
)

// usual are the findings of the throwaway servers, which have no limits on WAL and,
// for speed, no fsync; those of 14 have no column lists either. The packages bring
// test_decoding, and initdb lets every local user copy the cluster.
var usual = []string{
	"release", "replica fsync", "source max_slot_wal_keep_size", "source column lists", "source output plugins", "source physical replication",
}

// hasLists reports whether the source's publications list columns.
func hasLists(t *testing.T, source *pgx.Conn) bool {
	t.Helper()
	return texts(t, source, "show server_version_num")[0] >= "150000"
}

func findingsOf(t *testing.T, cfg *config.Config) finding.List {
	t.Helper()
	fs, err := preflight.Run(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return fs
}

// attention returns the findings that need attention and are not usual.
func attention(fs finding.List) finding.List {
	var out finding.List
	for _, f := range fs {
		if (f.Level == finding.Problem || f.Level == finding.Warning) && !slices.Contains(usual, f.Subject) {
			out = append(out, f)
		}
	}
	return out
}

func TestCheckIsContentAfterMigrate(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	cfg := p.hospital(t)
	migrateUp(t, cfg)
	fs := findingsOf(t, cfg)
	for _, f := range attention(fs) {
		t.Errorf("%s: %s (%s)", f.Subject, f.Text, f.Remedy)
	}
	for _, want := range []string{
		"configuration", "key", "source", "source wal_level", "source max_replication_slots", "source max_wal_senders",
		"source slot " + p.name, "source role", "source publication pgdeid", "source replication connection", "source wal_sender_timeout",
		"source logical_decoding_work_mem", "table ehr.patient", "table ehr.note_line", "replica", "replica version", "replica key", "replica role",
		"replica tables", "replica analysts", "gazetteers",
	} {
		if !slices.ContainsFunc(fs, func(f finding.Finding) bool { return f.Subject == want && f.Level == finding.OK }) {
			t.Errorf("nothing ok is said of %s", want)
		}
	}
	if !slices.ContainsFunc(fs, func(f finding.Finding) bool {
		return f.Subject == "table ehr.patient" && strings.Contains(f.Text, "secret_remark")
	}) {
		t.Error("the column that is not mapped is not named")
	}
}

// Each case breaks one thing, looks whether the check names it, and mends it.
func TestCheckNamesWhatIsWrong(t *testing.T) {
	t.Parallel()
	p := newOwnPair(t)
	cfg := p.hospital(t)
	migrateUp(t, cfg)
	source, replica := p.onSource(t), p.onReplica(t)
	for _, tt := range []struct {
		name          string
		conn          *pgx.Conn
		breaks, mends string
		subject, text string
	}{
		{
			"unmapped column granted", source, "grant select (secret_remark) on ehr.patient to pgdeid_replication", "revoke select (secret_remark) on ehr.patient from pgdeid_replication",
			"source role", "more than the mapped columns",
		},
		{"other table granted", source, "grant insert on ehr.billing to public", "revoke insert on ehr.billing from public", "source role", "ehr.billing"},
		{
			"column not granted", source, "revoke select (zip) on ehr.patient from pgdeid_replication", "grant select (zip) on ehr.patient to pgdeid_replication",
			"table ehr.patient", "can't read: zip",
		},
		{
			"schema not granted", source, "revoke usage on schema ehr from pgdeid_replication", "grant usage on schema ehr to pgdeid_replication",
			"table ehr.note", "can't read",
		},
		{"no replication", source, "alter role pgdeid_replication noreplication", "alter role pgdeid_replication replication", "source role", "may not replicate"},
		{"superuser", source, "alter role pgdeid_replication superuser", "alter role pgdeid_replication nosuperuser", "source role", "superuser"},
		{
			"member", source, "alter role pgdeid_replication inherit; create role nurse; grant nurse to pgdeid_replication",
			"alter role pgdeid_replication noinherit; drop role nurse", "source role", "member of nurse",
		},
		{
			"member of a role of the server's", source, "grant pg_read_all_data to pgdeid_replication", "revoke pg_read_all_data from pgdeid_replication",
			"source role", "member of pg_read_all_data",
		},
		{"row security", source, "alter table ehr.note enable row level security", "alter table ehr.note disable row level security", "table ehr.note", "row-level security"},
		{"identity full", source, "alter table ehr.note replica identity full", "alter table ehr.note replica identity default", "table ehr.note", "replica identity full"},
		{
			"identity of a partition", source, "alter table ehr.note_line_1 replica identity nothing", "alter table ehr.note_line_1 replica identity default",
			"table ehr.note_line", "partition ehr.note_line_1",
		},
		{
			"unlogged", source, "alter publication pgdeid drop table ehr.provider; alter table ehr.provider set unlogged",
			"alter table ehr.provider set logged; alter publication pgdeid add table ehr.provider (provider_id, name)", "table ehr.provider", "unlogged",
		},
		{"no publication", source, "alter publication pgdeid rename to other", "alter publication other rename to pgdeid", "source publication pgdeid", "does not exist"},
		{
			"table missing in publication", source, "alter publication pgdeid drop table ehr.provider", "alter publication pgdeid add table ehr.provider (provider_id, name)",
			"source publication pgdeid", "does not hold ehr.provider",
		},
		{
			"column too much in publication", source, "alter publication pgdeid drop table ehr.provider; alter publication pgdeid add table ehr.provider",
			"alter publication pgdeid drop table ehr.provider; alter publication pgdeid add table ehr.provider (provider_id, name)",
			"source publication pgdeid", "too much: pager",
		},
		{
			"other table in publication", source, "alter publication pgdeid add table ehr.billing", "alter publication pgdeid drop table ehr.billing",
			"source publication pgdeid", "ehr.billing, which is not mapped",
		},
		{
			"inserts only", source, "alter publication pgdeid set (publish = 'insert')", "alter publication pgdeid set (publish = 'insert, update, delete, truncate')",
			"source publication pgdeid", "leaves out",
		},
		{
			"column gone", source, "alter table ehr.encounter rename bed to x; alter table ehr.encounter rename \"Ward\" to bed",
			"alter table ehr.encounter rename bed to \"Ward\"; alter table ehr.encounter rename x to bed", "table ehr.encounter column Ward", "does not exist",
		},
		{
			"slot of another plugin", source, fmt.Sprintf("select pg_create_logical_replication_slot('%s', 'test_decoding')", p.name),
			fmt.Sprintf("select pg_drop_replication_slot('%s')", p.name), "source slot " + p.name, "test_decoding",
		},
		{
			"sender timeout", source, "alter role pgdeid_replication set wal_sender_timeout = 0", "alter role pgdeid_replication reset wal_sender_timeout",
			"source wal_sender_timeout", "is off",
		},
		{
			"work mem", source, "alter role pgdeid_replication set logical_decoding_work_mem = '1MB'", "alter role pgdeid_replication reset logical_decoding_work_mem",
			"source logical_decoding_work_mem", "1024 kB",
		},
		{"no password", source, "alter role pgdeid_replication password null", "", "source", "password"},
		{"reader's grant", source, "revoke select (zip) on ehr.patient from pgdeid_reader", "grant select (zip) on ehr.patient to pgdeid_reader", "gazetteers", "ehr.patient"},
		{"reader locked out", source, "alter role pgdeid_reader nologin", "alter role pgdeid_reader login", "gazetteers", "connect"},
		{"replica version", replica, "update deid.schema_migrations set version = version + 90", "update deid.schema_migrations set version = version - 90", "replica version", "newer"},
		{"another key", replica, "insert into deid.key_check (check_value) values ('x')", "delete from deid.key_check", "replica key", "another key"},
		{
			"read only", replica, "alter role pgdeid_service set default_transaction_read_only = on", "alter role pgdeid_service reset default_transaction_read_only",
			"replica", "takes no writes",
		},
		{"research table gone", replica, `drop table deid_rows."ehr.note" cascade`, "", "replica tables", "table ehr.note created"},
		{
			"loud log", replica, "alter role pgdeid_service set log_parameter_max_length = -1", "alter role pgdeid_service set log_parameter_max_length = 0",
			"replica log", "log_parameter_max_length",
		},
		{"research view gone", replica, "drop view ehr.note", "", "replica tables", "view ehr.note created"},
		{
			"rows opened", replica, `grant usage on schema deid_rows to pgdeid_analyst; grant select on deid_rows."ehr.note" to pgdeid_analyst`,
			`revoke all on schema deid_rows from pgdeid_analyst; revoke all on deid_rows."ehr.note" from pgdeid_analyst`, "replica analysts", "can read deid_rows.ehr.note",
		},
		{
			"vault opened", replica, "grant usage on schema deid to pgdeid_analyst; grant select on deid.surrogate to public",
			"revoke all on schema deid from pgdeid_analyst; revoke all on deid.surrogate from public", "replica analysts", "can read deid.surrogate",
		},
		{"research opened", replica, "grant select on ehr.patient to public", "revoke all on ehr.patient from public", "replica PUBLIC", "ehr.patient"},
		{
			"quarantine", replica, `insert into deid.quarantine (table_name, key_hmac, sealed, reason) values ('a', '\x01', '\x01', 'r')`, "delete from deid.quarantine",
			"replica quarantine", "1 rows",
		},
		{
			"other mapping", replica, fmt.Sprintf("insert into deid.progress (slot, system_id, timeline, lsn, mapping_hash) values ('%s', '1', 1, '0/1', 'h')", p.name),
			"delete from deid.progress", "replica rows", "another mapping",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if !hasLists(t, source) {
				if strings.Contains(tt.text, "too much") {
					t.Skip("this server publishes all columns")
				}
				tt.mends = strings.ReplaceAll(tt.mends, "ehr.provider (provider_id, name)", "ehr.provider")
			}
			do(t, tt.conn, tt.breaks)
			fs := attention(findingsOf(t, cfg))
			if !slices.ContainsFunc(fs, func(f finding.Finding) bool {
				return f.Subject == tt.subject && strings.Contains(f.Text, tt.text) && f.Remedy != ""
			}) {
				t.Errorf("want %s: …%s… with a remedy, got %+v", tt.subject, tt.text, fs)
			}
			if tt.mends == "" {
				migrateUp(t, cfg)
			} else {
				do(t, tt.conn, tt.mends)
			}
			for _, f := range attention(findingsOf(t, cfg)) {
				t.Errorf("mended, and still: %s: %s", f.Subject, f.Text)
			}
		})
	}
}

// Before "migrate up" the source is looked at as its administrator, and tables that
// the mapping does not name are listed.
func TestCheckBeforeMigrate(t *testing.T) {
	t.Parallel()
	p := newOwnPair(t)
	cfg := p.hospital(t)
	do(t, p.onSource(t), "create table ehr.received (doc text); alter table ehr.note replica identity full")
	fs := findingsOf(t, cfg)
	for _, want := range []finding.Finding{
		{Level: finding.Problem, Subject: "source", Text: "connect", Remedy: "migrate up"},
		{Level: finding.OK, Subject: "source wal_level"},
		{Level: finding.OK, Subject: "table ehr.patient", Text: "are published"},
		{Level: finding.Problem, Subject: "table ehr.note", Text: "replica identity full", Remedy: "replica identity default"},
		{Level: finding.Note, Subject: "tables", Text: "without a primary key, which they need to be mapped: ehr.received"},
		{Level: finding.Note, Subject: "tables", Text: "so not copied: ehr.billing"},
	} {
		if !slices.ContainsFunc(fs, func(f finding.Finding) bool {
			return f.Level == want.Level && f.Subject == want.Subject && strings.Contains(f.Text, want.Text) && strings.Contains(f.Remedy, want.Remedy)
		}) {
			t.Errorf("no %+v", want)
		}
	}
}

func TestMigrateNamesAllObstaclesAtOnce(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	migrateUp(t, p.hospital(t))
	do(t, p.onSource(t), "drop publication pgdeid; create publication pgdeid for all tables")
	do(t, p.onReplica(t), "create table ehr.billing (mine text)")
	cfg := p.config(t, p.settingsAgain(t)+hospitalTables+"  ehr.billing: {patient: patient_id, columns: {bill_id: pseudonym, patient_id: pseudonym}}\n")
	got := runPgdeid(t, nil, "migrate", "up", "--config", cfg.Path)
	if got.code != 1 || !strings.Contains(got.stderr, "for all tables") || !strings.Contains(got.stderr, "was not made by pgdeid") {
		t.Errorf("exit %d: %s", got.code, got.stderr)
	}
	if got := texts(t, p.onSource(t), "select has_table_privilege('pgdeid_replication', 'ehr.billing', 'select')::text"); got[0] != "false" {
		t.Error("the source was changed all the same")
	}
}

func TestCheckWithoutServers(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	do(t, p.onSource(t), hospital)
	file := p.settings(t) + hospitalTables
	for what, change := range map[string][2]string{
		"no such port":     {fmt.Sprintf(":%d/", p.source.Port()), ":1/"},
		"no such database": {"/" + p.name + "?", "/nowhere?"},
	} {
		cfg := p.config(t, strings.Replace(file, change[0], change[1], 1))
		fs := attention(findingsOf(t, cfg))
		if !slices.ContainsFunc(fs, func(f finding.Finding) bool {
			return f.Subject == "source" && f.Level == finding.Problem && f.Remedy != ""
		}) {
			t.Errorf("%s: %+v", what, fs)
		}
	}
}

func TestCheckWALLevel(t *testing.T) {
	t.Parallel()
	p := newOwnPair(t)
	cfg := p.hospital(t)
	migrateUp(t, cfg)
	do(t, p.onSource(t), "alter system set wal_level = 'replica'; ")
	do(t, p.onSource(t), "alter system set max_replication_slots = 0")
	if err := p.source.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	fs := attention(findingsOf(t, cfg))
	for _, subject := range []string{"source wal_level", "source max_replication_slots"} {
		if !slices.ContainsFunc(fs, func(f finding.Finding) bool { return f.Subject == subject && strings.Contains(f.Remedy, "restart") }) {
			t.Errorf("nothing about %s: %+v", subject, fs)
		}
	}
}

func TestCheckCommand(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	cfg := p.hospital(t)
	migrateUp(t, cfg)
	got := runPgdeid(t, nil, "check", "--json", "--config", cfg.Path)
	var report struct {
		Attention bool
		Findings  finding.List
	}
	if err := json.Unmarshal([]byte(got.stdout), &report); err != nil || got.code != 0 || !report.Attention || len(report.Findings) < 20 {
		t.Errorf("exit %d, %v: %s%s", got.code, err, got.stdout, got.stderr)
	}
	got = runPgdeid(t, nil, "check", "--attention", "--strict", "--config", cfg.Path)
	if got.code != 3 || !strings.Contains(got.stdout, "warning  source max_slot_wal_keep_size") || strings.Contains(got.stdout, "ok ") {
		t.Errorf("exit %d: %s%s", got.code, got.stdout, got.stderr)
	}
	broken := p.file(t, "broken.yaml", "version: 1\nprofile: x\n")
	if got = runPgdeid(t, nil, "check", "--config", broken); got.code != 3 || !strings.Contains(got.stdout, "line 2: profile") {
		t.Errorf("exit %d: %s%s", got.code, got.stdout, got.stderr)
	}
	if got = runPgdeid(t, nil, "check", "--config", "none.yaml"); got.code != 1 || !strings.Contains(got.stderr, "hint:") {
		t.Errorf("exit %d: %s%s", got.code, got.stdout, got.stderr)
	}
	for _, secret := range []string{"a test's password", p.source.Password(), p.replica.Password()} {
		if found := marksInFiles(t, []string{secret}, p.source.Log(), p.replica.Log()); len(found) > 0 {
			t.Error("a password is in a server's log")
		}
	}
}
