package sql

import (
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/config"
)

const small = `version: 1
source: {dsn: "postgres://pgdeid_replication@ehr.example.org:5433/ehr?sslrootcert=/etc/ca.pem"}
replica: {dsn: "host=/tmp dbname=research"}
key_file: key
tables:
  ehr.patient:
    patient: patient_id
    columns: {patient_id: pseudonym, name: {tells: name.full}, zip: zip3}
  ehr.note:
    patient: patient_id
    columns: {note_id: pseudonym, patient_id: pseudonym, body: text}
`

func fixture(t *testing.T, file string) (*config.Config, *Catalog) {
	t.Helper()
	cfg, err := config.Parse([]byte(file), nil)
	if err != nil {
		t.Fatal(err)
	}
	return cfg, &Catalog{Server: 150018, Tables: map[string]*CatalogTable{
		"ehr.patient": {
			Schema: "ehr", Name: "patient", Kind: "r", Persistence: "p", Identity: "d", PrimaryKey: []string{"patient_id"},
			Columns: []CatalogColumn{
				{Name: "patient_id", Type: "integer"},
				{Name: "zip", Type: "character(5)"},
				{Name: "name", Type: "text"},
				{Name: "secret", Type: "text"},
			},
		},
		"ehr.note": {
			Schema: "ehr", Name: "note", Kind: "r", Persistence: "p", Identity: "d", PrimaryKey: []string{"note_id"},
			Columns: []CatalogColumn{
				{Name: "note_id", Type: "bigint"},
				{Name: "patient_id", Type: "integer"},
				{Name: "body", Type: "character varying(4000)"},
			},
		},
	}}
}

func TestPublicationStatements(t *testing.T) {
	cfg, cat := fixture(t, small)
	const lists = `create publication "pgdeid" for table "ehr"."patient" ("patient_id", "zip", "name"), "ehr"."note" ("note_id", ` +
		`"patient_id", "body") ` +
		`with (publish = 'insert, update, delete, truncate', publish_via_partition_root = true)`
	if got := publicationStatements(cfg, cat, false)[0]; got != lists {
		t.Errorf("got %s", got)
	}
	if got := publicationStatements(cfg, cat, true)[0]; !strings.HasPrefix(got,
		`alter publication "pgdeid" set table "ehr"."patient" ("patient_id"`) {
		t.Errorf("got %s", got)
	}
	cat.Server = 140000
	if got := publicationStatements(cfg, cat, false)[0]; !strings.Contains(got, `"ehr"."patient", "ehr"."note" with`) {
		t.Errorf("PostgreSQL 14 has no column lists: %s", got)
	}
}

func TestServerOptions(t *testing.T) {
	cfg, _ := fixture(t, small)
	t.Setenv("PGSSLMODE", "")
	// The certificate's file is the replica server's: it need not be here.
	cfg.Source.DSN = strings.Replace(cfg.Source.DSN, "?sslrootcert=/etc/ca.pem", "", 1)
	got, err := serverOptions(cfg)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"host 'ehr.example.org'", "port '5433'", "dbname 'ehr'", "updatable 'false'", "sslmode 'verify-full'"} {
		if !strings.Contains(got, want) {
			t.Errorf("%s lacks %s", got, want)
		}
	}
	cfg.Source.DSN = "host=127.0.0.1 dbname=ehr"
	if got, err = serverOptions(cfg); err != nil || strings.Contains(got, "sslmode") {
		t.Errorf("loopback: %s, %v", got, err)
	}
	cfg.Source.DSN = "host=127.0.0.1,/run/pg port=5433,5434 dbname=ehr target_session_attrs=primary"
	if got, err = serverOptions(cfg); err != nil || !strings.Contains(got, "host '127.0.0.1,/run/pg', port '5433,5434'") ||
		!strings.Contains(got, "target_session_attrs 'primary'") {
		t.Errorf("two hosts: %s, %v", got, err)
	}
	cfg.Source.ForeignHost = "ehr.internal:6000"
	if got, err = serverOptions(cfg); err != nil || !strings.Contains(got, "host 'ehr.internal', port '6000'") {
		t.Errorf("foreign host with a port: %s, %v", got, err)
	}
	cfg.Source.ForeignHost = "it's"
	if got, err = serverOptions(cfg); err != nil || !strings.Contains(got, "host 'it''s'") || !strings.Contains(got, "sslmode 'verify-full'") {
		t.Errorf("foreign host: %s, %v", got, err)
	}
}

