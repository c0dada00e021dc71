package publication

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/sql/catalog"
	"github.com/pgdeid/pgdeid/sql/quote"
)

// Statements make the publication, or bring it to the mapping, and remember which of its entries took the
// place of which. They are to be run in one transaction.
func Statements(cfg *config.Config, cat *catalog.Catalog, exists bool) []string {
	return carryingOn(cat.Server, cfg.Source.Publication, makeStatements(cfg, cat, exists))
}

// makeStatements make the publication, or bring it to the mapping. They
// do not block reading or writing of rows.
func makeStatements(cfg *config.Config, cat *catalog.Catalog, exists bool) []string {
	var tables []string
	for i := range cfg.Tables {
		t := &cfg.Tables[i]
		table := quote.Name(t.Schema, t.Name)
		if cat.Server.ColumnLists() {
			table += " (" + quote.Names(cat.Leaving(cfg, t)) + ")"
		}
		tables = append(tables, table)
	}
	name := quote.Name(cfg.Source.Publication)
	with := "publish = 'insert, update, delete, truncate', publish_via_partition_root = true"
	if cat.Server.GeneratedColumns() { // a list names those that are published
		with += ", publish_generated_columns = none"
	}
	var statements []string
	if exists {
		statements = []string{
			fmt.Sprintf("alter publication %s set table %s", name, strings.Join(tables, ", ")),
			fmt.Sprintf("alter publication %s set (%s)", name, with),
		}
	} else {
		statements = []string{fmt.Sprintf("create publication %s for table %s with (%s)", name, strings.Join(tables, ", "), with)}
	}
	return append(statements, "comment on publication "+name+" is "+quote.Literal(comment))
}

// What the comment of the publication says. That of a pause is how it is known: it
// is set and replaced together with the lists of columns.
const (
	comment       = "pgdeid: the mapped columns, on their way to be de-identified"
	pausedComment = "pgdeid: paused for an upgrade of the source; whole rows, of which pgdeid drops what is not mapped"
)

// RefuseAllTables returns an error if a publication is not one of tables.
func RefuseAllTables(ctx context.Context, conn *pgx.Conn, name string) error {
	var all bool
	err := conn.QueryRow(ctx, "select puballtables from pg_publication where pubname = $1", name).Scan(&all)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err == nil && all {
		err = fmt.Errorf("publication %s is for all tables and not made by pgdeid; choose another name under source.publication", name)
	}
	return err
}

// Hint says what to do about an error of statements that change the publication.
func Hint(err error) string {
	if fault.State(err) == "55P03" {
		return "a table was locked for more than 10 s by other work: try again at a quieter time"
	}
	return "the role of source.admin_dsn must own the mapped tables and be allowed to create publications, or be a superuser"
}
