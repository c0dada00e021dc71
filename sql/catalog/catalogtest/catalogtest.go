// Package catalogtest has mappings and the catalogues that fit them, for tests.
package catalogtest

import (
	"testing"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/sql/catalog"
)

// Small is a mapping of patients and their notes.
const Small = `version: 1
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

// Parse reads a mapping of tables ehr.patient and ehr.note, and makes the catalogue of a source that has them.
func Parse(t *testing.T, file string) (*config.Config, *catalog.Catalog) {
	t.Helper()
	cfg, err := config.Parse([]byte(file), nil)
	if err != nil {
		t.Fatal(err)
	}
	return cfg, &catalog.Catalog{Server: 150018, Tables: map[string]*catalog.Table{
		"ehr.patient": {
			Schema: "ehr", Name: "patient", Kind: "r", Persistence: "p", Identity: "d", PrimaryKey: []string{"patient_id"},
			Columns: []catalog.Column{
				{Name: "patient_id", Type: "integer"},
				{Name: "zip", Type: "character(5)"},
				{Name: "name", Type: "text"},
				{Name: "secret", Type: "text"},
			},
		},
		"ehr.note": {
			Schema: "ehr", Name: "note", Kind: "r", Persistence: "p", Identity: "d", PrimaryKey: []string{"note_id"},
			Columns: []catalog.Column{
				{Name: "note_id", Type: "bigint"},
				{Name: "patient_id", Type: "integer"},
				{Name: "body", Type: "character varying(4000)"},
			},
		},
	}}
}

// Lines makes a table of notes of several rows, whose key of notes is key.
func Lines(key ...string) (*config.Table, *catalog.Table) {
	t := &config.Table{
		Schema: "ehr", Name: "line", Note: &config.Note{Key: key, Order: "n", Text: "body", Join: config.JoinLine},
		Columns: []config.Column{{Name: "note_id", Publish: config.Pseudonym}, {Name: "part", Publish: config.Keep}, {Name: "n", Publish: config.Keep}},
	}
	in := &catalog.Table{PrimaryKey: []string{"note_id", "part", "n"}}
	for _, name := range append(in.PrimaryKey, "body") {
		in.Columns = append(in.Columns, catalog.Column{Name: name, Type: "integer"})
	}
	return t, in
}
