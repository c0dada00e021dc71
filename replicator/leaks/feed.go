package leaks

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/note"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/sql/research"
)

// column is a published column.
type column struct {
	table *schema.Table
	name  string
	text  bool      // free text
	plain bool      // values are their own text
	kept  bool      // what it tells is published as it is
	form  note.Form // of documents
}

func (c *column) id() string { return c.table.ID + "." + c.name }

// columnsOf returns the published columns of a table.
func columnsOf(t *schema.Table) []*column {
	var list []*column
	for _, i := range t.Publish {
		c := &t.Columns[i]
		form := c.Form
		list = append(list, &column{
			table: t, name: c.Name, text: c.Publish == config.Text, kept: c.Publish == config.Keep && c.Tells != "", form: form,
			plain: (form.Format == "" || form.Format == "plain") && !form.Wrapped() && !form.Array,
		})
	}
	return list
}

// row is a published row of a patient.
type row struct {
	phi.Redacted

	owner  string
	key    string
	note   string   // key of the note that it is a line of; "" if it is none
	values []string // NULL is empty
}

// feed reads a table in the order of patients.
type feed struct {
	phi.Redacted

	table   *schema.Table
	columns []*column
	order   string // of the lines of notes; "" where rows are searched one by one
	cursor  string
	page    []row
	ended   bool
}

// pageRows is how many rows a page has.
const pageRows = 500

// openFeed declares the cursor of a table.
func openFeed(ctx context.Context, tx pgx.Tx, t *schema.Table, from string, number int) (*feed, error) {
	f := newFeed(t)
	f.cursor = fmt.Sprintf("pgdeid_leaks_%d", number)
	_, err := tx.Exec(ctx, "declare "+f.cursor+" no scroll cursor for "+f.statement(from))
	return f, err
}

func newFeed(t *schema.Table) *feed {
	f := &feed{table: t, columns: columnsOf(t)}
	f.order, _ = t.PublishedOrder()
	return f
}

// statement reads owner, key, note and values of all rows.
func (f *feed) statement(from string) string {
	var keys, values []string
	for _, c := range f.columns {
		values = append(values, "coalesce("+schema.Quote(c.name)+"::text, '')")
	}
	for _, k := range f.table.Key {
		if f.table.Hashed {
			keys = []string{research.KeyColumn + "::text"}
			break
		}
		keys = append(keys, schema.Quote(f.table.Columns[k].Name)+"::text")
	}
	note, order := "null::text[]", ""
	if f.order != "" {
		var names []string
		for _, k := range f.table.Lines.Key {
			names = append(names, schema.Quote(f.table.Columns[k].Name)+"::text")
		}
		note, order = "array["+strings.Join(names, ", ")+"]", ", "+f.order
	}
	return fmt.Sprintf("select %s, array[%s], %s, array[%s] from %s t0 where %[1]s <> '' order by %[1]s collate \"C\"%[6]s",
		research.PatientColumn, strings.Join(keys, ", "), note, strings.Join(values, ", "), from, order)
}

// through passes the rows of patients up to and with a pseudonym.
func (f *feed) through(ctx context.Context, tx pgx.Tx, last string, each func(*row) error) error {
	for {
		for len(f.page) > 0 {
			if f.page[0].owner > last {
				return nil
			}
			if err := each(&f.page[0]); err != nil {
				return err
			}
			f.page = f.page[1:]
		}
		if f.ended {
			return nil
		}
		if err := f.fetch(ctx, tx); err != nil {
			return err
		}
	}
}

func (f *feed) fetch(ctx context.Context, tx pgx.Tx) error {
	rows, _ := tx.Query(ctx, fmt.Sprintf("fetch %d from %s", pageRows, f.cursor))
	var owner string
	var key, note, values []string
	_, err := pgx.ForEachRow(rows, []any{&owner, &key, &note, &values}, func() error {
		r := row{owner: owner, key: schema.RowKey(key), values: append([]string(nil), values...)}
		if note != nil {
			r.note = schema.RowKey(note)
		}
		f.page = append(f.page, r)
		return nil
	})
	f.ended = len(f.page) < pageRows
	return err
}
