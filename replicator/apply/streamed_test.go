package apply

import (
	"context"
	"log/slog"
	"slices"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/pgdeid/pgdeid/replicator/deid"
	"github.com/pgdeid/pgdeid/replicator/patient"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/schema/schematest"
	"github.com/pgdeid/pgdeid/replicator/vault"
	"github.com/pgdeid/pgdeid/surrogate"
)

func TestStreamedRemembersWhileABatchIsOut(t *testing.T) {
	t.Parallel()
	note, ward := schematest.NoteTable(), schematest.PlainTable()
	row := func(key string) []schema.Value { return []schema.Value{{Text: key, State: schema.Present}, {}, {}, {}} }
	read := func(key string) *deid.Item {
		return &deid.Item{Change: &schema.Change{Op: schema.InsertOp, Table: note, Row: row(key), Read: true}}
	}
	for _, c := range []struct {
		name string
		came []*schema.Change
		want map[string]bool // by key
	}{
		{"nothing", nil, map[string]bool{"1": false}},
		{"an insert", []*schema.Change{{Op: schema.InsertOp, Table: note, Row: row("1")}}, map[string]bool{"1": true, "2": false}},
		{"a deletion", []*schema.Change{{Op: schema.DeleteOp, Table: note, Old: row("1")}}, map[string]bool{"1": true, "2": false}},
		{"another key", []*schema.Change{{Op: schema.UpdateOp, Table: note, Old: row("1"), Row: row("2")}}, map[string]bool{"1": true, "2": true, "3": false}},
		{"a truncation", []*schema.Change{{Op: schema.TruncateOp, Table: note}}, map[string]bool{"1": true, "2": true}},
		{"another table", []*schema.Change{{Op: schema.InsertOp, Table: ward, Row: []schema.Value{{Text: "1", State: schema.Present}}}}, map[string]bool{"1": false}},
		{"another table's truncation", []*schema.Change{{Op: schema.TruncateOp, Table: ward}}, map[string]bool{"1": false}},
	} {
		s := &Streamed{}
		s.add(&deid.Item{Change: &schema.Change{Op: schema.InsertOp, Table: note, Row: row("3")}}) // before the batch
		s.Begin()
		for _, ch := range c.came {
			s.add(&deid.Item{Change: ch})
		}
		for key, want := range c.want {
			if _, ok := s.since(read(key)); ok == want {
				t.Errorf("%s: row %s: may be written is %v", c.name, key, ok)
			}
		}
		s.End()
		if _, ok := s.since(read("1")); !ok {
			t.Errorf("%s: remembered after the end", c.name)
		}
	}
}

// Texts that were made anew are written though the row was updated meanwhile, unless the update brought a text, was made for
// another patient, or is set aside itself.
func TestUpdatesWithoutTextsDoNotHoldUpWhatWasReadBefore(t *testing.T) {
	t.Parallel()
	table := schematest.NoteTable()
	update := func(who *patient.Patient) *deid.Item {
		it := done(table, schema.UpdateOp, "1", "", "", who)
		it.Change.Row[3] = schema.Value{State: schema.Unchanged}
		return it
	}
	moved, leaving := update(someone("a")), update(someone("a"))
	moved.Change.Old, leaving.LeftOut = moved.Change.Row, true
	last := update(someone("a"))
	for name, c := range map[string]struct {
		came []*deid.Item
		ok   bool
	}{
		"updates":                {[]*deid.Item{update(someone("a")), last}, true},
		"a text before":          {[]*deid.Item{done(table, schema.UpdateOp, "1", "", "x", someone("a")), last}, false},
		"a text behind":          {[]*deid.Item{last, done(table, schema.UpdateOp, "1", "", "x", someone("a"))}, false},
		"a deletion":             {[]*deid.Item{last, {Change: &schema.Change{Op: schema.DeleteOp, Table: table, Old: last.Change.Row}}}, false},
		"another patient's":      {[]*deid.Item{update(someone("b"))}, false},
		"made with what is void": {[]*deid.Item{update(voided("a"))}, false},
		"set aside":              {[]*deid.Item{failed(update(someone("a")), vault.BadValue)}, false},
		"left out":               {[]*deid.Item{leaving}, false},
		"another key":            {[]*deid.Item{moved}, false},
	} {
		read := done(table, schema.InsertOp, "1", "", "text", someone("a"))
		s := &Streamed{}
		s.Begin()
		for i, it := range c.came {
			if i == 1 {
				s.Narrow([]*deid.Item{read})
			}
			s.add(it)
		}
		got, ok := s.since(read)
		if ok != c.ok || ok && got != last {
			t.Errorf("%s: may be written is %v", name, ok)
		}
		s.forgetUpdates()
		if _, ok := s.since(read); ok {
			t.Errorf("%s: may be written though a patient was taken away", name)
		}
	}
}

// Only rows that were read are remembered.
func TestStreamedRemembersRowsOfTheBatch(t *testing.T) {
	t.Parallel()
	table := schematest.NoteTable()
	row := func(key string) *deid.Item { return done(table, schema.InsertOp, key, "", "x", someone("a")) }
	s := &Streamed{}
	s.Begin()
	s.add(row("1"))
	s.add(row("2"))
	s.Narrow([]*deid.Item{row("1"), row("3")})
	s.add(row("3"))
	s.add(row("4"))
	if len(s.rows) != 2 {
		t.Errorf("%d rows are remembered", len(s.rows))
	}
	for key, want := range map[string]bool{"1": false, "2": true, "3": false, "4": true} {
		if _, ok := s.since(row(key)); ok != want {
			t.Errorf("row %s: may be written is %v", key, ok)
		}
	}
}

