package deid

import (
	"testing"

	"github.com/pgdeid/pgdeid/replicator/patient"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/schema/schematest"
	"github.com/pgdeid/pgdeid/replicator/vault"
)

// readRow returns an item of a row of notes that was read and resolved.
func readRow(id, body string) *Item {
	row := []schema.Value{{Text: id, State: schema.Present}, {Text: "9", State: schema.Present}, {}, {Text: body, State: schema.Present}}
	it := RowItem(&schema.Change{Op: schema.InsertOp, Table: sameTable, Row: row, Read: true})
	it.Patient, it.Owner = &patient.Patient{Key: "9", Pseudonym: "a", Shift: 3}, "a"
	it.known = []known{{hmac: []byte("h"), published: []byte("p"), config: "c"}}
	return it
}

var sameTable = schematest.NoteTable()

func TestRowsThatChangedWhileTheyWereMade(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(now *Item)
		same   bool
	}{
		"nothing":                {func(*Item) {}, true},
		"the text":               {func(now *Item) { now.Change.Row[3].Text = "y" }, false},
		"another column":         {func(now *Item) { now.Change.Row[2] = schema.Value{Text: "s", State: schema.Present} }, false},
		"to NULL":                {func(now *Item) { now.Change.Row[3] = schema.Value{} }, false},
		"the patient":            {func(now *Item) { now.Patient = &patient.Patient{Key: "8", Pseudonym: "b", Shift: 3} }, false},
		"the shift":              {func(now *Item) { now.Patient.Shift = 4 }, false},
		"no patient any more":    {func(now *Item) { now.Patient = nil }, false},
		"the owner":              {func(now *Item) { now.Owner = "b" }, false},
		"the patient stays out":  {func(now *Item) { now.LeftOut = true }, false},
		"the row is gone there":  {func(now *Item) { now.Absent = true }, false},
		"its path breaks":        {func(now *Item) { now.Reason = vault.NoPatient }, false},
		"published from another": {func(now *Item) { now.known[0].hmac = []byte("i") }, false},
		"published otherwise":    {func(now *Item) { now.known[0].published = []byte("q") }, false},
		"by another version":     {func(now *Item) { now.known[0].config = "d" }, false},
		"published as NULL":      {func(now *Item) { now.known[0].null = true }, false},
		"not published any more": {func(now *Item) { now.known = nil }, false},
	} {
		made, other, now := readRow("1", "x"), readRow("2", "x"), readRow("1", "x")
		c.change(now)
		kept := Unchanged([]*Item{made, other}, []*Item{readRow("2", "x"), now})
		if got := len(kept) == 2 && kept[0] == made; got != c.same || kept[len(kept)-1] != other {
			t.Errorf("%s: the same is %v, %d are written", name, got, len(kept))
		}
	}
	if kept := Unchanged([]*Item{readRow("1", "x")}, nil); len(kept) > 0 {
		t.Error("a row is written that is gone")
	}
	if kept := Unchanged(nil, []*Item{readRow("1", "x")}); len(kept) > 0 {
		t.Error("a row is written that was not made")
	}
}

// Of a note whose lines are rows, a line that changed, came or went has the whole note made again.
func TestNotesThatChangedWhileTheyWereMade(t *testing.T) {
	t.Parallel()
	table := schematest.LineTable()
	for name, c := range map[string]struct {
		now  []string
		same bool
	}{
		"nothing":    {[]string{"one", "two"}, true},
		"a line":     {[]string{"one", "2"}, false},
		"a line new": {[]string{"one", "two", "three"}, false},
		"a line off": {[]string{"one"}, false},
	} {
		made, now := linesOf(table, Request{}, "one", "two"), linesOf(table, Request{}, c.now...)
		want := 0
		if c.same {
			want = len(made)
		}
		if kept := Unchanged(made, now); len(kept) != want {
			t.Errorf("%s changed: %d of %d items are written", name, len(kept), len(made))
		}
	}
}
