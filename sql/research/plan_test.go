package research

import (
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/sql/catalog"
	"github.com/pgdeid/pgdeid/sql/catalog/catalogtest"
)

func TestPlanResearch(t *testing.T) {
	cfg, cat := catalogtest.Parse(t, catalogtest.Small)
	empty := &Existing{tables: map[string]*table{}, made: map[string][]string{}, lz4: true}
	plan := NewPlan(cfg, cat, empty)
	all := strings.Join(plan.Statements, "\n")
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
	have := &Existing{made: map[string][]string{"table": {"ehr.note", "ehr.old"}}, schemas: []string{"ehr"}, tables: map[string]*table{
		"ehr.note": {schema: "ehr", name: "note", ours: true, key: []string{"note_id"}, columns: []Column{
			{"note_id", "bigint", "pseudonym"}, {"patient_id", "integer", "keep"}, {"title", "text", "text"},
		}},
		"ehr.old": {schema: "ehr", name: "old", ours: true, key: []string{"id"}, view: &view{}},
	}}
	plan = NewPlan(cfg, cat, have)
	all = strings.Join(plan.Statements, "\n")
	for _, want := range []string{
		`drop view "ehr"."old"`, `drop table "deid_rows"."ehr.old"`, `alter table "deid_rows"."ehr.note" drop column "title"`,
		`alter table "deid_rows"."ehr.note" drop column "patient_id", add column "patient_id" integer`,
		`alter table "deid_rows"."ehr.note" add column "body" text`,
	} {
		if !strings.Contains(all, want) {
			t.Errorf("the plan lacks %s", want)
		}
	}
	if !slices.Contains(plan.Dropped, `"deid_rows"."ehr.old"`) || !slices.Contains(plan.Dropped, `"deid_rows"."ehr.note"`) {
		t.Errorf("rows that are lost: %v", plan.Dropped)
	}
	have.tables["ehr.note"].columns[0].policy = "keep"
	madeAnew(t, "another policy of a key column", NewPlan(cfg, cat, have))
	have.tables["ehr.note"].columns[0].policy = "pseudonym"
	have.tables["ehr.note"].key = []string{"note_id", "patient_id"}
	madeAnew(t, "another primary key", NewPlan(cfg, cat, have))
}

// A date in the primary key of which only the patient's shifted one is published.
func TestPlanOfHashedKeys(t *testing.T) {
	cfg, cat := catalogtest.Parse(t, strings.Replace(catalogtest.Small, "body: text", "body: text, written: date_shift", 1))
	note := cat.Tables["ehr.note"]
	note.Columns, note.PrimaryKey = append(note.Columns, catalog.Column{Name: "written", Type: "date"}), []string{"note_id", "written"}
	have := &Existing{tables: map[string]*table{}, made: map[string][]string{}}
	all := strings.Join(NewPlan(cfg, cat, have).Statements, "\n")
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
	have.tables["ehr.note"] = &table{
		schema: "ehr", name: "note", ours: true, key: []string{KeyColumn}, hashed: HashedKey([]string{"note_id", "written"}),
		columns: []Column{{"note_id", "bigint", "keep"}, {"patient_id", "integer", "pseudonym"}, {"body", "text", "text"}, {"written", "date", "date_shift"}},
	}
	if all := strings.Join(NewPlan(cfg, cat, have).Statements, "\n"); strings.Contains(all, `drop table "deid_rows"."ehr.note"`) {
		t.Errorf("a table is made anew for a column that is no part of what tells its rows apart:\n%s", all)
	}
	note.PrimaryKey = []string{"written", "patient_id"}
	madeAnew(t, "a hash of another key", NewPlan(cfg, cat, have))
}

// madeAnew checks that a plan drops and makes ehr.note, has it copied again, and
// leaves everything else.
func madeAnew(t *testing.T, what string, plan *Plan) {
	t.Helper()
	all := strings.Join(plan.Statements, "\n")
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
		plan.Problems.Problems() != nil {
		t.Errorf("%s: more than that table: %s, %v", what, all, plan.Problems)
	}
	if !slices.Contains(plan.Dropped, `"deid_rows"."ehr.note"`) {
		t.Errorf("%s: its rows are lost without being asked for", what)
	}
}

func TestNotesHaveAnIndexWhereTheKeyDoesNotBeginWithThem(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		key  []string
		want bool
	}{
		{[]string{"note_id"}, false},
		{[]string{"part", "note_id"}, false},
		{[]string{"part"}, true},
		{[]string{"note_id", "n"}, true},
	} {
		table, in := catalogtest.Lines(tt.key...)
		if got := noteIndex(table, in); got != tt.want {
			t.Errorf("%v: %v", tt.key, got)
		}
	}
	table, in := catalogtest.Lines("part")
	table.Note = nil
	if noteIndex(table, in) {
		t.Error("an index for rows that are notes")
	}
}
