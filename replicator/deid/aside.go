package deid

import (
	"context"

	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/vault"
)

// asideBefore fills in whose rows were that were read again and of which nothing is published.
func (r *Resolver) asideBefore(ctx context.Context, found map[*Item]string) (map[*Item]string, error) {
	items, keys := map[*schema.Table][]*Item{}, map[*schema.Table][][]string{}
	for it, was := range found {
		key, ok := it.Change.Table.KeyTexts(it.Change.Row)
		if was != "" || !ok {
			continue
		}
		t := it.Change.Table
		items[t], keys[t] = append(items[t], it), append(keys[t], key)
	}
	aside := map[*Item]string{}
	for t := range items {
		whose, err := vault.NewQuarantine(r.Seals).Whose(ctx, r.Replica, t.ID, keys[t])
		if err != nil {
			return nil, connect.Lost(r.Replica, err)
		}
		for i, it := range items[t] {
			aside[it] = whose[i]
		}
	}
	return aside, nil
}
