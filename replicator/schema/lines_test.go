package schema

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/document"
	"github.com/pgdeid/pgdeid/internal/note"
)

// lineTable has notes of many rows, by two columns of a key of three: part, n, note.
func lineTable(t *testing.T) *Table {
	t.Helper()
	table := &Table{
		Table: &config.Table{Schema: "ehr", Name: "line", Note: &config.Note{Key: []string{"note", "part"}, Order: "n", Text: "body", Join: config.JoinNone}},
		ID:    "ehr.line", Via: -1, Key: []int{1, 2, 0},
	}
	for i, c := range []Column{
		{Column: config.Column{Name: "note", Publish: config.Pseudonym}, Typ: "bigint", Replica: "bigint"},
		{Column: config.Column{Name: "part", Publish: config.Keep}, Typ: "bpchar", Replica: "text"},
		{Column: config.Column{Name: "n", Publish: config.Keep}, Typ: "integer", Replica: "integer"},
		{Column: config.Column{Name: "body", Publish: config.Text}, Typ: "text", Replica: "text"},
	} {
		table.Columns, table.Publish = append(table.Columns, c), append(table.Publish, i)
	}
	table.Texts = []int{3}
	table.SQL = NewStatements(table)
	if err := table.indexLines(); err != nil {
		t.Fatal(err)
	}
	return table
}

func lineRow(values ...string) []Value {
	row := make([]Value, len(values))
	for i, v := range values {
		row[i] = Value{Text: v, State: Present}
		if v == "NULL" {
			row[i] = Value{State: Null}
		}
	}
	return row
}

func TestRowsNameTheirNote(t *testing.T) {
	t.Parallel()
	table := lineTable(t)
	if got := table.NoteKey(lineRow("7", "a", "2", "x")); !slices.Equal(got, []string{"7", "a"}) {
		t.Errorf("the key is %v", got)
	}
	if got := table.NoteOf([]string{"a", "2", "7"}); !slices.Equal(got, []string{"7", "a"}) {
		t.Errorf("the key by that of the row is %v", got)
	}
	row := table.NoteRow([]string{"7", "a"})
	if got := table.NoteKey(row); !slices.Equal(got, []string{"7", "a"}) {
		t.Errorf("the key of a row with nothing but it is %v", got)
	}
	if key, ok := table.UnitKey(row); !ok || !slices.Equal(key, []string{"7", "a"}) {
		t.Errorf("the unit is %v, %v", key, ok)
	}
	if _, ok := table.KeyTexts(row); ok {
		t.Error("a note has the key of a row")
	}
	if table.NoteKey(nil) != nil || table.NoteKey(lineRow("7", "NULL", "2", "x")) != nil {
		t.Error("what has no key has one")
	}
	values := []*string{new(string), new(string), nil, nil}
	*values[0], *values[1] = "70", "b"
	if got := table.PublishedNote(values); !slices.Equal(got, []string{"70", "b"}) || table.PublishedNote(nil) != nil {
		t.Errorf("the published key is %v", got)
	}
	table.Lines = nil
	if key, ok := table.UnitKey(lineRow("7", "a", "2", "x")); !ok || !slices.Equal(key, []string{"a", "2", "7"}) || table.NoteKey(row) != nil {
		t.Errorf("the unit of a row that is a note is %v, %v", key, ok)
	}
}

func TestDeletedLinesMustNameTheirNote(t *testing.T) {
	t.Parallel()
	table := lineTable(t)
	table.Key = []int{0, 2}
	if err := table.indexLines(); err == nil || !strings.Contains(err.Error(), "column part of their key is not in the table's primary key") {
		t.Errorf("got %v", err)
	}
}

func TestLinesAreText(t *testing.T) {
	t.Parallel()
	for typ, want := range map[string]bool{"text": true, "character varying": true, "bpchar": true, "bytea": true, "text[]": false, "jsonb": false, "integer": false} {
		table := lineTable(t)
		table.Columns[3].Typ = typ
		if err := table.indexLines(); (err == nil) != want {
			t.Errorf("%s: %v", typ, err)
		}
	}
}

func TestLinesArePutTogether(t *testing.T) {
	t.Parallel()
	table := lineTable(t)
	rows := [][]Value{lineRow("7", "a", "1", "Marks"), lineRow("7", "a", "2", "NULL"), lineRow("7", "a", "3", "man")}
	wantWhole(t, table, rows, "Marksman")
	table.Lines.Join = config.JoinLine
	wantWhole(t, table, rows, "Marks\nman")
	table.Lines.Join, table.Lines.Form = config.JoinNone, note.Form{Format: document.HTML, Bytes: true}
	rows = [][]Value{lineRow("7", "a", "1", `\x3c623e4d6172`), lineRow("7", "a", "2", `\x6b733c2f623e6d616e`)}
	wantWhole(t, table, rows, "Marksman")
	if _, err := table.Lines.Whole(rows[:1]); err != nil {
		t.Errorf("half of a document in HTML is refused: %v", err)
	}
	rows[0][3].Text = "Marks"
	if _, err := table.Lines.Whole(rows); err == nil || strings.Contains(err.Error(), "Marks") {
		t.Errorf("what is no bytea: %v", err)
	}
}

func wantWhole(t *testing.T, table *Table, rows [][]Value, want string) {
	t.Helper()
	whole, err := table.Lines.Whole(rows)
	if err != nil || whole.Text() != want {
		t.Errorf("got %q, %v, want %q", whole.Text(), err, want)
	}
}

