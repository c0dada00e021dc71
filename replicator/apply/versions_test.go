package apply

import (
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pglogrepl"

	"github.com/pgdeid/pgdeid/replicator/deid"
	"github.com/pgdeid/pgdeid/replicator/patient"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/schema/schematest"
	"github.com/pgdeid/pgdeid/replicator/vault"
	"github.com/pgdeid/pgdeid/surrogate"
)

func someone(name string) *patient.Patient {
	return &patient.Patient{Pseudonym: name, ShiftStored: true, Memorised: true}
}

// failed is an item whose row can't be published.
func failed(it *deid.Item, why vault.Reason) *deid.Item {
	it.Out.Reason = why
	return it
}

// grouped returns a group of items.
func grouped(items ...*deid.Item) *Group {
	g := NewGroup()
	for _, it := range items {
		g.add(it)
	}
	return g
}

// described says what becomes of a row, in words that tests compare.
func (v *Version) described() string {
	words := []string{strings.Join(v.Key, ",") + ":"}
	switch {
	case v.aside != nil:
		words = append(words, "aside", string(v.aside.reason))
	case v.Remove:
		words = append(words, "remove")
	case v.keeps():
		words = append(words, "keep")
	default:
		words = append(words, *v.Values[3])
	}
	if v.patient != "" {
		words = append(words, "of", v.patient)
	}
	if v.was != "" {
		words = append(words, "before of", v.was)
	}
	if v.anew {
		words = append(words, "anew")
	}
	return strings.Join(words, " ")
}

func TestHistoryOfARowWithinAGroup(t *testing.T) {
	t.Parallel()
	table := schematest.NoteTable()
	a, b := someone("a"), someone("b")
	insert := func(body string, who *patient.Patient) *deid.Item {
		return done(table, schema.InsertOp, "1", "", body, who)
	}
	update := func(body string, who *patient.Patient) *deid.Item {
		return done(table, schema.UpdateOp, "1", "", body, who)
	}
	remove := func() *deid.Item { return done(table, schema.DeleteOp, "", "1", "", a) }
	rekey := func(from, to, body string, who *patient.Patient) *deid.Item {
		return done(table, schema.UpdateOp, to, from, body, who)
	}
	for _, c := range []struct {
		name  string
		items []*deid.Item
		want  string
	}{
		{"an insert is not anew", []*deid.Item{insert("x", a)}, "1: x of a"},
		{"deleted and inserted", []*deid.Item{remove(), insert("x", b)}, "1: x of b anew"},
		{"and updated", []*deid.Item{remove(), insert("x", b), update("y", b)}, "1: y of b anew"},
		{"and updated twice", []*deid.Item{remove(), insert("x", b), update("y", b), update("z", b)}, "1: z of b anew"},
		{"and deleted", []*deid.Item{remove(), insert("x", b), remove()}, "1: remove"},
		{"filed anew in the group", []*deid.Item{insert("x", a), update("y", b)}, "1: y of b before of a"},
		{"and back", []*deid.Item{insert("x", a), update("y", b), update("z", a)}, "1: z of a before of b"},
		{"and touched again", []*deid.Item{insert("x", a), update("y", b), update("z", b)}, "1: z of b before of a"},
		{"and gets another key", []*deid.Item{insert("x", a), update("y", b), rekey("1", "2", "z", b)}, "1: remove|2: z of b before of a"},
		{
			"and two other keys",
			[]*deid.Item{insert("x", a), rekey("1", "2", "y", b), rekey("2", "3", "z", b)},
			"1: remove|2: remove|3: z of b before of a",
		},
		{"set aside, then whole", []*deid.Item{failed(insert("x", a), vault.Leak), update("y", a)}, "1: y of a"},
		{"set aside, then kept text", []*deid.Item{failed(insert("x", a), vault.Leak), update("", a)}, "1: keep of a"},
		{"whole, then set aside", []*deid.Item{insert("x", a), failed(update("y", a), vault.TimedOut)}, "1: aside " + string(vault.TimedOut)},
		{"set aside, then deleted", []*deid.Item{failed(insert("x", a), vault.Leak), remove()}, "1: remove"},
		{"key changed", []*deid.Item{insert("x", a), rekey("1", "2", "x", a)}, "1: remove|2: x of a"},
		{"key changed, and filed anew", []*deid.Item{insert("x", a), rekey("1", "2", "x", b)}, "1: remove|2: x of b before of a"},
		{"key taken over by another row", []*deid.Item{rekey("1", "2", "x", a), insert("y", b)}, "1: y of b anew|2: x of a"},
		{
			"keys swapped",
			[]*deid.Item{rekey("1", "3", "x", a), rekey("2", "1", "y", b), rekey("3", "2", "x", a)},
			"1: y of b anew|3: remove|2: x of a anew",
		},
		{"key changed and back", []*deid.Item{rekey("1", "2", "x", a), rekey("2", "1", "y", a)}, "1: y of a anew|2: remove"},
		{"key changed, and set aside", []*deid.Item{failed(rekey("1", "2", "x", a), vault.Leak)}, "1: remove|2: aside " + string(vault.Leak)},
	} {
		var got []string
		g := grouped(c.items...)
		for _, v := range g.Order {
			got = append(got, v.described())
		}
		if text := strings.Join(got, "|"); text != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.name, text, c.want)
		}
		if g.empty() || g.rows != len(c.items) {
			t.Errorf("%s: %d rows", c.name, g.rows)
		}
	}
	if !NewGroup().empty() {
		t.Error("a new group is not empty")
	}
}

