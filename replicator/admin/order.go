package admin

import (
	"context"
	"errors"
	"time"

	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/apply"
	"github.com/pgdeid/pgdeid/replicator/session"
)

// orderTask puts tables in order that the stream has added to.
func orderTask() maintenance {
	return maintenance{
		name: "order", what: "rows in the order of their arrival",
		due: func(last, now time.Time) bool { return now.Sub(last) > 8*24*time.Hour },
		run: orderRows,
	}
}

func orderRows(ctx context.Context, _ *session.Session, w *apply.Writer) ([]Maintained, error) {
	var all []Maintained
	var busy []error
	for p := range w.Ordered() {
		share, err := w.OutOfOrder(ctx, p.Name)
		if err != nil {
			return all, err
		}
		if share <= apply.MostOutOfOrder {
			continue
		}
		w.Log.Info("putting a table in order", "table", p.Title)
		rows, err := w.PutInOrder(ctx, p, apply.ReadersWait, false)
		switch {
		case fault.State(err) == apply.LockNotAvailable: // a long query reads it
			busy = append(busy, err)
		case err != nil:
			return all, err
		case rows > 0:
			all = append(all, Maintained{Task: "order", Place: p.Title, Rows: rows})
		}
	}
	return all, fault.New("put tables in order", errors.Join(busy...), "run it when nobody reads these tables")
}
