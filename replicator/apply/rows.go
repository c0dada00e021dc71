package apply

import (
	"context"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/deid"
	"github.com/pgdeid/pgdeid/replicator/guard"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/vault"
)

// write writes a group into tx, with all that belongs to it except the position.
func (s *Store) write(ctx context.Context, tx pgx.Tx, g *Group) error {
	if err := s.storeEntries(ctx, tx, g); err != nil {
		return err
	}
	if len(s.blocked) > 0 {
		for _, v := range g.Order {
			if s.blocked[v.patient] || v.Item != nil && s.blocked[v.Item.Whose] {
				v.quarantine(v.Item, vault.SurrogateFail)
			}
		}
	}
	return s.writeVersions(ctx, tx, g.Order)
}

// storeEntries writes what a group has for the vault, and takes it out of the group.
func (s *Store) storeEntries(ctx context.Context, tx pgx.Tx, g *Group) error {
	choices := g.choices.Without(s.blocked)
	refused, err := s.Choices.Write(ctx, tx, choices)
	if err != nil {
		return connect.Lost(tx.Conn(), err)
	}
	for _, name := range refused {
		s.blocked[name] = true
	}
	for _, h := range g.handed {
		if !s.blocked[h.who.Pseudonym] {
			h.who.Wrote(choices.Among(h.who.Pseudonym, h.entries))
		}
	}
	g.choices.Clear()
	g.handed = nil
	return nil
}

// WriteHint says what to do about rows that can't be written.
func WriteHint(err error) string {
	switch fault.State(err) {
	case "42501", "42P01", "42703": // no privilege, no such table, no such column
		return "'pgdeid migrate up --target replica' makes the research tables and their grants anew"
	}
	return ""
}

// writeVersions writes rows. Where the replica refuses a value, the rows are
// written in halves until the one that it refuses is by itself and is set aside.
func (s *Store) writeVersions(ctx context.Context, tx pgx.Tx, list []*Version) error {
	if len(list) == 0 {
		return nil
	}
	err := s.tryVersions(ctx, tx, list)
	if !fault.SmallerMayDo(err) {
		return fault.New("write rows to the replica", err, WriteHint(err))
	}
	if len(list) > 1 {
		if err := backTo(ctx, tx, "rows"); err != nil {
			return err
		}
		half := len(list) / 2
		if err := s.writeVersions(ctx, tx, list[:half]); err != nil {
			return err
		}
		return s.writeVersions(ctx, tx, list[half:])
	}
	if !fault.BlamesRow(err) {
		return fault.New("write a row of table "+list[0].Table.ID+" to the replica", err, "")
	}
	return s.setAside(ctx, tx, list[0], err)
}

// setAside sets a row aside that the replica refused with cause.
func (s *Store) setAside(ctx context.Context, tx pgx.Tx, v *Version, cause error) error {
	if !v.Remove {
		v.quarantine(v.Item, vault.Refused)
		if cause = s.tryAgain(ctx, tx, v); !fault.BlamesRow(cause) {
			return cause
		}
	}
	if !strings.HasPrefix(fault.State(cause), "22") {
		return fault.New("delete a row of table "+v.Table.ID+" of the replica", cause, "look at constraints and triggers of that table")
	}
	v.Key = nil // no value of the key's type: the replica has no such row
	return s.tryAgain(ctx, tx, v)
}

// tryAgain writes a row of which the last try failed.
func (s *Store) tryAgain(ctx context.Context, tx pgx.Tx, v *Version) error {
	if err := backTo(ctx, tx, "rows"); err != nil {
		return err
	}
	return fault.New("set aside a row of table "+v.Table.ID, s.tryVersions(ctx, tx, []*Version{v}), "")
}

// backTo undoes what came after a savepoint.
func backTo(ctx context.Context, tx pgx.Tx, savepoint string) error {
	_, err := tx.Exec(ctx, "rollback to savepoint "+savepoint)
	return fault.New("undo what the replica refused", err, "")
}

// tryVersions writes rows behind a savepoint, which it leaves in place if it fails. New rows are inserted, which costs the
// server an eighth less than a statement that goes around conflicts; that one is sent where a row is there already.
func (s *Store) tryVersions(ctx context.Context, tx pgx.Tx, list []*Version) error {
	err := s.sendVersions(ctx, tx, list, true)
	if fault.State(err) != vault.UniqueViolation {
		return err
	}
	if err := backTo(ctx, tx, "rows"); err != nil {
		return err
	}
	return s.sendVersions(ctx, tx, list, false)
}