func TestPlanResearch(t *testing.T) {
	cfg, cat := fixture(t, small)
	empty := &research{tables: map[string]*researchTable{}, made: map[string][]string{}, lz4: true}
	plan := planResearch(cfg, cat, empty)
	all := strings.Join(plan.statements, "\n")
	for _, want := range []string{
		`create schema "ehr"`,
		`create table "deid_rows"."ehr.patient" ("patient_id" integer, "zip" text compression lz4, pgdeid_patient text, primary key ("patient_id"))`,
		`create table "deid_rows"."ehr.note" ("note_id" bigint, "patient_id" integer, "body" text compression lz4, pgdeid_patient text, primary key ("note_id"))`,
		`create index "note_pgdeid_patient" on "deid_rows"."ehr.note" ("patient_id")`,
		`create view "ehr"."note" as select "note_id", "patient_id", "body" from "deid_rows"."ehr.note"`,
		`grant select on "ehr"."note" to pgdeid_analyst`,
	} {
		if !strings.Contains(all, want) {
			t.Errorf("the plan lacks %s", want)
		}
	}
	if strings.Contains(all, "name\"") || strings.Contains(all, "secret") {
		t.Error("a column that is not published is in the plan")
	}
	// What is there as planned needs no change; what is there otherwise does.
	have := &research{made: map[string][]string{"table": {"ehr.note", "ehr.old"}}, schemas: []string{"ehr"}, tables: map[string]*researchTable{
		"ehr.note": {schema: "ehr", name: "note", ours: true, key: []string{"note_id"}, columns: []researchColumn{
			{"note_id", "bigint", "pseudonym"}, {"patient_id", "integer", "keep"}, {"title", "text", "text"},
		}},
		"ehr.old": {schema: "ehr", name: "old", ours: true, key: []string{"id"}, view: &researchView{}},
	}}
	plan = planResearch(cfg, cat, have)
	all = strings.Join(plan.statements, "\n")
	for _, want := range []string{
		`drop view "ehr"."old"`, `drop table "deid_rows"."ehr.old"`, `alter table "deid_rows"."ehr.note" drop column "title"`,
		`alter table "deid_rows"."ehr.note" drop column "patient_id", add column "patient_id" integer`,
		`alter table "deid_rows"."ehr.note" add column "body" text`,
	} {
		if !strings.Contains(all, want) {
			t.Errorf("the plan lacks %s", want)
		}
	}
	if !slices.Contains(plan.dropped, `"deid_rows"."ehr.old"`) || !slices.Contains(plan.dropped, `"deid_rows"."ehr.note"`) {
		t.Errorf("rows that are lost: %v", plan.dropped)
	}
	have.tables["ehr.note"].columns[0].policy = "keep"
	madeAnew(t, "another policy of a key column", planResearch(cfg, cat, have))
	have.tables["ehr.note"].columns[0].policy = "pseudonym"
	have.tables["ehr.note"].key = []string{"note_id", "patient_id"}
	madeAnew(t, "another primary key", planResearch(cfg, cat, have))
}

