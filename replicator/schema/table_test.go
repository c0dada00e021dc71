package schema

import (
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/internal/config"
)

func TestColumnsWithoutTextsThatStay(t *testing.T) {
	t.Parallel()
	table := &Table{Publish: []int{4, 1, 3, 0}, Texts: []int{1, 0}, SQL: Statements{Names: make([]string, 4)}}
	for _, c := range []struct {
		keep []bool
		want []int
	}{
		{[]bool{false, false}, []int{0, 1, 2, 3}},
		{[]bool{true, false}, []int{0, 2, 3}},
		{[]bool{false, true}, []int{0, 1, 2}},
		{[]bool{true, true}, []int{0, 2}},
		{nil, []int{0, 1, 2, 3}},
	} {
		if got := table.Without(c.keep); !slices.Equal(got, c.want) {
			t.Errorf("%v: %v", c.keep, got)
		}
	}
	if got := (&Table{Publish: []int{4}, Texts: []int{1}}).TextIndex(0); got != -1 {
		t.Errorf("a text that is not published has index %d", got)
	}
}

func TestColumnsThatRowsNeed(t *testing.T) {
	t.Parallel()
	p := mustAssemble(t, nil)
	for table, want := range map[string]string{
		"ehr.person": "id born", "ehr.episode": "id person_id", "ehr.visit": "id ward episode_id", "ehr.note": "id line body visit_id",
		"ehr.staff": "id",
	} {
		var got []int
		for i := range p.ByID[table].Columns {
			if p.ByID[table].Needs(i) {
				got = append(got, i)
			}
		}
		if names(p.ByID[table], got) != want {
			t.Errorf("%s: %s", table, names(p.ByID[table], got))
		}
	}
}

func TestSameKeyLooksAtTheKeyAlone(t *testing.T) {
	t.Parallel()
	table := &Table{Key: []int{2, 0}}
	row := func(values ...string) []Value {
		list := make([]Value, len(values))
		for i, v := range values {
			list[i] = Value{Text: v, State: Present}
		}
		return list
	}
	for _, c := range []struct {
		a, b []Value
		want bool
	}{
		{row("1", "x", "2"), row("1", "y", "2"), true},
		{row("1", "x", "2"), row("2", "x", "1"), false},
		{row("1", "x", "2"), row("1", "x", "3"), false},
		{row("1", "x", "2"), append(row("1", "x"), Value{Text: "2", State: Unchanged}), false},
	} {
		if got := table.SameKey(c.a, c.b); got != c.want {
			t.Errorf("%v and %v: %v", c.a, c.b, got)
		}
	}
}

func TestNotesFromATableOn(t *testing.T) {
	t.Parallel()
	p := mustAssemble(t, func(cfg *config.Config) {
		cfg.Tables[2].Columns = append(cfg.Tables[2].Columns, config.Column{Name: "reason", Publish: config.Text})
		cfg.Tables[2].Columns[0] = config.Column{Name: "ward", Publish: config.Text}
		cfg.Tables[2].Columns = cfg.Tables[2].Columns[:2]
	})
	for from, want := range map[string]string{
		"": "ehr.visit ehr.note", "ehr.visit": "ehr.visit ehr.note",
		"ehr.note": "ehr.note", "ehr.person": "",
	} {
		var got []string
		for _, table := range p.NotesFrom(from) {
			got = append(got, table.ID)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("from %q: %q", from, got)
		}
	}
	if !p.TellsPatients() || (&Plan{Tables: []*Table{p.ByID["ehr.staff"], p.ByID["ehr.visit"]}}).TellsPatients() {
		t.Error("tables with roles of patients are not found")
	}
}

func TestWhatTablesTell(t *testing.T) {
	t.Parallel()
	p := mustAssemble(t, nil)
	for table, want := range map[string][3]bool{ // of a patient, of the site, is a note
		"ehr.person": {true, false, false}, "ehr.episode": {}, "ehr.visit": {}, "ehr.note": {true, false, true},
		"ehr.staff": {false, true, false},
	} {
		at := p.ByID[table]
		if got := [3]bool{at.TellsPatient(), at.TellsSite(), at.IsNote()}; got != want {
			t.Errorf("%s: %v", table, got)
		}
	}
}

