package admin

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/dossier"
	"github.com/pgdeid/pgdeid/internal/fault"
)

// AddState adds to a dossier what both databases know: their versions, what made the published texts, what was set aside or
// withheld, and what needs a person. d.Configuration.Made is compared with what the texts were made by.
func AddState(ctx context.Context, d *dossier.Dossier, cfg *config.Config, version string) error {
	status, err := ReadStatus(ctx, cfg, 0)
	if err != nil {
		return err
	}
	d.Open = status.Problems
	for _, q := range status.Quarantine {
		d.Aside = append(d.Aside, dossier.Aside{Table: q.Table, Reason: q.Reason, Rows: q.Rows})
	}
	for _, w := range status.Withheld {
		d.Withheld = append(d.Withheld, dossier.Withheld{Column: w.Table + "." + w.Column, Times: w.Times})
	}
	return withBoth(ctx, cfg, func(source, replica *pgx.Conn) (err error) {
		for _, server := range []struct {
			name string
			conn *pgx.Conn
		}{{"PostgreSQL of the source", source}, {"PostgreSQL of the replica", replica}} {
			d.Versions = append(d.Versions, dossier.Line{Name: server.name, Value: server.conn.PgConn().ParameterStatus("server_version")})
		}
		d.Texts, err = countTexts(ctx, replica, dossier.Texts{Version: version, Config: d.Configuration.Made})
		return err
	})
}

// countTexts counts published texts by what made them.
func countTexts(ctx context.Context, replica *pgx.Conn, now dossier.Texts) ([]dossier.Texts, error) {
	const op = "count published texts by what made them"
	rows, _ := replica.Query(ctx, `
		select version, config_hash, count(*), version = $1 and config_hash = $2
		from deid.note_provenance group by 1, 2 order by 4 desc, 1, 2`, now.Version, now.Config)
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[dossier.Texts])
	return list, fault.New(op, err, "run 'pgdeid migrate up'")
}
