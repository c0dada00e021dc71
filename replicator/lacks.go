package replicator

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/pgdeid/pgdeid/internal/fault"
)

// A note may come before the row that leads it to its patient. It is set aside with a
// hash of that row, so that it is tried again when the row arrives.

// findLacking notes, of rows without a patient, which row their path ends at: one that
// is not there, or one that leads no further.
func (r *resolver) findLacking(ctx context.Context, batch []*item) error {
	wanted := map[target]map[string][]*item{}
	for _, it := range batch {
		c := it.change
		if it.reason != noPatient || c.table.next == nil || c.row[c.table.via].state != present {
			continue
		}
		want(wanted, target{c.table.next, c.table.into}, c.row[c.table.via].text, it)
	}
	for len(wanted) > 0 {
		next := map[target]map[string][]*item{}
		for to, values := range wanted {
			further, err := r.step(ctx, to, slices.Collect(maps.Keys(values)))
			if err != nil {
				return err
			}
			for v, items := range values {
				via, ok := further[v]
				for _, it := range items {
					if ok && to.table.next != nil {
						want(next, target{to.table.next, to.table.into}, via, it)
					} else {
						it.lacks = r.pathChange(to, v).hash
					}
				}
			}
		}
		wanted = next
	}
	return nil
}

func want(wanted map[target]map[string][]*item, to target, value string, it *item) {
	if wanted[to] == nil {
		wanted[to] = map[string][]*item{}
	}
	wanted[to][value] = append(wanted[to][value], it)
}

// step returns what the rows with these values of a target lead to.
func (l *lookups) step(ctx context.Context, to target, values []string) (map[string]string, error) {
	col, via := to.table.columns[to.column], to.table.columns[to.table.via]
	sql := fmt.Sprintf("select t0.%s, t0.%s from %s t0 where t0.%[1]s = any($1::%[4]s)", quote(col.Name), quote(via.Name), l.at(to.table),
		arrayType(col.typ))
	found := map[string]string{}
	err := queryText(ctx, l.tables, sql, func(row [][]byte) error {
		if row[1] != nil {
			found[string(row[0])] = string(row[1])
		}
		return nil
	}, arrayLiteral(values))
	return found, fault.New("follow paths through table "+to.table.id, err, "run 'pgdeid migrate up'")
}
