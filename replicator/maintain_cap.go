package replicator

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/pgdeid/pgdeid/replicator/fault"
	"github.com/pgdeid/pgdeid/replicator/mapping"
	"github.com/pgdeid/pgdeid/replicator/plain"
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
// is what is published. Rows are found again by their key, which stays as it is.
func capAges(ctx context.Context, r *run, w *writer) ([]Maintained, error) {
	var all []Maintained
	for _, t := range r.plan.tables {
		for _, c := range t.publish {
			col := &t.columns[c]
			birth := col.Publish == mapping.Year && col.Tells == "birth_date"
			if slices.Contains(t.key, c) || !birth && (col.Publish != mapping.ShiftDate || r.maker.OldestYear() == 0) {
				continue
			}
			for _, place := range t.places() {
				rows, err := w.capColumn(ctx, place, col)
				if err != nil {
					return all, fault.New("cap column "+col.Name+" of "+t.id, lost(w.conn, err), writeHint(err))
				}
				all = append(all, Maintained{Task: "cap", Place: t.id + "." + col.Name, Rows: rows})
			}
		}
	}
	return all, nil
}

// capColumn replaces the values of a column that are to be capped, by value: rows that
// the stream writes in between are right already.
func (w *writer) capColumn(ctx context.Context, place string, col *column) (rows int64, err error) {
	name, oldest := quote(col.Name), surrogate.OldestBirth(w.now())
	read := fmt.Sprintf("select distinct %s from %s where %[1]s is not null", name, place)
	if mapping.IsDate(col.replica) {
		read += fmt.Sprintf(" and isfinite(%s) and %[1]s < make_date(%d, 1, 1)", name, oldest)
	}
	var was, now []string
	err = queryText(ctx, w.conn, read, func(row [][]byte) error {
		if to, changed := capPublished(col, string(row[0]), oldest); changed {
			was, now = append(was, string(row[0])), append(now, to)
		}
		return nil
	})
	if err != nil || len(was) == 0 {
		return 0, err
	}
	tx, err := w.begin(ctx)
	if err != nil {
		return 0, err
	}
	defer rollback(tx)
	tag, err := tx.Exec(ctx, fmt.Sprintf("update %s t set %s = u.now::%s from unnest($1::text[], $2::text[]) u (was, now) where t.%[2]s = u.was::%[3]s",
		place, name, col.replica), was, now)
	if err != nil {
		return 0, err
	}
	return tag.RowsAffected(), tx.Commit(ctx)
}

// capPublished caps a published value, and reports whether that changed it.
func capPublished(col *column, text string, oldest int) (string, bool) {
	if col.Publish == mapping.Year {
		y, err := plain.ParseYear(text, col.Order)
		if err != nil || y.Number >= oldest {
			return "", false
		}
		y.Number = oldest
		return y.String(), true
	}
	d, err := plain.ParseDate(text, col.Order)
	if err != nil || d.Time().Year() >= oldest {
		return "", false
	}
	return d.Write(surrogate.NotBefore(d.Time(), oldest)), true
}
