package deid

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/schema"
)

// AsideBefore returns under which patients rows of t are set aside, by the key of the source as
// [schema.KeyString] writes it. Nothing of them was published, but their texts were written when
// they were those patients'.
func (r *Resolver) AsideBefore(ctx context.Context, t *schema.Table, keys [][]string) (map[string]string, error) {
	const op = "read whose rows are set aside"
	if len(keys) == 0 {
		return nil, nil
	}
	byHash, hashes := map[string]string{}, make([][]byte, len(keys))
	for i, key := range keys {
		hashes[i] = r.Seals.RowHash(t.ID, key)
		byHash[string(hashes[i])] = schema.KeyString(key)
	}
	rows, err := r.Replica.Query(ctx, "select key_hmac, sealed from deid.quarantine where table_name = $1 and key_hmac = any($2)", t.ID, hashes)
	if err != nil {
		return nil, fault.New(op, connect.Lost(r.Replica, err), "run 'pgdeid migrate up'")
	}
	whose := map[string]string{}
	var hash, sealed []byte
	_, err = pgx.ForEachRow(rows, []any{&hash, &sealed}, func() error {
		origin, err := r.Seals.OpenOrigin(sealed, t.ID, hash)
		if err == nil && origin.Patient != "" {
			whose[byHash[string(hash)]] = origin.Patient
		}
		return err
	})
	return whose, fault.New(op, connect.Lost(r.Replica, err), "")
}

// asideBefore fills in whose rows were that were read again and of which nothing is published.
func (r *Resolver) asideBefore(ctx context.Context, found map[*Item]string) (map[*Item]string, error) {
	items, keys := map[*schema.Table]map[string]*Item{}, map[*schema.Table][][]string{}
	for it, was := range found {
		key, ok := it.Change.Table.KeyTexts(it.Change.Row)
		if was != "" || !ok || it.Was != "" {
			continue
		}
		t := it.Change.Table
		if items[t] == nil {
			items[t] = map[string]*Item{}
		}
		items[t][schema.KeyString(key)], keys[t] = it, append(keys[t], key)
	}
	aside := map[*Item]string{}
	for t := range items {
		whose, err := r.AsideBefore(ctx, t, keys[t])
		if err != nil {
			return nil, err
		}
		for key, patient := range whose {
			aside[items[t][key]] = patient
		}
	}
	return aside, nil
}
