package proposal

import (
	"context"
	"encoding/hex"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
)

// Of a table, sampleRows rows are looked at, and of each value its beginning.
const (
	sampleRows  = 500
	sampleChars = 4000
	sampleTime  = 20 * time.Second
)

// sample looks at some rows of a table, from all over it. A table that may not be read, or not within a few seconds,
// is left without shapes.
func sample(ctx context.Context, conn *pgx.Conn, t *table) error {
	ctx, cancel := context.WithTimeout(ctx, sampleTime)
	defer cancel()
	var list []string
	var cols []*column
	for _, c := range t.columns {
		expression := c.beginning()
		switch {
		case expression == "":
		case c.unreadable:
			t.unseen = "this role may not read all columns: of those it may not, only names and types were looked at"
		default:
			list, cols = append(list, expression), append(cols, c)
		}
	}
	if len(cols) == 0 {
		return nil
	}
	tx, err := conn.BeginTx(ctx, pgx.TxOptions{AccessMode: pgx.ReadOnly})
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }() // nothing was written
	if _, err := tx.Exec(ctx, "set local statement_timeout = '10s'"); err != nil {
		return err
	}
	name := pgx.Identifier{t.schema, t.name}.Sanitize()
	query := fmt.Sprintf("select %s from %s%%s limit %d", strings.Join(list, ", "), name, sampleRows)
	found := 0
	if share := t.sampledShare(); share < 100 {
		if found, err = look(ctx, tx, fmt.Sprintf(query, fmt.Sprintf(" tablesample system (%g)", share)), cols); err != nil {
			return err
		}
	}
	if found == 0 {
		if _, err = look(ctx, tx, fmt.Sprintf(query, ""), cols); err != nil {
			return err
		}
	}
	if err := t.lookForLines(ctx, tx); err != nil {
		t.unseen = "whether its rows are lines of notes was not found out (SQLSTATE " + fault.State(err) + ")"
	}
	return nil
}

// sampledShare returns how many in a hundred pages of a table have about four times the rows that are looked at.
func (t *table) sampledShare() float64 {
	if t.rows <= 4*sampleRows { // where there are fewer, the planner's estimate may be of an empty table
		return 100
	}
	return math.Min(100, 400*sampleRows/float64(t.rows))
}

// beginning returns an expression of the beginning of a column's value as text; "" where its values show nothing.
func (c *column) beginning() string {
	name := pgx.Identifier{c.name}.Sanitize()
	switch base := config.BaseType(c.dataType); {
	case isText(c):
		return fmt.Sprintf("left(%s::text, %d)", name, sampleChars)
	case isInteger(c), config.IsDate(base):
		return name + "::text"
	case base == "bytea": // a marker may be at the end
		return fmt.Sprintf("encode(case when octet_length(%[1]s) <= %[2]d then %[1]s else substring(%[1]s from 1 for %[3]d) || "+
			"substring(%[1]s from octet_length(%[1]s) - 16) end, 'hex')", name, 16*sampleChars, sampleChars)
	}
	return ""
}

// look counts what the values of a query's columns look like, and returns the number of rows.
func look(ctx context.Context, tx pgx.Tx, query string, cols []*column) (int, error) {
	rows, err := tx.Query(ctx, query)
	if err != nil {
		return 0, err
	}
	seen := make([]map[string]bool, len(cols))
	values := make([]*string, len(cols))
	targets := make([]any, len(cols))
	for i := range cols {
		seen[i], targets[i] = map[string]bool{}, &values[i]
	}
	n := 0
	_, err = pgx.ForEachRow(rows, targets, func() error {
		n++
		for i, v := range values {
			if v != nil && *v != "" {
				cols[i].add(*v)
				seen[i][*v] = true
			}
		}
		return nil
	})
	for i, c := range cols {
		c.shape.distinct = len(seen[i])
	}
	return n, err
}

// add counts a value as the query returned it.
func (c *column) add(value string) {
	switch base := config.BaseType(c.dataType); {
	case config.IsDate(base):
		c.shape.addDate(value)
	case base != "bytea":
		c.shape.add(value)
	default:
		if data, err := hex.DecodeString(value); err == nil {
			c.shape.addBytes(data)
		}
	}
}

func isText(c *column) bool {
	switch config.BaseType(c.dataType) {
	case "text", "character varying", "character", "citext", "name":
		return true
	}
	return false
}
