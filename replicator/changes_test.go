package replicator

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"testing"
	"time"

	"github.com/jackc/pglogrepl"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/replicator/deid"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/schema/schematest"
	"github.com/pgdeid/pgdeid/replicator/source"
)

// streamed is what a stream with wards puts into the pipeline.
type streamed struct {
	changes

	table *schema.Table
	items []*deid.Item
	full  error
}

func newStreamed(t *testing.T) *streamed {
	t.Helper()
	s := &streamed{table: schematest.PlainTable()}
	p := &schema.Plan{Config: &config.Config{}, Tables: []*schema.Table{s.table}, ByID: map[string]*schema.Table{s.table.ID: s.table}}
	s.changes = changes{
		decode: source.NewDecoder(p, slog.New(slog.DiscardHandler), func() {}), copies: map[*schema.Table]*source.Coverage{},
		put: func(_ context.Context, it *deid.Item) error {
			s.items = append(s.items, it)
			return s.full
		},
	}
	for id, name := range map[uint32]string{1: "ward", 2: "secret"} {
		m := &pglogrepl.RelationMessage{RelationID: id, Namespace: "ehr", RelationName: name, Columns: []*pglogrepl.RelationMessageColumn{{Name: "id"}}}
		if err := s.Relation(m); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// insert streams a row of a transaction into the table of a relation.
func (s *streamed) insert(t *testing.T, relation uint32, of source.Transaction) error {
	t.Helper()
	row := &pglogrepl.TupleData{Columns: []*pglogrepl.TupleDataColumn{{DataType: 't', Data: []byte("7")}}}
	return s.Row(t.Context(), &pglogrepl.InsertMessage{RelationID: relation, Tuple: row}, of)
}

func TestChangesKeepTheirTransaction(t *testing.T) {
	t.Parallel()
	s, at := newStreamed(t), time.Unix(7, 0)
	if err := errors.Join(s.insert(t, 1, source.Transaction{XID: 5, Commit: 100}), s.insert(t, 2, source.Transaction{XID: 6, Commit: 200}),
		s.Position(t.Context(), 300, at), s.Passed(t.Context(), "mark")); err != nil {
		t.Fatal(err)
	}
	if len(s.items) != 3 {
		t.Fatalf("%d items: rows of tables that are not mapped are no items", len(s.items))
	}
	if c := s.items[0].Change; c.XID != 5 || c.LSN != 100 || c.Table != s.table || c.Covered {
		t.Errorf("change of transaction %d at %s", c.XID, c.LSN)
	}
	if m := s.items[1].Mark; s.items[1].Change != nil || m.LSN != 300 || !m.Committed.Equal(at) {
		t.Errorf("position %+v", m)
	}
	if s.items[2].Passed != "mark" {
		t.Errorf("mark %q", s.items[2].Passed)
	}
}

// What a newer copy of the table has already is marked so, and a truncation that it has
// would take the copy's rows away.
func TestWhatACopyHasIsCovered(t *testing.T) {
	t.Parallel()
	s := newStreamed(t)
	copied := &source.Coverage{End: 1000}
	if err := copied.Seen.Scan("10:20:12"); err != nil {
		t.Fatal(err)
	}
	s.copies[s.table] = copied
	for _, c := range []struct {
		of   source.Transaction
		want bool
	}{
		{source.Transaction{XID: 11, Commit: 100}, true},
		{source.Transaction{XID: 12, Commit: 100}, false},  // ran while the copy began
		{source.Transaction{XID: 20, Commit: 100}, false},  // began later
		{source.Transaction{XID: 11, Commit: 1000}, false}, // another one of that number
	} {
		s.items = nil
		truncate := &pglogrepl.TruncateMessage{RelationIDs: []uint32{1}, RelationNum: 1}
		if err := errors.Join(s.insert(t, 1, c.of), s.Row(t.Context(), truncate, c.of)); err != nil {
			t.Fatal(err)
		}
		truncated := slices.ContainsFunc(s.items, func(it *deid.Item) bool { return it.Change.Op == schema.TruncateOp })
		if s.items[0].Change.Covered != c.want || truncated == c.want {
			t.Errorf("%+v: covered %t, truncated %t", c.of, s.items[0].Change.Covered, truncated)
		}
	}
}

func TestChangesStopWhereThePipelineDoes(t *testing.T) {
	t.Parallel()
	s := newStreamed(t)
	s.full = context.Canceled
	if err := s.insert(t, 1, source.Transaction{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if err := s.Row(t.Context(), &pglogrepl.InsertMessage{RelationID: 9}, source.Transaction{}); err == nil || len(s.items) != 1 {
		t.Errorf("a row of a relation that was never described: %v", err)
	}
}
