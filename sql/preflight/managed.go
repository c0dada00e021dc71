package preflight

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/sql/postgres"
	"github.com/pgdeid/pgdeid/sql/quote"
)

// managed is whose service a server is: their administrators are no superusers, and settings
// are not made with ALTER SYSTEM there. "" is a server of one's own.
type managed string

const (
	rds      managed = "Amazon RDS"
	azure    managed = "Azure"
	cloudSQL managed = "Cloud SQL"
)

// readManaged asks which of the roles is there that each service makes.
func readManaged(ctx context.Context, conn *pgx.Conn) (managed, error) {
	roles, err := postgres.Names(ctx, conn, "select rolname::text from pg_roles where rolname in ('rds_superuser', 'azure_pg_admin', 'cloudsqlsuperuser')")
	if err != nil || len(roles) == 0 {
		return "", err
	}
	return map[string]managed{"rds_superuser": rds, "azure_pg_admin": azure, "cloudsqlsuperuser": cloudSQL}[roles[0]], nil
}

// setting says how to change a setting that PostgreSQL takes over without a restart.
func (m managed) setting(name, value string) string {
	if m == "" {
		return fmt.Sprintf("alter system set %s = '%s'; select pg_reload_conf()", name, value)
	}
	return fmt.Sprintf("set %s = %s %s", name, value, m.place())
}

// settingAtStart says how to change one that it reads when it starts.
func (m managed) settingAtStart(name, value string) string {
	if m == "" {
		return fmt.Sprintf("alter system set %s = '%s', then restart the server", name, value)
	}
	return fmt.Sprintf("set %s = %s %s, then restart the server", name, value, m.place())
}

// place is where a service keeps its settings.
func (m managed) place() string {
	return map[managed]string{
		rds: "in the instance's parameter group", azure: "under the server's parameters", cloudSQL: "in the instance's database flags",
	}[m]
}

// logicalDecoding says how to make a server write what logical replication needs.
func (m managed) logicalDecoding() string {
	switch m {
	case rds:
		return m.settingAtStart("rds.logical_replication", "1")
	case cloudSQL:
		return m.settingAtStart("cloudsql.logical_decoding", "on")
	}
	return m.settingAtStart("wal_level", "logical")
}

// replicationRight says how to let a role replicate.
func (m managed) replicationRight(role string) string {
	if m == rds {
		return "grant rds_replication to " + quote.Name(role)
	}
	return "alter role " + quote.Name(role) + " replication"
}
