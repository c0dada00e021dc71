package examine

import (
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/sql/catalog"
	"github.com/pgdeid/pgdeid/sql/catalog/catalogtest"
	"github.com/pgdeid/pgdeid/sql/finding"
)

func TestExamine(t *testing.T) {
	problem := func(name, text string, change func(*catalog.Catalog)) {
		t.Helper()
		cfg, cat := catalogtest.Parse(t, catalogtest.Small)
		change(cat)
		err := Mapping(cfg, cat).Problems()
		if (err == nil) != (text == "") || err != nil && !strings.Contains(err.Error(), text) {
			t.Errorf("%s: got %v, want …%s…", name, err, text)
		}
	}
	note := func(change func(*catalog.Table)) func(*catalog.Catalog) {
		return func(c *catalog.Catalog) { change(c.Tables["ehr.note"]) }
	}
	problem("as it is", "", func(*catalog.Catalog) {})
	problem("no such table", "does not exist", func(c *catalog.Catalog) { delete(c.Tables, "ehr.note") })
	problem("view", "view", note(func(t *catalog.Table) { t.Kind = "v" }))
	problem("partitioned", "", note(func(t *catalog.Table) { t.Kind = "p" }))
	problem("unlogged", "set logged", note(func(t *catalog.Table) { t.Persistence = "u" }))
	problem("no key", "primary key", note(func(t *catalog.Table) { t.PrimaryKey = nil }))
	problem("identity nothing", "replica identity default", note(func(t *catalog.Table) { t.Identity = "n" }))
	problem("identity full", "replica identity default", note(func(t *catalog.Table) { t.Identity = "f" }))
	problem("identity index", "", note(func(t *catalog.Table) { t.Identity = "i" }))
	problem("identity index of partitions", "made later", note(func(t *catalog.Table) { t.Identity, t.Kind = "i", "p" }))
	problem("partition", "partition ehr.note_1", note(func(t *catalog.Table) { t.OddLeaves = []string{"ehr.note_1"} }))
	problem("key not mapped", "belongs to the primary key and is not mapped", note(func(t *catalog.Table) {
		t.PrimaryKey = []string{"note_id", "line"}
		t.Columns = append(t.Columns, catalog.Column{Name: "line", Type: "integer"})
	}))
	problem("text in the key", "", note(func(t *catalog.Table) { t.PrimaryKey = []string{"body"} }))
	problem("type of the text", "does not fit type bytea", note(func(t *catalog.Table) { t.Columns[2].Type = "bytea" }))
	problem("type of the patient key", "patient_key: integer", note(func(t *catalog.Table) { t.Columns[1].Type = "uuid" }))
	problem("column gone", "column body: does not exist", note(func(t *catalog.Table) { t.Columns = t.Columns[:2] }))
	problem("generated", "from version 18 on", note(func(t *catalog.Table) { t.Columns[2].Generated = true }))
	problem("virtual in 18", "only if it is stored", func(c *catalog.Catalog) {
		c.Server, c.Tables["ehr.note"].Columns[2].Generated, c.Tables["ehr.note"].Columns[2].Virtual = 180000, true, true
	})
	problem("generated in 18", "", func(c *catalog.Catalog) { c.Server, c.Tables["ehr.note"].Columns[2].Generated = 180000, true })
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
		change func(patient, note *catalog.Table)
		want   string
	}{
		"as it is":         {func(*catalog.Table, *catalog.Table) {}, ""},
		"one column only":  {func(patient, _ *catalog.Table) { patient.Unique = catalog.Unique{{"patient_id", "other"}} }, "is not unique"},
		"a column is gone": {func(_, note *catalog.Table) { note.Columns = note.Columns[:3] }, "column site: does not exist"},
	} {
		cfg, cat := catalogtest.Parse(t, sites)
		patient, note := cat.Tables["ehr.patient"], cat.Tables["ehr.note"]
		patient.Columns, note.Columns = append(patient.Columns, catalog.Column{Name: "site", Type: "smallint"}), append(note.Columns, catalog.Column{Name: "site", Type: "integer"})
		patient.PrimaryKey, patient.Unique = []string{"site", "patient_id"}, catalog.Unique{{"patient_id", "site"}}
		c.change(patient, note)
		findings := Mapping(cfg, cat)
		if c.want == "" {
			if err := findings.Problems(); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if !slices.ContainsFunc(findings, func(f finding.Finding) bool {
			return f.Level == finding.Problem && strings.Contains(f.Subject+": "+f.Text, c.want)
		}) {
			t.Errorf("%s: %v", name, findings)
		}
	}
	cfg, cat := catalogtest.Parse(t, strings.Replace(sites, "{column: [site, patient_id], table: ehr.patient}", "[site, patient_id]", 1))
	for i, typ := range []string{"smallint", "text"} {
		table := cat.Tables[[]string{"ehr.patient", "ehr.note"}[i]]
		table.Columns = append(table.Columns, catalog.Column{Name: "site", Type: typ})
	}
	if err := Mapping(cfg, cat).Problems(); err == nil || !strings.Contains(err.Error(), "is a part of the patient key and has type text") {
		t.Errorf("types that differ: %v", err)
	}
}

func TestKeysOfNotesAreInThePrimaryKey(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		key     []string
		problem string
	}{
		{[]string{"note_id"}, ""},
		{[]string{"part", "note_id"}, ""},
		{[]string{"note_id", "body"}, "table ehr.line column body"},
	} {
		table, in := catalogtest.Lines(tt.key...)
		var fs finding.List
		examineNote(&fs, "table ehr.line", table, in)
		if len(fs) > 0 != (tt.problem != "") || len(fs) > 0 && fs[0].Subject != tt.problem {
			t.Errorf("%v: %v", tt.key, fs)
		}
	}
	var fs finding.List
	table, in := catalogtest.Lines("body")
	table.Note = nil
	if examineNote(&fs, "x", table, in); len(fs) > 0 {
		t.Errorf("rows that are notes: %v", fs)
	}
}
