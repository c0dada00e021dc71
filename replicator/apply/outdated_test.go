package apply

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/deid"
	"github.com/pgdeid/pgdeid/replicator/patient"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/schema/schematest"
	"github.com/pgdeid/pgdeid/replicator/vault"
)

// fakeTx is a transaction of a replica that has texts and rows that are set aside.
type fakeTx struct {
	pgx.Tx

	published [][]any // row key, column, patient
	aside     [][]any // hash, sealed
	fails     string  // statements that begin so
	done      []string
	args      [][]any
}

var errFake = &pgconn.PgError{Code: "57014"}

func (tx *fakeTx) Query(_ context.Context, sql string, _ ...any) (pgx.Rows, error) {
	if tx.fails != "" && strings.HasPrefix(sql, tx.fails) {
		return &schematest.Rows{Failed: errFake}, errFake
	}
	if strings.HasPrefix(sql, "select key_hmac") {
		return &schematest.Rows{Left: tx.aside}, nil
	}
	return &schematest.Rows{Left: tx.published}, nil
}

func (tx *fakeTx) Exec(_ context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	tx.done, tx.args = append(tx.done, strings.Join(strings.Fields(sql)[:3], " ")), append(tx.args, args)
	return pgconn.CommandTag{}, nil
}

// testWriter returns a writer of a plan with tables, in whose quarantine something may be.
func testWriter(t *testing.T, tables ...*schema.Table) *Writer {
	t.Helper()
	s := testStore(t, config.Live)
	s.plan.Tables = tables
	s.plan.Config.PatientKey = "text"
	s.Reg.Key, s.Reg.Cache = schematest.Key(t), patient.NewCache(1<<20)
	s.AnyAside.Store(true)
	return &Writer{Store: s}
}

// voided returns a patient of whom the vault has lost everything.
func voided(name string) *patient.Patient {
	p := someone(name)
	p.Ledger = &patient.Ledger{}
	p.Ledger.Invalidate()
	return p
}

func TestOutdatedRowsAreSetAside(t *testing.T) {
	t.Parallel()
	table := schematest.NoteTable()
	body := func(patient string) [][]any { return [][]any{{schema.RowKey([]string{"1"}), "body", patient}} }
	insert, update := schema.InsertOp, schema.UpdateOp
	for name, c := range map[string]struct {
		item      *deid.Item
		published [][]any
		aside     string // patient as whose row it is set aside
		want      string
		formers   []string
		whole     bool
	}{
		"a new row":                          {done(table, insert, "1", "", "x", someone("a")), nil, "", "1: x of a", nil, false},
		"a text that stays":                  {done(table, update, "1", "", "", someone("a")), body("a"), "", "1: keep of a", nil, false},
		"a text that is not there":           {done(table, update, "1", "", "", someone("a")), nil, "", "1: aside outdated", nil, false},
		"a text that was set aside":          {done(table, update, "1", "", "", someone("a")), nil, "a", "1: aside outdated", nil, false},
		"another patient's text stays":       {done(table, update, "1", "", "", someone("a")), body("b"), "", "1: aside outdated", []string{"b"}, false},
		"another patient's row":              {done(table, update, "1", "", "x", someone("a")), body("b"), "", "1: aside outdated", []string{"b"}, false},
		"another patient's row, set aside":   {done(table, update, "1", "", "x", someone("a")), nil, "b", "1: aside outdated", []string{"b"}, false},
		"the same patient's row":             {done(table, update, "1", "", "x", someone("a")), body("a"), "", "1: x of a", nil, false},
		"made with what the vault has lost":  {done(table, insert, "1", "", "x", voided("a")), nil, "", "1: aside outdated", nil, true},
		"lost, and kept what is not there":   {done(table, update, "1", "", "", voided("a")), nil, "", "1: aside outdated", nil, true},
		"a row that failed for other causes": {failed(done(table, update, "1", "", "x", someone("a")), vault.Leak), body("b"), "", "1: aside leak", nil, false},
	} {
		w := testWriter(t, table)
		tx := &fakeTx{published: c.published}
		if c.aside != "" {
			hash := w.seals.RowHash(table.ID, []string{"1"})
			tx.aside = [][]any{{hash, w.seals.SealOrigin(vault.Origin{Key: []string{"1"}, Patient: c.aside}, table.ID, hash)}}
		}
		g := grouped(ownedBy(c.item, "a"))
		if err := w.setOutdatedAside(t.Context(), tx, g); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		v := g.Order[0]
		if got := v.described(); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
		outdated := v.aside != nil && v.aside.reason == vault.Outdated
		request := g.requeue["a"]
		if (request != nil) != (outdated && !c.whole) || request != nil && (!request.Noted || request.SourceKey != "key of a" || request.LSN != 0) {
			t.Errorf("%s: requested %v", name, request)
		}
		if whole := slices.Contains(tx.done, "insert into deid.requeue"); whole != c.whole || whole && !w.asked {
			t.Errorf("%s: all rows are requested: %v", name, whole)
		}
		if outdated && (v.aside.Patient != "a" || !slices.Equal(v.aside.Key, []string{"1"})) {
			t.Errorf("%s: set aside as %v", name, v.aside.Origin)
		}
		i := slices.Index(tx.done, "insert into deid.patient_former")
		switch {
		case (i >= 0) != (c.formers != nil):
			t.Errorf("%s: statements %v", name, tx.done)
		case i >= 0 && !reflect.DeepEqual(tx.args[i], []any{[]string{"a"}, c.formers}):
			t.Errorf("%s: taken over %v", name, tx.args[i])
		case (len(w.grown) > 0) != (i >= 0):
			t.Errorf("%s: after the commit %v are loaded anew", name, w.grown)
		}
	}
}

