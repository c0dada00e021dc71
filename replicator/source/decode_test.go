package source

import (
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/jackc/pglogrepl"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/schema/schematest"
)

func noteDecoder(log *strings.Builder) *Decoder {
	t := schematest.NoteTable()
	p := &schema.Plan{Config: &config.Config{PatientKey: config.TextKey}, Tables: []*schema.Table{t}, ByID: map[string]*schema.Table{t.ID: t}}
	return NewDecoder(p, slog.New(slog.NewTextHandler(log, nil)), func() {})
}

// relationOf makes a message; columns are "name:oid".
func relationOf(name string, columns ...string) *pglogrepl.RelationMessage {
	m := &pglogrepl.RelationMessage{RelationID: 7, Namespace: "ehr", RelationName: name}
	for _, c := range columns {
		name, oid, _ := strings.Cut(c, ":")
		col := &pglogrepl.RelationMessageColumn{Name: name}
		if _, err := fmt.Sscan(oid, &col.DataType); err != nil {
			panic(err)
		}
		m.Columns = append(m.Columns, col)
	}
	return m
}

// tupleOf makes a row: "u" is unchanged, "n" is NULL, "=x" the text x.
func tupleOf(values ...string) *pglogrepl.TupleData {
	t := &pglogrepl.TupleData{}
	for _, v := range values {
		col := &pglogrepl.TupleDataColumn{DataType: v[0]}
		if v[0] == '=' {
			col.DataType, col.Data = 't', []byte(v[1:])
		}
		t.Columns = append(t.Columns, col)
	}
	return t
}

func TestRelationIsMatchedByName(t *testing.T) {
	var log strings.Builder
	d := noteDecoder(&log)
	// Another order, and a column that nobody mapped.
	err := d.Relation(relationOf("note", "body:23", "secret:25", "id:20", "status:22", "patient_id:21"))
	if err != nil {
		t.Fatal(err)
	}
	c, err := decoded(d, &pglogrepl.InsertMessage{RelationID: 7, Tuple: tupleOf("=text", "=hush", "=1", "n", "=9")})
	if err != nil {
		t.Fatal(err)
	}
	want := []schema.Value{{Text: "1", State: schema.Present}, {Text: "9", State: schema.Present}, {Text: "", State: schema.Null}, {Text: "text", State: schema.Present}}
	for i, v := range want {
		if c.Row[i] != v {
			t.Errorf("column %d is not as sent", i)
		}
	}
	if !strings.Contains(log.String(), "ehr.note.secret") || strings.Contains(log.String(), "hush") {
		t.Errorf("log: %s", log.String())
	}
	before := log.Len()
	if err := d.Relation(relationOf("note", "body:23", "secret:25", "id:20", "status:22", "patient_id:21")); err != nil || log.Len() != before {
		t.Errorf("a column is named once; %v", err)
	}
}

