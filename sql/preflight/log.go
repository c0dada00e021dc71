package preflight

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/sql/postgres"
	"github.com/pgdeid/pgdeid/sql/quote"
)

// quietLog are settings that keep parameters of statements out of a server's log, with
// the values that do.
var quietLog = map[string]string{
	"log_parameter_max_length": "0", "log_parameter_max_length_on_error": "0",
	"auto_explain.log_parameter_max_length": "0", "pgaudit.log_parameter": "off",
}

// checkLog makes sure that a server which logs statements logs no parameters of pgdeid's:
// the keys of patients in the source, next to their pseudonyms.
func (p *run) checkLog(ctx context.Context, conn *pgx.Conn, subject string) error {
	have, err := postgres.Settings(ctx, conn, slices.Sorted(maps.Keys(quietLog))...)
	if err != nil {
		return err
	}
	var loud, remedy []string
	for _, name := range slices.Sorted(maps.Keys(quietLog)) {
		if want := quietLog[name]; have[name] != "" && have[name] != want { // "": the server has no such setting
			loud = append(loud, name)
			remedy = append(remedy, fmt.Sprintf("alter role %s set %s = %s", quote.Name(conn.Config().User), name, want))
		}
	}
	if len(loud) > 0 {
		p.Warn(subject+" log", "would show patients' keys, if it logs statements: "+strings.Join(loud, ", "),
			"as a superuser: "+strings.Join(remedy, "; ")+" (\"pgdeid migrate up\" with a superuser does it for pgdeid's roles)")
		return nil
	}
	p.OK(subject+" log", "shows no parameters of %s", conn.Config().User)
	return nil
}
