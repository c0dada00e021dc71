package itest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/sandbox"
	"github.com/pgdeid/pgdeid/sql"
	"github.com/pgdeid/pgdeid/sql/migrations"
	"github.com/pgdeid/pgdeid/sql/postgres"
	"github.com/pgdeid/pgdeid/sql/research"
	"github.com/pgdeid/pgdeid/sql/roles"
)

func TestUpDownUpLeavesTheSameCatalogue(t *testing.T) {
	t.Parallel()
	p := newOwnPair(t)
	cfg := p.hospital(t)
	both := []migrations.Target{migrations.Source, migrations.Replica}
	state := func() map[migrations.Target][]string {
		return map[migrations.Target][]string{
			migrations.Source: catalogue(t, p.source, p.name), migrations.Replica: catalogue(t, p.replica, p.name),
		}
	}
	bare := state()
	migrateUp(t, cfg)
	up := state()
	migrateUp(t, cfg)
	again := state()
	for _, target := range both {
		if d := differences(up[target], again[target]); d != "" {
			t.Errorf("a second up changes the %s:\n%s", target, d)
		}
		if err := sqlDown(t, cfg, target, sql.Options{}); err != nil {
			t.Fatalf("down: %v (%s)", err, fault.Hint(err))
		}
		if err := sqlDown(t, cfg, target, sql.Options{}); err != nil {
			t.Errorf("a second down: %v", err)
		}
	}
	down := state()
	migrateUp(t, cfg)
	upAgain := state()
	for _, target := range both {
		if d := differences(bare[target], down[target]); d != "" {
			t.Errorf("down does not leave the %s as it was:\n%s", target, d)
		}
		if d := differences(up[target], upAgain[target]); d != "" {
			t.Errorf("up, down, up changes the %s:\n%s", target, d)
		}
	}
}

// Every grant that a role of the replica has is tried, on every object.
func TestAnalystReadsTheResearchSchemaAndNothingElse(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	cfg := p.hospital(t)
	migrateUp(t, cfg)
	admin := p.onReplica(t)
	do(t, admin, `create table public.other (x int); create schema elsewhere; create table elsewhere.t (x int);
		create function elsewhere.f() returns int language sql as 'select 1'`)
	relations := texts(t, admin, `select quote_ident(n.nspname) || '.' || quote_ident(c.relname) from pg_class c
		join pg_namespace n on n.oid = c.relnamespace
		where c.relkind in ('r', 'p', 'v', 'm', 'f', 'S') and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname !~ '^pg_'`)
	schemas := texts(t, admin, `select quote_ident(nspname) from pg_namespace where nspname !~ '^pg_'`)
	do(t, admin, `insert into deid.withheld (table_name, column_name, times) values ('ehr.patient', 'born', 3);
		insert into deid.quarantine (table_name, key_hmac, sealed, reason) values ('ehr.note', '\x01', '\x01', 'leak'), ('ehr.note', '\x02', '\x02', 'leak')`)
	const counts = "select coalesce(string_agg(concat_ws(' ', table_name, column_name, reason, count), ', ' order by table_name), '') from deid_info.withheld"
	for mode, told := range map[string]string{"live": "ehr.note leak 2, ehr.patient born value 3", "batches": ""} {
		do(t, admin, "update deid.release set mode = '"+mode+"'")
		do(t, admin, "set session authorization pgdeid_analyst")
		want(t, admin, told, counts)
		do(t, admin, "reset session authorization")
	}
	do(t, admin, "set session authorization pgdeid_analyst")
	readable := []string{"ehr.patient", "ehr.encounter", "ehr.note", "ehr.note_line", "deid_info.column_policy", "deid_info.freshness", "deid_info.withheld", "deid_info.dataset"}
	if len(relations) < 20 {
		t.Fatalf("only %d relations to try", len(relations))
	}
	for _, r := range relations {
		_, err := admin.Exec(t.Context(), "select * from "+r+" limit 1")
		if want := slices.Contains(readable, r); want != (err == nil) {
			t.Errorf("read %s: %v", r, err)
		}
		for _, statement := range []string{"delete from %s", "truncate %s", "insert into %s default values", "lock table %s in share mode", "drop table %s"} {
			if _, err := admin.Exec(t.Context(), fmt.Sprintf(statement, r)); err == nil {
				t.Errorf("allowed: "+statement, r)
			}
		}
	}
	for _, s := range schemas {
		if _, err := admin.Exec(t.Context(), "create table "+s+".mine (x int)"); err == nil {
			t.Errorf("may create tables in %s", s)
		}
	}
	for _, statement := range []string{
		"create schema mine", "select elsewhere.f()", "set role pgdeid_service",
		"select umoptions from pg_user_mapping", "select rolpassword from pg_authid", "select * from pg_statistic", "select * from pg_largeobject",
		"select deid.postgres_fdw_get_connections()", "do $$ begin perform * from deid.surrogate; end $$", "select pg_read_file('postgresql.conf')",
		"create user mapping for pgdeid_analyst server deid_ehr", "copy (select 1) to program 'true'",
		"select lo_from_bytea(0, 'x')", "select lo_create(0)", "select lo_creat(-1)", "create publication p for table ehr.note", "select pg_create_logical_replication_slot('x', 'pgoutput')",
	} {
		if _, err := admin.Exec(t.Context(), statement); err == nil {
			t.Errorf("allowed: %s", statement)
		}
	}
	if got := texts(t, admin, "select srvname::text from pg_user_mappings where umoptions is not null"); len(got) > 0 {
		t.Errorf("sees the options of user mappings of %v", got)
	}
}

