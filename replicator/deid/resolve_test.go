package deid

import (
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/replicator/patient"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/schema/schematest"
	"github.com/pgdeid/pgdeid/replicator/vault"
)

// offline returns a resolver without connections.
func offline(t *testing.T) *Resolver {
	t.Helper()
	d := testDeidentifier(t)
	return &Resolver{Lookups: &patient.Lookups{Register: d.Reg}, Deid: d, Log: d.Log}
}

// people is a table that tells of patients, and whose rows others find them through.
func people(path string) *schema.Table {
	return &schema.Table{
		Table: &config.Table{Schema: "ehr", Name: "person", Patient: config.Path{Column: path}}, ID: "ehr.person",
		Columns: []schema.Column{{Column: config.Column{Name: "id"}}, {Column: config.Column{Name: "surname", Tells: record.NameLast}}},
		Key:     []int{0}, Telling: []int{1}, Lookups: []int{0},
	}
}

func TestWordsOfARowAreKept(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, key string
		table     *schema.Table
		row       []schema.Value
		read      bool
		words     int
	}{
		{"a change", "9", people("id"), present("9", "Quarkstein"), false, 1},
		{"a row of the first copy", "9", people("id"), present("9", "Quarkstein"), true, 1},
		{"of nobody", "", people("id"), present("9", "Quarkstein"), false, 0},
		{"of the site", "9", people(""), present("9", "Quarkstein"), false, 0},
		{"a deletion", "9", people("id"), nil, false, 0},
		{"a short name", "9", people("id"), present("9", "Li"), false, 0},
	} {
		r := offline(t)
		it := &Item{Change: &schema.Change{Table: c.table, Row: c.row, Read: c.read}}
		name, err := r.PseudonymOf("9")
		if err != nil {
			t.Fatal(err)
		}
		if err := r.own(it, c.key, nil); err != nil {
			t.Fatal(err)
		}
		if err := r.keepWords(it, c.key); err != nil {
			t.Fatal(err)
		}
		if len(it.Words) != c.words || (it.Whose == name) != (c.words > 0) {
			t.Errorf("%s: %d words of %q", c.name, len(it.Words), it.Whose)
		}
	}
}

func TestWhatAChangeMeansForOtherNotes(t *testing.T) {
	t.Parallel()
	person, visit := people("id"), people("id")
	visit.Telling = nil
	for _, c := range []struct {
		name         string
		table        *schema.Table
		op           schema.Op
		keys         []string
		tells, leads int
		forgotten    uint64
	}{
		{"a record", person, schema.UpdateOp, []string{"9"}, 1, 1, 1},
		{"a record that several share", person, schema.UpdateOp, []string{"8", "9"}, 2, 1, 2},
		{"a record of nobody", person, schema.UpdateOp, []string{""}, 0, 1, 1},
		{"a deletion", person, schema.DeleteOp, []string{"9"}, 0, 1, 1},
		{"a row that leads others", visit, schema.UpdateOp, []string{"9"}, 0, 1, 0},
		{"a row that leads to nobody", visit, schema.UpdateOp, []string{""}, 0, 1, 0},
	} {
		r := offline(t)
		it := &Item{Change: &schema.Change{Op: c.op, Table: c.table, Row: present("9", "Quarkstein"), XID: 5, LSN: 7}}
		if c.op == schema.DeleteOp {
			it.Change.Old, it.Change.Row = it.Change.Row, nil
		}
		if err := r.note(it, c.keys); err != nil {
			t.Fatal(err)
		}
		if len(it.Requests) != c.tells || len(it.Leads) != c.leads || r.Cache.Generation() != c.forgotten {
			t.Errorf("%s: %d requests, %d paths, %d forgotten", c.name, len(it.Requests), len(it.Leads), r.Cache.Generation())
		}
		for i, q := range it.Requests {
			if want, _ := r.PseudonymOf(c.keys[i]); q.Pseudonym != want || q.SourceKey != c.keys[i] || q.LSN != 7 || q.Noted {
				t.Errorf("%s: request %+v", c.name, q)
			}
		}
	}
}

