package replicator

import (
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
)

// A value that does not fit its column's policy, such as a date before Christ, is
// withheld: its row is published with NULL there, so that rows which lead to it still
// do. What is withheld is counted by column, in the row's own transaction. A key can't
// be withheld: it sets its row aside.

// queueWithheld queues the counts of a list of rows.
func queueWithheld(batch *pgx.Batch, list []*version) {
	counts := map[[2]string]int64{}
	for _, v := range list {
		for _, c := range v.withheld {
			counts[[2]string{v.table.id, v.table.columns[c].Name}]++
		}
	}
	var tables, columns []string
	var times []int64
	for place, n := range counts {
		tables, columns, times = append(tables, place[0]), append(columns, place[1]), append(times, n)
	}
	if len(tables) == 0 {
		return
	}
	batch.Queue(`
		insert into deid.withheld as w (table_name, column_name, times) select * from unnest($1::text[], $2::text[], $3::bigint[])
		on conflict (table_name, column_name) do update set times = w.times + excluded.times, last_at = excluded.last_at`, tables, columns, times)
}

// sayWithheld counts what is withheld of a row, and logs the first time for each column.
func (w *writer) sayWithheld(v *version) {
	for _, c := range v.withheld {
		place := v.table.id + "." + v.table.columns[c].Name
		w.metrics.withheld.WithLabelValues(place).Inc()
		if _, said := w.withheld.LoadOrStore(place, true); !said {
			w.log.Warn("a value does not fit its column's policy and is published as NULL, as others will be: 'pgdeid check' looks at such columns",
				"column", place, "policy", v.table.columns[c].Publish)
		}
	}
}

// initialiseWithheld makes the counters of all columns whose values can be withheld: an
// alarm on a series that is not there never rings.
func (m *Metrics) initialiseWithheld(p *plan) {
	for _, t := range p.tables {
		for _, c := range t.publish {
			col := &t.columns[c]
			if col.Publish != config.Keep && col.Publish != config.Text && !slices.Contains(t.key, c) {
				m.withheld.WithLabelValues(t.id + "." + col.Name)
			}
		}
	}
}

// WithheldCount counts values of a column that were published as NULL.
type WithheldCount struct {
	Table  string    `json:"table"`
	Column string    `json:"column"`
	Times  int64     `json:"times"` // a row that is written again counts again
	Last   time.Time `json:"last"`
}

func readWithheld(ctx context.Context, conn *pgx.Conn) ([]WithheldCount, error) {
	rows, err := conn.Query(ctx, "select table_name, column_name, times, last_at from deid.withheld order by 1, 2")
	if err != nil {
		return nil, fault.New("read what was withheld", err, "")
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[WithheldCount])
	return list, fault.New("read what was withheld", err, "")
}