func TestRolesOfTheSourceReadMappedColumnsOnly(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	cfg := p.hospital(t)
	migrateUp(t, cfg)
	type grant struct{ role, table, column string }
	allowed := map[grant]bool{}
	for role, columns := range map[string][]string{
		roles.Reader: {
			"patient.patient_id", "patient.mrn", "patient.given_name", "patient.family_name", "patient.birth_date", "patient.zip",
			"encounter.encounter_id", "encounter.patient_id", "provider.provider_id", "provider.name",
		},
		roles.Replication: {
			"patient.patient_id", "patient.mrn", "patient.given_name", "patient.family_name", "patient.birth_date", "patient.zip",
			"patient.sex", "patient.blood_type", "encounter.encounter_id", "encounter.patient_id", "encounter.admitted", "encounter.Ward",
			"provider.provider_id", "provider.name", "note.note_id", "note.patient_id", "note.written", "note.kind", "note.body",
			"note_line.note_id", "note_line.line", "note_line.body", "note_line.encounter_id",
		},
	} {
		for _, c := range columns {
			table, column, _ := strings.Cut(c, ".")
			allowed[grant{role, table, column}] = true
		}
	}
	conns := map[string]*pgx.Conn{}
	reader, err := cfg.SourceConn(config.Reader)
	conns[roles.Reader] = as(t, reader, err)
	service, err := cfg.SourceConn(config.Service)
	conns[roles.Replication] = as(t, service, err)
	tried := 0
	for _, c := range texts(t, p.onSource(t), `select c.relname || '.' || a.attname from pg_attribute a join pg_class c on c.oid = a.attrelid
		where c.relnamespace = 'ehr'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0`) {
		table, column, _ := strings.Cut(c, ".")
		for role, conn := range conns {
			_, err := conn.Exec(t.Context(), "select "+pgx.Identifier{column}.Sanitize()+" from "+pgx.Identifier{"ehr", table}.Sanitize())
			if want := allowed[grant{role, table, column}]; want != (err == nil) {
				t.Errorf("%s reads %s: %v", role, c, err)
			}
			tried++
		}
	}
	if tried < 60 {
		t.Errorf("only %d columns tried", tried)
	}
	for role, conn := range conns {
		if _, err := conn.Exec(t.Context(), "insert into ehr.patient (patient_id) values (2)"); err == nil {
			t.Errorf("%s may write", role)
		}
		if _, err := conn.Exec(t.Context(), "create table public.mine (x int)"); err == nil {
			t.Errorf("%s may create tables", role)
		}
	}
	if _, err := conns[roles.Replication].Exec(t.Context(), "select pg_logical_emit_message(false, 'pgdeid', 'beat')"); err != nil {
		t.Errorf("heartbeat: %v", err)
	}
	if _, err := conns[roles.Reader].Exec(t.Context(), "select pg_create_logical_replication_slot('x', 'pgoutput', true)"); err == nil {
		t.Error("the reader may make slots")
	}
}