// sendVersions sends what writes rows. With insert, those that are new are inserted.
func (s *Store) sendVersions(ctx context.Context, tx pgx.Tx, list []*Version, insert bool) error {
	batch := &pgx.Batch{}
	batch.Queue("savepoint rows")
	byTable := map[*schema.Table][]*Version{}
	var tables []*schema.Table
	for _, v := range list {
		if byTable[v.Table] == nil {
			tables = append(tables, v.Table)
		}
		byTable[v.Table] = append(byTable[v.Table], v)
	}
	for _, t := range tables {
		queueTable(batch, t, byTable[t], insert)
		s.queueRelease(batch, t, byTable[t])
		if t.IsNote() {
			s.queueProvenance(batch, t, byTable[t], insert)
		}
	}
	queueWithheld(batch, list)
	queueRepairs(batch, list)
	s.queueQuarantine(batch, list)
	batch.Queue("release savepoint rows")
	return tx.SendBatch(ctx, batch).Close()
}

// queueTable queues the statements that write the rows of one table: deletions,
// new rows, whole rows, and rows of which some columns stay.
func queueTable(batch *pgx.Batch, t *schema.Table, list []*Version, insert bool) {
	var removed, fresh, whole []*Version
	partial := map[string][]*Version{}
	for _, v := range list {
		switch {
		case v.Remove && len(v.Key) > 0:
			removed = append(removed, v)
		case v.Remove:
		case v.updates() || v.keeps():
			mask := keepMask(v.Keep)
			partial[mask] = append(partial[mask], v)
		case insert && v.isNew():
			fresh = append(fresh, v)
		default:
			whole = append(whole, v)
		}
	}
	if len(removed) > 0 {
		batch.Queue(t.SQL.Remove, keyArrays(removed)...)
	}
	if len(fresh) > 0 {
		batch.Queue(t.SQL.Insert, valueArrays(t, fresh, t.SQL.All())...)
	}
	if len(whole) > 0 {
		batch.Queue(t.SQL.Upsert, valueArrays(t, whole, t.SQL.All())...)
	}
	for _, mask := range sortedKeys(partial) {
		rows := partial[mask]
		want := t.Without(rows[0].Keep)
		if sql := t.SQL.Update(want); sql != "" {
			batch.Queue(sql, valueArrays(t, rows, want)...)
		}
	}
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func keepMask(keep []bool) string {
	mask := make([]byte, len(keep))
	for i, k := range keep {
		mask[i] = '0'
		if k {
			mask[i] = '1'
		}
	}
	return string(mask)
}

func keyArrays(list []*Version) []any {
	args := make([]any, len(list[0].Key))
	for n := range args {
		column := make([]string, len(list))
		for i, v := range list {
			column[i] = v.Key[n]
		}
		args[n] = column
	}
	return args
}

// valueArrays returns the values of columns of t, and the rows' patients where t has a column for
// these.
func valueArrays(t *schema.Table, list []*Version, want []int) []any {
	args := make([]any, len(want), len(want)+1)
	for n, c := range want {
		column := make([]*string, len(list))
		for i, v := range list {
			column[i] = v.Values[c]
		}
		args[n] = column
	}
	if t.SQL.Owned {
		owners := make([]string, len(list))
		for i, v := range list {
			owners[i] = v.patient
		}
		args = append(args, owners)
	}
	return args
}

// addTo adds an item to a group. A row that breaks that is set aside.
func (s *Store) addTo(g *Group, it *deid.Item) {
	add := func() error {
		g.add(it)
		return nil
	}
	if !guard.Report(s.Log, ensemble.Guarded("a row of table "+it.Change.Table.ID, add)) {
		return
	}
	out := it.Out
	it.Out = deid.Outcome{Key: out.Key, RowKey: out.RowKey, OldKey: out.OldKey, OldRow: out.OldRow, Reason: vault.Broken}
	g.add(it)
}

// WriteNow writes versions in a transaction of their own.
func (w *Writer) WriteNow(ctx context.Context, list []*Version) error {
	tx, err := w.Begin(ctx)
	if err != nil {
		return err
	}
	defer Rollback(tx)
	if err := w.writeVersions(ctx, tx, list); err != nil {
		return err
	}
	return fault.New("commit to the replica", connect.Lost(w.Conn, tx.Commit(ctx)), "")
}

// Given returns the parameters of a statement about rows that may be published, as [schema.Statements] has them
// for columns of t, and whether there are any such rows.
func Given(t *schema.Table, list []*Version, want []int) (args []any, some bool) {
	rows := slices.DeleteFunc(slices.Clone(list), func(v *Version) bool { return v.Remove || v.Values == nil })
	return valueArrays(t, rows, want), len(rows) > 0
}
