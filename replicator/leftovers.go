package replicator

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/apply"
	"github.com/pgdeid/pgdeid/replicator/deid"
	"github.com/pgdeid/pgdeid/replicator/patient"
	"github.com/pgdeid/pgdeid/replicator/schema"
)

// A copy over rows that are there already (after a lost slot, say) has to take
// away what the source deleted in the meantime. Pseudonyms are one-way and in
// another order than the keys, so the keys of both sides are compared as sets of
// hashes.

// partKeys is how many keys are gathered at a time: 16 MB of hashes.
const partKeys = 1 << 20

// startTable prepares the copy of a table from its beginning, and reports whether
// the replica has nothing of it.
func (r *run) startTable(ctx context.Context, conn *pgx.Conn, c copyState, w *apply.Writer, look *patient.Lookups) (clean bool, err error) {
	if c.after == nil && len(c.table.Filters) > 0 {
		if err := w.BeginFilters(ctx, c.table); err != nil {
			return false, err
		}
	}
	if c.after != nil || len(c.table.Publish) == 0 {
		return len(c.table.Publish) == 0, nil
	}
	err = r.Control.QueryRow(ctx, "select not exists (select from "+c.table.Rows()+")").Scan(&clean)
	if err != nil {
		return false, fault.New("look at table "+c.table.ID+" of the replica", connect.Lost(r.Control, err), "")
	}
	if clean || !c.compare { // what is compared with few differences may be read meanwhile
		if err := w.Hide(ctx, c.table); err != nil {
			return false, err
		}
	}
	if clean {
		return true, nil
	}
	r.Log.Info("comparing what the replica has with the source", "table", c.table.ID)
	return false, r.leftovers(ctx, conn, c.table, look, func(gone []*apply.Version) error {
		return r.remove(ctx, w, c.table, gone)
	})
}

// remove deletes rows of a table, and counts them.
func (r *run) remove(ctx context.Context, w *apply.Writer, t *schema.Table, gone []*apply.Version) error {
	for chunk := range slices.Chunk(gone, deid.BatchItems) {
		if err := w.WriteNow(ctx, chunk); err != nil {
			return err
		}
		_, err := r.Control.Exec(ctx, "update deid.snapshot set removed = removed + $3 where slot = $1 and table_name = $2",
			r.Cfg.Source.Slot, t.ID, len(chunk))
		if err != nil {
			return fault.New("count what the source does not have", connect.Lost(r.Control, err), "run 'pgdeid migrate up'")
		}
	}
	return nil
}

// leftovers passes the rows of the replica that the source does not have.
func (r *run) leftovers(ctx context.Context, conn *pgx.Conn, t *schema.Table, look *patient.Lookups, pass func([]*apply.Version) error) error {
	var here, there digests
	if err := r.keysAtSource(ctx, conn, t, look, here.add); err != nil {
		return err
	}
	err := r.keysInReplica(ctx, t, func(h keyHash, _ []string, _ string) { there.add(h) })
	if err != nil {
		return err
	}
	for _, p := range here.parts(&there, partKeys) {
		var known []keyHash
		err := r.keysAtSource(ctx, conn, t, look, func(h keyHash) {
			if p.has(h) {
				known = append(known, h)
			}
		})
		if err != nil {
			return err
		}
		slices.SortFunc(known, compareHashes)
		var gone []*apply.Version
		err = r.keysInReplica(ctx, t, func(h keyHash, key []string, row string) {
			if _, ok := slices.BinarySearchFunc(known, h, compareHashes); p.has(h) && !ok {
				gone = append(gone, &apply.Version{Table: t, Key: key, RowKey: row, Remove: true, Set: true})
			}
		})
		if err != nil {
			return err
		}
		if err := pass(gone); err != nil {
			return err
		}
	}
	return nil
}

// keysAtSource passes the hashes of the published keys that the source's rows have.
func (r *run) keysAtSource(ctx context.Context, conn *pgx.Conn, t *schema.Table, look *patient.Lookups, pass func(keyHash)) error {
	res := r.NewResolver(look, false)
	var batch []*deid.Item
	convert := func() error {
		if err := res.Resolve(ctx, batch); err != nil {
			return err
		}
		for _, it := range batch {
			if r.Deid.PublishKeys(it) == "" {
				pass(hashRow(r.Key, t, it.Out.OldRow))
			}
			it.Release(r.Reg)
		}
		batch = batch[:0]
		return nil
	}
	err := schema.QueryText(ctx, conn, fmt.Sprintf("select %s from %s t0", t.KeyList(), t.Source()), func(raw [][]byte) error {
		row := make([]schema.Value, len(t.Columns))
		for i, k := range t.Key {
			row[k] = schema.Value{Text: t.Columns[k].Read(raw[i]), State: schema.Present}
		}
		t.Compose(row)
		batch = append(batch, &deid.Item{Change: &schema.Change{Op: schema.DeleteOp, Table: t, Old: row, Read: true}})
		if len(batch) < deid.BatchItems {
			return nil
		}
		return convert()
	})
	if err == nil {
		err = convert()
	}
	return fault.New("read the keys of table "+t.ID, err, "")
}

// keysInReplica passes the keys of the replica's rows, and their hashes.
func (r *run) keysInReplica(ctx context.Context, t *schema.Table, pass func(h keyHash, key []string, row string)) error {
	err := schema.QueryText(ctx, r.Control, fmt.Sprintf("select %s from %s t", t.SQL.KeyTexts(), t.Rows()), func(raw [][]byte) error {
		key := schema.Texts(raw)
		row := schema.RowKey(key)
		pass(hashRow(r.Key, t, row), key, row)
		return nil
	})
	return fault.New("read the keys of table "+t.ID+" of the replica", err, "")
}
