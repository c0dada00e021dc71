package schema

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/connect"
)

// KeyList names the key's columns, for ORDER BY.
func (t *Table) KeyList() string { return t.columns(t.Key) }

// columns lists columns of a query in which t is called t0.
func (t *Table) columns(list []int) string {
	return joined(list, ", ", func(_, c int) string { return "t0." + Quote(t.Columns[c].Name) })
}

// joined writes something for each column of a list, and its place there.
func joined(list []int, separator string, write func(n, column int) string) string {
	parts := make([]string, len(list))
	for n, c := range list {
		parts[n] = write(n, c)
	}
	return strings.Join(parts, separator)
}

// behind writes FROM and WHERE of a query for those rows whose columns key come behind values; for all where after is nil.
func (t *Table) behind(of Among, key []int, after []string) (from string, args []any) {
	from, args = cmp.Or(of.From, t.Source()+" t0"), of.Args
	var conditions []string
	if of.Where != "" {
		conditions = append(conditions, of.Where)
	}
	if after != nil {
		conditions = append(conditions, t.after(key, len(args)+1))
		args = append(slices.Clone(args), anys(after)...)
	}
	if len(conditions) > 0 {
		from += " where " + strings.Join(conditions, " and ")
	}
	return from, args
}

// after compares columns with parameters from $first on.
func (t *Table) after(columns []int, first int) string {
	params := joined(columns, ", ", func(n, c int) string { return fmt.Sprintf("$%d::%s", first+n, t.Columns[c].Typ) })
	return fmt.Sprintf("(%s) > (%s)", t.columns(columns), params)
}

// ReadAmong reads up to limit rows of the source's table behind a key, in the order of the
// key, or from the first one on where after is nil, and passes them.
func (t *Table) ReadAmong(ctx context.Context, conn *pgx.Conn, of Among, after []string, limit int, each func(row []Value) error) error {
	return t.read(ctx, conn, of, nil, after, limit, each)
}

// read is [Table.ReadAmong] with nothing in the place of some columns.
func (t *Table) read(ctx context.Context, conn *pgx.Conn, of Among, without []int, after []string, limit int, each func(row []Value) error) error {
	from, args := t.behind(of, t.Key, after)
	query := fmt.Sprintf("select %s from %s order by %s limit %d", t.list(without), from, t.KeyList(), limit)
	return QueryText(ctx, conn, query, func(raw [][]byte) error { return each(t.RowOf(raw)) }, args...)
}

// Given joins t, as t0, with values of some of its columns, whose numbers are k.n. The server compares them: it may
// write one value in two ways, 1.0 and 1.00.
func (t *Table) Given(columns []int, keys [][]string) (from string, args []any) {
	types := joined(columns, ", ", func(n, c int) string { return fmt.Sprintf("$%d::%s[]", n+1, t.Columns[c].Typ) })
	names := joined(columns, ", ", func(n, _ int) string { return fmt.Sprintf("k%d", n) })
	match := joined(columns, " and ", func(n, c int) string { return fmt.Sprintf("t0.%s = k.k%d", Quote(t.Columns[c].Name), n) })
	for _, values := range ColumnArrays(keys, len(columns)) {
		args = append(args, ArrayLiteral(values.([]string)))
	}
	return fmt.Sprintf("unnest(%s) with ordinality k(%s, n) join %s t0 on %s", types, names, t.Source(), match), args
}

// ColumnArrays turns keys into arrays of the values of each column.
func ColumnArrays(keys [][]string, columns int) []any {
	args := make([]any, columns)
	for n := range args {
		values := make([]string, len(keys))
		for i, key := range keys {
			values[i] = key[n]
		}
		args[n] = values
	}
	return args
}

// QueryText runs a query and passes its rows, all values in text format; nil is
// NULL. The slices are valid during the call only.
func QueryText(ctx context.Context, conn *pgx.Conn, sql string, each func(row [][]byte) error, args ...any) error {
	rows, err := conn.Query(ctx, sql, append([]any{pgx.QueryResultFormats{pgx.TextFormatCode}}, args...)...)
	if err != nil {
		return connect.Lost(conn, err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := each(rows.RawValues()); err != nil {
			return err
		}
	}
	return connect.Lost(conn, rows.Err())
}

// Texts copies values in text format; NULL becomes "".
func Texts(raw [][]byte) []string {
	texts := make([]string, len(raw))
	for i, v := range raw {
		texts[i] = string(v)
	}
	return texts
}

// TellingColumns names the columns with roles, for a query in which t is called t0.
func (t *Table) TellingColumns() string { return t.columns(t.Telling) }

// NewestFirst orders rows by their keys, downwards: what was added last has the highest.
func (t *Table) NewestFirst() string {
	return joined(t.Key, ", ", func(_, k int) string { return "t0." + Quote(t.Columns[k].Name) + " desc" })
}

// Rows are read again from the source where the stream did not send all of them,
// where a patient's record changed, and for retry and reprocess. What is read may
// be newer than the stream's position: what changed in between comes in the
// stream, and every change can be applied twice.

// ColumnList names t's columns for a query in which t is called t0.
func (t *Table) ColumnList() string { return t.list(nil) }

// list is [Table.ColumnList] with an empty text in the place of some columns.
func (t *Table) list(without []int) string {
	names := make([]string, len(t.real()))
	for i, c := range t.real() {
		if names[i] = "t0." + Quote(c.Name); slices.Contains(without, i) {
			names[i] = "''"
		}
	}
	return strings.Join(names, ", ")
}

// Read returns the text of a value in PostgreSQL's text format. The blanks that fill up a char(n) say nothing, and
// PostgreSQL itself compares without them.
func (c *Column) Read(raw []byte) string {
	if c.Typ == "bpchar" || c.Typ == "character" {
		raw = bytes.TrimRight(raw, " ")
	}
	return string(raw)
}

// RowOf copies a row of columnList.
func (t *Table) RowOf(raw [][]byte) []Value {
	row := make([]Value, len(t.Columns))
	for i := range t.real() {
		if raw[i] == nil {
			row[i].State = Null
		} else {
			row[i] = Value{Text: t.Columns[i].Read(raw[i]), State: Present}
		}
	}
	t.Compose(row)
	return row
}

// KeyString joins key values so that different keys differ.
func KeyString(key []string) string {
	var b strings.Builder
	for _, k := range key {
		_, _ = fmt.Fprintf(&b, "%d:%s,", len(k), k)
	}
	return b.String()
}

// RowKey writes a published key as deid.note_provenance holds it.
func RowKey(key []string) string {
	data, err := json.Marshal(key)
	if err != nil {
		return "" // strings can't fail to marshal
	}
	return string(data)
}