func TestTextSetAsideIsReadAgain(t *testing.T) {
	t.Parallel()
	table, a := schematest.NoteTable(), someone("a")
	g := grouped(failed(done(table, schema.InsertOp, "1", "", "x", a), vault.Leak), done(table, schema.UpdateOp, "1", "", "", a))
	if v := g.Order[0]; !v.reread || v.aside != nil || v.Remove {
		t.Errorf("the text of a row that was set aside is taken as published: %s", v.described())
	}
}

func TestRowsOfUnpublishedAndCoveredTablesAreNotWritten(t *testing.T) {
	t.Parallel()
	table := schematest.NoteTable()
	hidden := *table
	hidden.Publish = nil
	covered := done(table, schema.InsertOp, "1", "", "x", someone("a"))
	covered.Change.Covered = true
	unpublished := done(&hidden, schema.InsertOp, "2", "", "x", someone("a"))
	for _, it := range []*deid.Item{covered, unpublished} {
		it.Whose, it.Words = "a", []surrogate.Entry{{Kind: vault.RecordKind, Hash: []byte("w")}}
		it.Requests = []*deid.Requeue{{Pseudonym: "a"}}
		it.Leads = []patient.PathChange{{Hash: "h"}}
		if g := grouped(it); len(g.Order) != 0 || !g.choices.HasEntries() || len(g.requeue) != 1 || len(g.paths) != 1 {
			t.Errorf("%d rows, %d requests, %d paths, words %v", len(g.Order), len(g.requeue), len(g.paths), g.choices.HasEntries())
		}
	}
}

// A row gets a key that can't be published: what the replica has under the old one goes.
func TestRowWithoutANewKeyLeavesItsOldOne(t *testing.T) {
	t.Parallel()
	it := done(schematest.NoteTable(), schema.UpdateOp, "2", "1", "x", someone("a"))
	it.Out.Key, it.Out.RowKey, it.Out.Values, it.Out.Reason = nil, "", nil, vault.BadValue
	g := grouped(it)
	if len(g.Order) != 2 || g.Order[0].described() != "1: remove" || g.Order[1].aside == nil || g.Order[1].aside.Key[0] != "2" {
		t.Errorf("%d rows", len(g.Order))
	}
}

