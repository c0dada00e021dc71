package apply

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/replicator/deid"
	"github.com/pgdeid/pgdeid/replicator/metrics"
	"github.com/pgdeid/pgdeid/replicator/patient"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/schema/schematest"
)

// noteOf returns the items of a note as workers leave them: lines by their numbers, and the end.
func noteOf(t *schema.Table, note string, who *patient.Patient, lines ...string) []*deid.Item {
	rows := schema.NoteRows{Key: []string{note}}
	for _, n := range lines {
		row := make([]schema.Value, 4)
		for i, text := range []string{note, n, "9", "line " + n} {
			row[i] = schema.Value{Text: text, State: schema.Present}
		}
		rows.Rows = append(rows.Rows, row)
	}
	items := deid.NewNote(rows, schema.Change{Op: schema.UpdateOp, Table: t, LSN: 5, Read: true}, deid.Request{})
	for i, n := range lines {
		it, body := items[i], "made of "+n
		it.Patient, it.Key = who, []string{note, n}
		it.Out.Key, it.Out.RowKey = it.Key, schema.RowKey(it.Key)
		it.Out.Values, it.Out.Keep, it.Out.Texts = []*string{&note, &n, &who.Pseudonym, &body}, []bool{false}, make([]deid.TextOutcome, 1)
	}
	items[len(lines)].Out.Key = []string{note}
	return items
}

// written lists what becomes of rows.
func written(g *Group) []string {
	var list []string
	for _, v := range g.Order {
		what := "written"
		if v.Remove {
			what = "removed"
		}
		list = append(list, strings.Join(v.Key, "/")+" "+what)
	}
	slices.Sort(list)
	return list
}

// Of a note that is in a group twice, lines that only the first reading has are none any more.
func TestNotesThatWereReadAgainInAGroup(t *testing.T) {
	t.Parallel()
	table, a := schematest.LineTable(), someone("a")
	g := NewGroup()
	for _, it := range slices.Concat(noteOf(table, "7", a, "1", "2", "3"), noteOf(table, "8", a, "1"), noteOf(table, "7", a, "2", "4")) {
		g.add(it)
	}
	if len(g.ends) != 3 {
		t.Fatalf("%d ends", len(g.ends))
	}
	g.removeOthers(table, map[string]*deid.Item{`["7"]`: g.ends[2], `["8"]`: g.ends[1]})
	if got, want := written(g), []string{"7/1 removed", "7/2 written", "7/3 removed", "7/4 written", "8/1 written"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	for _, v := range g.Order {
		if v.Remove && (v.Item != g.ends[2] || v.Source != nil || !v.Set) {
			t.Errorf("row %v is removed with %v", v.Key, v.Item)
		}
	}
}

func TestTheEndOfANoteIsNoRow(t *testing.T) {
	t.Parallel()
	table := schematest.LineTable()
	g := NewGroup()
	for _, it := range noteOf(table, "7", someone("a")) { // it is gone
		g.add(it)
	}
	if len(g.Order) != 0 || len(g.ends) != 1 || g.empty() {
		t.Errorf("%d rows, %d ends", len(g.Order), len(g.ends))
	}
}

// A line of a note that the stream brings counts for all its lines.
func TestStreamedLinesCountForTheirNote(t *testing.T) {
	t.Parallel()
	table := schematest.LineTable()
	lines, other := noteOf(table, "7", someone("a"), "1", "2"), noteOf(table, "8", someone("a"), "1")
	deleted := &schema.Change{Op: schema.DeleteOp, Table: table, Old: lines[1].Change.Row}
	for name, came := range map[string]*schema.Change{"a line": lines[0].Change, "a deletion": deleted, "the end": lines[2].Change} {
		s := &Streamed{}
		s.Begin()
		s.add(&deid.Item{Change: came})
		for _, it := range lines {
			if _, ok := s.since(it); ok {
				t.Errorf("%s: an item of its note is not passed over", name)
			}
		}
		for _, it := range other {
			if _, ok := s.since(it); !ok {
				t.Errorf("%s: an item of another note is passed over", name)
			}
		}
	}
}

// Lines that a copy reads become visible together, on the newest day of any of them.
func TestCopiedLinesAreDueTogether(t *testing.T) {
	t.Parallel()
	today := calendarDay(noon)
	table := schematest.LineTable()
	table.Columns[1].Publish = config.ShiftDate
	for name, c := range map[string]struct {
		days []int
		want int
	}{
		"the newest":   {[]int{-9, -3, -5}, today - 3},
		"one":          {[]int{-9}, today - 9},
		"none is past": {[]int{41}, today + 40},
	} {
		var texts []string
		for _, day := range c.days {
			texts = append(texts, noon.AddDate(0, 0, day).Format("2006-01-02"))
		}
		s := &Store{}
		for _, it := range noteOf(table, "7", someone("a"), texts...)[:len(texts)] {
			if got := s.shownDay(&Version{Table: table, Item: it, Values: it.Out.Values}, today+40); got != c.want {
				t.Errorf("%s: day %d, want %d", name, got-today, c.want-today)
			}
		}
	}
}

func TestEndsPrintThemselvesRedacted(t *testing.T) {
	t.Parallel()
	items := noteOf(schematest.LineTable(), "Quark", someone("a"), "1")
	if text := fmt.Sprintf("%v %+v %#v", items[1], items[1], items[1]); strings.Contains(text, "Quark") {
		t.Errorf("printed %s", text)
	}
}

// Of a note that is made anew all lines are written: some of them would be another note.
func TestLinesThatAreMadeAnewAreWrittenWhole(t *testing.T) {
	t.Parallel()
	note := schematest.NoteTable()
	row := &Version{Table: note, Item: done(note, schema.InsertOp, "1", "", "x", someone("a")), only: true}
	line := &Version{Table: schematest.LineTable(), Item: noteOf(schematest.LineTable(), "7", someone("a"), "1")[0], only: true}
	streamed := &Version{Table: note, Item: row.Item}
	if !row.updates() || line.updates() || streamed.updates() {
		t.Errorf("a row updates: %v, a line: %v, one of the stream: %v", row.updates(), line.updates(), streamed.updates())
	}
	if row.what() != metrics.OpRewrite || line.what() != metrics.OpRewrite {
		t.Error("they do not count as made anew")
	}
}
