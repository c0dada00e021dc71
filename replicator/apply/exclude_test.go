package apply

import (
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/replicator/deid"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/schema/schematest"
	"github.com/pgdeid/pgdeid/replicator/vault"
	"github.com/pgdeid/pgdeid/surrogate"
)

// ownedBy makes an item one of a patient's rows.
func ownedBy(it *deid.Item, name string) *deid.Item {
	it.Owner, it.OwnerKey = name, "key of "+name
	return it
}

func TestGroupLeavesOutPatients(t *testing.T) {
	t.Parallel()
	table, a, b := schematest.NoteTable(), someone("a"), someone("b")
	g := grouped(
		ownedBy(done(table, schema.InsertOp, "1", "", "x", a), "a"),
		ownedBy(done(table, schema.InsertOp, "2", "", "y", b), "b"),
		ownedBy(failed(done(table, schema.InsertOp, "3", "", "z", a), vault.Leak), "a"),
	)
	g.choices.AddEntries("a", []surrogate.Entry{{Kind: "name", Hash: []byte("h"), Surrogate: "Hamilton"}})
	g.choices.AddEntries("b", []surrogate.Entry{{Kind: "name", Hash: []byte("h"), Surrogate: "Moor"}})
	g.addRequeue(&deid.Requeue{Pseudonym: "a"})
	g.addRequeue(&deid.Requeue{Pseudonym: "b"})
	g.leaveOut(map[string]bool{"a": true, "b": false}, map[string]bool{"a": true})
	for i, gone := range []bool{true, false, true} {
		v := g.Order[i]
		if v.Remove != gone || v.aside != nil || gone && (v.Values != nil || len(v.Source) == 0 || len(v.Key) == 0) {
			t.Errorf("row %d: removed %t, set aside %t", i+1, v.Remove, v.aside != nil)
		}
	}
	if got := g.choices.Patients(); !slices.Equal(got, []string{"b"}) {
		t.Errorf("something is stored of %v", got)
	}
	if len(g.requeue) != 1 || g.requeue["b"] == nil {
		t.Errorf("%d requests", len(g.requeue))
	}
}

// A row that was left out when it was looked up is none that the replica has, nor the quarantine.
func TestRowsThatWereLeftOut(t *testing.T) {
	t.Parallel()
	it := ownedBy(done(schematest.NoteTable(), schema.UpdateOp, "1", "2", "x", someone("a")), "a")
	it.LeftOut, it.Patient, it.Out.Values = true, nil, nil
	g := grouped(it)
	for _, v := range g.Order {
		if !v.Remove || v.aside != nil {
			t.Errorf("row %s: removed %t, set aside %t", v.RowKey, v.Remove, v.aside != nil)
		}
	}
	if len(g.Order) != 2 || g.owners["a"] != "key of a" {
		t.Errorf("%d rows, owners %d", len(g.Order), len(g.owners))
	}
	nameless := &deid.Item{Change: &schema.Change{Op: schema.InsertOp, Table: schematest.NoteTable()}}
	nameless.LeftOut = true
	if g := grouped(nameless); len(g.Order) != 0 {
		t.Error("a row without a key is set aside though its patient stays out")
	}
}

// Whatever the replica has of patients is found in tables that analysts read and in the vault, by
// statements with the same parameters.
func TestPlacesOfPatients(t *testing.T) {
	t.Parallel()
	places := PlacesOf(&schema.Plan{Tables: []*schema.Table{schematest.NoteTable(), schematest.PlainTable()}})
	var names []string
	for _, p := range places {
		names = append(names, p.Table)
		for _, sql := range []string{p.Count(), p.remove()} {
			if !strings.Contains(sql, "$1::text[]") || !strings.Contains(sql, "$2::bytea[]") || !strings.Contains(sql, p.from) {
				t.Errorf("%s: %s", p.Table, sql)
			}
		}
	}
	want := []string{
		"ehr.note", "deid.note_provenance", "deid.quarantine", "deid.requeue", "deid.patient_former", "deid.review_item",
		"deid.review_member", "deid.review_repair", "deid.date_shift", "deid.surrogate",
	}
	if !slices.Equal(names, want) {
		t.Errorf("places %v", names)
	}
}