func TestPublicationCarriesMappedColumns(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	cfg := p.hospital(t)
	migrateUp(t, cfg)
	conn := p.onSource(t)
	server, err := postgres.ReadVersion(t.Context(), conn)
	if err != nil {
		t.Fatal(err)
	}
	if server.ColumnLists() {
		got := texts(t, conn, "select tablename || ':' || array_to_string(attnames, ',') from pg_publication_tables where pubname = 'pgdeid' order by 1")
		want := []string{
			"encounter:encounter_id,patient_id,admitted,Ward", "note:note_id,patient_id,written,kind,body",
			"note_line:note_id,line,encounter_id,body", "patient:patient_id,mrn,given_name,family_name,sex,birth_date,zip,blood_type",
			"provider:provider_id,name",
		}
		if !slices.Equal(got, want) {
			t.Errorf("publication: %v", got)
		}
	}
	// The EHR goes on writing as before, to every table.
	do(t, conn, `update ehr.patient set secret_remark = 'x', patient_id = 3; update ehr.encounter set bed = 'y'; update ehr.provider set pager = '1';
		update ehr.note set author_login = 'z', note_id = 12; update ehr.note_line set body = 'Ostrowe'; delete from ehr.note_line; delete from ehr.note;
		delete from ehr.patient; truncate ehr.encounter; insert into ehr.billing values (1, 1, 1)`)
}

func TestForeignServerReadsGazetteers(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	do(t, p.onSource(t), hospital)
	cfg := p.config(t, p.settings(t)+"gazetteers: foreign\n"+hospitalTables)
	migrateUp(t, cfg)
	conf, err := cfg.ReplicaConn(config.Service)
	service := as(t, conf, err)
	if got := texts(t, service, `select given_name || zip from deid_ehr."ehr.patient" where patient_id = any($1::int[])`, []int{1}); !slices.Equal(got, []string{"Ida02139"}) {
		t.Errorf("through the foreign server: %v", got)
	}
	if _, err := service.Exec(t.Context(), `update deid_ehr."ehr.patient" set zip = null`); err == nil {
		t.Error("the foreign server is writable")
	}
	if got := texts(t, service, `select attrelid::regclass || '.' || attname from pg_attribute where attrelid = 'deid_ehr."ehr.encounter"'::regclass and attnum > 0`); len(got) != 2 {
		t.Errorf("foreign columns: %v", got)
	}
	if fs := attention(findingsOf(t, cfg)); len(fs) != 1 || fs[0].Subject != "replica credentials" || !strings.Contains(fs[0].Text, "password") {
		t.Errorf("check says of a stored password: %v", fs)
	}
	do(t, p.onReplica(t), "alter schema deid_ehr rename to elsewhere")
	if fs := attention(findingsOf(t, cfg)); len(fs) != 2 || fs[1].Subject != "gazetteers" || !strings.Contains(fs[1].Text, "deid_ehr") {
		t.Errorf("check says of a foreign server that is gone: %v", fs)
	}
	do(t, p.onReplica(t), "alter schema elsewhere rename to deid_ehr")
	direct := p.config(t, p.settingsAgain(t)+hospitalTables)
	if fs := attention(findingsOf(t, direct)); len(fs) != 1 || fs[0].Subject != "replica credentials" || !strings.Contains(fs[0].Text, "still there") {
		t.Errorf("check says of a foreign server that nobody uses: %v", fs)
	}
	if err := sqlUp(t, direct, migrations.Replica, sql.Options{}); err != nil {
		t.Fatal(err)
	}
	if got := texts(t, p.onReplica(t), "select srvname::text from pg_foreign_server union all select extname::text from pg_extension where extname = 'postgres_fdw'"); len(got) > 0 {
		t.Errorf("gazetteers: direct leaves %v", got)
	}
	if fs := attention(findingsOf(t, direct)); len(fs) > 0 {
		t.Errorf("check: %v", fs)
	}
}

