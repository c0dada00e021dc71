package schema

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
)

// sites maps notes of several sites, whose patients and visits have numbers of their own at each.
func sites() (cfg *config.Config, tables map[string]catalogue) {
	link := func(column, key string) []config.Link { return []config.Link{{Column: column, Key: key}} }
	cfg = &config.Config{PatientKey: config.TextKey, Release: config.Release{Mode: config.Live}, Tables: []config.Table{
		{Schema: "ehr", Name: "person", Patient: config.Path{Column: "site", More: link("mrn", "")}, Columns: []config.Column{
			{Name: "site", Publish: config.Keep},
			{Name: "mrn", Publish: config.Pseudonym, Domain: "patient 2"},
			{Name: "surname", Tells: record.NameLast, Publish: config.Drop},
		}},
		{Schema: "ehr", Name: "visit", Patient: config.Path{Column: "site", More: link("mrn", "")}, Columns: []config.Column{
			{Name: "site", Publish: config.Keep}, {Name: "number", Publish: config.Pseudonym, Domain: "number"},
		}},
		{
			Schema: "ehr", Name: "note",
			Patient: config.Path{Column: "at", Table: "ehr.visit", Key: "site", More: link("visit", "number")},
			Columns: []config.Column{{Name: "id", Publish: config.Pseudonym, Domain: "id"}, {Name: "body", Publish: config.Text}},
		},
	}}
	tables = map[string]catalogue{
		"ehr.person": {[]string{"site", "mrn"}, map[string]string{"site": "smallint", "mrn": "bpchar", "surname": "text"}},
		"ehr.visit":  {[]string{"site", "number"}, map[string]string{"site": "integer", "number": "numeric", "mrn": "bpchar"}},
		"ehr.note":   {[]string{"id"}, map[string]string{"id": "uuid", "at": "integer", "visit": "numeric", "body": "text"}},
	}
	return cfg, tables
}

func siteTables(t testing.TB) (person, visit, note *Table) {
	t.Helper()
	p, err := assembled(sites())
	if err != nil {
		t.Fatal(err)
	}
	return p.ByID["ehr.person"], p.ByID["ehr.visit"], p.ByID["ehr.note"]
}

func present(texts ...string) []Value {
	row := make([]Value, len(texts))
	for i, text := range texts {
		row[i] = Value{Text: text, State: Present}
	}
	return row
}

// What is read of rows has the columns of the source alone, in their order, whatever names their patient.
func TestColumnsThatAreRead(t *testing.T) {
	t.Parallel()
	_, visit, note := siteTables(t)
	for _, c := range []struct{ got, want string }{
		{visit.ColumnList(), `t0."site", t0."number", t0."mrn"`},
		{note.ColumnList(), `t0."id", t0."body", t0."at", t0."visit"`},
		{note.list(note.Texts), `t0."id", '', t0."at", t0."visit"`},
	} {
		if c.got != c.want {
			t.Errorf("%s, want %s", c.got, c.want)
		}
	}
}

func TestKeysOfSeveralColumns(t *testing.T) {
	t.Parallel()
	person, visit, note := siteTables(t)
	for _, c := range []struct{ name, got, want string }{
		{"columns of a person", names(person, []int{0, 1, 2, 3}), "site mrn surname (site, mrn)"},
		{"via of a person", person.Columns[person.Via].Name, "(site, mrn)"},
		{"via of a note", note.Columns[note.Via].Name, "(at, visit)"},
		{"into", visit.Columns[note.Into].Name, "(site, number)"},
		{"lookups", names(visit, visit.Lookups), "(site, number)"},
		{"column list", visit.ColumnList(), `t0."site", t0."number", t0."mrn"`},
	} {
		if c.got != c.want {
			t.Errorf("%s: %s, want %s", c.name, c.got, c.want)
		}
	}
	for i, col := range visit.real() {
		if !visit.Needs(i) {
			t.Errorf("visits don't need %s", col.Name)
		}
	}
	if !visit.InKey(note.Into) || visit.InKey(visit.Via) {
		t.Error("site and number are the key of a visit, site and mrn are not")
	}
	plan, _ := assembled(sites())
	for _, w := range plan.Wanted() {
		if slices.ContainsFunc(w.Columns, func(name string) bool { return strings.HasPrefix(name, "(") }) {
			t.Errorf("the publication is to carry %v", w.Columns)
		}
	}
}

