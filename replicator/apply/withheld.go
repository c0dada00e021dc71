package apply

import (
	"github.com/jackc/pgx/v5"
)

// A value that does not fit its column's policy, such as a date before Christ, is
// withheld: its row is published with NULL there, so that rows which lead to it still
// do. What is withheld is counted by column, in the row's own transaction. A key can't
// be withheld: it sets its row aside.

// queueWithheld queues the counts of a list of rows.
func queueWithheld(batch *pgx.Batch, list []*Version) {
	counts := map[[2]string]int64{}
	for _, v := range list {
		for _, c := range v.withheld {
			counts[[2]string{v.Table.ID, v.Table.Columns[c].Name}]++
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
func (w *Writer) sayWithheld(v *Version) {
	for _, c := range v.withheld {
		place := v.Table.ID + "." + v.Table.Columns[c].Name
		w.Metrics.Withheld.WithLabelValues(place).Inc()
		if _, said := w.withheld.LoadOrStore(place, true); !said {
			w.Log.Warn("a value does not fit its column's policy and is published as NULL, as others will be: 'pgdeid check' looks at such columns",
				"column", place, "policy", v.Table.Columns[c].Publish)
		}
	}
}
