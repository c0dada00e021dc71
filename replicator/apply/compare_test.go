package apply

import (
	"fmt"
	"testing"

	"github.com/pgdeid/pgdeid/replicator/deid"
	"github.com/pgdeid/pgdeid/replicator/patient"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/schema/schematest"
	"github.com/pgdeid/pgdeid/replicator/vault"
)

func TestDifferencesAreCounted(t *testing.T) {
	t.Parallel()
	written, left := &Version{}, &Version{Remove: true, Item: &deid.Item{}}
	line := &Version{Remove: true, Item: &deid.Item{Ends: &deid.Note{}}}
	aside := &Version{Remove: true, aside: &Aside{}}
	for _, c := range []struct {
		name  string
		v     *Version
		there found
		want  Differences
	}{
		{"lacking", written, nothing, Differences{Added: 1}},
		{"another", written, another, Differences{Changed: 1}},
		{"the same", written, theSame, Differences{}},
		{"a line that went", line, nothing, Differences{Removed: 1}},
		{"set aside", aside, nothing, Differences{Aside: 1}},
		{"of a patient who stays out", left, nothing, Differences{}},
	} {
		var d Differences
		d.count(c.v, c.there)
		if d != c.want {
			t.Errorf("%s: %+v", c.name, d)
		}
		if want := c.want.Added+c.want.Changed+c.want.Removed > 0; d.Any() != want {
			t.Errorf("%s: differs %v", c.name, d.Any())
		}
	}
}

// Of texts it is only said whether there is one: the text itself does not go to the server.
func TestTextsAreNotSentToBeCompared(t *testing.T) {
	t.Parallel()
	table, who := schematest.NoteTable(), &patient.Patient{Pseudonym: "a", ShiftStored: true, Memorised: true}
	g := NewGroup()
	made, null := done(table, schema.InsertOp, "1", "", "x", who), done(table, schema.InsertOp, "3", "", "", who)
	null.Out.Keep, null.Out.Texts, null.Out.Values[3] = []bool{false}, []deid.TextOutcome{{Null: true}}, nil
	for _, it := range []*deid.Item{made, done(table, schema.InsertOp, "2", "", "", who), null} {
		g.add(it)
	}
	args := comparedArrays(table, g.Order)
	got := ""
	for i, v := range args[3].([]*string) {
		what := "null"
		if v != nil {
			what = fmt.Sprintf("%q", *v)
		}
		got += fmt.Sprintf("%s remade %v, ", what, g.Order[i].remade())
	}
	if got != `"" remade true, "" remade false, null remade false, ` {
		t.Error(got)
	}
	if keys := args[0].([]*string); *keys[0] != "1" || *keys[2] != "3" {
		t.Error("the keys are others")
	}
	if owners := args[4].([]string); owners[0] != "a" {
		t.Errorf("owners %q", owners)
	}
}

// A row that is set aside or goes is not looked up: it is written anyway.
func TestOnlyRowsThatAreWrittenAreLookedUp(t *testing.T) {
	t.Parallel()
	table, who := schematest.NoteTable(), &patient.Patient{Pseudonym: "a", ShiftStored: true, Memorised: true}
	g := NewGroup()
	bad := done(table, schema.InsertOp, "1", "", "x", who)
	bad.Out.Reason = vault.Leak
	g.add(bad)
	g.add(done(table, schema.DeleteOp, "", "2", "", who))
	w := &Writer{Store: &Store{}}
	there, err := w.lookUp(t.Context(), nil, g) // it would need a transaction to look
	if err != nil || len(there) != 0 {
		t.Errorf("%v, %v", there, err)
	}
	if err := w.passOver(t.Context(), nil, g); err != nil || len(g.Order) != 2 {
		t.Errorf("where nothing is compared, %d versions are left: %v", len(g.Order), err)
	}
	w.Compared = &Differences{}
	if err := w.passOver(t.Context(), nil, g); err != nil || len(g.Order) != 2 || w.Compared.Aside != 1 || w.Compared.Any() {
		t.Errorf("%d versions are left, counted %+v: %v", len(g.Order), *w.Compared, err)
	}
}
