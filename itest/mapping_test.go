package itest

import (
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/config/proposal"
	"github.com/pgdeid/pgdeid/sql"
	"github.com/pgdeid/pgdeid/sql/migrations"
)

// clinic is an EHR that pgdeid has never seen. Values that must not be printed hold
// the word Planted.
const clinic = `
create schema clinic;
create table clinic.sites (site_id int primary key, name text, street text);
create table clinic.addresses (address_id int primary key, line1_address text, city text, state char(2), zip varchar(10));
create table clinic.patients (patient_id int primary key, mrn varchar(12), first_name text, last_name text, dob date, sex char(1), call_me text,
	address_id int unique references clinic.addresses, reach text, n2 text, remark_code text, deceased boolean, year_of_birth int, blood numeric, photo bytea);
create table clinic.emergency_contacts (id bigint primary key, patient_id int references clinic.patients, first_name text, phone text);
create table clinic.staff (staff_id int primary key, full_name text, login text, hired date);
create table clinic.encounters (enc_id bigint primary key, pat_id int references clinic.patients, staff_id int references clinic.staff, admitted timestamptz, age int);
create table clinic.notes (note_id uuid primary key, enc_id bigint references clinic.encounters, written timestamptz,
	author int references clinic.staff(staff_id), kind text, content text, "weird: name" text);
create table clinic.vitals (enc_id bigint references clinic.encounters, seq smallint, weight numeric, primary key (enc_id, seq));
create table clinic.log (at timestamptz, line text);
create table clinic.codes (code text primary key, label text);
insert into clinic.addresses select i, i || ' Planted St', 'Plantedville', 'MA', '02139' from generate_series(1, 40) i;
insert into clinic.patients select i, 'M' || i, 'Plantedfirst' || i, 'Plantedlast', '1950-01-01', case i % 2 when 0 then 'F' else 'M' end, 'Plantedcall', i,
	'planted' || i || '@example.org', '617-555-' || lpad(i::text, 4, '0'), 'Planted' || i, false, 1950 from generate_series(1, 40) i;
insert into clinic.staff values (1, 'Planted Vance', 'plantedlogin', now());
insert into clinic.encounters select i, i, 1, now(), 45 from generate_series(1, 40) i;
insert into clinic.notes select gen_random_uuid(), i, now(), 1, case i % 3 when 0 then 'progress' else 'discharge' end,
	repeat('Planted was seen and examined today. ', 8), 'Planted' from generate_series(1, 40) i;`

func propose(t *testing.T, p *pair, opts proposal.Options) string {
	t.Helper()
	out, err := proposal.Propose(t.Context(), p.onSource(t), opts)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(strings.ToLower(string(out)), "planted") {
		t.Error("a value is in the proposal")
	}
	return string(out)
}

