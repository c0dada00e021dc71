package deid

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/schema/schematest"
	"github.com/pgdeid/pgdeid/replicator/source"
)

// lineChange is a change of the stream, "insert 7 1", "delete 7 1", "move 7 1 8 2" or "truncate", in a transaction.
func lineChange(t *testing.T, table *schema.Table, xid uint32, what string) *Item {
	t.Helper()
	words := strings.Fields(what)
	c := &schema.Change{Table: table, XID: xid, LSN: 5}
	key := func(at int) []schema.Value {
		row := present(words[at], words[at+1], "9", "x")
		row[2], row[3] = schema.Value{}, schema.Value{}
		return row
	}
	switch words[0] {
	case "insert":
		c.Row = present(words[1], words[2], "9", "x")
	case "delete":
		c.Op, c.Old = schema.DeleteOp, key(1)
	case "move":
		c.Op, c.Old, c.Row = schema.UpdateOp, key(1), present(words[3], words[4], "9", "x")
	case "truncate":
		c.Op = schema.TruncateOp
	default:
		t.Fatalf("no change: %s", what)
	}
	return RowItem(c)
}

// shown is what the source shows when all transactions before next have ended.
func shown(t *testing.T, next int) (s source.Snapshot) {
	t.Helper()
	if err := s.Scan(fmt.Sprintf("%d:%d:", next, next)); err != nil {
		t.Fatal(err)
	}
	return s
}

// noted is a note of the source.
func noted(key string, lines ...string) schema.NoteRows {
	n := schema.NoteRows{Key: []string{key}}
	for _, l := range lines {
		n.Rows = append(n.Rows, present(key, l, "9", "x"))
	}
	return n
}

func TestEachNoteIsReadForItsFirstNewChange(t *testing.T) {
	t.Parallel()
	const read = 100 // the first transaction that was not seen when note 7 was read
	for _, tt := range []struct {
		name    string
		changes []string // "XID CHANGE"
		want    string   // NOTE@INDEX
	}{
		{"nothing", nil, ""},
		{"one line", []string{"101 insert 8 1"}, "8@0"},
		{"several lines", []string{"101 insert 8 1", "101 insert 8 2", "102 delete 8 1"}, "8@0"},
		{"several notes", []string{"101 insert 9 1", "101 insert 8 2", "102 insert 9 1"}, "9@0 8@1"},
		{"seen before", []string{"99 insert 7 1", "98 delete 7 2"}, ""},
		{"seen before and not", []string{"99 insert 7 1", "101 insert 7 1", "102 insert 7 1"}, "7@1"},
		{"a line goes to another note", []string{"101 move 8 1 9 2"}, "8@0 9@0"},
		{"within its note", []string{"101 move 8 1 8 2"}, "8@0"},
		{"emptied", []string{"101 insert 8 1", "101 truncate", "101 insert 8 1", "99 insert 7 1"}, "8@0 8@2 7@3"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			table := schematest.LineTable()
			var g gathering
			g.add(table, noted("7", "1"), shown(t, read))
			var batch []*Item
			for _, c := range tt.changes {
				xid, what, _ := strings.Cut(c, " ")
				var n uint32
				if _, err := fmt.Sscan(xid, &n); err != nil {
					t.Fatal(err)
				}
				batch = append(batch, lineChange(t, table, n, what))
			}
			var got []string
			for _, w := range g.choose(batch) {
				got = append(got, fmt.Sprintf("%s@%d", w.key[0], w.at))
			}
			if strings.Join(got, " ") != tt.want {
				t.Errorf("read %v, want %s", got, tt.want)
			}
		})
	}
}

func TestChangesThatAreNoLines(t *testing.T) {
	t.Parallel()
	table := schematest.LineTable()
	copied, read, mark := lineChange(t, table, 1, "insert 7 1"), lineChange(t, table, 1, "insert 7 1"), MarkItem(Position{})
	copied.Change.Covered, read.Change.Read = true, true
	other := RowItem(&schema.Change{Table: schematest.NoteTable(), Row: present("1", "9", "", "x")})
	batch := []*Item{copied, read, mark, other}
	var g gathering
	if list := g.choose(batch); len(list) > 0 {
		t.Errorf("%d notes are read", len(list))
	}
	var got []*Item
	p := parts{Resolver: &Resolver{}, batch: batch, pass: func(part []*Item) error {
		got = append(got, part...)
		return nil
	}}
	if err := p.upTo(len(batch)); err != nil || !slices.Equal(got, batch) {
		t.Errorf("%d items are passed, %v", len(got), err)
	}
}