func TestWantedPublication(t *testing.T) {
	t.Parallel()
	got := mustAssemble(t, nil).Wanted()
	if len(got) != 5 || got[3].Table != "ehr.note" || strings.Join(got[3].Columns, " ") != "id line body author visit_id" {
		t.Errorf("got %v", got)
	}
}

func TestKeyTypes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		domain, typ string
		want        config.KeyType
	}{
		{config.PatientDomain, "text", config.Integer}, // as all patient keys are
		{config.PatientDomain, "uuid", config.Integer},
		{"visit", "smallint", config.Integer},
		{"visit", "bigint", config.Integer},
		{"visit", "uuid", config.UUID},
		{"visit", "numeric", config.Integer},
		{"visit", "bpchar", config.TextKey},
		{"visit", "text", config.TextKey},
	} {
		col := &Column{Column: config.Column{Domain: c.domain}, Typ: c.typ}
		if got := col.KeyType(&config.Config{PatientKey: config.Integer}); got != c.want {
			t.Errorf("%s %s: %s", c.domain, c.typ, got)
		}
	}
}

func TestOperationsThatNeedThePatient(t *testing.T) {
	t.Parallel()
	path := config.Path{Column: "p"}
	for _, c := range []struct {
		name                     string
		path                     config.Path
		key                      Column
		personal                 bool
		insert, delete, truncate bool
	}{
		{"personal", path, Column{Column: config.Column{Publish: config.Keep}}, true, true, false, false},
		{"not personal", path, Column{Column: config.Column{Publish: config.Keep}}, false, false, false, false},
		{"key with a moved date", path, Column{Column: config.Column{Publish: config.ShiftDate}, Moves: true}, true, true, true, false},
		{"key with a surrogate", path, Column{Column: config.Column{Publish: config.Surrogate}}, true, true, true, false},
		{"of nobody", config.Path{}, Column{Column: config.Column{Publish: config.ShiftDate}, Moves: true}, false, false, false, false},
	} {
		table := &Table{Table: &config.Table{Patient: c.path}, Columns: []Column{c.key}, Key: []int{0}, Personal: c.personal}
		if got := [4]bool{
			table.NeedsPatient(InsertOp), table.NeedsPatient(UpdateOp), table.NeedsPatient(DeleteOp),
			table.NeedsPatient(TruncateOp),
		}; got !=
			[4]bool{c.insert, c.insert, c.delete, c.truncate} {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

func TestChangesThatRewriteNotes(t *testing.T) {
	t.Parallel()
	table := func(text bool, path string, roles ...record.Role) *Table {
		at := &Table{Table: &config.Table{Patient: config.Path{Column: path}}}
		for i, role := range roles {
			at.Columns = append(at.Columns, Column{Column: config.Column{Tells: role}})
			at.Telling = append(at.Telling, i)
		}
		if text {
			at.Texts = []int{0}
		}
		return at
	}
	for _, c := range []struct {
		name string
		t    *Table
		op   Op
		want bool
	}{
		{"a record", table(false, "p", record.NameLast), UpdateOp, true},
		{"a new row that tells nothing", table(false, "p", record.NameLast), InsertOp, false},
		{"a deletion", table(false, "p", record.NameLast), DeleteOp, false},
		{"a provider's name of a visit", table(false, "p", record.ProviderName), UpdateOp, true},
		{"a note's author", table(true, "p", record.ProviderName, record.Username, record.Facility), UpdateOp, false},
		{"a name in a note's row", table(true, "p", record.ProviderName, record.NameLast), UpdateOp, true},
		{"nothing told", table(true, "p"), UpdateOp, false},
		{"the site", table(false, "", record.ProviderName), UpdateOp, false},
	} {
		if got := (&Change{Op: c.op, Table: c.t}).RewritesNotes(); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