// A date in the primary key of which only the patient's shifted one is published.
func TestPlanOfHashedKeys(t *testing.T) {
	cfg, cat := fixture(t, strings.Replace(small, "body: text", "body: text, written: date_shift", 1))
	note := cat.Tables["ehr.note"]
	note.Columns, note.PrimaryKey = append(note.Columns, CatalogColumn{Name: "written", Type: "date"}), []string{"note_id", "written"}
	have := &research{tables: map[string]*researchTable{}, made: map[string][]string{}}
	all := strings.Join(planResearch(cfg, cat, have).statements, "\n")
	for _, want := range []string{
		`"body" text, "written" date, "pgdeid_key" uuid, pgdeid_patient text, primary key ("pgdeid_key"))`,
		`comment on column "deid_rows"."ehr.note"."pgdeid_key" is 'pgdeid: keyed hash of the key in the EHR ("note_id", "written")'`,
		`create index "note_pgdeid_patient" on "deid_rows"."ehr.note" ("patient_id")`,
		`create view "ehr"."note" as select "note_id", "patient_id", "body", "written" from "deid_rows"."ehr.note"`,
	} {
		if !strings.Contains(all, want) {
			t.Errorf("the plan lacks %s in\n%s", want, all)
		}
	}
	have.made["table"] = []string{"ehr.note"}
	have.tables["ehr.note"] = &researchTable{
		schema: "ehr", name: "note", ours: true, key: []string{KeyColumn}, hashed: HashedKey([]string{"note_id", "written"}),
		columns: []researchColumn{{"note_id", "bigint", "keep"}, {"patient_id", "integer", "pseudonym"}, {"body", "text", "text"}, {"written", "date", "date_shift"}},
	}
	if all := strings.Join(planResearch(cfg, cat, have).statements, "\n"); strings.Contains(all, `drop table "deid_rows"."ehr.note"`) {
		t.Errorf("a table is made anew for a column that is no part of what tells its rows apart:\n%s", all)
	}
	note.PrimaryKey = []string{"written", "patient_id"}
	madeAnew(t, "a hash of another key", planResearch(cfg, cat, have))
}

// madeAnew checks that a plan drops and makes ehr.note, has it copied again, and
// leaves everything else.
func madeAnew(t *testing.T, what string, plan *researchPlan) {
	t.Helper()
	all := strings.Join(plan.statements, "\n")
	for _, want := range []string{
		`drop table "deid_rows"."ehr.note"`, `create table "deid_rows"."ehr.note"`, `create view "ehr"."note"`,
		`delete from deid.snapshot where table_name = 'ehr.note'`, `delete from deid.note_provenance where table_name = 'ehr.note'`,
		`delete from deid.quarantine where table_name = 'ehr.note'`,
	} {
		if !strings.Contains(all, want) {
			t.Errorf("%s: the plan lacks %s", what, want)
		}
	}
	if strings.Contains(all, "drop column") || strings.Contains(all, "add column") || strings.Contains(all, "deid.surrogate") ||
		plan.problems.problems() != nil {
		t.Errorf("%s: more than that table: %s, %v", what, all, plan.problems)
	}
	if !slices.Contains(plan.dropped, `"deid_rows"."ehr.note"`) {
		t.Errorf("%s: its rows are lost without being asked for", what)
	}
}

func TestExamine(t *testing.T) {
	problem := func(name, text string, change func(*Catalog)) {
		t.Helper()
		cfg, cat := fixture(t, small)
		change(cat)
		err := Examine(cfg, cat).problems()
		if (err == nil) != (text == "") || err != nil && !strings.Contains(err.Error(), text) {
			t.Errorf("%s: got %v, want …%s…", name, err, text)
		}
	}
	note := func(change func(*CatalogTable)) func(*Catalog) {
		return func(c *Catalog) { change(c.Tables["ehr.note"]) }
	}
	problem("as it is", "", func(*Catalog) {})
	problem("no such table", "does not exist", func(c *Catalog) { delete(c.Tables, "ehr.note") })
	problem("view", "view", note(func(t *CatalogTable) { t.Kind = "v" }))
	problem("partitioned", "", note(func(t *CatalogTable) { t.Kind = "p" }))
	problem("unlogged", "set logged", note(func(t *CatalogTable) { t.Persistence = "u" }))
	problem("no key", "primary key", note(func(t *CatalogTable) { t.PrimaryKey = nil }))
	problem("identity nothing", "replica identity default", note(func(t *CatalogTable) { t.Identity = "n" }))
	problem("identity full", "replica identity default", note(func(t *CatalogTable) { t.Identity = "f" }))
	problem("identity index", "", note(func(t *CatalogTable) { t.Identity = "i" }))
	problem("identity index of partitions", "made later", note(func(t *CatalogTable) { t.Identity, t.Kind = "i", "p" }))
	problem("partition", "partition ehr.note_1", note(func(t *CatalogTable) { t.OddLeaves = []string{"ehr.note_1"} }))
	problem("key not mapped", "belongs to the primary key and is not mapped", note(func(t *CatalogTable) {
		t.PrimaryKey = []string{"note_id", "line"}
		t.Columns = append(t.Columns, CatalogColumn{Name: "line", Type: "integer"})
	}))
	problem("text in the key", "", note(func(t *CatalogTable) { t.PrimaryKey = []string{"body"} }))
	problem("type of the text", "does not fit type bytea", note(func(t *CatalogTable) { t.Columns[2].Type = "bytea" }))
	problem("type of the patient key", "patient_key: integer", note(func(t *CatalogTable) { t.Columns[1].Type = "uuid" }))
	problem("column gone", "column body: does not exist", note(func(t *CatalogTable) { t.Columns = t.Columns[:2] }))
	problem("generated", "from version 18 on", note(func(t *CatalogTable) { t.Columns[2].Generated = true }))
	problem("virtual in 18", "only if it is stored", func(c *Catalog) {
		c.Server, c.Tables["ehr.note"].Columns[2].Generated, c.Tables["ehr.note"].Columns[2].Virtual = 180000, true, true
	})
	problem("generated in 18", "", func(c *Catalog) { c.Server, c.Tables["ehr.note"].Columns[2].Generated = 180000, true })
}

