package admin

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/apply"
	"github.com/pgdeid/pgdeid/replicator/session"
)

// maintenance is a task that has to be done again as time passes, whatever the
// source does. A task may be stopped and started again, and it may run while the
// stream does: it takes the write lock for each of its transactions.
type maintenance struct {
	name string
	// what says in a few words what the task does.
	what string
	// due reports whether the task should have been done again.
	due func(last, now time.Time) bool
	run func(ctx context.Context, r *session.Session, w *apply.Writer) ([]Maintained, error)
}

// maintenanceTasks lists the tasks in the order in which they are done.
func maintenanceTasks() []maintenance {
	return []maintenance{capTask(), orderTask()}
}

// MaintenanceTasks returns the names of the tasks.
func MaintenanceTasks() []string {
	var names []string
	for _, m := range maintenanceTasks() {
		names = append(names, m.name)
	}
	return names
}

// Maintained counts the rows that a task changed in one place.
type Maintained struct {
	Task  string `json:"task"`
	Place string `json:"place"` // "schema.table.column" or "schema.table"
	Rows  int64  `json:"rows"`
}

// Maintain does the named tasks, or all of them, and returns what each changed.
func Maintain(ctx context.Context, o session.Options, names []string) ([]Maintained, error) {
	for _, name := range names {
		if !slices.Contains(MaintenanceTasks(), name) {
			return nil, fault.New("choose tasks", fmt.Errorf("there is no task %q", name),
				"tasks are "+strings.Join(MaintenanceTasks(), ", "))
		}
	}
	var all []Maintained
	err := session.Once(ctx, o, func(r *session.Session) error {
		w, err := r.NewWriter(ctx)
		if err != nil {
			return err
		}
		for _, m := range maintenanceTasks() {
			if len(names) > 0 && !slices.Contains(names, m.name) {
				continue
			}
			done, err := m.run(ctx, r, w)
			all = append(all, done...)
			if err != nil {
				return err
			}
			if err := storeMaintenance(ctx, r, m.name, done); err != nil {
				return err
			}
		}
		return nil
	})
	return all, err
}

func storeMaintenance(ctx context.Context, r *session.Session, task string, done []Maintained) error {
	var rows int64
	for _, d := range done {
		rows += d.Rows
	}
	_, err := r.Control.Exec(ctx, `
		insert into deid.maintenance (task, rows) values ($1, $2)
		on conflict (task) do update set ran_at = excluded.ran_at, rows = excluded.rows`, task, rows)
	return fault.New("store that task "+task+" was done", connect.Lost(r.Control, err), "")
}

// MaintenanceStatus says when a task was last done.
type MaintenanceStatus struct {
	Task string     `json:"task"`
	Last *time.Time `json:"last,omitempty"` // none: never
	Due  bool       `json:"due"`
	what string
}

// readMaintenance reads when each task was last done. On a replica whose tasks were
// never done, time counts from its first row.
func readMaintenance(ctx context.Context, conn *pgx.Conn, now time.Time) ([]MaintenanceStatus, error) {
	const op = "read when the replica was maintained"
	var first *time.Time
	if err := conn.QueryRow(ctx, "select min(created_at) from deid.key_check").Scan(&first); err != nil {
		return nil, fault.New(op, err, "")
	}
	rows, _ := conn.Query(ctx, "select task, ran_at from deid.maintenance")
	last := map[string]time.Time{}
	var task string
	var at time.Time
	_, err := pgx.ForEachRow(rows, []any{&task, &at}, func() error {
		last[task] = at
		return nil
	})
	if err != nil {
		return nil, fault.New(op, err, "")
	}
	var all []MaintenanceStatus
	for _, m := range maintenanceTasks() {
		s := MaintenanceStatus{Task: m.name, what: m.what}
		if at, done := last[m.name]; done {
			s.Last, s.Due = &at, m.due(at, now)
		} else if first != nil {
			s.Due = m.due(*first, now)
		}
		all = append(all, s)
	}
	return all, nil
}

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
