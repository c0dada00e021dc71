package replicator

import (
	"context"
	"fmt"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/pgdeid/pgdeid/replicator/fault"
)

// pathKey is a value that another table's path looks up.
type pathKey struct {
	table *table // the table that is looked into
	value string
}

// pathCache remembers which patient such a value leads to: PHI, in memory only.
type pathCache = lru.Cache[pathKey, string]

// pathEntries bounds the cache: some 30 MB.
const pathEntries = 200_000

// patientKeys finds the source key of each row's patient; "" where there is none.
// rows and tables run in parallel; a nil row has no patient.
func (l *lookups) patientKeys(ctx context.Context, tables []*table, rows [][]value) ([]string, error) {
	keys := make([]string, len(rows))
	wanted := map[*table]map[string][]int{}
	for i, row := range rows {
		t := tables[i]
		if row == nil || t.via < 0 || row[t.via].state != present {
			continue
		}
		v := row[t.via].text
		if t.next == nil {
			keys[i] = l.canonical(v)
		} else if key, ok := l.paths.Get(pathKey{t.next, v}); ok {
			keys[i] = key
		} else {
			if wanted[t.next] == nil {
				wanted[t.next] = map[string][]int{}
			}
			wanted[t.next][v] = append(wanted[t.next][v], i)
		}
	}
	gen := l.pathGen.Load()
	for t, values := range wanted {
		if err := l.followPath(ctx, t, values, keys, gen); err != nil {
			return nil, err
		}
	}
	return keys, nil
}

// followPath looks up the patients of t's rows by the column that paths look up.
func (l *lookups) followPath(ctx context.Context, t *table, values map[string][]int, keys []string, gen int64) error {
	list := make([]string, 0, len(values))
	for v := range values {
		list = append(list, v)
	}
	clause, patient, _ := t.from(l.at)
	col := t.columns[t.lookup]
	sql := fmt.Sprintf("select t0.%s, %s from %s where t0.%s = any($1::%s)", quote(col.Name), patient, clause, quote(col.Name), arrayType(col.typ))
	err := queryText(ctx, l.tables, sql, func(row [][]byte) error {
		if row[1] == nil {
			return nil
		}
		v, key := string(row[0]), l.canonical(string(row[1]))
		if l.pathGen.Load() == gen { // nothing was forgotten since
			l.paths.Add(pathKey{t, v}, key)
		}
		for _, i := range values[v] {
			keys[i] = key
		}
		return nil
	}, arrayLiteral(list))
	return fault.New("follow paths through table "+t.id, err, "run 'pgdeid migrate up'")
}

// forgetPath drops what is remembered of a row that changed, of which some of the
// values are known.
func (s *shared) forgetPath(t *table, rows ...[]value) {
	if t.lookup < 0 {
		return
	}
	s.pathGen.Add(1)
	if s.plan.inner[t] {
		s.paths.Purge()
		return
	}
	for _, row := range rows {
		if row == nil {
			continue
		}
		if row[t.lookup].state != present { // a key without that column
			s.paths.Purge()
			return
		}
		s.paths.Remove(pathKey{t, row[t.lookup].text})
	}
}
