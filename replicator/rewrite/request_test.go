package rewrite

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pglogrepl"
	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/replicator/apply"
	"github.com/pgdeid/pgdeid/replicator/deid"
	"github.com/pgdeid/pgdeid/replicator/patient"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/schema/schematest"
	"github.com/pgdeid/pgdeid/replicator/vault"
)

// visitPlan has visits of patients, notes that find their patient through these, letters
// that name their patient, and wards.
func visitPlan() (p *schema.Plan, visit, note, letter *schema.Table) {
	visit = &schema.Table{
		Table: &config.Table{Schema: "ehr", Name: "visit", Patient: config.Path{Column: "patient_id"}}, ID: "ehr.visit", Via: 1, Key: []int{0},
		Columns: []schema.Column{{Column: config.Column{Name: "visit_id"}, Typ: "bigint"}, {Column: config.Column{Name: "patient_id"}, Typ: "integer"}},
		Lookups: []int{0},
	}
	note = schematest.NoteTable()
	note.Table.Patient = config.Path{Column: "patient_id", Table: "ehr.visit", Key: "visit_id"}
	note.Next, note.Into, note.Personal = visit, 0, true
	letter = schematest.NoteTable()
	letter.ID, letter.Table.Name, letter.Personal = "ehr.letter", "letter", true
	p = &schema.Plan{Config: &config.Config{}, Tables: []*schema.Table{visit, note, letter, schematest.PlainTable()}}
	return p, visit, note, letter
}

func TestRequestsAreAboutTheTablesTheyConcern(t *testing.T) {
	t.Parallel()
	p, visit, note, letter := visitPlan()
	for name, c := range map[string]struct {
		r    *request
		want []*schema.Table
	}{
		"a patient":         {&request{patient: &deid.Requeue{}}, []*schema.Table{note, letter}},
		"all of a patient":  {&request{patient: &deid.Requeue{Whole: true}}, []*schema.Table{note, letter}},
		"a visit":           {&request{path: &patient.PathChange{Target: schema.Target{Table: visit, Column: 0}}}, []*schema.Table{note}},
		"another column":    {&request{path: &patient.PathChange{Target: schema.Target{Table: visit, Column: 1}}}, nil},
		"a row of no table": {&request{path: patient.OpenPath(p, []string{"ehr.gone", "id", "1"})}, nil},
	} {
		c.r.after, c.r.again = []string{"7"}, true
		c.r.begin(p)
		if !slices.Equal(c.r.tables, c.want) || c.r.after != nil || c.r.again {
			t.Errorf("%s: %d tables, after %v, again %v", name, len(c.r.tables), c.r.after, c.r.again)
		}
		if c.r.done() != (len(c.want) == 0) {
			t.Errorf("%s: done is %v", name, c.r.done())
		}
	}
}

func TestConditionFindsTheRowsOfARequest(t *testing.T) {
	t.Parallel()
	_, visit, note, letter := visitPlan()
	for name, c := range map[string]struct {
		r                    *request
		table                *schema.Table
		clause, where, value string
	}{
		"a patient's letters": {
			&request{patient: &deid.Requeue{SourceKey: "5"}}, letter, `"ehr"."letter" t0`, `t0."patient_id" = any($1::text[])`, "5",
		},
		"a patient's notes": {
			&request{patient: &deid.Requeue{SourceKey: "5"}}, note,
			`"ehr"."note" t0 join "ehr"."visit" t1 on t1."visit_id" = t0."patient_id"`, `t1."patient_id" = any($1::bigint[])`, "5",
		},
		"a visit's notes": {
			&request{path: &patient.PathChange{Target: schema.Target{Table: visit, Column: 0}, Value: "9"}}, note,
			`"ehr"."note" t0`, `t0."patient_id" = any($1::text[])`, "9",
		},
	} {
		clause, where, args := c.r.condition(c.table, &patient.Merges{})
		if clause != c.clause || where != c.where || len(args) != 1 || args[0] != schema.ArrayLiteral([]string{c.value}) {
			t.Errorf("%s: from %s where %s (%s)", name, clause, where, args)
		}
	}
}

// A page that the stream overtook is read again, and only that one.
func TestOvertakenPagesAreReadAgain(t *testing.T) {
	t.Parallel()
	mine, other := &deid.Item{}, &deid.Item{}
	b := &apply.Batch{PassedOver: map[*deid.Item]bool{mine: true}}
	if !newer(b, &page{items: []*deid.Item{other, mine}}) {
		t.Error("a page with a row that was passed over counts as written")
	}
	if newer(b, &page{items: []*deid.Item{other}}) || newer(b, &page{}) {
		t.Error("a page without such a row is read again")
	}
}

