package apply

import (
	"context"
	"log/slog"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

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
	read := func(key string) *schema.Change {
		return &schema.Change{Op: schema.InsertOp, Table: note, Row: row(key), Read: true}
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
		s.add(&schema.Change{Op: schema.InsertOp, Table: note, Row: row("3")}) // before the batch
		s.Begin()
		for _, ch := range c.came {
			s.add(ch)
		}
		for key, want := range c.want {
			if got := s.has(read(key)); got != want {
				t.Errorf("%s: row %s: got %v", c.name, key, got)
			}
		}
		s.End()
		if s.has(read("1")) {
			t.Errorf("%s: remembered after the end", c.name)
		}
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
