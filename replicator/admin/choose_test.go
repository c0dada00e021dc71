package admin

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/deid"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/schema/schematest"
	"github.com/pgdeid/pgdeid/replicator/session"
)

// What is asked for is looked at before anything is connected to.
func TestWrongChoicesAreRefused(t *testing.T) {
	t.Parallel()
	if _, err := Maintain(t.Context(), session.Options{}, []string{"cap", "tidy"}); err == nil || !strings.Contains(err.Error(), "tidy") ||
		!strings.Contains(fault.Hint(err), "cap, order") {
		t.Errorf("maintain: %v (%s)", err, fault.Hint(err))
	}
	if _, err := (Reprocess{Tables: []string{"note"}}).Run(t.Context(), session.Options{}, nil); err == nil ||
		!strings.Contains(fault.Hint(err), "schema.table") {
		t.Errorf("reprocess: %v", err)
	}
	if err := (&Notes{}).Read(t.Context(), "{", false, nil); err == nil || !strings.Contains(fault.Hint(err), "--restart") {
		t.Errorf("notes: %v", err)
	}
}

func TestAuthorsOfNotes(t *testing.T) {
	t.Parallel()
	signed, unsigned, plain := schematest.NoteTable(), schematest.NoteTable(), schematest.PlainTable()
	signed.ID, unsigned.ID = "ehr.signed", "ehr.unsigned"
	signed.Columns[2].Tells = "provider.name"
	for name, c := range map[string]struct {
		tables   []*schema.Table
		author   string
		without  bool // notes without authors will do
		authors  []int
		fails    string
		warnings int
	}{
		"the mapping tells":          {tables: []*schema.Table{signed, plain}, authors: []int{2}},
		"a column by its name":       {tables: []*schema.Table{signed}, author: "id", authors: []int{0}},
		"no such column":             {tables: []*schema.Table{signed}, author: "signer", fails: "no column signer", warnings: 1},
		"nobody signs":               {tables: []*schema.Table{unsigned}, fails: "provider's name or login", warnings: 1},
		"nobody has to":              {tables: []*schema.Table{unsigned}, without: true},
		"one of two tables is known": {tables: []*schema.Table{signed, unsigned}, authors: []int{2}, warnings: 1},
	} {
		var log bytes.Buffer
		n := &Notes{
			run:     &session.Session{Plan: &schema.Plan{Tables: c.tables}, Log: slog.New(slog.NewTextHandler(&log, nil))},
			authors: map[*schema.Table][]int{},
		}
		err := n.choose(c.author, c.without)
		if (err != nil) != (c.fails != "") || err != nil && (!strings.Contains(err.Error(), c.fails) || fault.Hint(err) == "") {
			t.Errorf("%s: %v", name, err)
		}
		if !slices.Equal(n.authors[c.tables[0]], c.authors) || slices.Contains(n.tables, plain) {
			t.Errorf("%s: columns %v of %v", name, n.authors, n.tables)
		}
		if got := strings.Count(log.String(), "\n"); got != c.warnings {
			t.Errorf("%s: %d warnings: %s", name, got, log.String())
		}
	}
}

func TestAuthorOfARow(t *testing.T) {
	t.Parallel()
	table := schematest.NoteTable()
	value := func(text string) schema.Value { return schema.Value{State: schema.Present, Text: text} }
	n := &Notes{authors: map[*schema.Table][]int{table: {1, 2}}}
	for want, row := range map[string][]schema.Value{
		"ann\x00jo": {value("1"), value("ann"), value("jo"), {}},
		"jo":        {value("1"), {}, value("jo"), {}},
		"ann":       {value("1"), value("ann"), value(""), {}},
		"":          {value("1"), {}, {}, value("body")},
	} {
		if got := n.author(table, row); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := authorColumns(table, ""); got != nil {
		t.Errorf("columns %v tell a provider", got)
	}
	for _, role := range []record.Role{"provider.name", "username"} {
		table.Columns[3].Tells = role
		if got := authorColumns(table, ""); !slices.Equal(got, []int{3}) {
			t.Errorf("%s: columns %v", role, got)
		}
	}
}

// struck is a transaction that takes statements down.
type struck struct {
	pgx.Tx

	ids  []int64
	fail error
}

func (s *struck) Exec(_ context.Context, _ string, args ...any) (pgconn.CommandTag, error) {
	s.ids, _ = args[0].([]int64)
	return pgconn.CommandTag{}, s.fail
}

// What the source does not have any more is taken off the quarantine, and nothing else.
func TestRetryStrikesOffWhatIsGone(t *testing.T) {
	t.Parallel()
	notes, wards := schematest.NoteTable(), schematest.PlainTable()
	chunk := []quarantinedRow{{id: 1, table: notes, key: []string{"7"}}, {id: 2, table: notes, key: []string{"8"}}, {id: 3, table: wards, key: []string{"7"}}}
	item := func(table *schema.Table, key string) *deid.Item {
		row := make([]schema.Value, len(table.Columns))
		row[0] = schema.Value{State: schema.Present, Text: key}
		return deid.RowItem(&schema.Change{Op: schema.InsertOp, Table: table, Row: row})
	}
	for name, c := range map[string]struct {
		there []*deid.Item
		gone  []int64
	}{
		"all are there":       {[]*deid.Item{item(wards, "7"), item(notes, "8"), item(notes, "7")}, nil},
		"one is gone":         {[]*deid.Item{item(notes, "7"), item(notes, "8")}, []int64{3}},
		"a key of both is in": {[]*deid.Item{item(wards, "7")}, []int64{1, 2}},
		"none is there":       {nil, []int64{1, 2, 3}},
	} {
		tx := &struck{}
		if n, err := strikeGone(t.Context(), tx, chunk, c.there); err != nil || n != len(c.gone) || !slices.Equal(tx.ids, c.gone) {
			t.Errorf("%s: %d, %v, %v", name, n, tx.ids, err)
		}
	}
	if _, err := strikeGone(t.Context(), &struck{fail: errors.New("broken")}, chunk, nil); err == nil {
		t.Error("a failure is swallowed")
	}
}
