package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/fault"
)

// Version is a PostgreSQL server's version, as in server_version_num. What pgdeid
// does differently by version is asked here and nowhere else.
type Version int

// The versions that pgdeid is made for.
const (
	oldest Version = 140000
	newest Version = 189999
)

// Major returns the major version: 15.
func (s Version) Major() int { return int(s) / 10000 }

// ColumnLists reports whether publications can list columns.
func (s Version) ColumnLists() bool { return s >= 150000 }

// WholeRows says what a server without column lists sends, or returns "".
func (s Version) WholeRows() string {
	if s.ColumnLists() {
		return ""
	}
	return fmt.Sprintf("PostgreSQL %d can't publish some columns of a table: unmapped columns too leave the source, over the wire, "+
		"and pgdeid drops them when they arrive", s.Major())
}

// WholeRowsRemedy is what to do where [Version.WholeRows] is not "".
const WholeRowsRemedy = "let TLS protect the way (sslmode=verify-full), or upgrade the source to PostgreSQL 15 or newer"

// AdminOption reports whether createrole alone does not allow to change a role
// that another one made.
func (s Version) AdminOption() bool { return s >= 160000 }

// FailoverSlots reports whether slots can follow a failover to a standby.
func (s Version) FailoverSlots() bool { return s >= 170000 }

// GeneratedColumns reports whether publications can hold stored generated columns.
func (s Version) GeneratedColumns() bool { return s >= 180000 }

// Known reports whether this version was known when this program was made.
func (s Version) Known() bool { return s >= oldest && s <= newest }

// ReadVersion asks conn for its server's version, and refuses one that is too old.
func ReadVersion(ctx context.Context, conn *pgx.Conn) (Version, error) {
	var num int
	if err := conn.QueryRow(ctx, "select current_setting('server_version_num')::int").Scan(&num); err != nil {
		return 0, fault.New("ask for the server's version", err, "")
	}
	if s := Version(num); s < oldest {
		return s, fault.New("check the server's version", fmt.Errorf("PostgreSQL %d is too old", num/10000),
			fmt.Sprintf("upgrade to PostgreSQL %d to %d", oldest.Major(), newest.Major()))
	}
	return Version(num), nil
}
