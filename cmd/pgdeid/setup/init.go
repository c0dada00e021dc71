package setup

import (
	"context"
	"errors"
	"log/slog"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/spf13/cobra"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/config/proposal"
	"github.com/pgdeid/pgdeid/internal/fault"
)

func newInitCmd() *cobra.Command {
	var dsn, passwordFile string
	var opts proposal.Options
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Propose a configuration file for an EHR database",
		Long: `init looks at a live database (tables, types, keys, foreign keys, comments, security labels
of PostgreSQL Anonymizer, the shape of some values of each column) and prints a
configuration file to be read and corrected. What it does not recognise is proposed as
drop; everything else has a comment that says why. It changes nothing and prints no value
of any row. Columns that the role may not read are judged by their names and types alone.

It follows foreign keys to the patient, also those of several columns, where a site and a
number there name one; without foreign keys, columns of the same names. Of columns that
hold many values ("555-0100; 555-0111") it says what stands between them.

With --preset and without --dsn it prints the preset as it is. With both, the preset
decides about the tables that it knows, however their names are written; --preset auto
takes the one that fits the tables, if any does.

The password comes from --password-file, PGDEID_SOURCE_ADMIN_PASSWORD, PGPASSWORD
or a password file of the user, never from the command line.`,
		Example: `  pgdeid init --dsn postgres://dba@ehr.example.org/ehr > pgdeid.yaml
  pgdeid init --dsn postgres://dba@ehr.example.org/ehr --schema clinic --schema billing
  pgdeid init --dsn postgres://dba@ehr.example.org/ehr --preset auto > pgdeid.yaml
  pgdeid init --preset omop > pgdeid.yaml`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			out, err := propose(cmd.Context(), dsn, passwordFile, opts)
			if err != nil {
				return err
			}
			_, err = cmd.OutOrStdout().Write(out)
			return err
		},
	}
	f := cmd.Flags()
	f.StringVar(&dsn, "dsn", "", "connection `string` of the EHR's database, without a password")
	f.StringVar(&passwordFile, "password-file", "", "`file` with the password")
	f.StringSliceVar(&opts.Schemas, "schema", nil, "`schema` to look at; may be said again (default: all)")
	f.StringVar(&opts.Preset, "preset", "", "start from a preset: "+strings.Join(append(config.Presets(), proposal.Auto+" (with --dsn)"), ", "))
	return cmd
}

// propose prints a preset, or examines a database.
func propose(ctx context.Context, dsn, passwordFile string, opts proposal.Options) ([]byte, error) {
	if dsn == "" {
		if opts.Preset == "" {
			return nil, command.UsageError("say where the database is with --dsn, or name a preset with --preset")
		}
		if opts.Preset == proposal.Auto {
			return nil, command.UsageError("--preset auto looks at a database: say where it is with --dsn")
		}
		return config.Preset(opts.Preset)
	}
	conf, err := config.Connect(dsn, passwordFile, "PGDEID_SOURCE_ADMIN_PASSWORD")
	if err != nil {
		return nil, command.UsageError("%w", err)
	}
	conn, err := pgx.ConnectConfig(ctx, conf)
	if err != nil {
		return nil, fault.New("connect to "+conf.Database, err,
			"check host, port, user and password; TLS is verify-full for other hosts unless --dsn says otherwise")
	}
	opts.Log = slog.Default()
	out, err := proposal.Propose(ctx, conn, opts)
	return out, errors.Join(err, conn.Close(context.WithoutCancel(ctx)))
}