// Bytes count as such, and not as the digits that they come as.
func TestSizeOfLines(t *testing.T) {
	t.Parallel()
	table := lineTable(t)
	var g gathered
	g.add(lineRow("7", "a", "1", "four"), table.Lines)
	table.Lines.Form.Bytes = true
	g.add(lineRow("7", "a", "2", `\x01020304`), table.Lines)
	g.add(lineRow("7", "a", "2", "NULL"), table.Lines)
	if g.bytes != 8 || g.lines != 3 {
		t.Errorf("%d bytes in %d lines", g.bytes, g.lines)
	}
}

func TestQueriesForNotes(t *testing.T) {
	t.Parallel()
	table := lineTable(t)
	from, args := table.Given(table.Lines.Key, [][]string{{"7", "a"}, {"8", `b"`}})
	for _, c := range []struct{ name, got, want string }{
		{"given", from, `unnest($1::bigint[], $2::bpchar[]) with ordinality k(k0, k1, n) join "ehr"."line" t0 on t0."note" = k.k0 and t0."part" = k.k1`},
		{"arguments", fmt.Sprint(args), `[{"7","8"} {"a","b\""}]`},
		{"order", table.lineOrder(), `t0."n", t0."part", t0."n", t0."note"`},
		{"sizes", table.sizes("x t0 where y"), `select t0."note", t0."part", count(*), coalesce(sum(octet_length(t0."body")), 0) ` +
			`from x t0 where y group by t0."note", t0."part" order by t0."note", t0."part"`},
		{"without texts", table.list(table.Texts), `t0."note", t0."part", t0."n", ''`},
		{"others", table.SQL.others(table.publishedNote()), `select u.c0, u.c1, t."part", t."n", t."note" from "deid_rows"."ehr.line" t ` +
			`join unnest($1::text[], $2::text[]) u(c0, c1) on t."note" = u.c0::bigint and t."part" = u.c1::text ` +
			`except select k.n0, k.n1, k.c1::text, k.c2::integer, k.c0::bigint from unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[]) k(n0, n1, c1, c2, c0)`},
	} {
		if c.got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, c.got, c.want)
		}
	}
	table.Columns[2].Typ = "character varying"
	if got := table.lineOrder(); !strings.HasPrefix(got, `length(t0."n"::text), t0."n"::text collate "C", `) {
		t.Errorf("places that are text are in the order of %s", got)
	}
}

func TestNotesAreReadInPortions(t *testing.T) {
	t.Parallel()
	large := NoteSize{Lines: MaxNoteLines + 1}
	for _, c := range []struct {
		name  string
		notes []NoteSize
		want  int
	}{
		{"small ones", slices.Repeat([]NoteSize{{Lines: 10, Bytes: 1000}}, 50), 50},
		{"one", []NoteSize{{Bytes: readBytes + 1}}, 1},
		{"as much as fits", []NoteSize{{Bytes: readBytes / 2}, {Bytes: readBytes / 2}, {Bytes: 1}}, 2},
		{"one that is too large comes alone", []NoteSize{large, {}}, 1},
		{"and so do others before it", []NoteSize{{}, {}, large}, 2},
	} {
		if got := together(c.notes); got != c.want {
			t.Errorf("%s: %d", c.name, got)
		}
	}
	for _, c := range []struct {
		name  string
		notes []NoteSize
		want  int
	}{
		{"none", nil, 0},
		{"few lines", slices.Repeat([]NoteSize{{Lines: 3}}, 5), 5},
		{"many lines", slices.Repeat([]NoteSize{{Lines: 40}}, 5), 2},
		{"a long one", []NoteSize{{Lines: 1000}, {Lines: 1}}, 1},
		{"much text", []NoteSize{{Lines: 1, Bytes: readBytes}, {Lines: 1, Bytes: 1}}, 1},
	} {
		if got := len(Few(c.notes, 100)); got != c.want {
			t.Errorf("%s: %d", c.name, got)
		}
	}
}

// A note may grow between two looks at it.
func TestNotesThatGrowTooLarge(t *testing.T) {
	t.Parallel()
	var g gathered
	for range MaxNoteLines {
		g.add(lineRow("7", "a", "1", "x"), &Lines{Text: 3})
	}
	if g.large() || len(g.rows) != MaxNoteLines {
		t.Fatalf("%d lines are too large", len(g.rows))
	}
	if g.add(lineRow("7", "a", "1", "x"), &Lines{Text: 3}); !g.large() || g.rows != nil {
		t.Errorf("%d lines are kept", len(g.rows))
	}
	for _, n := range []NoteSize{{Lines: 1, Bytes: MaxNoteBytes + 1}, {Lines: MaxNoteLines + 1}} {
		if !n.TooLarge() {
			t.Errorf("%v is not too large", n)
		}
	}
	if (NoteSize{Lines: MaxNoteLines, Bytes: MaxNoteBytes}).TooLarge() {
		t.Error("the largest note is too large")
	}
	if text := fmt.Sprintf("%v %+v %#v", NoteRows{Key: []string{"Quark"}}, NoteRows{Key: []string{"Quark"}}, NoteRows{Key: []string{"Quark"}}); strings.Contains(text, "Quark") {
		t.Errorf("printed %s", text)
	}
}
