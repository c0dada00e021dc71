package replicator

import (
	"context"
	"fmt"
	"maps"
	"slices"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/pgdeid/pgdeid/internal/fault"
)

// pathKey is a value that another table's path looks up.
type pathKey struct {
	target target
	value  string
}

// target is where a path looks a value up. Two paths may lead through one table by
// different columns.
type target struct {
	table  *table
	column int // index in table.columns
}

// pathCache remembers which patient such a value leads to: PHI, in memory only.
type pathCache = lru.Cache[pathKey, string]

// pathEntries bounds the cache: some 30 MB.
const pathEntries = 200_000

// patientKeys finds the source key of each row's patient; "" where there is none, or
// where there are several, whose keys are returned by the row's index. rows and tables
// run in parallel; a nil row has no patient.
func (l *lookups) patientKeys(ctx context.Context, tables []*table, rows [][]value) (keys []string, several map[int][]string, err error) {
	keys, several = make([]string, len(rows)), map[int][]string{}
	wanted := map[target]map[string][]int{}
	for i, row := range rows {
		t := tables[i]
		if row == nil || t.via < 0 || row[t.via].state != present {
			continue
		}
		v := row[t.via].text
		to := target{t.next, t.into}
		if t.next == nil {
			keys[i] = l.canonical(v)
		} else if key, ok := l.paths.Get(pathKey{to, v}); ok {
			keys[i] = key
		} else {
			if wanted[to] == nil {
				wanted[to] = map[string][]int{}
			}
			wanted[to][v] = append(wanted[to][v], i)
		}
	}
	gen := l.pathGen.Load()
	for to, values := range wanted {
		found, err := l.followPath(ctx, to, slices.Collect(maps.Keys(values)))
		if err != nil {
			return nil, nil, err
		}
		for v, owners := range found {
			if len(owners) > 1 {
				for _, i := range values[v] {
					several[i] = owners
				}
				continue
			}
			for _, i := range values[v] {
				keys[i] = owners[0]
			}
			if l.pathGen.Load() == gen { // nothing was forgotten since
				l.paths.Add(pathKey{to, v}, owners[0])
			}
		}
	}
	return keys, several, nil
}

// followPath looks up the keys of the patients that values of a target lead to.
func (l *lookups) followPath(ctx context.Context, to target, values []string) (map[string][]string, error) {
	clause, patient, _ := to.table.from(l.at)
	col := to.table.columns[to.column]
	values = slices.DeleteFunc(values, func(v string) bool {
		ok, known := fits(col.typ, v)
		return known && !ok
	})
	sql := fmt.Sprintf("select t0.%s, %s from %s where t0.%s = any($1::%s)", quote(col.Name), patient, clause, quote(col.Name), arrayType(col.typ))
	found := map[string][]string{}
	err := queryText(ctx, l.tables, sql, func(row [][]byte) error {
		if row[1] != nil {
			addOwner(found, string(row[0]), l.canonical(string(row[1])))
		}
		return nil
	}, arrayLiteral(values))
	return found, fault.New("follow paths through table "+to.table.id, err, "run 'pgdeid migrate up'")
}

// addOwner takes in a row that leads a value to a patient. Several rows may lead to one.
func addOwner(found map[string][]string, value, key string) {
	if !slices.Contains(found[value], key) {
		found[value] = append(found[value], key)
	}
}

// forgetPath drops what is remembered of a row that changed.
func (r *register) forgetPath(c *change) {
	t := c.table
	if len(t.lookups) == 0 {
		return
	}
	r.pathGen.Add(1)
	if r.plan.inner[t] {
		r.paths.Purge()
		return
	}
	for _, i := range t.lookups {
		if c.op != insertOp && !slices.Contains(t.key, i) { // the stream does not say what it was before
			r.paths.Purge()
			return
		}
		for _, row := range [][]value{c.old, c.row} {
			if row != nil {
				r.paths.Remove(pathKey{target{t, i}, row[i].text})
			}
		}
	}
}
