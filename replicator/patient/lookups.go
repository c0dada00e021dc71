package patient

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/schema"
)

// Close closes the connections that are open.
func (l *Lookups) Close() {
	for _, conn := range l.Conns() {
		if !conn.IsClosed() {
			connect.Close(conn)
		}
	}
}

// Conns returns the connections that were opened, each once.
func (l *Lookups) Conns() []*pgx.Conn {
	conns := []*pgx.Conn{l.Source, l.Replica}
	if l.Tables != l.Replica {
		conns = append(conns, l.Tables)
	}
	return slices.DeleteFunc(conns, func(c *pgx.Conn) bool { return c == nil })
}

// Lookups reads what a row alone does not tell. It belongs to one goroutine; the
// cache is shared.
type Lookups struct {
	*Register
	Replica *pgx.Conn // the vault; outside of transactions
	Tables  *pgx.Conn // gazetteers: the replica with its foreign tables, or the source
	Source  *pgx.Conn // rows that are read again
}

// Load returns the patients with these source keys, pinned. What the cache does
// not hold is read in one query for each table.
func (l *Lookups) Load(ctx context.Context, keys []string) (map[string]*Patient, error) {
	found := make(map[string]*Patient, len(keys))
	var missing []string
	for _, key := range keys {
		if _, ok := found[key]; ok || slices.Contains(missing, key) {
			continue
		}
		if p := l.Cache.pin(key); p != nil {
			found[key] = p
		} else {
			missing = append(missing, key)
		}
	}
	if len(missing) == 0 {
		return found, nil
	}
	gen := l.Cache.Generation()
	loaded, err := l.Read(ctx, missing)
	if err != nil {
		for _, p := range found {
			l.Cache.Unpin(p)
		}
		return nil, err
	}
	for _, p := range loaded {
		found[p.Key] = l.Cache.put(p, gen)
	}
	return found, nil
}

// ReadRows reads rows of t by their primary keys, and passes those that are there.
func (l *Lookups) ReadRows(ctx context.Context, t *schema.Table, keys [][]string, each func(row []schema.Value) error) error {
	from, args := t.Given(t.Key, keys)
	sql := fmt.Sprintf("select %s from %s", t.ColumnList(), from)
	err := schema.QueryText(ctx, l.Source, sql, func(raw [][]byte) error { return each(t.RowOf(raw)) }, args...)
	return fault.New("read rows of table "+t.ID+" again", err, "grant the role of source.dsn SELECT on it: 'pgdeid migrate up'")
}

// ForgetAll drops everything that was read of patients and of what leads to them.
func (l *Lookups) ForgetAll() {
	l.PathGen.Add(1)
	l.Paths.Purge()
	l.Cache.ForgetAll()
}
