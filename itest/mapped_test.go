package itest

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/replicator/sandbox"
	"github.com/pgdeid/pgdeid/sql"
	"github.com/pgdeid/pgdeid/sql/migrations"
	"github.com/pgdeid/pgdeid/sql/roles"
	"github.com/pgdeid/pgdeid/surrogate"
)

// hospital is an EHR with the odd things that databases have: domains, enums,
// capitals in names, a partitioned table, columns that nobody mapped.
const hospital = `
create schema ehr;
create domain ehr.mrn as varchar(12);
create type ehr.sex as enum ('F', 'M');
create table ehr.patient (
	patient_id int primary key, mrn ehr.mrn, given_name text, family_name varchar(40), sex ehr.sex,
	birth_date date, zip char(5), blood_type text, secret_remark text);
create table ehr.encounter (
	encounter_id bigint primary key, patient_id int not null, admitted timestamptz, "Ward" text, bed text);
create table ehr.provider (provider_id int primary key, name text, pager text);
create table ehr.note (
	note_id bigint primary key, patient_id int not null, written timestamp, kind text, body text, author_login text);
create table ehr.note_line (
	note_id bigint, line int, encounter_id bigint, body varchar(1950), primary key (line, note_id)) partition by range (note_id);
create table ehr.note_line_1 partition of ehr.note_line for values from (0) to (1000);
create table ehr.billing (bill_id int primary key, patient_id int, amount numeric);
insert into ehr.patient values (1, 'M-1', 'Ida', 'Ostrowe', 'F', '1950-02-03', '02139', 'A', 'never to be seen');
insert into ehr.encounter values (7, 1, '2021-03-04 10:00', 'W1', 'B2');
insert into ehr.note values (11, 1, '2021-03-04', 'progress', 'Ida Ostrowe was seen.', 'jdoe');
insert into ehr.note_line values (11, 1, 7, 'Ida');`

// hospitalTables maps the hospital.
const hospitalTables = `
tables:
  ehr.patient:
    patient: patient_id
    columns:
      patient_id: pseudonym
      mrn: {tells: mrn}
      given_name: {tells: name.first, publish: surrogate}
      family_name: {tells: name.last, publish: surrogate}
      sex: keep
      birth_date: {tells: birth_date, publish: year}
      zip: {tells: zip, publish: zip3}
      blood_type: keep
  ehr.encounter:
    patient: patient_id
    columns: {encounter_id: pseudonym, patient_id: pseudonym, admitted: date_shift, Ward: keep}
  ehr.provider:
    patient: none
    columns: {name: {tells: provider.name}}
  ehr.note:
    patient: patient_id
    columns: {note_id: pseudonym, patient_id: pseudonym, written: date_shift, kind: keep, body: text}
  ehr.note_line:
    patient: {column: encounter_id, table: ehr.encounter}
    columns: {note_id: pseudonym, line: keep, body: text}
`

// settings returns the part of a configuration file before "tables:", for a pair.
func (p *pair) settings(t testing.TB) string {
	t.Helper()
	if err := surrogate.NewKeyFile(p.dir + "/key"); err != nil {
		t.Fatal(err)
	}
	return p.settingsAgain(t)
}

// settingsAgain is settings where the key is there already.
func (p *pair) settingsAgain(t testing.TB) string {
	t.Helper()
	password := p.file(t, "password", "a test's password\n")
	return fmt.Sprintf(`version: 1
source:
  dsn: %s
  password_file: %s
  admin_dsn: %s
  admin_password_file: %s
  reader_password_file: %s
  slot: %s
  heartbeat: 1s
replica:
  dsn: %s
  password_file: %s
  admin_dsn: %s
  admin_password_file: %s
key_file: key
detect: {models: fast}
`, p.source.DSN(roles.Replication, p.name), password, p.source.DSN(p.source.Superuser(), p.name), p.secret(t, p.source), password,
		p.name, p.replica.DSN(roles.Service, p.name), password, p.replica.DSN(p.replica.Superuser(), p.name), p.secret(t, p.replica))
}

// hospital fills the source with the hospital and returns its configuration.
func (p *pair) hospital(t *testing.T) *config.Config {
	t.Helper()
	do(t, p.onSource(t), hospital)
	return p.config(t, p.settings(t)+hospitalTables)
}

func (p *pair) config(t testing.TB, file string) *config.Config {
	t.Helper()
	return p.configFile(t, "pgdeid.yaml", file)
}

// configFile is config under another name.
func (p *pair) configFile(t testing.TB, name, file string) *config.Config {
	t.Helper()
	cfg, err := config.Load(p.file(t, name, file))
	if err != nil {
		t.Fatal(err)
	}
	return cfg
}

// migrating is held while something is migrated: that changes roles, which belong to the whole
// server, and PostgreSQL lets only one at a time do so.
var migrating sync.Mutex

// sqlUp is [sql.Up], alone.
func sqlUp(t testing.TB, cfg *config.Config, target migrations.Target, o sql.Options) error {
	t.Helper()
	migrating.Lock()
	defer migrating.Unlock()
	return sql.Up(t.Context(), cfg, target, o)
}