func TestInitProposesAMappingThatWorks(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	do(t, p.onSource(t), clinic)
	do(t, p.onSource(t), `set allow_system_table_mods = on; insert into pg_seclabel (objoid, classoid, objsubid, provider, label)
		select attrelid, 'pg_class'::regclass, attnum, 'anon', 'MASKED WITH FUNCTION anon.fake_last_name()' from pg_attribute
		where attrelid = 'clinic.patients'::regclass and attname = 'call_me'`)
	out := propose(t, p, proposal.Options{})
	cfg, err := config.Parse([]byte(out), nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []struct{ table, column, tells, publish, domain string }{
		{"patients", "patient_id", "", "pseudonym", "patient"},
		{"patients", "first_name", "name.first", "surrogate", ""},
		{"patients", "dob", "birth_date", "year", ""},
		{"patients", "reach", "email", "drop", ""},
		{"patients", "n2", "phone", "drop", ""},
		{"patients", "call_me", "name.last", "surrogate", ""},
		{"patients", "remark_code", "", "drop", ""},
		{"patients", "deceased", "", "keep", ""},
		{"patients", "year_of_birth", "birth_date", "year", ""},
		{"patients", "photo", "", "drop", ""},
		{"addresses", "zip", "zip", "zip3", ""},
		{"sites", "name", "facility", "drop", ""},
		{"staff", "full_name", "provider.name", "drop", ""},
		{"staff", "hired", "", "drop", ""},
		{"emergency_contacts", "first_name", "relative.name", "drop", ""},
		{"encounters", "pat_id", "", "pseudonym", "patient"},
		{"encounters", "age", "", "age_cap", ""},
		{"notes", "content", "", "text", ""},
		{"notes", "kind", "", "keep", ""},
		{"notes", "author", "", "pseudonym", "staff_id"},
		{"notes", "weird: name", "", "drop", ""},
		{"notes", "written", "", "date_shift", ""},
		{"vitals", "seq", "", "keep", ""},
	} {
		table, ok := cfg.Table("clinic", want.table)
		if !ok {
			t.Errorf("%s is not mapped", want.table)
			continue
		}
		c, ok := table.Column(want.column)
		if !ok || string(c.Tells) != want.tells || string(c.Publish) != want.publish || c.Domain != want.domain {
			t.Errorf("%s.%s: %+v, want %+v", want.table, want.column, c, want)
		}
	}
	for table, path := range map[string]config.Path{
		"addresses": {Column: "address_id", Table: "clinic.patients", Key: "address_id"},
		"notes":     {Column: "enc_id", Table: "clinic.encounters", Key: "enc_id"},
		"staff":     {},
	} {
		if got, _ := cfg.Table("clinic", table); got == nil || !reflect.DeepEqual(got.Patient, path) {
			t.Errorf("path of %s: %+v, want %+v", table, got, path)
		}
	}
	if _, ok := cfg.Table("clinic", "log"); ok || !strings.Contains(out, "# clinic.log has no primary key") {
		t.Error("a table without a primary key must be named and left out")
	}
	_, tables, _ := strings.Cut(out, "\ntables:")
	migrateUp(t, p.config(t, p.settings(t)+"tables:"+tables))
}

func TestInitCommand(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	do(t, p.onSource(t), clinic)
	got := runPgdeid(t, []string{"PGDEID_SOURCE_ADMIN_PASSWORD=" + p.source.Password()}, "init", "--dsn", p.source.DSN("postgres", p.name), "--schema", "clinic")
	if got.code != 0 || !strings.Contains(got.stdout, "clinic.notes:") || strings.Contains(got.stdout+got.stderr, p.source.Password()) {
		t.Errorf("exit %d: %s%s", got.code, got.stdout, got.stderr)
	}
	for _, tt := range []struct {
		args []string
		code int
		text string
	}{
		{nil, 2, "--dsn"},
		{[]string{"--preset", "auto"}, 2, "--dsn"},
		{[]string{"--preset", "epic"}, 1, "i2b2, medplum, millennium, mimic-iii, mimic-iv"},
		{[]string{"--dsn", "postgres://u:s3cret@127.0.0.1/d"}, 2, "a password stands in the connection string"},
		{[]string{"--dsn", "postgres://u@127.0.0.1:1/d"}, 1, "hint:"},
	} {
		got := runPgdeid(t, nil, append([]string{"init"}, tt.args...)...)
		if got.code != tt.code || !strings.Contains(got.stderr, tt.text) || strings.Contains(got.stderr, "s3cret") {
			t.Errorf("init %v: exit %d, %s", tt.args, got.code, got.stderr)
		}
	}
	if got := runPgdeid(t, nil, "init", "--preset", "omop"); got.code != 0 || !strings.Contains(got.stdout, "omop.note:") {
		t.Errorf("init --preset: %+v", got)
	}
}

// i2b2 has the key that is hardest to publish: it holds a date that is shifted.
const i2b2Tables = `
create schema demo;
create table demo.patient_dimension (patient_num int primary key, vital_status_cd varchar(50), birth_date timestamp, death_date timestamp, sex_cd varchar(50),
	age_in_years_num int, zip_cd varchar(10), statecityzip_path varchar(700), patient_blob text);
create table demo.observation_fact (encounter_num int not null, patient_num int not null, concept_cd varchar(50) not null, provider_id varchar(50) not null,
	start_date timestamp not null, modifier_cd varchar(100) not null default '@', instance_num int not null default 1, valtype_cd varchar(50), tval_char varchar(255),
	nval_num numeric(18,5), end_date timestamp, observation_blob text, sourcesystem_cd varchar(50), text_search_index serial,
	primary key (patient_num, concept_cd, modifier_cd, start_date, encounter_num, instance_num, provider_id));`

func TestInitWithPreset(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	do(t, p.onSource(t), i2b2Tables)
	out := propose(t, p, proposal.Options{Preset: "i2b2"})
	_, tables, _ := strings.Cut(out, "\ntables:")
	cfg := p.config(t, p.settings(t)+"tables:"+tables)
	fact, ok := cfg.Table("demo", "observation_fact")
	if !ok {
		t.Fatal(out)
	}
	for name, want := range map[string]config.Policy{
		"start_date": config.ShiftDate, "observation_blob": config.Text, "sourcesystem_cd": config.Drop,
		"provider_id": config.Pseudonym, "nval_num": config.Keep,
	} {
		if c, ok := fact.Column(name); !ok || c.Publish != want {
			t.Errorf("%s: %+v, want %s", name, c, want)
		}
	}
	migrateUp(t, cfg)
	got := texts(t, p.onReplica(t), `select a.attname || ' ' || format_type(a.atttypid, a.atttypmod) from pg_attribute a
		where attrelid = 'demo.observation_fact'::regclass and attnum > 0 order by attnum`)
	want := []string{
		"encounter_num integer", "patient_num integer", "concept_cd character varying(50)", "provider_id text", "start_date timestamp without time zone",
		"modifier_cd character varying(100)", "instance_num integer", "valtype_cd character varying(50)", "tval_char text", "nval_num numeric(18,5)",
		"end_date timestamp without time zone", "observation_blob text",
	}
	if !slices.Equal(got, want) {
		t.Errorf("research table: %v", got)
	}
}

func TestUpRefusesWhatCannotWork(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	do(t, p.onSource(t), hospital+`
		create table ehr.keyless (a int); create view ehr.v as select 1 as a;
		create table ehr.gen (id int primary key, g text generated always as ('x') stored);
		create table ehr.full_one (id int primary key); alter table ehr.full_one replica identity full`)
	settings := p.settings(t)
	for table, want := range map[string]string{
		"ehr.keyless: {patient: none, columns: {a: keep}}":                                              "no primary key",
		"ehr.v: {patient: none, columns: {a: keep}}":                                                    "view",
		"ehr.nowhere: {patient: none, columns: {a: keep}}":                                              "does not exist",
		"ehr.provider: {patient: none, columns: {provider_id: pseudonym, nothing: keep}}":               "does not exist",
		"ehr.provider: {patient: none, columns: {name: keep}}":                                          "belongs to the primary key",
		"ehr.full_one: {patient: none, columns: {id: keep}}":                                            "replica identity full",
		"ehr.billing: {patient: patient_id, columns: {bill_id: pseudonym, amount: date_shift}}":         "date_shift",
		"ehr.encounter: {patient: patient_id, columns: {encounter_id: pseudonym, Ward: zip3, x: text}}": "x",
	} {
		cfg := p.config(t, settings+"tables:\n  ehr.note: {patient: patient_id, columns: {note_id: pseudonym, body: text}}\n  "+table+"\n")
		for _, target := range []migrations.Target{migrations.Source, migrations.Replica} {
			if err := sqlUp(t, cfg, target, sql.Options{}); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s, %s: got %v, want …%s…", table, target, err, want)
			}
		}
	}
	if got := texts(t, p.onSource(t), "select pubname::text from pg_publication"); len(got) > 0 {
		t.Error("a publication was made all the same")
	}
}

