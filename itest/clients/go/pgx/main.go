// Program pgx is a client by pgx.
package main

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgconn/ctxwatch"

	"github.com/pgdeid/pgdeid/itest/clients/go/matrix"
)

type client struct {
	conn *pgx.Conn
}

func main() {
	conn, err := connect(context.Background())
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	c := &client{conn}
	matrix.Report("pgx", "github.com/jackc/pgx/v5",
		matrix.Case{Name: "one", Run: c.one}, matrix.Case{Name: "batch", Run: c.batch}, matrix.Case{Name: "error", Run: c.refusals},
		matrix.Case{Name: "cancel", Run: c.cancel}, matrix.Case{Name: "pipeline", Run: c.pipeline}, matrix.Case{Name: "copy", Run: c.copy},
		matrix.Case{Name: "inbox", Run: c.inbox},
	)
	_ = conn.Close(context.Background())
}

// connect opens a connection that outlives the cancellation of its statements.
func connect(ctx context.Context) (*pgx.Conn, error) {
	conf, err := pgx.ParseConfig("")
	if err != nil {
		return nil, err
	}
	conf.BuildContextWatcherHandler = func(conn *pgconn.PgConn) ctxwatch.Handler {
		return &pgconn.CancelRequestContextWatcherHandler{Conn: conn, DeadlineDelay: time.Minute}
	}
	if os.Getenv("CLIENTS_POOLED") != "" { // statements must not outlive a transaction
		conf.DefaultQueryExecMode = pgx.QueryExecModeExec
	}
	return pgx.ConnectConfig(ctx, conf)
}

func refused(err error, state string) error {
	var got *pgconn.PgError
	if !errors.As(err, &got) {
		return fmt.Errorf("no error of the server's: %w", err)
	}
	return matrix.Refused(err, state, got.Code)
}

func (c *client) texts(query string, args ...any) ([]string, error) {
	rows, err := c.conn.Query(context.Background(), query, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

// thousand checks what a query returns.
func (c *client) thousand(query string, args ...any) error {
	texts, err := c.texts(query, args...)
	if err != nil {
		return err
	}
	return matrix.Thousand(texts)
}

func (c *client) one() error {
	var text string
	if err := c.conn.QueryRow(context.Background(), "select deid.deidentify($1::int, $2)", 1, matrix.Note).Scan(&text); err != nil {
		return err
	}
	return matrix.Same(text)
}

type note struct {
	ID            int64
	Patient, Text string
}

func (c *client) notes() ([]note, error) {
	rows, err := c.conn.Query(context.Background(), matrix.Notes)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[note])
}

func (c *client) batch() error {
	notes, err := c.notes()
	if err != nil {
		return err
	}
	var patients, bodies []string
	for _, n := range notes {
		patients, bodies = append(patients, n.Patient), append(bodies, n.Text)
	}
	var texts []string
	err = c.conn.QueryRow(context.Background(), "select deid_notes from deid.deidentify_batch($1, $2)", patients, bodies).Scan(&texts)
	if err != nil {
		return err
	}
	return matrix.Thousand(texts)
}

func (c *client) refusals() error {
	for state, query := range map[string]string{"2202E": matrix.Unequal, "PD001": matrix.Stranger} {
		_, err := c.conn.Exec(context.Background(), query)
		if err := refused(err, state); err != nil {
			return err
		}
	}
	return c.one()
}

func (c *client) cancel() error {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	_, err := c.conn.Exec(ctx, matrix.Slow)
	if err := refused(err, "57014"); err != nil {
		return err
	}
	if !strings.Contains(err.Error(), "user request") {
		return err
	}
	return c.one()
}

// pipeline sends all questions before it reads an answer.
func (c *client) pipeline() error {
	notes, err := c.notes()
	if err != nil {
		return err
	}
	batch := &pgx.Batch{}
	for _, n := range notes {
		batch.Queue("select deid.deidentify($1::text, $2)", n.Patient, n.Text)
	}
	results := c.conn.SendBatch(context.Background(), batch)
	texts := make([]string, len(notes))
	for i := range texts {
		if err := results.QueryRow().Scan(&texts[i]); err != nil {
			return errors.Join(err, results.Close())
		}
	}
	return errors.Join(results.Close(), matrix.Thousand(texts))
}

func (c *client) copy() error {
	var out strings.Builder
	if _, err := c.conn.PgConn().CopyTo(context.Background(), &out, "copy ("+matrix.Table+") to stdout (format csv)"); err != nil {
		return err
	}
	rows, err := csv.NewReader(strings.NewReader(out.String())).ReadAll()
	if err != nil {
		return err
	}
	var texts []string
	for _, row := range rows {
		texts = append(texts, row[0])
	}
	return matrix.Thousand(texts)
}

func (c *client) inbox() error {
	notes, err := c.notes()
	if err != nil {
		return err
	}
	return pgx.BeginFunc(context.Background(), c.conn, func(tx pgx.Tx) error {
		batch := &pgx.Batch{}
		for _, n := range notes {
			batch.Queue("insert into deid.inbox (job, item, patient_id, note) values ('job', $1, $2, $3)", n.ID, n.Patient, n.Text)
		}
		if err := tx.SendBatch(context.Background(), batch).Close(); err != nil {
			return err
		}
		return c.thousand(matrix.Outbox)
	})
}
