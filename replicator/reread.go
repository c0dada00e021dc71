package replicator

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/source"
)

// Rows are read again from the source where the stream did not send all of them,
// where a patient's record changed, and for retry and reprocess. What is read may
// be newer than the stream's position: what changed in between comes in the
// stream, and every change can be applied twice.

// columnList names t's columns for a query in which t is called t0.
func (t *table) columnList() string {
	names := make([]string, len(t.columns))
	for i, c := range t.columns {
		names[i] = "t0." + quote(c.Name)
	}
	return strings.Join(names, ", ")
}

// rowOf copies a row of columnList.
func (t *table) rowOf(raw [][]byte) []value {
	row := make([]value, len(t.columns))
	for i := range row {
		if raw[i] == nil {
			row[i].state = null
		} else {
			row[i] = value{string(raw[i]), present}
		}
	}
	return row
}

// keyString joins key values so that different keys differ.
func keyString(key []string) string {
	var b strings.Builder
	for _, k := range key {
		_, _ = fmt.Fprintf(&b, "%d:%s,", len(k), k)
	}
	return b.String()
}

// readRows reads rows of t by their primary keys, and passes those that are there.
func (l *lookups) readRows(ctx context.Context, t *table, keys [][]string, each func(row []value) error) error {
	columns, names, match := make([]string, len(t.key)), make([]string, len(t.key)), make([]string, len(t.key))
	args := make([]any, len(t.key))
	for i, k := range t.key {
		columns[i] = fmt.Sprintf("$%d::%s[]", i+1, t.columns[k].typ)
		names[i] = fmt.Sprintf("k%d", i)
		match[i] = fmt.Sprintf("t0.%s = k.k%d", quote(t.columns[k].Name), i)
		values := make([]string, len(keys))
		for j, key := range keys {
			values[j] = key[i]
		}
		args[i] = arrayLiteral(values)
	}
	sql := fmt.Sprintf("select %s from unnest(%s) k(%s) join %s t0 on %s", t.columnList(),
		strings.Join(columns, ", "), strings.Join(names, ", "), t.source(), strings.Join(match, " and "))
	err := queryText(ctx, l.source, sql, func(raw [][]byte) error { return each(t.rowOf(raw)) }, args...)
	return fault.New("read rows of table "+t.id+" again", err, "grant the role of source.dsn SELECT on it: 'pgdeid migrate up'")
}

// reread replaces the rows of updates that the stream did not send whole: those
// whose key changed, or where something else than a text was left out.
func (r *resolver) reread(ctx context.Context, items []*item) error {
	wanted := map[*table][]*item{}
	for _, it := range items {
		if c := it.change; c != nil && c.op != deleteOp && c.incomplete() {
			wanted[c.table] = append(wanted[c.table], it)
		}
	}
	for t, list := range wanted {
		if err := r.rereadTable(ctx, t, list); err != nil {
			return err
		}
	}
	return nil
}

// incomplete reports whether the stream left out what the replica can't supply.
// A text that was not touched is there already, under the same key.
func (c *change) incomplete() bool {
	for _, i := range c.table.publish {
		if c.row != nil && c.row[i].state == unchanged &&
			(c.old != nil || c.op == insertOp || !slices.Contains(c.table.texts, i)) {
			return true
		}
	}
	return false
}

func (r *resolver) rereadTable(ctx context.Context, t *table, items []*item) error {
	byKey := map[string][]*item{}
	var keys [][]string
	for _, it := range items {
		key, ok := t.keyTexts(it.change.row)
		if !ok {
			return fault.New("read rows of table "+t.id+" again", source.ErrDecode, "")
		}
		if s := keyString(key); byKey[s] == nil {
			keys = append(keys, key)
			byKey[s] = []*item{it}
		} else {
			byKey[s] = append(byKey[s], it)
		}
	}
	err := r.readRows(ctx, t, keys, func(row []value) error {
		key, _ := t.keyTexts(row)
		s := keyString(key)
		for _, it := range byKey[s] {
			it.change.row = row
		}
		delete(byKey, s)
		return nil
	})
	if err != nil {
		return err
	}
	for _, gone := range byKey { // deleted or moved since: that comes in the stream
		for _, it := range gone {
			it.change.vanish()
		}
	}
	return nil
}

// vanish turns an update of a row that is gone by now into the deletion of what
// the replica has of it.
func (c *change) vanish() {
	if c.old == nil {
		c.old = c.row
	}
	c.op, c.row = deleteOp, nil
}