// What is no longer published leaves the replica, and what was made under another
// policy is emptied.
func TestUpFollowsTheMapping(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	cfg := p.hospital(t)
	migrateUp(t, cfg)
	admin := p.onReplica(t)
	do(t, admin, `insert into ehr.patient (patient_id, given_name, blood_type, birth_date, sex) values (1, 'Ann', 'A', 1950, 'F');
		insert into ehr.encounter (encounter_id) values (1);
		insert into deid.note_provenance (table_name, column_name, row_key, patient, version, config_hash, text_hmac, sealed)
			select t, c, '["1"]', '1', 'v', 'h', '\x01', '\x02' from (values ('ehr.patient', 'sex'), ('ehr.encounter', 'Ward'), ('ehr.note', 'body')) v (t, c)`)
	file := hospitalTables
	for _, change := range [][2]string{
		{"      blood_type: keep\n", ""},
		{"publish: year}", "publish: date_shift}"},
		{"sex: keep", "sex: text"},
		{"      zip: {tells", "      secret_remark: text\n      zip: {tells"},
		{"encounter_id: pseudonym, patient_id: pseudonym, admitted: date_shift, Ward: keep", "bed: {tells: id}"},
	} {
		if !strings.Contains(file, change[0]) {
			t.Fatal(change[0])
		}
		file = strings.Replace(file, change[0], change[1], 1)
	}
	cfg = p.config(t, p.settingsAgain(t)+file)
	if err := sqlUp(t, cfg, migrations.Replica, sql.Options{}); err == nil || !strings.Contains(err.Error(), "holds rows") {
		t.Fatalf("rows would be lost without a word: %v", err)
	}
	for _, target := range []migrations.Target{migrations.Source, migrations.Replica} {
		if err := sqlUp(t, cfg, target, sql.Options{DropData: true}); err != nil {
			t.Fatal(err)
		}
	}
	got := texts(t, admin, "select (to_jsonb(p))::text from ehr.patient p")
	want := `{"sex": null, "zip": null, "birth_date": null, "given_name": "Ann", "patient_id": 1, "family_name": null, "secret_remark": null}`
	if !slices.Equal(got, []string{want}) {
		t.Errorf("patient: %v", got)
	}
	if got := texts(t, admin, "select table_name from deid.note_provenance"); !slices.Equal(got, []string{"ehr.note"}) {
		t.Errorf("the vault remembers texts that are gone: %v", got)
	}
	if got := texts(t, admin, "select relname::text from pg_class where relnamespace = 'ehr'::regnamespace and relname = 'encounter'"); len(got) > 0 {
		t.Error("a table of which nothing is published stays")
	}
	if got := texts(t, admin, "select policy from deid_info.column_policy where table_name = 'patient' and column_name in ('blood_type', 'secret_remark') order by 1"); !slices.Equal(got, []string{"drop", "text"}) {
		t.Errorf("column_policy: %v", got)
	}
	if got := texts(t, p.onSource(t), "select has_column_privilege('pgdeid_replication', 'ehr.patient', 'blood_type', 'select')::text"); got[0] != "false" {
		t.Error("the replication role may read a column that is not mapped any more")
	}
	for _, f := range attention(findingsOf(t, cfg)) {
		t.Errorf("after that: %s: %s", f.Subject, f.Text)
	}
}

