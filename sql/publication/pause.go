package publication

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/sql/postgres"
	"github.com/pgdeid/pgdeid/sql/quote"
)

// PausedText says what a paused publication sends, and PausedRemedy how that ends.
const (
	PausedText   = "is paused for an upgrade of the source: whole rows leave it, unmapped columns too, and pgdeid drops them when they arrive"
	PausedRemedy = "when the upgrade is done: \"pgdeid publication resume\""
)

// Pause takes the lists of columns out of the publication, so that
// PostgreSQL lets columns be dropped and retyped. Its tables stay in: no change is
// lost. It reports whether there was something to do, which there is not on a server
// that has no such lists. "migrate up" puts the lists back.
func Pause(ctx context.Context, cfg *config.Config) (paused bool, err error) {
	op := "pause publication " + cfg.Source.Publication
	admin, err := postgres.SourceAdmin(cfg)
	if err != nil {
		return false, err
	}
	err = postgres.WithConn(ctx, admin, func(conn *pgx.Conn) error {
		server, err := postgres.ReadVersion(ctx, conn)
		if err != nil || !server.ColumnLists() {
			return err
		}
		tables, err := postgres.Names(ctx, conn, `select format('%I.%I', n.nspname, c.relname)
			from pg_publication_rel r join pg_publication p on p.oid = r.prpubid join pg_class c on c.oid = r.prrelid
			join pg_namespace n on n.oid = c.relnamespace where p.pubname = $1 order by 1`, cfg.Source.Publication)
		if err != nil {
			return fault.New(op, err, "")
		}
		if len(tables) == 0 {
			return fault.New(op, errors.New("it does not exist, or holds no table"), "\"pgdeid migrate up\" makes it")
		}
		paused = true
		pause := pauseStatements(cfg.Source.Publication, tables, server)
		return fault.New(op, postgres.InTx(ctx, conn, carryingOn(server, cfg.Source.Publication, pause)), Hint(nil))
	})
	return paused && err == nil, err
}

func pauseStatements(publication string, tables []string, server postgres.Version) []string {
	name := quote.Name(publication)
	statements := []string{fmt.Sprintf("alter publication %s set table %s", name, strings.Join(tables, ", "))}
	if server.GeneratedColumns() { // without a list they would be left out
		statements = append(statements, fmt.Sprintf("alter publication %s set (publish_generated_columns = stored)", name))
	}
	return append(statements, fmt.Sprintf("comment on publication %s is %s", name, quote.Literal(pausedComment)))
}

// Paused reports whether a publication is paused.
func Paused(ctx context.Context, conn *pgx.Conn, publication string) (paused bool, err error) {
	err = conn.QueryRow(ctx, `select exists (select from pg_publication
		where pubname = $1 and obj_description(oid, 'pg_publication') = $2)`, publication, pausedComment).Scan(&paused)
	return paused, fault.New("look at publication "+publication, err, "")
}