// What a request learns of its own patient while it is worked on counts for the rows
// before, too.
func TestRequestBeginsAgainWhenItsPatientChanged(t *testing.T) {
	t.Parallel()
	p, _, note, _ := visitPlan()
	w := &Rewriter{reg: &patient.Register{Plan: p}}
	r := &request{patient: &deid.Requeue{Pseudonym: "a"}, tables: []*schema.Table{note}}
	told := func(name string) []*deid.Item {
		return []*deid.Item{{Resolved: deid.Resolved{Requests: []*deid.Requeue{{Pseudonym: name}}}}}
	}
	if err := r.written(t.Context(), w, told("b")); err != nil || r.again {
		t.Fatalf("another patient's change: again %v, %v", r.again, err)
	}
	if err := r.written(t.Context(), w, told("a")); err != nil || !r.again || len(w.active) > 0 {
		t.Fatalf("in the middle: again %v, %d active, %v", r.again, len(w.active), err)
	}
	r.tables = nil // that was the last page
	if err := r.written(t.Context(), w, nil); err != nil {
		t.Fatal(err)
	}
	if r.done() || r.again || len(w.active) != 1 || w.active[0] != r {
		t.Errorf("done %v, again %v, %d active", r.done(), r.again, len(w.active))
	}
}

func TestPassIsDueAfterItsInterval(t *testing.T) {
	t.Parallel()
	begun := time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
	for name, c := range map[string]struct {
		stale bool
		under bool // a pass is under way
		after time.Duration
		want  bool
	}{
		"nothing is stale":       {false, false, time.Hour * 100, false},
		"too early":              {true, false, time.Hour - 1, false},
		"in time":                {true, false, time.Hour, true},
		"under way":              {false, true, 0, true},
		"stale and under way":    {true, true, 0, true},
		"long after, not stale ": {false, false, time.Hour * 1000, false},
	} {
		p := &Pass{interval: time.Hour, begun: begun}
		p.Stale.Store(c.stale)
		if c.under {
			p.tables = []*schema.Table{schematest.NoteTable()}
		}
		if got := p.due(begun.Add(c.after)); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestNotesFromATableOn(t *testing.T) {
	t.Parallel()
	p, _, note, letter := visitPlan()
	for from, want := range map[string][]*schema.Table{
		"": {note, letter}, "ehr.note": {note, letter}, "ehr.letter": {letter}, "ehr.gone": nil,
	} {
		if got := p.NotesFrom(from); !slices.Equal(got, want) {
			t.Errorf("from %q: %d tables", from, len(got))
		}
	}
}

func TestRequestsPrintNothingOfTheSource(t *testing.T) {
	t.Parallel()
	for _, v := range []any{deid.Requeue{SourceKey: "Quarkstein", LSN: pglogrepl.LSN(1)}, patient.PathChange{Target: schema.Target{Table: &schema.Table{}}, Value: "Quarkstein"}} {
		if s := fmt.Sprintf("%+v", v); strings.Contains(s, "Quarkstein") {
			t.Errorf("%T prints %s", v, s)
		}
	}
}

// fakeDB is a quarantine that has rows with these hashes.
type fakeDB struct {
	aside [][]byte
	args  []any
	err   error
}

func (db *fakeDB) Query(_ context.Context, _ string, args ...any) (pgx.Rows, error) {
	db.args = args
	rows := &schematest.Rows{Failed: db.err}
	for _, hash := range db.aside {
		rows.Left = append(rows.Left, []any{hash})
	}
	return rows, db.err
}

// A row that is set aside since what it was made with had changed is written though the replica does not have it. Others that
// are not there are left to the stream.
func TestRowsThatWereSetAsideAreAdmitted(t *testing.T) {
	t.Parallel()
	table, seals := schematest.NoteTable(), vault.NewSeals(schematest.Key(t))
	var items []*deid.Item
	for _, id := range []string{"1", "2"} {
		row := []schema.Value{{Text: id, State: schema.Present}, {}, {}, {}}
		it := deid.RowItem(&schema.Change{Op: schema.InsertOp, Table: table, Row: row, Read: true})
		it.Only, it.Background = true, true
		items = append(items, it)
	}
	keyless := deid.RowItem(&schema.Change{Op: schema.InsertOp, Table: table, Row: make([]schema.Value, 4), Read: true})
	keyless.Only = true
	db := &fakeDB{aside: [][]byte{seals.RowHash(table.ID, []string{"2"})}}
	if err := admitAside(t.Context(), db, seals, append(items, keyless)); err != nil {
		t.Fatal(err)
	}
	if !items[0].Only || items[0].Fresh || items[1].Only || !items[1].Fresh || !keyless.Only {
		t.Errorf("asked for as %+v, %+v and %+v", items[0].Request, items[1].Request, keyless.Request)
	}
	if reasons := db.args[2].([]string); !slices.Contains(reasons, string(vault.Outdated)) || slices.Contains(reasons, string(vault.Leak)) {
		t.Errorf("rows are admitted that are set aside for %v", reasons)
	}
	if err := admitAside(t.Context(), &fakeDB{err: errors.New("broken")}, seals, items); err == nil {
		t.Error("rows are read without knowing which are set aside")
	}
	empty := &fakeDB{}
	if err := admitAside(t.Context(), empty, seals, nil); err != nil || empty.args != nil {
		t.Errorf("nothing to look for is looked for: %v", err)
	}
}