// Rows that were read again are left alone: whoever read them knows what is published, and who else's row it was.
func TestRowsThatWereReadAgainAreNotOutdated(t *testing.T) {
	t.Parallel()
	table := schematest.NoteTable()
	it := done(table, schema.InsertOp, "1", "", "", someone("a"))
	it.Only, it.Change.Read = true, true
	g := grouped(ownedBy(it, "a"))
	w := testWriter(t, table)
	if err := w.setOutdatedAside(t.Context(), &fakeTx{fails: "select"}, g); err != nil || g.Order[0].aside != nil {
		t.Errorf("set aside: %v, %v", g.Order[0].aside != nil, err)
	}
}

// Also a row without texts is set aside where its shift is lost, and all rows of the patient are requested.
func TestRowsWithoutTextsAreOutdatedWithTheirPatient(t *testing.T) {
	t.Parallel()
	table := schematest.PlainTable()
	it := &deid.Item{Change: &schema.Change{Op: schema.InsertOp, Table: table}, Resolved: deid.Resolved{Patient: voided("a"), Key: []string{"5"}}}
	value := "5"
	it.Out.Key, it.Out.RowKey, it.Out.Values = []string{"5"}, schema.RowKey([]string{"5"}), []*string{&value}
	g := grouped(ownedBy(it, "a"))
	w, tx := testWriter(t, table), &fakeTx{}
	if err := w.setOutdatedAside(t.Context(), tx, g); err != nil {
		t.Fatal(err)
	}
	if v := g.Order[0]; v.aside == nil || v.aside.reason != vault.Outdated || !slices.Equal(tx.done, []string{"insert into deid.requeue"}) {
		t.Errorf("%s, statements %v", v.described(), tx.done)
	}
}

// A note is set aside with all its lines where one is outdated, but for those that the group deletes, and other notes are not.
func TestNotesAreOutdatedWhole(t *testing.T) {
	t.Parallel()
	table, a := schematest.LineTable(), someone("a")
	g := NewGroup()
	mine, other := noteOf(table, "7", a, "1", "2", "3"), noteOf(table, "8", someone("b"), "4")
	for _, it := range slices.Concat(mine, other) {
		g.add(ownedBy(it, "a"))
	}
	gone := &deid.Item{Change: &schema.Change{Op: schema.DeleteOp, Table: table, Old: mine[1].Change.Row}}
	gone.Out.OldKey, gone.Out.OldRow = mine[1].Out.Key, mine[1].Out.RowKey
	g.add(gone)
	g.Order[0].reread = true
	w := testWriter(t, table)
	if err := w.setOutdatedAside(t.Context(), &fakeTx{}, g); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, v := range g.Order {
		switch {
		case v.aside != nil:
			got = append(got, string(v.aside.reason))
		case v.Remove:
			got = append(got, "removed")
		default:
			got = append(got, "written")
		}
	}
	if want := []string{"outdated", "removed", "outdated", "written"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if names := slices.Sorted(maps.Keys(g.requeue)); !slices.Equal(names, []string{"a"}) {
		t.Errorf("requested %v", names)
	}
}

// What can't be looked up ends the session: nothing is written that nobody has looked at.
func TestFailedLookupsEndTheTransaction(t *testing.T) {
	t.Parallel()
	table := schematest.NoteTable()
	for _, begins := range []string{"select row_key", "select key_hmac"} {
		g := grouped(ownedBy(done(table, schema.UpdateOp, "1", "", "", someone("a")), "a"))
		if err := testWriter(t, table).setOutdatedAside(t.Context(), &fakeTx{fails: begins}, g); fault.State(err) != errFake.Code {
			t.Errorf("%s: %v", begins, err)
		}
	}
}

// Patients who have taken over rows are loaded anew once that is committed, and not before others can see it.
func TestPatientsWhoHaveGrownAreLoadedAnew(t *testing.T) {
	t.Parallel()
	w := testWriter(t)
	w.grown = []string{"1"}
	before := w.Reg.Cache.Generation()
	w.forgetChanged()
	if w.Reg.Cache.Generation() == before || w.grown != nil {
		t.Errorf("%d patients are kept", len(w.grown))
	}
}

func TestOutdatedRowsPrintThemselvesRedacted(t *testing.T) {
	t.Parallel()
	o := &outdated{whole: []string{"Quarkstein"}, grown: []string{"Quarkstein"}}
	if text := fmt.Sprintf("%v %+v %#v", o, o, o); strings.Contains(text, "Quark") {
		t.Errorf("printed %s", text)
	}
}