// The row of a line's change is not written; one that is gone is deleted, unless what was read
// has it.
func TestWhatBecomesOfChangesOfLines(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		change string
		xid    uint32
		want   string // "covered" or "delete NOTE LINE" for each item
	}{
		{"insert 7 1", 101, "covered"},
		{"insert 7 1", 99, "covered"},
		{"delete 7 1", 101, "delete 7 1"},
		{"delete 7 1", 99, "covered"},
		{"delete 7 3", 99, "delete 7 3"},
		{"delete 8 1", 99, "delete 8 1"},
		{"move 7 1 8 2", 101, "covered delete 7 1"},
		{"move 7 1 8 2", 99, "covered"},
		{"move 7 3 8 2", 99, "covered delete 7 3"},
		{"truncate", 101, "truncate"},
	} {
		table := schematest.LineTable()
		p := parts{Resolver: &Resolver{}}
		p.gathered.add(table, noted("7", "1", "2"), shown(t, 100))
		var got []string
		for _, it := range p.unlined(lineChange(t, table, tt.xid, tt.change)) {
			switch c := it.Change; {
			case c.Covered:
				got = append(got, "covered")
			case c.Op == schema.DeleteOp:
				got = append(got, "delete "+c.Old[0].Text+" "+c.Old[1].Text)
			case c.Op == schema.TruncateOp:
				got = append(got, "truncate")
			default:
				got = append(got, "written")
			}
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s in %d: %v, want %s", tt.change, tt.xid, got, tt.want)
		}
		if tt.change == "truncate" && p.gathered.has(table, []string{"7"}, 99) {
			t.Error("a note is remembered though its table was emptied")
		}
	}
}

func TestNotesComeBehindTheirChange(t *testing.T) {
	t.Parallel()
	table := schematest.LineTable()
	batch := []*Item{lineChange(t, table, 101, "delete 7 3"), MarkItem(Position{LSN: 1}), lineChange(t, table, 102, "insert 7 1"), MarkItem(Position{LSN: 2})}
	var got []string
	p := parts{Resolver: &Resolver{}, batch: batch, now: shown(t, 103), pass: func(part []*Item) error {
		for _, it := range part {
			switch {
			case it.Ends != nil:
				got = append(got, "end")
			case it.Note() != nil:
				got = append(got, "line "+it.Change.Row[1].Text)
			case it.Change == nil:
				got = append(got, "mark")
			default:
				got = append(got, fmt.Sprintf("change, covered %v", it.Change.Covered))
			}
			if it.Extra != (it.Ends != nil || it.Note() != nil) {
				t.Errorf("%s is beside the stream: %v", got[len(got)-1], it.Extra)
			}
		}
		return nil
	}}
	if err := p.note(0, noted("7", "1", "2")); err != nil {
		t.Fatal(err)
	}
	if err := p.upTo(len(batch)); err != nil {
		t.Fatal(err)
	}
	if want := "change, covered false|line 1|line 2|end|mark|change, covered true|mark"; strings.Join(got, "|") != want {
		t.Errorf("got %s", strings.Join(got, "|"))
	}
}

func TestWhatIsRememberedIsBounded(t *testing.T) {
	t.Parallel()
	table := schematest.LineTable()
	var g gathering
	many := noted("1")
	many.Rows = slices.Repeat([][]schema.Value{present("1", "1", "9", "x")}, 10)
	for i := range many.Rows {
		many.Rows[i] = present("1", fmt.Sprint(i), "9", "x")
	}
	for range 2 { // the same one again takes the place of itself
		g.add(table, many, shown(t, 100))
	}
	if g.lines != 11 {
		t.Errorf("%d lines are counted", g.lines)
	}
	large := noted("2")
	large.TooLarge = true
	if g.add(table, large, shown(t, 100)); !g.has(table, []string{"2"}, 99) || g.keeps(table, present("2", "1", "9", "x"), 99) {
		t.Error("a note that is too large is not remembered, or has lines")
	}
	g.lines = rememberedLines + 1
	if g.add(table, noted("3", "1"), shown(t, 100)); g.has(table, []string{"1"}, 99) || !g.has(table, []string{"3"}, 99) || g.lines != 2 {
		t.Errorf("%d lines are remembered", g.lines)
	}
}