func TestTableOfSomebodyElseIsLeftAlone(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	cfg := p.hospital(t)
	do(t, p.onReplica(t), "create schema ehr; create table ehr.note (mine text); insert into ehr.note values ('keep me')")
	err := sqlUp(t, cfg, migrations.Replica, sql.Options{DropData: true})
	if err == nil || !strings.Contains(err.Error(), "was not made by pgdeid") {
		t.Errorf("got %v", err)
	}
	do(t, p.onReplica(t), "drop table ehr.note; create table ehr.other (x int)")
	if err := sqlUp(t, cfg, migrations.Replica, sql.Options{}); err != nil {
		t.Fatal(err)
	}
	if err := sqlDown(t, cfg, migrations.Replica, sql.Options{}); err != nil {
		t.Fatal(err)
	}
	if got := texts(t, p.onReplica(t), "select relname::text from pg_class where relnamespace = 'ehr'::regnamespace"); !slices.Equal(got, []string{"other"}) {
		t.Errorf("in schema ehr: %v", got)
	}
}

// Passwords reach the servers as SCRAM verifiers, or in a statement that is kept out
// of the log.
func TestPasswordsStayOutOfLogs(t *testing.T) {
	t.Parallel()
	p := newOwnPair(t)
	for _, conn := range []string{"alter system set log_statement = 'all'", "alter system set log_min_duration_statement = 0", "select pg_reload_conf()"} {
		do(t, p.onSource(t), conn)
		do(t, p.onReplica(t), conn)
	}
	cfg := p.hospital(t)
	migrateUp(t, cfg)
	for _, log := range []string{p.source.Log(), p.replica.Log()} {
		content, err := os.ReadFile(log)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(content), "revoke all") {
			t.Fatalf("%s does not log statements, so this test shows nothing", log)
		}
		if strings.Contains(string(content), "a test's password") || strings.Contains(string(content), "a test''s password") {
			t.Errorf("the password is in %s", log)
		}
	}
	if got := texts(t, p.onSource(t), "select left(rolpassword, 14) from pg_authid where rolname in ('pgdeid_reader', 'pgdeid_replication')"); !slices.Equal(got,
		[]string{"SCRAM-SHA-256$", "SCRAM-SHA-256$"}) {
		t.Errorf("stored passwords: %v", got)
	}
}

func TestMigrateCommand(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	cfg := p.hospital(t)
	run := func(code int, text string, args ...string) {
		t.Helper()
		got := runPgdeid(t, nil, append([]string{"migrate", "--config", cfg.Path}, args...)...)
		if got.code != code || !strings.Contains(got.stdout+got.stderr, text) {
			t.Errorf("migrate %v: exit %d (want %d, …%s…): %s%s", args, got.code, code, text, got.stdout, got.stderr)
		}
	}
	run(2, "up, down, version, force or engine")
	run(2, "source, replica or both", "up", "--target", "none")
	run(3, "version 0", "version")
	run(0, "replica: migrated up", "up")
	latest, err := migrations.Latest(migrations.Replica)
	if err != nil {
		t.Fatal(err)
	}
	run(0, fmt.Sprintf(`"replica":{"version":%d,"dirty":false,"latest":%[1]d}`, latest), "version", "--json")
	run(2, "--target", "force", "2")
	run(2, "whole number", "force", "x", "--target", "replica")
	run(1, "no version 99", "force", "99", "--target", "replica")
	do(t, p.onReplica(t), "insert into ehr.patient (patient_id) values (1)")
	run(1, "--yes", "down", "--target", "replica")
	do(t, p.onSource(t), fmt.Sprintf("select pg_create_logical_replication_slot('%s', 'pgoutput')", p.name))
	run(1, "pg_drop_replication_slot", "down", "--target", "source")
	do(t, p.onSource(t), fmt.Sprintf("select pg_drop_replication_slot('%s')", p.name))
	run(0, "replica: migrated down", "down", "--yes")
	run(3, "version 0", "version")
}
