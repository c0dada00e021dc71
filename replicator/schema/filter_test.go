package schema

import (
	"testing"

	"github.com/pgdeid/pgdeid/internal/config"
)

// consentTable has consents: a number, the patient, the state and until when.
func consentTable(t *testing.T, when string, kind config.FilterKind) *Table {
	t.Helper()
	cfg := &config.Config{Filters: []config.Filter{{Kind: kind, Table: "ehr.consent", Patient: []string{"patient_id"}, Into: []string{"other_id"}}}}
	if when != "" {
		c, err := config.ParseCondition(when)
		if err != nil {
			t.Fatal(err)
		}
		cfg.Filters[0].When = c
	}
	table := &Table{Table: &config.Table{Schema: "ehr", Name: "consent"}, ID: "ehr.consent", Key: []int{0}, Via: -1}
	for _, name := range []string{"consent_id", "patient_id", "state", "until", "other_id", "note"} {
		table.Columns = append(table.Columns, Column{Column: config.Column{Name: name, Publish: config.Drop}, Typ: "text"})
	}
	table.indexFilters(cfg)
	return table
}

func TestRowsOfFilters(t *testing.T) {
	t.Parallel()
	null, is := Value{State: Null}, func(text string) Value { return Value{Text: text, State: Present} }
	for _, c := range []struct {
		name, when string
		row        []Value
		want       string
	}{
		{"every row", "", []Value{is("1"), is("7"), null, null, null, null}, "7"},
		{"a state", "state = 'out'", []Value{is("1"), is("7"), is("out"), null, null, null}, "7"},
		{"another state", "state = 'out'", []Value{is("1"), is("7"), is("in"), null, null, null}, ""},
		{"one of two tests", "state = 'out' and until is null", []Value{is("1"), is("7"), is("out"), is("2020-01-01"), null, null}, ""},
		{"both tests", "state = 'out' and until is null", []Value{is("1"), is("7"), is("out"), null, null, null}, "7"},
		{"nobody", "", []Value{is("1"), null, is("out"), null, null, null}, ""},
		{"a row that is gone", "", nil, ""},
	} {
		f := consentTable(t, c.when, config.Exclude).Filters[0]
		if key, ok := f.Match(c.row); key != c.want || ok != (c.want != "") {
			t.Errorf("%s: %q, %t", c.name, key, ok)
		}
	}
}

// What a filter looks at leaves the source, is needed in the stream, and is read again where the
// stream left it out.
func TestColumnsOfFilters(t *testing.T) {
	t.Parallel()
	for _, kind := range []config.FilterKind{config.Exclude, config.Include, config.Merges} {
		table := consentTable(t, "state = 'out'", kind)
		if !table.IsCopied() || table.Filters[0].Merges() != (kind == config.Merges) || table.Filters[0].Includes() != (kind == config.Include) {
			t.Errorf("%s: copied %t", kind, table.IsCopied())
		}
		want := map[string]bool{"consent_id": true, "patient_id": true, "state": true, "other_id": kind == config.Merges}
		for i, col := range table.Columns {
			if table.Needs(i) != want[col.Name] {
				t.Errorf("%s: needs %s: %t", kind, col.Name, table.Needs(i))
			}
		}
		row := make([]Value, len(table.Columns))
		for i := range row {
			row[i].State = Present
		}
		row[5].State = Unchanged
		c := &Change{Op: UpdateOp, Table: table, Row: row}
		if c.Incomplete() {
			t.Errorf("%s: a column that no filter looks at is missed", kind)
		}
		if row[2].State = Unchanged; !c.Incomplete() {
			t.Errorf("%s: a column that was not sent is not missed", kind)
		}
	}
	if (&Table{}).IsCopied() {
		t.Error("a table of which nothing is of use is copied")
	}
}
