package schema

import (
	"slices"
	"testing"

	"github.com/pgdeid/pgdeid/internal/config"
)

// server keeps records of all kinds in one table, whose rows are patients, or lead to them by links.
func server(t *testing.T) *Plan {
	t.Helper()
	when := func(text string) *config.Condition {
		c, err := config.ParseCondition(text)
		if err != nil {
			t.Fatal(err)
		}
		return &c
	}
	cfg := &config.Config{PatientKey: config.Integer, Release: config.Release{Mode: config.Live}, Tables: []config.Table{
		{Schema: "s", Name: "record", Patient: config.Path{Column: "id", Table: "s.link", Key: "src", When: when("kind = 'Patient'")}, Columns: []config.Column{
			{Name: "n", Publish: config.Pseudonym, Domain: "n"}, {Name: "body", Publish: config.Text},
		}},
		{Schema: "s", Name: "link", Patient: config.Path{Column: "dst", When: when("kind = 'Patient'")}, Columns: []config.Column{{Name: "n", Publish: config.Drop}}},
	}}
	p, err := assembled(cfg, map[string]catalogue{
		"s.record": {[]string{"n"}, map[string]string{"n": "bigint", "id": "bigint", "kind": "text", "body": "text"}},
		"s.link":   {[]string{"n"}, map[string]string{"n": "bigint", "src": "bigint", "dst": "bigint", "kind": "text"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestRowsThatHoldTheKey(t *testing.T) {
	t.Parallel()
	p := server(t)
	for _, tt := range []struct {
		table, kind string
		leads, held bool
	}{
		{"s.record", "Patient", true, true},
		{"s.record", "Visit", true, false},
		{"s.record", "", true, false},
		{"s.link", "Patient", true, true},
		{"s.link", "Visit", false, false},
		{"s.link", "", false, false},
	} {
		table := p.ByID[tt.table]
		row := make([]Value, len(table.Columns))
		row[table.Via] = Value{Text: "17", State: Present}
		if tt.kind != "" {
			row[table.ColumnIndex("kind")] = Value{Text: tt.kind, State: Present}
		}
		key, leads := table.Leading(row)
		if leads != tt.leads || leads && key != "17" || table.Holds(row) != tt.held {
			t.Errorf("%s of kind %q: leads %v to %q, holds %v", tt.table, tt.kind, leads, key, table.Holds(row))
		}
		if row[table.Via] = (Value{}); table.Via >= 0 {
			if _, leads := table.Leading(row); leads {
				t.Errorf("%s: NULL leads to somebody", tt.table)
			}
		}
		if !table.Needs(table.ColumnIndex("kind")) {
			t.Errorf("%s does not need the column that decides", tt.table)
		}
	}
}

func TestQueriesOverRowsThatHoldTheKey(t *testing.T) {
	t.Parallel()
	p := server(t)
	record, link := p.ByID["s.record"], p.ByID["s.link"]
	const own, joined = `rtrim(o."kind"::text, ' ') in ('Patient')`, `rtrim(t0."kind"::text, ' ') in ('Patient')`
	const from = `"s"."record" t0 join (select o."id" as "(key)", o."id"::bigint as "(patient)", true as "(own)" from "s"."record" o where ` + own +
		` union select t0."src", (t0."dst")::bigint, false from "s"."link" t0 where ` + joined + `) t1 on t1."(key)" = t0."id" and t1."(own)" = ((` + joined + `) is true)`
	clause, patient, alias := record.From(AtSource)
	if clause != from {
		t.Errorf("FROM\n%s, want\n%s", clause, from)
	}
	if got, want := patient.In(alias, 1), `t1."(patient)" = any($1::bigint[])`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := patient.Args([]string{"7", "x", "8"}); !slices.Equal(got, []any{`{"7","8"}`}) {
		t.Errorf("parameters %v", got)
	}
	if got, ok := patient.Read([][]byte{[]byte("7")}); !ok || got != "7" || patient.List(alias) != `t1."(patient)"` {
		t.Errorf("the patient is %q", got)
	}
	if _, ok := patient.Read([][]byte{nil}); ok {
		t.Error("nobody is somebody")
	}
	if got, want := record.Within(Part{Alone: true}).Where, `(`+joined+`) is not true and not exists (select from "s"."link" t1 where t1."src" = t0."id" and case when rtrim(t1."kind"::text, ' ') in ('Patient') then t1."dst" end is not null)`; got != want {
		t.Errorf("of nobody:\n%s, want\n%s", got, want)
	}
	clause, patient, alias = link.From(AtSource)
	if got, want := clause+" where "+patient.In(alias, 1), `"s"."link" t0 where t0."dst" = any($1::bigint[]) and `+joined; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := record.Leads().In("t0", 1), `t0."id" = any($1::bigint[])`; got != want {
		t.Errorf("what leads through a link: %s, want %s", got, want)
	}
}

func TestInsertedRowsTell(t *testing.T) {
	t.Parallel()
	table := &Table{Table: &config.Table{Patient: config.Path{Column: "p"}}, Columns: []Column{{Column: config.Column{Tells: "name.last"}}}, Telling: []int{0}}
	for _, tt := range []struct {
		row  []Value
		want bool
	}{
		{[]Value{{Text: "Quarkstein", State: Present}}, true},
		{[]Value{{State: Present}}, false},
		{[]Value{{State: Null}}, false},
	} {
		if got := (&Change{Op: InsertOp, Table: table, Row: tt.row}).RewritesNotes(); got != tt.want {
			t.Errorf("an insertion of %v: %v", tt.row[0].State, got)
		}
		if !(&Change{Op: UpdateOp, Table: table, Row: tt.row}).RewritesNotes() {
			t.Error("an update is passed over, though it may take a name away")
		}
	}
}
