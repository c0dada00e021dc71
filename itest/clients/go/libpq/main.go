// Program libpq is a client by lib/pq, through database/sql.
package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/lib/pq"

	"github.com/pgdeid/pgdeid/itest/clients/go/matrix"
)

type client struct {
	db *sql.DB
}

func main() {
	db, err := sql.Open("postgres", "")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	db.SetMaxOpenConns(1)
	c := &client{db}
	matrix.Report("lib/pq", "github.com/lib/pq",
		matrix.Case{Name: "one", Run: c.one}, matrix.Case{Name: "batch", Run: c.batch}, matrix.Case{Name: "error", Run: c.refusals},
		matrix.Case{Name: "cancel", Run: c.cancel}, matrix.Case{Name: "prepared", Run: c.prepared}, matrix.Case{Name: "inbox", Run: c.inbox},
	)
	_ = db.Close()
}

func refused(err error, state string) error {
	var got *pq.Error
	if !errors.As(err, &got) {
		return fmt.Errorf("no error of the server's: %w", err)
	}
	return matrix.Refused(err, state, string(got.Code))
}

// texts reads a column; asker is a database or a transaction.
func texts(asker interface {
	Query(query string, args ...any) (*sql.Rows, error)
}, query string,
) (out []string, err error) {
	rows, err := asker.Query(query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		out = append(out, text)
	}
	return out, rows.Err()
}

func (c *client) one() error {
	var text string
	if err := c.db.QueryRow("select deid.deidentify($1::int, $2)", 1, matrix.Note).Scan(&text); err != nil {
		return err
	}
	return matrix.Same(text)
}

type note struct {
	id            int64
	patient, text string
}

func (c *client) notes() (out []note, err error) {
	rows, err := c.db.Query(matrix.Notes)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var n note
		if err := rows.Scan(&n.id, &n.patient, &n.text); err != nil {
			return nil, err
		}
		out = append(out, n)
	}
	return out, rows.Err()
}

func (c *client) batch() error {
	notes, err := c.notes()
	if err != nil {
		return err
	}
	var patients, bodies, answers []string
	for _, n := range notes {
		patients, bodies = append(patients, n.patient), append(bodies, n.text)
	}
	row := c.db.QueryRow("select deid_notes from deid.deidentify_batch($1, $2)", pq.Array(patients), pq.Array(bodies))
	if err := row.Scan(pq.Array(&answers)); err != nil {
		return err
	}
	return matrix.Thousand(answers)
}

func (c *client) refusals() error {
	for state, query := range map[string]string{"2202E": matrix.Unequal, "PD001": matrix.Stranger} {
		_, err := c.db.Exec(query)
		if err := refused(err, state); err != nil {
			return err
		}
	}
	return c.one()
}

// cancel leaves it to the pool whether the session is used again.
func (c *client) cancel() error {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	_, err := c.db.ExecContext(ctx, matrix.Slow)
	if err := refused(err, "57014"); err != nil {
		return err
	}
	if !strings.Contains(err.Error(), "user request") {
		return err
	}
	return c.one()
}

func (c *client) prepared() error {
	notes, err := c.notes()
	if err != nil {
		return err
	}
	ask, err := c.db.Prepare("select deid.deidentify($1::text, $2)")
	if err != nil {
		return err
	}
	defer ask.Close()
	answers := make([]string, len(notes))
	for i, n := range notes {
		if err := ask.QueryRow(n.patient, n.text).Scan(&answers[i]); err != nil {
			return err
		}
	}
	return matrix.Thousand(answers)
}

func (c *client) inbox() error {
	notes, err := c.notes()
	if err != nil {
		return err
	}
	tx, err := c.db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	const put = "insert into deid.inbox (job, item, patient_id, note) values ('job', $1, $2, $3)"
	for _, n := range notes {
		if _, err := tx.Exec(put, n.id, n.patient, n.text); err != nil {
			return err
		}
	}
	answers, err := texts(tx, matrix.Outbox)
	if err != nil {
		return err
	}
	return errors.Join(tx.Commit(), matrix.Thousand(answers))
}