func TestQueriesOverSeveralColumns(t *testing.T) {
	t.Parallel()
	_, visit, note := siteTables(t)
	clause, patient, alias := note.From(AtSource)
	const want = `"ehr"."note" t0 join "ehr"."visit" t1 on t1."site" = t0."at" and t1."number" = t0."visit"`
	if clause != want || patient.Table != visit || patient.Width() != 2 {
		t.Errorf("from %s", clause)
	}
	if got := patient.List(alias); got != `t1."site", t1."mrn"` {
		t.Errorf("list %s", got)
	}
	if got := patient.In(alias, 3); got != `t1."site" = any($3::bigint[]) and t1."mrn" = any($4::bpchar[])` {
		t.Errorf("condition %s", got)
	}
	args := patient.Args([]string{`["2","M-1"]`, `["1","M-2"]`, `["1","M-1"]`, `["x","M-3"]`, `M-4`, `["1","M-5","6"]`})
	if got := fmt.Sprint(args); got != `[{"1","2"} {"M-1","M-2"}]` {
		t.Errorf("parameters %s", got)
	}
	single := Target{visit, 0}
	if got := fmt.Sprintln(single.List("t0"), single.In("t0", 1), single.Args([]string{"7", "x"})); got != `t0."site" t0."site" = any($1::bigint[]) [{"7"}]`+"\n" {
		t.Errorf("of one column: %s", got)
	}
}

func TestValuesOfSeveralColumns(t *testing.T) {
	t.Parallel()
	_, visit, note := siteTables(t)
	row := visit.RowOf([][]byte{[]byte("3"), []byte("17.00"), []byte("M-1   ")})
	if row[visit.Via].Text != `["3","M-1"]` || row[note.Into].Text != `["3","17"]` || row[1].Text != "17.00" {
		t.Error("the row of a visit is composed of other values")
	}
	read, ok := Target{visit, note.Into}.Read([][]byte{[]byte("3"), []byte("17.0"), []byte("more")})
	if !ok || read != row[note.Into].Text {
		t.Error("a query reads another value than a row has")
	}
	if _, ok := (Target{visit, note.Into}).Read([][]byte{[]byte("3"), nil}); ok {
		t.Error("a value of which a part is NULL is read")
	}
	for _, state := range []ValueState{absent, Null, Unchanged} {
		row := append(present("3", "17", "M-1"), Value{}, Value{})
		row[2] = Value{State: state}
		visit.Compose(row)
		if row[visit.Via].State != state || row[note.Into].State != Present {
			t.Errorf("without a part of state %d: %d, %d", state, row[visit.Via].State, row[note.Into].State)
		}
	}
}

// No two keys make one value, whatever characters they have.
func FuzzValuesOfSeveralColumns(f *testing.F) {
	f.Add("3", "17", "31", "7")
	f.Add(`a"`, `,"b`, "a", `","b`)
	table := &Table{Columns: []Column{{Typ: "text"}, {Typ: "text"}, {Parts: []int{0, 1}}}}
	f.Fuzz(func(t *testing.T, a, b, c, d string) {
		one, two := append(present(a, b), Value{}), append(present(c, d), Value{})
		table.Compose(one)
		table.Compose(two)
		valid := !slices.ContainsFunc([]string{a, b, c, d}, func(text string) bool { return !utf8.ValidString(text) })
		if same := a == c && b == d; valid && same != (one[2] == two[2]) {
			t.Errorf("%q and %q", []string{a, b}, []string{c, d})
		}
		if texts, ok := (Target{table, 2}).Split(one[2].Text); valid && !strings.ContainsRune(a+b, 0) && (!ok || texts[0] != a || texts[1] != b) {
			t.Errorf("%q is split into %q", []string{a, b}, texts)
		}
	})
}

func TestKeysOfSeveralColumnsThatAreRefused(t *testing.T) {
	t.Parallel()
	cfg, tables := sites()
	tables["ehr.note"].columns["visit"] = "text"
	if _, err := assembled(cfg, tables); err == nil || !strings.Contains(err.Error(), "visit is text and ehr.visit.number is numeric") || fault.Hint(err) == "" {
		t.Errorf("got %v", err)
	}
}