func TestKeyThatIsNoneEndsTheSession(t *testing.T) {
	t.Parallel()
	r := offline(t)
	r.Plan.Config.PatientKey = config.Integer
	it := &Item{Change: &schema.Change{Op: schema.UpdateOp, Table: people("id"), Row: present("9", "Quarkstein")}}
	if r.own(it, "x", nil) == nil || r.note(it, []string{"x"}) == nil {
		t.Error("a patient without a pseudonym is passed over")
	}
}

func TestPatientsOfABatch(t *testing.T) {
	t.Parallel()
	r := offline(t)
	note := schematest.NoteTable()
	note.Personal = true
	batch := []*Item{
		{Change: &schema.Change{Op: schema.InsertOp, Table: note, Row: present("1", "9 ", "s", "x")}},
		{Change: &schema.Change{Op: schema.DeleteOp, Table: note, Old: present("1", "8", "", "")}},
		{Change: &schema.Change{Op: schema.TruncateOp, Table: note}},
		MarkItem(Position{LSN: 3}),
		{Change: &schema.Change{Op: schema.InsertOp, Table: note, Row: []schema.Value{
			{Text: "2", State: schema.Present},
			{State: schema.Null},
			{},
			{},
		}}},
	}
	keys, err := r.patientsOf(t.Context(), batch)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"9", "8", "", "", ""} {
		if keys[i] != want {
			t.Errorf("item %d: %q", i, keys[i])
		}
	}
	if err := r.attach(t.Context(), batch[4:], keys[4:]); err != nil || batch[4].Reason != vault.NoPatient || batch[4].Patient != nil {
		t.Errorf("a note of nobody: %q, %v", batch[4].Reason, err)
	}
}

func TestATruncationForgetsPatients(t *testing.T) {
	t.Parallel()
	plain := people("id")
	plain.Telling, plain.Lookups = nil, nil
	for _, c := range []struct {
		name   string
		change *schema.Change
		want   bool
	}{
		{"of a record", &schema.Change{Op: schema.TruncateOp, Table: people("id")}, true},
		{"of a table that tells nothing", &schema.Change{Op: schema.TruncateOp, Table: plain}, false},
		{"that was read", &schema.Change{Op: schema.TruncateOp, Table: people("id"), Read: true}, false},
	} {
		r := offline(t)
		if err := r.forget(t.Context(), []*Item{MarkItem(Position{}), {Change: c.change}}); err != nil {
			t.Fatal(err)
		}
		if got := r.Cache.Generation() > 0; got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

func TestRowsThatStartOver(t *testing.T) {
	t.Parallel()
	r := offline(t)
	it := RowItem(&schema.Change{Op: schema.InsertOp, Table: people("id"), Row: present("9", "Quarkstein")})
	it.Only, it.Reason, it.Lacks, it.Patient = true, vault.NoPatient, "x", quarkstein()
	r.startOver(it)
	if it.Patient != nil || it.Reason != "" || it.Lacks != "" || !it.Only || it.Change == nil || it.Done == nil {
		t.Errorf("after starting over: %+v", it.Request)
	}
}

func TestWantedValuesOfAPath(t *testing.T) {
	t.Parallel()
	wanted := map[schema.Target]map[string][]*Item{}
	a, b := schema.Target{Table: people("id")}, schema.Target{Table: people("id"), Column: 1}
	one, two := &Item{}, &Item{}
	want(wanted, a, "7", one)
	want(wanted, a, "7", two)
	want(wanted, b, "7", one)
	if len(wanted) != 2 || len(wanted[a]["7"]) != 2 || len(wanted[b]["7"]) != 1 {
		t.Errorf("wanted %d targets", len(wanted))
	}
}