func TestRequestsKnowOfNotesBeforeThem(t *testing.T) {
	t.Parallel()
	table, a, b := schematest.NoteTable(), someone("a"), someone("b")
	note := func(who *patient.Patient) *deid.Item {
		return done(table, schema.InsertOp, who.Pseudonym, "", "x", who)
	}
	record := func(who string) *deid.Item {
		hidden := *schematest.PlainTable()
		hidden.Publish = nil
		return &deid.Item{
			Change:   &schema.Change{Table: &hidden},
			Resolved: deid.Resolved{Requests: []*deid.Requeue{{Pseudonym: who, SourceKey: who}}},
		}
	}
	for _, c := range []struct {
		name  string
		items []*deid.Item
		want  bool
	}{
		{"no note", []*deid.Item{record("a")}, false},
		{"a note before", []*deid.Item{note(a), record("a")}, true},
		{"a note after", []*deid.Item{record("a"), note(a)}, false},
		{"a note of another", []*deid.Item{note(b), record("a")}, false},
		{"a note between two changes", []*deid.Item{record("a"), note(a), record("a")}, true},
		{"a note before the first of two", []*deid.Item{note(a), record("a"), record("a")}, true},
	} {
		if got := grouped(c.items...).requeue["a"].Noted; got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

func TestPathsStayFreshWhileTheirRowIsNew(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		fresh []bool
		want  bool
	}{{[]bool{true}, true}, {[]bool{false}, false}, {[]bool{true, true}, true}, {[]bool{true, false}, false}, {[]bool{false, true}, false}} {
		g := NewGroup()
		for _, fresh := range c.fresh {
			g.addPath(patient.PathChange{Hash: "h", Fresh: fresh})
		}
		if got := g.paths["h"]; got.Fresh != c.want || len(g.paths) != 1 {
			t.Errorf("%v: %v", c.fresh, got.Fresh)
		}
	}
}

func TestRowsThatMayHaveBeenAnothers(t *testing.T) {
	t.Parallel()
	note, plain := schematest.NoteTable(), schematest.PlainTable()
	of := func(o schema.Op, lsn pglogrepl.LSN, read bool) *deid.Item {
		return &deid.Item{Change: &schema.Change{Op: o, Table: note, LSN: lsn, Read: read}}
	}
	for _, c := range []struct {
		name string
		v    Version
		want bool
	}{
		{"an update", Version{Table: note, patient: "a", Item: of(schema.UpdateOp, 9, false)}, true},
		{"an insert that a copy may have", Version{Table: note, patient: "a", Item: of(schema.InsertOp, 5, false)}, true},
		{"a later insert", Version{Table: note, patient: "a", Item: of(schema.InsertOp, 6, false)}, false},
		{"a row that was read", Version{Table: note, patient: "a", Item: of(schema.InsertOp, 0, true)}, false},
		{"a deletion", Version{Table: note, patient: "a", Remove: true}, false},
		{"a row anew", Version{Table: note, patient: "a", anew: true}, false},
		{"a row of nobody", Version{Table: note}, false},
		{"no note", Version{Table: plain, patient: "a"}, false},
	} {
		if got := c.v.mayMove(5); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

func TestWhoseARowWas(t *testing.T) {
	t.Parallel()
	table := schematest.NoteTable()
	for _, c := range []struct {
		name, patient, was, oldRow string
		there                      map[[2]string]string
		want                       string
	}{
		{"nothing is published", "a", "", "", nil, ""},
		{"the same patient's", "a", "", "", map[[2]string]string{{"1", "body"}: "a"}, ""},
		{"another one's", "a", "", "", map[[2]string]string{{"1", "body"}: "b"}, "b"},
		{"another one's under another key", "a", "", "0", map[[2]string]string{{"0", "body"}: "b"}, "b"},
		{"another row's", "a", "", "", map[[2]string]string{{"0", "body"}: "b"}, ""},
		{"another column's", "a", "", "", map[[2]string]string{{"1", "status"}: "b"}, ""},
		{"another one's in the same group", "a", "c", "", map[[2]string]string{{"1", "body"}: "b"}, "c"},
		{"a row of nobody", "", "", "", map[[2]string]string{{"1", "body"}: "b"}, ""},
	} {
		v := &Version{Table: table, RowKey: "1", patient: c.patient, was: c.was, Item: &deid.Item{Out: deid.Outcome{OldRow: c.oldRow}}}
		if got := v.takenFrom(c.there); got != c.want {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}

func TestKeptTextsMustBeThere(t *testing.T) {
	t.Parallel()
	table := schematest.NoteTable()
	table.Texts = []int{2, 3}
	body := [2]string{"1", "body"}
	for _, c := range []struct {
		name  string
		keep  []bool
		there map[[2]string]string
		want  bool
	}{
		{"nothing kept", []bool{false, false}, nil, true},
		{"kept and there", []bool{false, true}, map[[2]string]string{body: "a"}, true},
		{"kept and gone", []bool{false, true}, nil, false},
		{"kept and another patient's", []bool{false, true}, map[[2]string]string{body: "b"}, false},
		{"one of two", []bool{true, true}, map[[2]string]string{body: "a"}, false},
		{"both", []bool{true, true}, map[[2]string]string{body: "a", {"1", "status"}: "a"}, true},
	} {
		if got := (&Version{Table: table, RowKey: "1", patient: "a", Keep: c.keep}).allThere(c.there); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

func TestVersionsPrintThemselvesRedacted(t *testing.T) {
	t.Parallel()
	v := grouped(done(schematest.NoteTable(), schema.InsertOp, "4711", "", "Quarkstein", someone("a"))).Order[0]
	for _, text := range []string{fmt.Sprintf("%v", v), fmt.Sprintf("%+v", v), fmt.Sprintf("%#v", v), fmt.Sprintf("%s", v)} {
		if text != "[redacted]" {
			t.Errorf("printed %s", text)
		}
	}
}