func TestServiceWritesResearchAndVault(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	cfg := p.hospital(t)
	migrateUp(t, cfg)
	conf, err := cfg.ReplicaConn(config.Service)
	service := as(t, conf, err)
	do(t, service, `
		insert into deid_rows."ehr.patient" (patient_id, given_name, sex, birth_date, zip) values (5, 'Ann', 'F', 1950, '021') on conflict (patient_id) do update set zip = excluded.zip;
		insert into deid_rows."ehr.note" (note_id, patient_id, written, body) select * from unnest('{1}'::bigint[], '{5}'::int[], '{2020-01-01}'::timestamp[], '{x}'::text[]);
		insert into deid.surrogate (patient, kind, original_hmac, surrogate_hmac, sealed) values ('5', 'first', '\x01', '\x01', '\x02'), ('5', 'record', '\x03', '\x03', null);
		insert into deid.date_shift values ('5', '\x01');
		insert into deid.progress (slot, system_id, timeline, lsn, mapping_hash) values ('s', '1', 1, '0/1', 'h');
		insert into deid.snapshot (slot, table_name) values ('s', 'ehr.note');
		insert into deid.quarantine (table_name, key_hmac, sealed, reason) values ('ehr.note', '\x01', '\x02', 'leak');
		insert into deid.requeue (patient, source_key) values ('5', '\x01');
		insert into deid.detector values ('c', 0, 'patterns'), ('c', 31, 'record');
		insert into deid.note_provenance (table_name, column_name, row_key, patient, version, config_hash, text_hmac, sealed)
			values ('ehr.note', 'body', '["1"]', '5', 'v', 'c', '\x01', '\x02');
		truncate deid_rows."ehr.note"; delete from deid_rows."ehr.patient"`)
	if got := texts(t, service, "select (tables_to_copy, quarantined, patients_queued)::text from deid.v_status"); !slices.Equal(got, []string{"(1,1,1)"}) {
		t.Errorf("deid.v_status: %v", got)
	}
	for _, statement := range []string{
		"insert into deid.surrogate (patient, kind, original_hmac, surrogate_hmac) values ('5', 'first', '\\x04', '\\x04')",
		"create table ehr.mine (x int)", "create table deid_rows.mine (x int)", `drop table deid_rows."ehr.note"`, "drop view ehr.note",
		"select deid.put_in_order('deid.quarantine')", "select deid.put_in_order('pg_catalog.pg_class')", "select deid.set_readable('deid.surrogate', true)",
		"insert into deid.surrogate (patient, kind, original_hmac, surrogate_hmac, sealed) values ('5', 'first', '\\x04', '\\x01', '\\x02')",
	} {
		if _, err := service.Exec(t.Context(), statement); err == nil {
			t.Errorf("allowed: %s", statement)
		}
	}
	if err := migrations.CheckReplica(t.Context(), service); err != nil {
		t.Errorf("version: %v", err)
	}
	// Rows are not lost by accident.
	if err := sqlDown(t, cfg, migrations.Replica, sql.Options{}); err == nil || !strings.Contains(fault.Hint(err), "--yes") {
		t.Errorf("down over rows: %v", err)
	}
	if err := sqlDown(t, cfg, migrations.Replica, sql.Options{DropData: true}); err != nil {
		t.Errorf("down with --yes: %v", err)
	}
}