// A row that was read again has its texts from there, and all else from the update that came later.
func TestUpdatesWithoutTextsBringTheOtherColumns(t *testing.T) {
	t.Parallel()
	table := schematest.NoteTable()
	read, update := done(table, schema.InsertOp, "1", "", "made anew", someone("a")), done(table, schema.UpdateOp, "1", "", "", someone("a"))
	read.Only, read.Out.Values[2], read.Out.Withheld = true, new("before"), []int{2, 3}
	update.Out.Values[2], update.Out.Values[3], update.Out.Withheld = new("after"), nil, []int{1}
	g := grouped(read)
	g.carry(update)
	v := g.Order[0]
	if len(g.Order) != 1 || *v.Values[2] != "after" || *v.Values[3] != "made anew" {
		t.Errorf("%d versions: %s, %s", len(g.Order), *v.Values[2], *v.Values[3])
	}
	if v.keeps() || v.updates() || !slices.Equal(v.withheld, []int{3, 1}) {
		t.Errorf("keeps its text: %v, only updates: %v, withheld %v", v.keeps(), v.updates(), v.withheld)
	}
	if *read.Out.Values[2] != "before" || update.Out.Values[3] != nil {
		t.Error("what was made is changed")
	}
	refused := grouped(failed(done(table, schema.InsertOp, "1", "", "x", someone("a")), vault.Leak))
	refused.carry(update)
	if v := refused.Order[0]; !v.Remove || v.Values != nil || v.aside.reason != vault.Leak {
		t.Error("a row is published whose text is set aside")
	}
}

// A row of the stream that is written before a rewritten one brings the surrogates along
// that were chosen for that one: it may have them.
func TestSurrogatesOfRewritesAreStoredWithWhateverIsWrittenFirst(t *testing.T) {
	t.Parallel()
	who := &patient.Patient{Pseudonym: "a", ShiftStored: true, Memorised: true, Ledger: &patient.Ledger{}}
	rewritten := done(schematest.NoteTable(), schema.InsertOp, "1", "", "x", who)
	rewritten.Change.Read = true
	entries := []surrogate.Entry{{Kind: "name", Hash: []byte("h"), Surrogate: "Ada"}}
	rewritten.Remember(entries)
	who.Ledger.Add(entries)
	first, second := NewGroup(), NewGroup()
	first.add(done(schematest.NoteTable(), schema.InsertOp, "2", "", "Ada", who))
	if !first.choices.HasEntries() {
		t.Error("the row of the stream leaves the surrogate to the rewritten one")
	}
	second.add(done(schematest.NoteTable(), schema.InsertOp, "3", "", "Ada", who))
	if second.choices.HasEntries() {
		t.Error("the surrogate is stored twice")
	}
	second.add(rewritten)
	if !second.choices.HasEntries() {
		t.Error("the rewritten row lost its surrogate")
	}
}

// What a group wrote later rows do not write again, unless it was left out or refused.
func TestSurrogatesAreWrittenOnce(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name           string
		out            map[string]bool
		err            error
		blocked, again bool
	}{
		{"written", nil, nil, false, false},
		{"left out", map[string]bool{"a": true}, nil, false, true},
		{"refused", nil, &pgconn.PgError{Code: "22021"}, true, true},
	} {
		s := &Store{Choices: vault.NewStore(schematest.Key(t), slog.New(slog.DiscardHandler)), blocked: map[string]bool{}}
		who := &patient.Patient{Pseudonym: "a", ShiftStored: true, Memorised: true, Ledger: &patient.Ledger{}}
		entries := []surrogate.Entry{{Kind: "name", Hash: []byte("h"), Surrogate: "Ada"}}
		who.Ledger.Add(entries)
		row := done(schematest.NoteTable(), schema.InsertOp, "1", "", "Ada", who)
		row.Remember(entries)
		g, next := NewGroup(), NewGroup()
		g.add(row)
		g.leaveOut(c.out, nil)
		if err := s.storeEntries(t.Context(), vaultTx{err: c.err}, g); err != nil || s.blocked["a"] != c.blocked {
			t.Errorf("%s: %v, blocked %v", c.name, err, s.blocked)
		}
		next.add(row)
		if got := next.choices.HasEntries(); got != c.again {
			t.Errorf("%s: written again: %v", c.name, got)
		}
	}
}

// vaultTx is a transaction that answers batches with err.
type vaultTx struct {
	pgx.Tx

	err error
}

func (vaultTx) Conn() *pgx.Conn { return nil }

func (vaultTx) Exec(context.Context, string, ...any) (pgconn.CommandTag, error) {
	return pgconn.CommandTag{}, nil
}

func (tx vaultTx) SendBatch(context.Context, *pgx.Batch) pgx.BatchResults {
	return vaultResults{err: tx.err}
}

type vaultResults struct {
	pgx.BatchResults

	err error
}

func (r vaultResults) Close() error { return r.err }
