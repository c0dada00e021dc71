package apply

import (
	"testing"

	"github.com/pgdeid/pgdeid/replicator/deid"
	"github.com/pgdeid/pgdeid/replicator/patient"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/schema/schematest"
	"github.com/pgdeid/pgdeid/replicator/vault"
)

// done makes an item as a worker leaves it.
func done(t *schema.Table, o schema.Op, key, oldKey, body string, who *patient.Patient) *deid.Item {
	it := &deid.Item{Change: &schema.Change{Op: o, Table: t}, Resolved: deid.Resolved{Patient: who}}
	if key != "" {
		it.Key, it.Out.Key, it.Out.RowKey = []string{key}, []string{key}, schema.RowKey([]string{key})
		it.Change.Row = []schema.Value{{Text: key, State: schema.Present}, {Text: "9", State: schema.Present}, {Text: "s", State: schema.Present}, {Text: body, State: schema.Present}}
		it.Out.Values = []*string{&key, &who.Pseudonym, &key, &body}
		it.Out.Keep, it.Out.Texts = []bool{body == ""}, make([]deid.TextOutcome, 1)
	}
	if oldKey != "" {
		it.Change.Old = []schema.Value{{Text: oldKey, State: schema.Present}, {}, {}, {}}
		it.Out.OldKey, it.Out.OldRow = []string{oldKey}, schema.RowKey([]string{oldKey})
	}
	return it
}