func TestVersionsAndKeys(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	cfg := p.hospital(t)
	admin := p.onReplica(t)
	wrong := func(what, text string) {
		t.Helper()
		if err := migrations.CheckReplica(t.Context(), admin); err == nil || !strings.Contains(err.Error(), text) || fault.Hint(err) == "" {
			t.Errorf("%s: got %v, want …%s… and a hint", what, err, text)
		}
	}
	wrong("empty database", "not been set up")
	migrateUp(t, cfg)
	if err := migrations.CheckReplica(t.Context(), admin); err != nil {
		t.Error(err)
	}
	do(t, admin, "update deid.schema_migrations set version = 999")
	wrong("newer", "newer")
	if err := sqlDown(t, cfg, migrations.Replica, sql.Options{}); err == nil {
		t.Error("down of a version that nobody knows")
	}
	do(t, admin, "update deid.schema_migrations set version = 1")
	wrong("older", "older")
	do(t, admin, "update deid.schema_migrations set version = 2, dirty = true")
	wrong("dirty", "half-way")
	latest, err := migrations.Latest(migrations.Replica)
	if err != nil {
		t.Fatal(err)
	}
	if err := sql.Force(t.Context(), cfg, migrations.Replica, int(latest)); err != nil {
		t.Error(err)
	}
	if s, err := sql.Version(t.Context(), cfg, migrations.Replica); err != nil || s.Version != latest || s.Dirty {
		t.Errorf("after force: %+v, %v", s, err)
	}
	if err := sql.Force(t.Context(), cfg, migrations.Replica, 77); err == nil {
		t.Error("forced to a version that does not exist")
	}
	if err := research.CheckKey(t.Context(), admin, []byte("one"), 1); err != nil {
		t.Error(err)
	}
	if err := research.CheckKey(t.Context(), admin, []byte("one"), 1); err != nil {
		t.Errorf("the same key again: %v", err)
	}
	if err := research.CheckKey(t.Context(), admin, []byte("two"), 1); err == nil || !strings.Contains(err.Error(), "another key") {
		t.Errorf("another key: %v", err)
	}
}

// Small EHRs keep their tables in schema public, and names may hold anything.
func TestSchemaPublicAndOddNames(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	do(t, p.onSource(t), `create table public."Patient" ("Patient ID" uuid primary key, "Na""me" text, "select" date);
		create table public."Notes" (id text primary key, "Patient ID" uuid not null, "Text: free" text, "drop" text);
		insert into public."Patient" values ('11111111-2222-3333-4444-555555555555', 'Ida', '2020-01-01')`)
	cfg := p.config(t, p.settings(t)+`patient_key: uuid
gazetteers: foreign
tables:
  public.Patient:
    patient: Patient ID
    columns:
      Patient ID: pseudonym
      'Na"me': {tells: name.full, publish: surrogate}
      select: date_shift
  public.Notes:
    patient: Patient ID
    columns: {id: pseudonym, Patient ID: pseudonym, "Text: free": text, drop: keep}
`)
	before := catalogue(t, p.replica, p.name)
	migrateUp(t, cfg)
	for _, f := range attention(findingsOf(t, cfg)) {
		if f.Subject != "replica credentials" { // a stored password, as asked for
			t.Errorf("%s: %s", f.Subject, f.Text)
		}
	}
	conf, err := cfg.ReplicaConn(config.Service)
	service := as(t, conf, err)
	do(t, service, `insert into deid_rows."public.Notes" values ('A', '11111111-2222-3333-4444-555555555555', 'text', 'kept')`)
	if got := texts(t, service, `select "Na""me" from deid_ehr."public.Patient"`); !slices.Equal(got, []string{"Ida"}) {
		t.Errorf("through the foreign server: %v", got)
	}
	admin := p.onReplica(t)
	do(t, admin, "create table public.mine (x int)")
	do(t, admin, "set session authorization pgdeid_analyst")
	if got := texts(t, admin, `select "Text: free" from public."Notes"`); !slices.Equal(got, []string{"text"}) {
		t.Errorf("analyst: %v", got)
	}
	for _, statement := range []string{"select * from public.mine", "create table public.other (x int)"} {
		if _, err := admin.Exec(t.Context(), statement); err == nil {
			t.Errorf("allowed: %s", statement)
		}
	}
	do(t, admin, "reset session authorization; drop table public.mine")
	if err := sqlDown(t, cfg, migrations.Replica, sql.Options{DropData: true}); err != nil {
		t.Fatal(err)
	}
	// Roles stay where other databases of the server use them.
	after := slices.DeleteFunc(catalogue(t, p.replica, p.name), func(line string) bool { return strings.Contains(line, "role ") })
	if d := differences(slices.DeleteFunc(before, func(line string) bool { return strings.Contains(line, "role ") }), after); d != "" {
		t.Errorf("down leaves\n%s", d)
	}
}

