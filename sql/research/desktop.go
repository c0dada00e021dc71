package research

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/sql/catalog"
	"github.com/pgdeid/pgdeid/sql/quote"
	"github.com/pgdeid/pgdeid/sql/roles"
)

// Desktop is what a database says to everybody who logs in: analysts find the tables by their bare names, and may make
// temporary ones. Roles of a group don't inherit its settings, so the search path is the database's. One that
// somebody else has set stays.
type Desktop struct {
	database string
	path     string // setting of the database; "": none
	ours     string // the setting that pgdeid made; "": none
}

// ReadDesktop reads what the database says to analysts so far.
func ReadDesktop(ctx context.Context, conn *pgx.Conn, have *Existing) (*Desktop, error) {
	d := &Desktop{}
	err := conn.QueryRow(ctx, `
		select d.datname, coalesce((select substr(c, length('search_path=') + 1) from pg_db_role_setting s, unnest(s.setconfig) c
			where s.setdatabase = d.oid and s.setrole = 0 and c like 'search\_path=%'), '')
		from pg_database d where d.datname = current_database()`).Scan(&d.database, &d.path)
	if made := have.made["search_path"]; len(made) > 0 {
		d.ours = made[0]
	}
	return d, fault.New("read the settings of the database", err, "")
}

// OthersPath reports whether somebody else has set the search path.
func (d *Desktop) OthersPath() bool { return d.path != "" && d.path != d.ours }

// searchPath lists the schemas of the mapping's published tables behind the analyst's own, and before the others.
func searchPath(cfg *config.Config, cat *catalog.Catalog) string {
	path := []string{quote.Name("$user")}
	for i := range cfg.Tables {
		t := &cfg.Tables[i]
		name := quote.Name(t.Schema)
		if len(Columns(t, cat.Tables[t.FullName()])) > 0 && t.Schema != "public" && !slices.Contains(path, name) {
			path = append(path, name)
		}
	}
	return strings.Join(append(path, "deid_info", "public"), ", ")
}

// Statements set it up.
func (d *Desktop) Statements(cfg *config.Config, cat *catalog.Catalog) []string {
	list := []string{fmt.Sprintf("grant temporary on database %s to %s", quote.Name(d.database), roles.Analyst)}
	if d.OthersPath() {
		return list
	}
	return append(list,
		fmt.Sprintf("alter database %s set search_path = %s", quote.Name(d.database), searchPath(cfg, cat)),
		"delete from deid.generated where kind = 'search_path'",
		`insert into deid.generated select 'search_path', substr(c, length('search_path=') + 1) from pg_db_role_setting s, unnest(s.setconfig) c
			where s.setdatabase = (select oid from pg_database where datname = current_database()) and s.setrole = 0 and c like 'search\_path=%'`)
}

// Undo takes it away.
func (d *Desktop) Undo() []string {
	list := []string{fmt.Sprintf("revoke temporary on database %s from %s", quote.Name(d.database), roles.Analyst)}
	if d.ours != "" && !d.OthersPath() {
		list = append(list, fmt.Sprintf("alter database %s reset search_path", quote.Name(d.database)))
	}
	return list
}
