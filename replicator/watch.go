package replicator

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/metrics"
	"github.com/pgdeid/pgdeid/replicator/vault"
)

// watchReplica counts the rows that are set aside, whichever process did it. While
// the stream runs, nothing else uses the control connection.
func (r *run) watchReplica(ctx context.Context) error {
	rows, _ := r.Control.Query(ctx, "select reason, count(*) from deid.quarantine group by 1")
	counts := map[string]int64{}
	for _, reason := range vault.Reasons {
		counts[string(reason)] = 0
	}
	var reason string
	var n int64
	_, err := pgx.ForEachRow(rows, []any{&reason, &n}, func() error {
		counts[reason] = n
		return nil
	})
	if err != nil {
		return fault.New("count the rows that are set aside", connect.Lost(r.Control, err), "run 'pgdeid migrate up'")
	}
	r.Metrics.Aside.Reset()
	for reason, n := range counts {
		r.Metrics.Aside.WithLabelValues(reason).Set(float64(n))
	}
	return r.watchQueues(ctx)
}

// watchQueues counts the requests to make rows anew, and reads the key's epoch.
func (r *run) watchQueues(ctx context.Context) error {
	var patients, paths int64
	var epoch int
	err := r.Control.QueryRow(ctx, `
		select (select count(*) from deid.requeue), (select count(*) from deid.requeue_path), (select max(epoch) from deid.key_check)`).
		Scan(&patients, &paths, &epoch)
	if err != nil {
		return fault.New("count the requests", connect.Lost(r.Control, err), "run 'pgdeid migrate up'")
	}
	now := r.Now()
	r.Metrics.Requests(metrics.Patients, patients, now)
	r.Metrics.Requests(metrics.Paths, paths, now)
	r.Metrics.Epoch(epoch)
	return nil
}

// watchColumns names columns that appeared in mapped tables of the source, once.
func (r *run) watchColumns(ctx context.Context) error {
	appeared, err := NewColumns(ctx, r.Source, r.Control, r.Cfg)
	if err != nil {
		return err
	}
	r.Metrics.NewColumns.Set(float64(len(appeared)))
	for _, name := range appeared {
		if !r.named[name] {
			r.named[name] = true
			r.Log.Warn("a column appeared in the source: it is not published", "name", name,
				"hint", "name it in the mapping, if only as drop, then 'pgdeid migrate up'")
		}
	}
	return nil
}

// NewColumns returns the columns of mapped tables that the source has and that the
// last "migrate up" did not see, as schema.table.column.
func NewColumns(ctx context.Context, source, replica *pgx.Conn, cfg *config.Config) ([]string, error) {
	const op = "look for new columns"
	var schemas, tables []string
	for _, t := range cfg.Tables {
		schemas, tables = append(schemas, t.Schema), append(tables, t.Name)
	}
	known := map[string]bool{}
	err := eachName(ctx, replica, "select table_schema || '.' || table_name || '.' || column_name from deid.column_policy", nil,
		func(name string) { known[name] = true })
	if err != nil {
		return nil, fault.New(op, err, "run 'pgdeid migrate up'")
	}
	var appeared []string
	err = eachName(ctx, source, `
		select n.nspname || '.' || c.relname || '.' || a.attname
		from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
		where (n.nspname, c.relname) in (select * from unnest($1::text[], $2::text[])) and a.attnum > 0 and not a.attisdropped
		order by n.nspname, c.relname, a.attnum`, []any{schemas, tables},
		func(name string) {
			if !known[name] {
				appeared = append(appeared, name)
			}
		})
	return appeared, fault.New(op, err, "")
}

// eachName calls do with each value of a query's one column.
func eachName(ctx context.Context, conn *pgx.Conn, query string, args []any, do func(string)) error {
	rows, _ := conn.Query(ctx, query, args...)
	var name string
	_, err := pgx.ForEachRow(rows, []any{&name}, func() error {
		do(name)
		return nil
	})
	return connect.Lost(conn, err)
}