// A server with other databases of pgdeid keeps their roles.
func TestDownKeepsRolesThatOthersUse(t *testing.T) {
	t.Parallel()
	one := newOwnPair(t)
	two := newPairOn(t, one.source, one.replica)
	first, second := one.hospital(t), two.hospital(t)
	migrateUp(t, first)
	migrateUp(t, second)
	roles := func() int {
		return len(texts(t, one.onSource(t), "select rolname::text from pg_roles where rolname ~ '^pgdeid'")) +
			len(texts(t, one.onReplica(t), "select rolname::text from pg_roles where rolname ~ '^pgdeid'"))
	}
	down := func(cfg *config.Config) {
		t.Helper()
		for _, target := range []migrations.Target{migrations.Source, migrations.Replica} {
			if err := sqlDown(t, cfg, target, sql.Options{}); err != nil {
				t.Fatal(err)
			}
		}
	}
	down(first)
	if n := roles(); n != 4 {
		t.Errorf("%d roles are left, want 4", n)
	}
	for _, f := range attention(findingsOf(t, second)) {
		t.Errorf("the other database: %s: %s", f.Subject, f.Text)
	}
	down(second)
	if n := roles(); n != 0 {
		t.Errorf("%d roles are left, want none", n)
	}
}

// Where nobody but the provider is a superuser, the owner of a database can migrate:
// the role with REPLICATION is made by the provider, and gazetteers are read directly.
func TestMigrateWithoutSuperuser(t *testing.T) {
	t.Parallel()
	p := newOwnPair(t)
	file := p.settings(t) + "gazetteers: direct\n" + hospitalTables
	for _, s := range []*sandbox.Server{p.source, p.replica} {
		admin := connect(t, s, p.name)
		do(t, admin, fmt.Sprintf("create role owner login createrole password 'owner''s password'; alter database %s owner to owner", p.name))
		file = strings.ReplaceAll(file, s.DSN(s.Superuser(), p.name), s.DSN("owner", p.name))
		file = strings.ReplaceAll(file, p.secret(t, s), p.file(t, "owner", "owner's password\n"))
	}
	do(t, p.onSource(t), "create role pgdeid_replication login noinherit replication password 'a test''s password'")
	do(t, p.onSource(t), "set session authorization owner;"+hospital)
	cfg := p.config(t, file)
	if version := texts(t, p.onSource(t), "show server_version_num")[0]; version >= "160000" {
		err := sqlUp(t, cfg, migrations.Source, sql.Options{})
		if err == nil || !strings.Contains(err.Error(), `grant "pgdeid_replication" to "owner" with admin option`) {
			t.Errorf("the role of another: %v", err)
		}
		do(t, p.onSource(t), "grant pgdeid_replication to owner with admin option")
	}
	migrateUp(t, cfg)
	migrateUp(t, cfg)
	// What only a superuser may set is named, with the statement that sets it.
	for _, f := range attention(findingsOf(t, cfg)) {
		server, found := map[string]*sandbox.Server{"replica log": p.replica, "source log": p.source}[f.Subject]
		if !found {
			t.Errorf("%s: %s (%s)", f.Subject, f.Text, f.Remedy)
			continue
		}
		_, statement, _ := strings.Cut(f.Remedy, ": ")
		statement, _, _ = strings.Cut(statement, " (")
		do(t, connect(t, server, p.name), statement)
	}
	for _, f := range attention(findingsOf(t, cfg)) {
		t.Errorf("%s: %s (%s)", f.Subject, f.Text, f.Remedy)
	}
	conf, err := cfg.ReplicaConn(config.Service)
	do(t, as(t, conf, err), `select deid.put_in_order('deid_rows."ehr.note"'), deid.put_in_order('deid.surrogate'), deid.set_readable('ehr.note', true)`)
	for _, target := range []migrations.Target{migrations.Source, migrations.Replica} {
		if err := sqlDown(t, cfg, target, sql.Options{}); err != nil {
			t.Errorf("down: %v", err)
		}
	}
}
