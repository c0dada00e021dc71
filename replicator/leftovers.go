package replicator

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/apply"
	"github.com/pgdeid/pgdeid/replicator/deid"
	"github.com/pgdeid/pgdeid/replicator/patient"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/surrogate"
)

// A copy over rows that are there already (after a lost slot, say) has to take
// away what the source deleted in the meantime. Pseudonyms are one-way and in
// another order than the keys, so the keys of both sides are compared as sets of
// hashes, a part of all hashes at a time to keep the sets small.

// partKeys is how many keys one part should have: 16 MB of hashes.
const partKeys = 1 << 20

type keyHash [16]byte

func (h keyHash) part(parts uint64) uint64 { return binary.LittleEndian.Uint64(h[:]) % parts }

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
	if err := w.Hide(ctx, c.table); err != nil {
		return false, err
	}
	err = r.Control.QueryRow(ctx, "select not exists (select from "+c.table.Rows()+")").Scan(&clean)
	if err != nil || clean {
		return clean, fault.New("look at table "+c.table.ID+" of the replica", connect.Lost(r.Control, err), "")
	}
	r.Log.Info("comparing what the replica has with the source", "table", c.table.ID)
	parts := uint64(r.Estimate(ctx, c.table)/partKeys + 1) //nolint:gosec // not negative
	for part := range parts {
		there, err := r.keysAtSource(ctx, conn, c.table, look, part, parts)
		if err != nil {
			return false, err
		}
		if err := r.removeOthers(ctx, c.table, w, there, part, parts); err != nil {
			return false, err
		}
	}
	return false, nil
}

// keysAtSource returns the hashes, in order, of one part of the published keys
// that the source's rows have.
func (r *run) keysAtSource(ctx context.Context, conn *pgx.Conn, t *schema.Table, look *patient.Lookups, part, parts uint64) ([]keyHash, error) {
	res := r.NewResolver(look, false)
	var hashes []keyHash
	var batch []*deid.Item
	convert := func() error {
		if err := res.Resolve(ctx, batch); err != nil {
			return err
		}
		for _, it := range batch {
			if r.Deid.PublishKeys(it) == "" {
				if h := hashRow(r.Key, t, it.Out.OldRow); h.part(parts) == part {
					hashes = append(hashes, h)
				}
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
	slices.SortFunc(hashes, compareHashes)
	return hashes, fault.New("read the keys of table "+t.ID, err, "")
}

func compareHashes(a, b keyHash) int { return slices.Compare(a[:], b[:]) }

func hashRow(k *surrogate.Key, t *schema.Table, rowKey string) (h keyHash) {
	copy(h[:], k.HMAC("published", t.ID, rowKey))
	return h
}

// removeOthers deletes the rows of one part whose keys are not in there.
func (r *run) removeOthers(ctx context.Context, t *schema.Table, w *apply.Writer, there []keyHash, part, parts uint64) error {
	names := make([]string, len(t.SQL.Keys))
	for n, i := range t.SQL.Keys {
		names[n] = t.SQL.Names[i] + "::text" // which a char(n) is without the blanks that fill it up
	}
	var gone []*apply.Version
	err := schema.QueryText(ctx, r.Control, fmt.Sprintf("select %s from %s", strings.Join(names, ", "), t.Rows()), func(raw [][]byte) error {
		key := make([]string, len(raw))
		for i := range raw {
			key[i] = string(raw[i])
		}
		row := schema.RowKey(key)
		if h := hashRow(r.Key, t, row); h.part(parts) == part {
			if _, ok := slices.BinarySearchFunc(there, h, compareHashes); !ok {
				gone = append(gone, &apply.Version{Table: t, Key: key, RowKey: row, Remove: true, Set: true})
			}
		}
		return nil
	})
	if err != nil {
		return fault.New("read the keys of table "+t.ID+" of the replica", err, "")
	}
	for chunk := range slices.Chunk(gone, deid.BatchItems) {
		if err := w.WriteNow(ctx, chunk); err != nil {
			return err
		}
	}
	return nil
}
