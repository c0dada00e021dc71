package preflight

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/sql/foreign"
	"github.com/pgdeid/pgdeid/sql/postgres"
	"github.com/pgdeid/pgdeid/sql/roles"
)

// checkStored warns of a credential of the EHR in the replica: who administers a
// database without names could read them all with it.
func (p *run) checkStored(ctx context.Context, conn *pgx.Conn) error {
	const subject = "replica credentials"
	servers, err := postgres.Number(ctx, conn, "select count(*) from pg_foreign_server where srvname = $1", foreign.Server)
	if err != nil {
		return err
	}
	_, password, err := config.Secret(p.cfg.Source.ReaderPasswordFile, "PGDEID_READER_PASSWORD")
	if err != nil {
		return err
	}
	switch {
	case servers == 0:
		p.OK(subject, "none of the EHR are in the replica")
	case p.cfg.Gazetteers == config.Direct:
		p.Warn(subject, "foreign server "+foreign.Server+" is still there, perhaps with the password of "+roles.Reader,
			"run \"pgdeid migrate up\", which takes it away, then give "+roles.Reader+" another password: dumps and backups have the old one")
	case p.cfg.Source.ForeignCert == "" && password:
		p.Warn(subject, "the password of "+roles.Reader+" is in a user mapping and in every dump: "+
			"administrators of the replica can read the data of all patients in the EHR",
			"leave out gazetteers: foreign, or give the replica's server a client certificate (source.foreign_sslcert); then "+
				"\"pgdeid migrate up\", and another password for "+roles.Reader)
	default:
		p.OK(subject, "the foreign server logs in without a password in the replica")
	}
	return nil
}
