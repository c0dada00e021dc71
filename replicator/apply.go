package replicator

import (
	"context"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/fault"
)

// write writes a group into tx, with all that belongs to it except the position.
func (s *store) write(ctx context.Context, tx pgx.Tx, g *group) error {
	if err := s.storeEntries(ctx, tx, g); err != nil {
		return err
	}
	if len(s.blocked) > 0 {
		for _, v := range g.order {
			if s.blocked[v.patient] || v.item != nil && s.blocked[v.item.whose] {
				v.quarantine(v.item, surrogateFail)
			}
		}
	}
	return s.writeVersions(ctx, tx, g.order)
}

// storeEntries writes what a group has for the vault, and takes it out of the group.
func (s *store) storeEntries(ctx context.Context, tx pgx.Tx, g *group) error {
	refused, err := s.choices.Write(ctx, tx, g.choices.Without(s.blocked))
	if err != nil {
		return err
	}
	for _, name := range refused {
		s.blocked[name] = true
	}
	g.choices.Clear()
	return nil
}

// writeHint says what to do about rows that can't be written.
func writeHint(err error) string {
	switch fault.State(err) {
	case "42501", "42P01", "42703": // no privilege, no such table, no such column
		return "'pgdeid migrate up --target replica' makes the research tables and their grants anew"
	}
	return ""
}

// writeVersions writes rows. Where the replica refuses a value, the rows are
// written in halves until the one that it refuses stands alone and is set aside.
func (s *store) writeVersions(ctx context.Context, tx pgx.Tx, list []*version) error {
	if len(list) == 0 {
		return nil
	}
	err := s.tryVersions(ctx, tx, list)
	if !fault.SmallerMayDo(err) {
		return fault.New("write rows to the replica", err, writeHint(err))
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
		return fault.New("write a row of table "+list[0].table.id+" to the replica", err, "")
	}
	return s.setAside(ctx, tx, list[0], err)
}

// setAside sets a row aside that the replica refused with cause.
func (s *store) setAside(ctx context.Context, tx pgx.Tx, v *version, cause error) error {
	if !v.remove {
		v.quarantine(v.item, refused)
		if cause = s.tryAgain(ctx, tx, v); !fault.BlamesRow(cause) {
			return cause
		}
	}
	if !strings.HasPrefix(fault.State(cause), "22") {
		return fault.New("delete a row of table "+v.table.id+" of the replica", cause, "look at constraints and triggers of that table")
	}
	v.key = nil // no value of the key's type: the replica has no such row
	return s.tryAgain(ctx, tx, v)
}

// tryAgain writes a row of which the last try failed.
func (s *store) tryAgain(ctx context.Context, tx pgx.Tx, v *version) error {
	if err := backTo(ctx, tx, "rows"); err != nil {
		return err
	}
	return fault.New("set aside a row of table "+v.table.id, s.tryVersions(ctx, tx, []*version{v}), "")
}

// backTo undoes what came after a savepoint.
func backTo(ctx context.Context, tx pgx.Tx, savepoint string) error {
	_, err := tx.Exec(ctx, "rollback to savepoint "+savepoint)
	return fault.New("undo what the replica refused", err, "")
}

// tryVersions writes rows behind a savepoint, which it leaves in place if it fails.
func (s *store) tryVersions(ctx context.Context, tx pgx.Tx, list []*version) error {
	batch := &pgx.Batch{}
	batch.Queue("savepoint rows")
	byTable := map[*table][]*version{}
	var tables []*table
	for _, v := range list {
		if byTable[v.table] == nil {
			tables = append(tables, v.table)
		}
		byTable[v.table] = append(byTable[v.table], v)
	}
	for _, t := range tables {
		queueTable(batch, t, byTable[t])
		s.queueRelease(batch, t, byTable[t])
		if t.isNote() {
			s.queueProvenance(batch, t, byTable[t])
		}
	}
	queueWithheld(batch, list)
	s.queueQuarantine(batch, list)
	batch.Queue("release savepoint rows")
	return tx.SendBatch(ctx, batch).Close()
}

// queueTable queues the statements that write the rows of one table: deletions,
// whole rows, and rows of which some columns stay.
func queueTable(batch *pgx.Batch, t *table, list []*version) {
	var removed, whole []*version
	partial := map[string][]*version{}
	for _, v := range list {
		switch {
		case v.remove && len(v.key) > 0:
			removed = append(removed, v)
		case v.remove:
		case v.only || v.keeps():
			mask := keepMask(v.keep)
			partial[mask] = append(partial[mask], v)
		default:
			whole = append(whole, v)
		}
	}
	if len(removed) > 0 {
		batch.Queue(t.sql.remove, keyArrays(removed)...)
	}
	if len(whole) > 0 {
		batch.Queue(t.sql.upsert, valueArrays(whole, t.sql.all())...)
	}
	for _, mask := range sortedKeys(partial) {
		rows := partial[mask]
		want := t.without(rows[0].keep)
		if sql := t.sql.update(want); sql != "" {
			batch.Queue(sql, valueArrays(rows, want)...)
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

// without returns the indexes in publish of all columns but the texts that stay.
func (t *table) without(keep []bool) []int {
	var want []int
	for i := range t.publish {
		want = append(want, i)
	}
	return slices.DeleteFunc(want, func(i int) bool {
		for n, k := range keep {
			if k && t.textIndex(n) == i {
				return true
			}
		}
		return false
	})
}

func keyArrays(list []*version) []any {
	args := make([]any, len(list[0].key))
	for n := range args {
		column := make([]string, len(list))
		for i, v := range list {
			column[i] = v.key[n]
		}
		args[n] = column
	}
	return args
}

func valueArrays(list []*version, want []int) []any {
	args := make([]any, len(want))
	for n, c := range want {
		column := make([]*string, len(list))
		for i, v := range list {
			column[i] = v.values[c]
		}
		args[n] = column
	}
	return args
}