// sqlDown is [sql.Down], alone.
func sqlDown(t testing.TB, cfg *config.Config, target migrations.Target, o sql.Options) error {
	t.Helper()
	migrating.Lock()
	defer migrating.Unlock()
	return sql.Down(t.Context(), cfg, target, o)
}

// migrateUp migrates both databases.
func migrateUp(t testing.TB, cfg *config.Config) {
	t.Helper()
	for _, target := range []migrations.Target{migrations.Source, migrations.Replica} {
		if err := sqlUp(t, cfg, target, sql.Options{}); err != nil {
			t.Fatalf("migrate %s up: %v", target, err)
		}
	}
}

// as connects with one of pgdeid's own roles.
func as(t *testing.T, conf *pgx.ConnConfig, err error) *pgx.Conn {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	conn, err := pgx.ConnectConfig(t.Context(), conf)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return conn
}

// catalogue returns all that a database and its server know of objects, grants,
// comments and roles, a line each: what "down" has to leave as it was. Numbers
// that count on (oids, identity sequences) are left out.
func catalogue(t *testing.T, s *sandbox.Server, database string) []string {
	t.Helper()
	return texts(t, connect(t, s, database), `
select 'role ' || rolname || ' ' || rolsuper || rolcanlogin || rolreplication || rolinherit || rolconnlimit || coalesce(array_to_string(rolconfig, ','), '')
from pg_roles where rolname !~ '^pg_'
union all select 'schema ' || nspname || ' ' || coalesce(nspacl, acldefault('n', nspowner))::text from pg_namespace where nspname !~ '^pg_(toast_)?temp'
union all select 'relation ' || c.oid::regclass || ' ' || c.relkind::text || ' ' || c.relowner::regrole || ' ' || coalesce(c.relacl, acldefault(case c.relkind when 'S' then 's'::"char" else 'r' end, c.relowner))::text || coalesce(array_to_string(reloptions, ','), '')
	from pg_class c where c.relnamespace::regnamespace::text !~ '^pg_toast'
union all select 'column ' || a.attrelid::regclass || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod) || a.attnotnull || a.attcompression::text
	|| coalesce(a.attacl::text, '') || coalesce(pg_get_expr(d.adbin, d.adrelid), '')
	from pg_attribute a join pg_class c on c.oid = a.attrelid left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
	where a.attnum > 0 and not a.attisdropped and c.relnamespace::regnamespace::text !~ '^(pg_toast|pg_catalog|information_schema)'
union all select 'index ' || pg_get_indexdef(indexrelid) from pg_index where indrelid::regclass::text !~ '^pg_'
union all select 'constraint ' || conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) from pg_constraint where conrelid <> 0
union all select 'view ' || c.oid::regclass || pg_get_viewdef(c.oid) from pg_class c where relkind = 'v' and relnamespace::regnamespace::text !~ '^(pg_catalog|information_schema)$'
union all select 'function ' || pg_get_functiondef(p.oid) || p.proowner::regrole || coalesce(p.proacl, acldefault('f', p.proowner))::text
	from pg_proc p where p.pronamespace::regnamespace::text !~ '^(pg_catalog|information_schema|pg_temp)' and p.prokind in ('f', 'p')
union all select 'comment ' || pg_describe_object(classoid, objoid, objsubid) || ' ' || description from pg_description
	where pg_describe_object(classoid, objoid, objsubid) is not null
union all select 'shared comment ' || pg_describe_object(classoid, objoid, 0) || ' ' || description from pg_shdescription
union all select 'publication ' || pubname || ' ' || pubinsert || pubupdate || pubdelete || pubtruncate || pubviaroot from pg_publication
union all select 'published ' || pg_describe_object('pg_publication_rel'::regclass, oid, 0) || ' ' || coalesce((to_jsonb(pg_publication_rel) ->> 'prattrs'), '') from pg_publication_rel
union all select 'server ' || srvname || ' ' || coalesce(srvoptions::text, '') || coalesce(srvacl::text, '') from pg_foreign_server
union all select 'user mapping ' || usename || srvname || coalesce(umoptions::text, '') from pg_user_mappings
union all select 'extension ' || extname from pg_extension
union all select 'default privileges ' || pg_describe_object('pg_default_acl'::regclass, oid, 0) || defaclacl::text from pg_default_acl
union all select 'database ' || coalesce((select array_agg((a.grantee::regrole || a.privilege_type) order by a.grantee::regrole || a.privilege_type)::text from aclexplode(coalesce(datacl, acldefault('d', datdba))) a), '')
	from pg_database where datname = current_database()
union all select 'setting ' || c from pg_db_role_setting s, unnest(s.setconfig) c where s.setrole = 0 and s.setdatabase = (select oid from pg_database where datname = current_database())
order by 1`)
}

// differences returns the lines that two catalogues don't share.
func differences(a, b []string) string {
	count := map[string]int{}
	for _, line := range a {
		count[line]++
	}
	for _, line := range b {
		count[line]--
	}
	var out []string
	for line, n := range count {
		switch {
		case n > 0:
			out = append(out, "- "+line)
		case n < 0:
			out = append(out, "+ "+line)
		}
	}
	return strings.Join(out, "\n")
}
