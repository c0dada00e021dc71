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
func (r *run) startTable(ctx context.Context, conn *pgx.Conn, c copyState, w *writer, look *lookups) (clean bool, err error) {
	if c.after != nil {
		return false, nil
	}
	if err := w.hide(ctx, c.table); err != nil {
		return false, err
	}
	err = r.control.QueryRow(ctx, "select not exists (select from "+c.table.rows()+")").Scan(&clean)
	if err != nil || clean {
		return clean, fault.New("look at table "+c.table.id+" of the replica", connect.Lost(r.control, err), "")
	}
	r.log.Info("comparing what the replica has with the source", "table", c.table.id)
	parts := uint64(r.estimate(ctx, c.table)/partKeys + 1) //nolint:gosec // not negative
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
func (r *run) keysAtSource(ctx context.Context, conn *pgx.Conn, t *table, look *lookups, part, parts uint64) ([]keyHash, error) {
	res := r.newResolver(look, false)
	var hashes []keyHash
	var batch []*item
	convert := func() error {
		if err := res.resolve(ctx, batch); err != nil {
			return err
		}
		for _, it := range batch {
			if r.deid.publishKeys(it) == "" {
				if h := hashRow(r.key, t, it.out.oldRow); h.part(parts) == part {
					hashes = append(hashes, h)
				}
			}
			it.release(r.reg)
		}
		batch = batch[:0]
		return nil
	}
	err := queryText(ctx, conn, fmt.Sprintf("select %s from %s t0", t.keyList(), t.source()), func(raw [][]byte) error {
		row := make([]value, len(t.columns))
		for i, k := range t.key {
			row[k] = value{string(raw[i]), present}
		}
		batch = append(batch, &item{change: &change{op: deleteOp, table: t, old: row, read: true}})
		if len(batch) < batchItems {
			return nil
		}
		return convert()
	})
	if err == nil {
		err = convert()
	}
	slices.SortFunc(hashes, compareHashes)
	return hashes, fault.New("read the keys of table "+t.id, err, "")
}

func compareHashes(a, b keyHash) int { return slices.Compare(a[:], b[:]) }

func hashRow(k *surrogate.Key, t *table, rowKey string) (h keyHash) {
	copy(h[:], k.HMAC("published", t.id, rowKey))
	return h
}

// removeOthers deletes the rows of one part whose keys are not in there.
func (r *run) removeOthers(ctx context.Context, t *table, w *writer, there []keyHash, part, parts uint64) error {
	names := make([]string, len(t.sql.keys))
	for n, i := range t.sql.keys {
		names[n] = t.sql.names[i]
	}
	var gone []*version
	err := queryText(ctx, r.control, fmt.Sprintf("select %s from %s", strings.Join(names, ", "), t.rows()), func(raw [][]byte) error {
		key := make([]string, len(raw))
		for i := range raw {
			key[i] = string(raw[i])
		}
		row := rowKey(key)
		if h := hashRow(r.key, t, row); h.part(parts) == part {
			if _, ok := slices.BinarySearchFunc(there, h, compareHashes); !ok {
				gone = append(gone, &version{table: t, key: key, rowKey: row, remove: true, set: true})
			}
		}
		return nil
	})
	if err != nil {
		return fault.New("read the keys of table "+t.id+" of the replica", err, "")
	}
	for chunk := range slices.Chunk(gone, batchItems) {
		if err := w.writeNow(ctx, chunk); err != nil {
			return err
		}
	}
	return nil
}

// writeNow writes versions in a transaction of their own.
func (w *writer) writeNow(ctx context.Context, list []*version) error {
	tx, err := w.begin(ctx)
	if err != nil {
		return err
	}
	defer rollback(tx)
	if err := w.writeVersions(ctx, tx, list); err != nil {
		return err
	}
	return fault.New("commit to the replica", connect.Lost(w.conn, tx.Commit(ctx)), "")
}