func TestLastVersionCounts(t *testing.T) {
	table := schematest.NoteTable()
	a, b := &patient.Patient{Pseudonym: "a", ShiftStored: true, Memorised: true}, &patient.Patient{Pseudonym: "b", ShiftStored: true, Memorised: true}
	for _, c := range []struct {
		name  string
		items []*deid.Item
		want  string // key: body, keep, reread or remove; in order of first appearance
	}{
		{"insert, update", []*deid.Item{done(table, schema.InsertOp, "1", "", "x", a), done(table, schema.UpdateOp, "1", "", "y", a)}, "1:y "},
		{"insert, delete", []*deid.Item{done(table, schema.InsertOp, "1", "", "x", a), done(table, schema.DeleteOp, "", "1", "", a)}, "1:remove "},
		{"delete, insert", []*deid.Item{done(table, schema.DeleteOp, "", "1", "", a), done(table, schema.InsertOp, "1", "", "x", a)}, "1:x "},
		{"text inherited", []*deid.Item{done(table, schema.InsertOp, "1", "", "x", a), done(table, schema.UpdateOp, "1", "", "", a)}, "1:x "},
		{"text stays in the replica", []*deid.Item{done(table, schema.UpdateOp, "1", "", "", a)}, "1:keep "},
		{"text of another patient", []*deid.Item{done(table, schema.InsertOp, "1", "", "x", a), done(table, schema.UpdateOp, "1", "", "", b)}, "1:reread "},
		{"and again", []*deid.Item{done(table, schema.InsertOp, "1", "", "x", a), done(table, schema.UpdateOp, "1", "", "", b), done(table, schema.UpdateOp, "1", "", "", b)}, "1:reread "},
		{"text of a row that went", []*deid.Item{done(table, schema.DeleteOp, "", "1", "", a), done(table, schema.UpdateOp, "1", "", "", a)}, "1:reread "},
		{"key changed", []*deid.Item{done(table, schema.InsertOp, "1", "", "x", a), done(table, schema.UpdateOp, "2", "1", "x", a)}, "1:remove 2:x "},
		{
			"keys swapped",
			[]*deid.Item{done(table, schema.UpdateOp, "3", "1", "x", a), done(table, schema.UpdateOp, "1", "2", "y", a), done(table, schema.UpdateOp, "2", "3", "x", a)},
			"1:y 3:remove 2:x ",
		},
	} {
		g := NewGroup()
		for _, it := range c.items {
			g.add(it)
		}
		got := ""
		for _, v := range g.Order {
			what := "keep"
			switch {
			case v.Remove:
				what = "remove"
			case v.reread:
				what = "reread"
			case !v.keeps():
				what = *v.Values[3]
			}
			got += v.Key[0] + ":" + what + " "
		}
		if got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestFailedRowsAreRemovedAndSetAside(t *testing.T) {
	it := done(schematest.NoteTable(), schema.UpdateOp, "1", "", "x", &patient.Patient{Pseudonym: "a", ShiftStored: true, Memorised: true})
	it.Out.Reason = vault.Leak
	g := NewGroup()
	g.add(it)
	v := g.Order[0]
	if !v.Remove || v.aside == nil || v.aside.reason != vault.Leak || v.aside.Patient != "a" || v.aside.Key[0] != "1" || v.Values != nil {
		t.Errorf("got %+v", v)
	}
	// A row whose key can't be published is set aside all the same.
	it = &deid.Item{Change: &schema.Change{Op: schema.InsertOp, Table: schematest.NoteTable(), Row: []schema.Value{{Text: "1", State: schema.Present}, {}, {}, {}}}}
	it.Out.Reason = vault.BadValue
	g = NewGroup()
	g.add(it)
	if v := g.Order[0]; v.aside == nil || len(v.Key) != 0 || v.aside.Key[0] != "1" {
		t.Errorf("got %+v", v)
	}
}

func TestStatements(t *testing.T) {
	s := schematest.NoteTable().SQL
	want := []string{
		`insert into "deid_rows"."ehr.note" ("id", "patient_id", "status", "body", pgdeid_patient) ` +
			`select u.c0::text, u.c1::text, u.c2::text, u.c3::text, u.patient ` +
			`from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) u(c0, c1, c2, c3, patient) on conflict ("id") do update set ` +
			`"patient_id" = excluded."patient_id", "status" = excluded."status", "body" = excluded."body", pgdeid_patient = excluded.pgdeid_patient`,
		`delete from "deid_rows"."ehr.note" t using unnest($1::text[]) u(c0) where t."id" = u.c0::text`,
		`update "deid_rows"."ehr.note" t set "status" = u.c2::text, pgdeid_patient = u.patient ` +
			`from unnest($1::text[], $2::text[], $3::text[]) u(c0, c2, patient) where t."id" = u.c0::text`,
		`update "deid_rows"."ehr.note" t set pgdeid_patient = u.patient from unnest($1::text[], $2::text[]) u(c0, patient) where t."id" = u.c0::text`,
		`select u.place, true and t."patient_id"::text is not distinct from (u.c1::text)::text and t."status"::text is not distinct from (u.c2::text)::text ` +
			`and (t."body" is null) = (u.c3 is null) and t.pgdeid_patient is not distinct from u.patient ` +
			`from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) with ordinality u(c0, c1, c2, c3, patient, place) ` +
			`join "deid_rows"."ehr.note" t on t."id" = u.c0::text`,
	}
	for i, got := range []string{s.Upsert, s.Remove, s.Update([]int{0, 2}), s.Update([]int{0}), s.Compare()} {
		if got != want[i] {
			t.Errorf("got  %s\nwant %s", got, want[i])
		}
	}
}

// Of a row that a copy has already nothing was searched: that a patient's words are on
// their way to the vault must not be said for it.
func TestCoveredRowsMakeNothingOfAPatient(t *testing.T) {
	who := &patient.Patient{Pseudonym: "a"}
	it := done(schematest.NoteTable(), schema.InsertOp, "1", "", "x", who)
	it.Change.Covered = true
	g := NewGroup()
	g.add(it)
	if who.Memorised || who.ShiftStored || len(g.Order) > 0 {
		t.Errorf("memorised %v, shift stored %v, %d rows", who.Memorised, who.ShiftStored, len(g.Order))
	}
}

func TestOnlyWhatTheStreamInsertsIsNew(t *testing.T) {
	t.Parallel()
	table, a := schematest.NoteTable(), someone("a")
	copied, rewritten := done(table, schema.InsertOp, "1", "", "x", a), done(table, schema.InsertOp, "1", "", "x", a)
	copied.Change.Read, rewritten.Only = true, true
	insert, remove := done(table, schema.InsertOp, "1", "", "x", a), done(table, schema.DeleteOp, "", "1", "", a)
	for name, c := range map[string]struct {
		items []*deid.Item
		want  bool
	}{
		"inserted":          {[]*deid.Item{insert}, true},
		"inserted, updated": {[]*deid.Item{insert, done(table, schema.UpdateOp, "1", "", "y", a)}, false},
		"deleted, inserted": {[]*deid.Item{remove, insert}, false},
		"updated":           {[]*deid.Item{done(table, schema.UpdateOp, "1", "", "y", a)}, false},
		"copied":            {[]*deid.Item{copied}, false},
		"made anew":         {[]*deid.Item{rewritten}, false},
	} {
		if v := grouped(c.items...).Order[0]; v.isNew() != c.want {
			t.Errorf("%s: %v", name, v.isNew())
		}
	}
}
