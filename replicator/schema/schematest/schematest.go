package schematest

import (
	"path/filepath"
	"testing"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/surrogate"
)

// NoteTable is a mapped table: id (key), patient_id, status, body.
func NoteTable() *schema.Table {
	t := &schema.Table{
		Table: &config.Table{Schema: "ehr", Name: "note", Patient: config.Path{Column: "patient_id"}},
		ID:    "ehr.note",
	}
	for i, c := range []config.Column{
		{Name: "id", Publish: config.Keep},
		{Name: "patient_id", Publish: config.Pseudonym, Domain: config.PatientDomain},
		{Name: "status", Publish: config.Keep},
		{Name: "body", Publish: config.Text},
	} {
		t.Columns = append(t.Columns, schema.Column{Column: c, OID: uint32(20 + i), Typ: "text", Replica: "text"})
		t.Publish = append(t.Publish, i)
	}
	t.Key, t.Texts, t.Via = []int{0}, []int{3}, 1
	t.SQL = schema.NewStatements(t)
	return t
}

// LineTable is a mapped table of notes of many rows: note_id and n (key), patient_id, body.
func LineTable() *schema.Table {
	t := &schema.Table{
		Table: &config.Table{Schema: "ehr", Name: "line", Patient: config.Path{Column: "patient_id"}},
		ID:    "ehr.line",
	}
	for i, c := range []config.Column{
		{Name: "note_id", Publish: config.Keep},
		{Name: "n", Publish: config.Keep},
		{Name: "patient_id", Publish: config.Pseudonym, Domain: config.PatientDomain},
		{Name: "body", Publish: config.Text, Join: config.JoinLine},
	} {
		t.Columns = append(t.Columns, schema.Column{Column: c, OID: uint32(20 + i), Typ: "text", Replica: "text"})
		t.Publish = append(t.Publish, i)
	}
	t.Key, t.Texts, t.Via, t.Personal = []int{0, 1}, []int{3}, 2, true
	t.Lines = &schema.Lines{Key: []int{0}, Text: 3, Join: config.JoinLine}
	t.SQL = schema.NewStatements(t)
	return t
}

// PlainTable has rows that belong to no patient.
func PlainTable() *schema.Table {
	t := &schema.Table{Table: &config.Table{Schema: "ehr", Name: "ward"}, ID: "ehr.ward", Via: -1}
	t.Columns = []schema.Column{{Column: config.Column{Name: "id", Publish: config.Keep}, Typ: "integer", Replica: "integer"}}
	t.Publish, t.Key = []int{0}, []int{0}
	t.SQL = schema.NewStatements(t)
	return t
}

// Key returns a key.
func Key(t testing.TB) *surrogate.Key {
	t.Helper()
	path := filepath.Join(t.TempDir(), "key")
	if err := surrogate.NewKeyFile(path); err != nil {
		t.Fatal(err)
	}
	key, err := surrogate.ReadKey(path)
	if err != nil {
		t.Fatal(err)
	}
	return key
}