func TestDriftEndsTheRun(t *testing.T) {
	for name, columns := range map[string][]string{
		"dropped": {"id:20", "patient_id:21", "body:23"},
		"renamed": {"id:20", "patient_id:21", "state:22", "body:23"},
		"retyped": {"id:20", "patient_id:21", "status:1043", "body:23"},
	} {
		var log strings.Builder
		err := noteDecoder(&log).Relation(relationOf("note", columns...))
		if err == nil || !strings.Contains(err.Error(), "status") || fault.Hint(err) == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestUnmappedTablesAreDropped(t *testing.T) {
	var log strings.Builder
	d := noteDecoder(&log)
	if err := d.Relation(relationOf("secret", "id:20")); err != nil {
		t.Fatal(err)
	}
	c, err := decoded(d, &pglogrepl.InsertMessage{RelationID: 7, Tuple: tupleOf("=1")})
	if c != nil || err != nil {
		t.Errorf("got %v, %v", c, err)
	}
}

func TestUpdates(t *testing.T) {
	const key, full = pglogrepl.UpdateMessageTupleTypeKey, pglogrepl.UpdateMessageTupleTypeOld
	for _, c := range []struct {
		name       string
		kind       uint8
		old        *pglogrepl.TupleData
		row        *pglogrepl.TupleData
		keyChanged bool
		body       schema.ValueState
		incomplete bool
	}{
		{"body sent", 0, nil, tupleOf("=1", "=9", "=a", "=b"), false, schema.Present, false},
		{"body not touched", 0, nil, tupleOf("=1", "=9", "=a", "u"), false, schema.Unchanged, false},
		{"status not sent", 0, nil, tupleOf("=1", "=9", "u", "=b"), false, schema.Present, true},
		{"key changed", key, tupleOf("=1", "n", "n", "n"), tupleOf("=2", "=9", "=a", "u"), true, schema.Unchanged, true},
		{"key changed, body sent", key, tupleOf("=1", "n", "n", "n"), tupleOf("=2", "=9", "=a", "=b"), true, schema.Present, false},
		{"full identity has the body", full, tupleOf("=1", "=9", "=x", "=b"), tupleOf("=1", "=9", "=a", "u"), false, schema.Present, false},
	} {
		var log strings.Builder
		d := noteDecoder(&log)
		if err := d.Relation(relationOf("note", "id:20", "patient_id:21", "status:22", "body:23")); err != nil {
			t.Fatal(err)
		}
		got, err := decoded(d, &pglogrepl.UpdateMessage{RelationID: 7, OldTupleType: c.kind, OldTuple: c.old, NewTuple: c.row})
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if (got.Old != nil) != c.keyChanged || got.Row[3].State != c.body || got.Incomplete() != c.incomplete {
			t.Errorf("%s: key changed %v, body %d, incomplete %v", c.name, got.Old != nil, got.Row[3].State, got.Incomplete())
		}
	}
}

func TestBrokenRowsAreErrors(t *testing.T) {
	var log strings.Builder
	d := noteDecoder(&log)
	if _, err := decoded(d, &pglogrepl.InsertMessage{RelationID: 8}); !errors.Is(err, ErrDecode) {
		t.Errorf("unknown relation: %v", err)
	}
	if err := d.Relation(relationOf("note", "id:20", "patient_id:21", "status:22", "body:23")); err != nil {
		t.Fatal(err)
	}
	for _, tuple := range []*pglogrepl.TupleData{nil, tupleOf("=1"), tupleOf("=1", "=9", "=a", "b")} {
		if _, err := decoded(d, &pglogrepl.InsertMessage{RelationID: 7, Tuple: tuple}); !errors.Is(err, ErrDecode) {
			t.Errorf("got %v", err)
		}
	}
}

func TestChangesPrintNoValues(t *testing.T) {
	c := &schema.Change{Table: schematest.NoteTable(), Row: []schema.Value{{Text: "Zebulon", State: schema.Present}}}
	c.Measure()
	for _, text := range []string{fmt.Sprintf("%v %+v %s", c, c, c), fmt.Sprintf("%v %#v", c.Row, c.Row[0]), c.LogValue().String(), c.Row[0].LogValue().String()} {
		if strings.Contains(text, "Zebulon") {
			t.Errorf("prints %s", text)
		}
	}
}

// The old key of a deleted row names it only as long as source and replica agree on
// what the key is.
func TestAnotherKeyInTheStreamIsRefused(t *testing.T) {
	columns := []string{"id:20", "patient_id:21", "status:22", "body:23"}
	for _, tt := range []struct {
		identity byte
		keys     []int
		refused  bool
	}{
		{'d', []int{0}, false},
		{'d', []int{1}, true},
		{'d', []int{0, 1}, true},
		{'d', nil, true},
		{'i', []int{1}, true},
		{'f', []int{0, 1, 2, 3}, false}, // old rows come whole
	} {
		var log strings.Builder
		m := relationOf("note", columns...)
		m.ReplicaIdentity = tt.identity
		for _, k := range tt.keys {
			m.Columns[k].Flags = 1
		}
		if err := noteDecoder(&log).Relation(m); (err != nil) != tt.refused {
			t.Errorf("%c %v: %v", tt.identity, tt.keys, err)
		}
	}
}

// A partition is announced with its table, whose rows follow: that is nothing to
// warn of. Rows of a table that is not mapped are.
func TestOnlyRowsOfUnmappedTablesAreWarnedOf(t *testing.T) {
	var log strings.Builder
	d := noteDecoder(&log)
	if err := d.Relation(relationOf("note_2024", "id:20")); err != nil || log.Len() > 0 {
		t.Errorf("%v: %s", err, log.String())
	}
	c, err := decoded(d, &pglogrepl.InsertMessage{RelationID: 7, Tuple: tupleOf("=1")})
	if c != nil || err != nil || !strings.Contains(log.String(), "ehr.note_2024") {
		t.Errorf("%v, %v: %s", c, err, log.String())
	}
}

// decoded decodes a message; nil for a table that is not mapped.
func decoded(d *Decoder, m pglogrepl.Message) (*schema.Change, error) {
	list, err := d.Rows(m)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return list[0], nil
}
