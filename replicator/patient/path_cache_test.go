package patient

import (
	"fmt"
	"strings"
	"testing"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/document"
	"github.com/pgdeid/pgdeid/replicator/schema"
)

// visits is a table with the columns id (its key), number and person; other tables' paths
// look up the columns given.
func visits(lookups ...int) *schema.Table {
	t := &schema.Table{Table: &config.Table{Schema: "ehr", Name: "visit", Patient: config.Path{Column: "person"}}, ID: "ehr.visit", Via: 2}
	for _, name := range []string{"id", "number", "person"} {
		t.Columns = append(t.Columns, schema.Column{Column: config.Column{Name: name}, Typ: "text"})
	}
	t.Key, t.Lookups = []int{0}, lookups
	return t
}

// pathRegister returns a register that remembers paths through the tables.
func pathRegister(t testing.TB, tables ...*schema.Table) *Register {
	t.Helper()
	r := keyedRegister(t)
	paths, err := lru.New[PathKey, string](100)
	if err != nil {
		t.Fatal(err)
	}
	r.Paths, r.Cache = paths, NewCache(1<<20)
	r.Plan = &schema.Plan{
		Config: &config.Config{PatientKey: config.TextKey}, ByID: map[string]*schema.Table{},
		Inner: map[*schema.Table]bool{},
	}
	for _, table := range tables {
		r.Plan.Tables, r.Plan.ByID[table.ID] = append(r.Plan.Tables, table), table
	}
	return r
}

func row(values ...string) []schema.Value {
	list := make([]schema.Value, len(values))
	for i, v := range values {
		list[i] = schema.Value{Text: v, State: schema.Present}
		if v == "" {
			list[i] = schema.Value{State: schema.Null}
		}
	}
	return list
}

func TestPathsAreForgotten(t *testing.T) {
	t.Parallel()
	const id, number = 0, 1
	for _, c := range []struct {
		name     string
		lookups  []int
		inner    bool
		op       schema.Op
		old, row []schema.Value
		want     string // what is remembered afterwards
	}{
		{"update, looked up by its key", []int{id}, false, schema.UpdateOp, nil, row("1", "n1", "b"), "2"},
		{"a key that changed", []int{id}, false, schema.UpdateOp, row("1", "", ""), row("2", "n1", "b"), ""},
		{"deletion", []int{id}, false, schema.DeleteOp, row("1", "", ""), nil, "2"},
		{"insert", []int{id}, false, schema.InsertOp, nil, row("1", "n1", "b"), "2"},
		{"insert of another row", []int{id}, false, schema.InsertOp, nil, row("3", "n1", "b"), "1 2"},
		{"insert, looked up by another column", []int{number}, false, schema.InsertOp, nil, row("9", "1", "b"), "2"},
		{"update, looked up by another column", []int{number}, false, schema.UpdateOp, nil, row("9", "n9", "b"), ""},
		{"deletion, looked up by another column", []int{number}, false, schema.DeleteOp, row("9", "", ""), nil, ""},
		{"insert in the middle of paths", []int{id}, true, schema.InsertOp, nil, row("9", "n9", "b"), ""},
		{"nothing looked up", nil, false, schema.UpdateOp, nil, row("1", "n1", "b"), "1 2"},
	} {
		table := visits(c.lookups...)
		r := pathRegister(t, table)
		r.Plan.Inner[table] = c.inner
		column := id
		if len(c.lookups) > 0 {
			column = c.lookups[0]
		}
		for _, v := range []string{"1", "2"} {
			r.Paths.Add(PathKey{target: schema.Target{Table: table, Column: column}, value: v}, "a")
		}
		before := r.PathGen.Load()
		r.ForgetPath(&schema.Change{Op: c.op, Table: table, Old: c.old, Row: c.row})
		var left []string
		for _, key := range r.Paths.Keys() {
			left = append(left, key.value)
		}
		if got := strings.Join(left, " "); got != c.want {
			t.Errorf("%s: remembered %q, want %q", c.name, got, c.want)
		}
		// What is read meanwhile may be from before the change.
		if (r.PathGen.Load() != before) != (len(c.lookups) > 0) {
			t.Errorf("%s: generation %d after %d", c.name, r.PathGen.Load(), before)
		}
	}
}

func TestForgetAllForgetsPathsAndPatients(t *testing.T) {
	t.Parallel()
	table := visits(0)
	r := pathRegister(t, table)
	r.Paths.Add(PathKey{target: schema.Target{Table: table}, value: "1"}, "a")
	loadTo(r.Cache, "a", 0)
	before := r.PathGen.Load()
	(&Lookups{Register: r}).ForgetAll()
	if r.Paths.Len() != 0 || r.Cache.pin("a") != nil || r.PathGen.Load() == before {
		t.Error("something is remembered")
	}
}

