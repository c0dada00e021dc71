package deid

import (
	"context"
	"maps"
	"slices"

	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/vault"
)

// A note may come before the row that leads it to its patient. It is set aside with a
// hash of that row, so that it is tried again when the row arrives.

// findLacking notes, of rows without a patient, which row their path ends at: one that
// is not there, or one that leads no further.
func (r *Resolver) findLacking(ctx context.Context, batch []*Item) error {
	wanted := map[schema.Target]map[string][]*Item{}
	for _, it := range batch {
		c := it.Change
		if it.Reason != vault.NoPatient || c.Table.Next == nil || c.Table.Holds(c.Row) {
			continue
		}
		if v, ok := c.Table.Leading(c.Row); ok {
			want(wanted, schema.Target{Table: c.Table.Next, Column: c.Table.Into}, v, it)
		}
	}
	for len(wanted) > 0 {
		next := map[schema.Target]map[string][]*Item{}
		for to, values := range wanted {
			further, err := r.Step(ctx, to, slices.Collect(maps.Keys(values)))
			if err != nil {
				return err
			}
			for v, items := range values {
				via, ok := further[v]
				for _, it := range items {
					if ok && to.Table.Next != nil {
						want(next, schema.Target{Table: to.Table.Next, Column: to.Table.Into}, via, it)
					} else {
						it.Lacks = r.PathChange(to, v).Hash
					}
				}
			}
		}
		wanted = next
	}
	return nil
}

func want(wanted map[schema.Target]map[string][]*Item, to schema.Target, value string, it *Item) {
	if wanted[to] == nil {
		wanted[to] = map[string][]*Item{}
	}
	wanted[to][value] = append(wanted[to][value], it)
}
