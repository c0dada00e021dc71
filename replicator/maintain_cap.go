package replicator

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/pgdeid/pgdeid/replicator/fault"
	"github.com/pgdeid/pgdeid/replicator/mapping"
	"github.com/pgdeid/pgdeid/surrogate"
)

// Ages over 89, and years that tell one, are capped when a row is written. People
// grow older: with each new year another year of birth has to be capped.
func capTask() maintenance {
	return maintenance{
		name: "cap", what: "birth years and dates that tell an age over 89 by now",
		due: func(last, now time.Time) bool { return last.UTC().Year() < now.UTC().Year() },
		run: capAges,
	}
}

// capAges goes through the columns that can tell an age over 89. All that it needs
// is what is published.
func capAges(ctx context.Context, r *run, w *writer) ([]Maintained, error) {
	var all []Maintained
	for _, t := range r.plan.tables {
		for _, c := range t.publish {
			sql, oldest := r.capStatement(t, c)
			if sql == "" {
				continue
			}
			rows, err := w.execAlone(ctx, sql, oldest)
			if err != nil {
				return all, fault.New("cap column "+t.columns[c].Name+" of "+t.id, err, writeHint(err))
			}
			all = append(all, Maintained{Task: "cap", Place: t.id + "." + t.columns[c].Name, Rows: rows})
		}
	}
	return all, nil
}

// capStatement returns the statement that caps a column and the oldest year that may
// stand in it; "" for a column that tells no age. Rows are found again by their key,
// which therefore stays as it is.
func (r *run) capStatement(t *table, c int) (sql string, oldest int) {
	col := &t.columns[c]
	name := quote(col.Name)
	switch {
	case slices.Contains(t.key, c):
		return "", 0
	case col.Publish == mapping.Year && col.Tells == "birth_date" && isInteger(col.replica):
		return fmt.Sprintf("update %s set %s = $1::int where %[2]s < $1::int", t.source(), name), surrogate.OldestBirth(r.now())
	case col.Publish == mapping.ShiftDate && r.maker.OldestYear() > 0 && timeLayouts[col.replica] != "":
		// As surrogate's dates do: the same day of the oldest year, the 29th of February the 28th.
		return fmt.Sprintf(`update %s set %s = (%[2]s
				- case when extract(month from %[2]s) = 2 and extract(day from %[2]s) = 29 then interval '1 day' else interval '0' end
				+ make_interval(years => $1::int - extract(year from %[2]s)::int))::%[3]s
			where isfinite(%[2]s) and extract(year from %[2]s) < $1::int`, t.source(), name, col.replica), r.maker.OldestYear()
	}
	return "", 0
}

// execAlone runs one statement in a transaction of its own and returns how many rows
// it changed.
func (w *writer) execAlone(ctx context.Context, sql string, args ...any) (rows int64, err error) {
	tx, err := w.begin(ctx)
	if err != nil {
		return 0, err
	}
	defer rollback(tx)
	tag, err := tx.Exec(ctx, sql, args...)
	if err != nil {
		return 0, lost(w.conn, err)
	}
	return tag.RowsAffected(), lost(w.conn, tx.Commit(ctx))
}