// Rows that name their patient, or whose path is remembered, need no query.
func TestPatientKeysWithoutAQuery(t *testing.T) {
	t.Parallel()
	visit := visits(0)
	note := &schema.Table{Table: &config.Table{Patient: config.Path{Column: "visit"}}, Via: 0, Next: visit, Into: 0}
	ward := &schema.Table{Table: &config.Table{}, Via: -1}
	r := pathRegister(t, visit)
	r.Paths.Add(PathKey{target: schema.Target{Table: visit}, value: "7"}, "a")
	for _, c := range []struct {
		name  string
		table *schema.Table
		row   []schema.Value
		want  string
	}{
		{"its own column", visit, row("1", "n", "b"), "b"},
		{"a padded key", visit, row("1", "n", "b  "), "b"},
		{"no patient", visit, row("1", "n", ""), ""},
		{"not sent", visit, []schema.Value{{}, {}, {State: schema.Unchanged}}, ""},
		{"a path that is known", note, row("7"), "a"},
		{"a table of nobody", ward, row("7"), ""},
		{"no row", visit, nil, ""},
	} {
		keys, several, err := (&Lookups{Register: r}).PatientKeys(t.Context(), []*schema.Table{c.table}, [][]schema.Value{c.row})
		if err != nil || len(several) != 0 || len(keys) != 1 || keys[0] != c.want {
			t.Errorf("%s: %q, %v, %v", c.name, keys, several, err)
		}
	}
}

func TestRowsThatLeadOthers(t *testing.T) {
	t.Parallel()
	table := visits(0, 1)
	r := pathRegister(t, table)
	for _, c := range []struct {
		name   string
		change schema.Change
		want   string
	}{
		{"insert", schema.Change{Op: schema.InsertOp, Row: row("1", "n1", "a")}, "id=1 fresh, number=n1 fresh"},
		{"update", schema.Change{Op: schema.UpdateOp, Row: row("1", "n1", "a")}, "id=1, number=n1"},
		{"a null", schema.Change{Op: schema.UpdateOp, Row: row("1", "", "a")}, "id=1"},
		{"deletion", schema.Change{Op: schema.DeleteOp, Old: row("1", "", "")}, "id=1"},
		{"another key", schema.Change{Op: schema.UpdateOp, Old: row("1", "", ""), Row: row("2", "n1", "a")}, "id=1, id=2, number=n1"},
		{"a row that was read", schema.Change{Op: schema.InsertOp, Row: row("1", "n1", "a"), Read: true}, ""},
	} {
		c.change.Table, c.change.LSN = table, 77
		var got []string
		for _, p := range r.Leads(&c.change) {
			text := p.Key()[1] + "=" + p.Value
			if p.Fresh {
				text += " fresh"
			}
			if p.LSN != 77 || p.Hash != r.PathChange(p.Target, p.Value).Hash || p.Key()[0] != table.ID {
				t.Errorf("%s: %+v", c.name, p.Key())
			}
			got = append(got, text)
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}

func TestPathChangesOpenAgain(t *testing.T) {
	t.Parallel()
	table := visits(0, 1)
	r := pathRegister(t, table)
	for _, column := range []int{0, 1} {
		p := r.PathChange(schema.Target{Table: table, Column: column}, "Quark 7")
		if again := OpenPath(r.Plan, p.Key()); again.Target != p.Target || again.Value != p.Value {
			t.Errorf("column %d: %v", column, again.Key())
		}
		if text := fmt.Sprintf("%v %+v %#v %s %s", p, p, p, p, p.LogValue()); strings.Contains(text, "Quark") ||
			!strings.Contains(text, "[redacted]") {
			t.Errorf("printed %s", text)
		}
	}
	for _, key := range [][]string{nil, {"ehr.visit", "id"}, {"ehr.gone", "id", "7"}} {
		if p := OpenPath(r.Plan, key); p.Target.Table == nil || p.Target.Table.ID != "" || p.Value != "" {
			t.Errorf("%q leads to %v", key, p)
		}
	}
	one, other := r.PathChange(schema.Target{Table: table}, "7"), r.PathChange(schema.Target{Table: table, Column: 1}, "7")
	if one.Hash == other.Hash {
		t.Error("two columns share a hash")
	}
}

func TestRowsOfARecord(t *testing.T) {
	t.Parallel()
	table := &schema.Table{Telling: []int{1, 2}, Columns: []schema.Column{
		{}, {Column: config.Column{Tells: record.BirthDate}}, {Column: config.Column{Tells: record.NameLast}},
	}}
	y := newTally()
	addRow(y, table, [][]byte{[]byte("1931-05-06 00:00:00"), []byte("Newer")})
	addRow(y, table, [][]byte{nil, []byte("Older")})
	addRow(y, table, [][]byte{[]byte("1931-05-06"), []byte("")})
	paths := schema.Column{Column: config.Column{Format: document.JSON, Paths: []config.Column{
		{Name: "$.name[*].family", Tells: record.NameLast}, {Name: "$.born", Tells: record.BirthDate},
	}}, Typ: "jsonb"}
	paths.Describe(&config.Config{}, &schema.Table{Table: &config.Table{}})
	addRow(y, &schema.Table{Telling: []int{0}, Columns: []schema.Column{paths}},
		[][]byte{[]byte(`{"name": [{"family": "Latest", "given": "Ann"}, {}], "born": "1931-05-06T10:00:00Z", "x": "y"}`)})
	y.done()
	if got := fmt.Sprint(y.Record[record.BirthDate], y.Record[record.NameLast]); got != "[1931-05-06] [Latest Older Newer]" {
		t.Errorf("got %s", got)
	}
}