// Patients of several sites, each with numbers of its own.
func TestExamineKeysOfSeveralColumns(t *testing.T) {
	const sites = `version: 1
source: {dsn: "host=/tmp dbname=ehr"}
replica: {dsn: "host=/tmp dbname=research"}
key_file: key
patient_key: text
tables:
  ehr.patient:
    patient: [site, patient_id]
    columns: {site: keep, patient_id: pseudonym}
  ehr.note:
    patient: {column: [site, patient_id], table: ehr.patient}
    columns: {note_id: pseudonym, body: text}
`
	for name, c := range map[string]struct {
		change func(patient, note *CatalogTable)
		want   string
	}{
		"as it is":         {func(*CatalogTable, *CatalogTable) {}, ""},
		"one column only":  {func(patient, _ *CatalogTable) { patient.Unique = Unique{{"patient_id", "other"}} }, "is not unique"},
		"a column is gone": {func(_, note *CatalogTable) { note.Columns = note.Columns[:3] }, "column site: does not exist"},
	} {
		cfg, cat := fixture(t, sites)
		patient, note := cat.Tables["ehr.patient"], cat.Tables["ehr.note"]
		patient.Columns, note.Columns = append(patient.Columns, CatalogColumn{Name: "site", Type: "smallint"}), append(note.Columns, CatalogColumn{Name: "site", Type: "integer"})
		patient.PrimaryKey, patient.Unique = []string{"site", "patient_id"}, Unique{{"patient_id", "site"}}
		c.change(patient, note)
		findings := Examine(cfg, cat)
		if c.want == "" {
			if err := findings.problems(); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if !slices.ContainsFunc(findings, func(f Finding) bool { return f.Level == Problem && strings.Contains(f.Subject+": "+f.Text, c.want) }) {
			t.Errorf("%s: %v", name, findings)
		}
	}
	cfg, cat := fixture(t, strings.Replace(sites, "{column: [site, patient_id], table: ehr.patient}", "[site, patient_id]", 1))
	for i, typ := range []string{"smallint", "text"} {
		table := cat.Tables[[]string{"ehr.patient", "ehr.note"}[i]]
		table.Columns = append(table.Columns, CatalogColumn{Name: "site", Type: typ})
	}
	if err := Examine(cfg, cat).problems(); err == nil || !strings.Contains(err.Error(), "is a part of the patient key and has type text") {
		t.Errorf("types that differ: %v", err)
	}
}

func TestUniqueKeys(t *testing.T) {
	t.Parallel()
	u := Unique{{"id"}, {"number", "site"}}
	for columns, want := range map[string]bool{"id": true, "site": false, "number": false, "site number": true, "site number ward": true, "ward id": true} {
		if got := u.Has(strings.Fields(columns)); got != want {
			t.Errorf("%s: %v", columns, got)
		}
	}
}
