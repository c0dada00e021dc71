package setup

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"strconv"

	"github.com/jackc/pgx/v5"
	"github.com/spf13/cobra"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/password"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/sql/attach"
	"github.com/pgdeid/pgdeid/sql/migrations"
)

// engineFlags are the database that uses the engine.
type engineFlags struct{ dsn, adminPasswordFile string }

func newMigrateEngineCmd() *cobra.Command {
	var f engineFlags
	cmd := &cobra.Command{
		Use:   "engine",
		Short: "Attach the engine to any database, so that it de-identifies in SQL",
		Long: `engine makes "pgdeid serve" a foreign server of a database of PostgreSQL 14 to 18, with
the functions and views of schema deid:

  SELECT deid.deidentify(patient_id, body) FROM note WHERE note_id = 17
  SELECT * FROM deid.preview(17, '…')
  SELECT * FROM deid.pull(ARRAY(SELECT note_id::text FROM cohort))
  CALL deid.deidentify_into('note', 'note_deid')

They are for members of the roles pgdeid_ask, pgdeid_preview and pgdeid_pull. --dsn leads to
the database as a superuser; its password is read from the file of --admin-password-file or in
PGDEID_ENGINE_ADMIN_PASSWORD.`,
		Example: `  pgdeid migrate engine up --dsn 'host=lab dbname=staging user=postgres' --engine pgdeid.example:7432 --user ` +
			`staging --password-file staging.password
  pgdeid migrate engine version --dsn 'host=lab dbname=staging user=postgres'
  pgdeid migrate engine down --dsn 'host=lab dbname=staging user=postgres'`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return command.UsageError("say what to do: up, down, version or force (see '%s --help')", cmd.CommandPath())
		},
	}
	flags := cmd.PersistentFlags()
	flags.StringVar(&f.dsn, "dsn", command.EnvOr("PGDEID_ENGINE_ADMIN_DSN", ""),
		"connection `string` of the database, without a password (or PGDEID_ENGINE_ADMIN_DSN)")
	flags.StringVar(&f.adminPasswordFile, "admin-password-file", "", "`file` with the password for --dsn (or PGDEID_ENGINE_ADMIN_PASSWORD)")
	cmd.AddCommand(newEngineUpCmd(&f), newEngineDownCmd(&f), newEngineVersionCmd(&f), newEngineForceCmd(&f))
	return cmd
}

// connect returns how to reach the database.
func (f *engineFlags) connect(cmd *cobra.Command) (*pgx.ConnConfig, error) {
	if cmd.Flags().Changed("target") {
		return nil, command.UsageError("--target is for source and replica; --dsn says which database asks the engine")
	}
	if f.dsn == "" {
		return nil, command.UsageError("say which database with --dsn")
	}
	conf, err := config.Connect(f.dsn, f.adminPasswordFile, "PGDEID_ENGINE_ADMIN_PASSWORD")
	if err != nil {
		return nil, command.UsageError("%w", err)
	}
	return conf, nil
}

func newEngineUpCmd(f *engineFlags) *cobra.Command {
	var at, passwordFile string
	var a attach.Engine
	cmd := &cobra.Command{
		Use:   "up",
		Short: "Attach the engine, or bring what is there to this version and these settings",
		Long: `up makes what the database needs. Run it again after an upgrade of pgdeid, and when the
engine's address or password changes.

The password of --user comes from PGDEID_ENGINE_PASSWORD, from the file of --password-file or,
without both, from the terminal or the first line of standard input. PostgreSQL keeps it in a user
mapping of the role pgdeid_engine, which cannot log in.`,
		Example: `  pgdeid migrate engine up --dsn 'host=lab dbname=staging user=postgres' --engine pgdeid.example:7432 --user ` +
			`staging --password-file staging.password
  pgdeid migrate engine up --dsn 'dbname=staging' --user staging --sslmode verify-full --sslrootcert /etc/ssl/hospital.crt`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var err error
			if a.Host, a.Port, err = net.SplitHostPort(at); err != nil {
				return command.UsageError("--engine: want HOST:PORT, not %q", at)
			}
			if a.User == "" {
				return command.UsageError("say with --user who logs in at the engine")
			}
			conf, err := f.connect(cmd)
			if err != nil {
				return err
			}
			if a.Password, err = enginePassword(cmd, passwordFile); err != nil {
				return err
			}
			return engineStep(cmd, "up", func(ctx context.Context) error { return attach.Up(ctx, conf, a, slog.Default()) })
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&at, "engine", "127.0.0.1:7432", "`address` of \"pgdeid serve\", as the database's server sees it")
	flags.StringVar(&a.User, "user", "", "`name` of the login at the engine (see \"pgdeid serve passwd\")")
	flags.StringVar(&passwordFile, "password-file", "", "`file` with its password (or PGDEID_ENGINE_PASSWORD)")
	flags.StringVar(&a.SSLMode, "sslmode", "", "libpq's sslmode (default verify-full unless the engine is on the same machine)")
	flags.StringVar(&a.SSLRootCert, "sslrootcert", "", "`file` with the authority's certificate, on the database's server")
	return cmd
}

// enginePassword reads the password of the login at the engine.
func enginePassword(cmd *cobra.Command, file string) (string, error) {
	given, ok, err := config.Secret(file, "PGDEID_ENGINE_PASSWORD")
	if err != nil || ok {
		return given, err
	}
	return password.Ask(cmd)
}

func newEngineDownCmd(f *engineFlags) *cobra.Command {
	return &cobra.Command{
		Use:     "down",
		Short:   "Take the engine out of the database; tables that were filled with it stay",
		Example: "  pgdeid migrate engine down --dsn 'host=lab dbname=staging user=postgres'",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			conf, err := f.connect(cmd)
			if err != nil {
				return err
			}
			return engineStep(cmd, "down", func(ctx context.Context) error { return attach.Down(ctx, conf) })
		},
	}
}

// engineStep runs one migration and says so.
func engineStep(cmd *cobra.Command, word string, do func(context.Context) error) error {
	if err := do(cmd.Context()); err != nil {
		return err
	}
	_, err := fmt.Fprintf(cmd.OutOrStdout(), "%s: migrated %s\n", migrations.Engine, word)
	return err
}

func newEngineVersionCmd(f *engineFlags) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "version",
		Short:   "Print how far the database is migrated; exit 3 if it is not where this pgdeid wants it",
		Example: "  pgdeid migrate engine version --dsn 'host=lab dbname=staging user=postgres' --json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			conf, err := f.connect(cmd)
			if err != nil {
				return err
			}
			s, err := attach.Version(cmd.Context(), conf)
			if err != nil {
				return err
			}
			return printStates(cmd, map[migrations.Target]migrations.State{migrations.Engine: s}, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func newEngineForceCmd(f *engineFlags) *cobra.Command {
	return &cobra.Command{
		Use:     "force VERSION",
		Short:   "Set the version without running anything, after a failed migration was repaired by hand",
		Example: "  pgdeid migrate engine force 2 --dsn 'host=lab dbname=staging user=postgres'",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			version, err := strconv.Atoi(args[0])
			if err != nil || version < 0 {
				return command.UsageError("want a version, a whole number, not %q", args[0])
			}
			conf, err := f.connect(cmd)
			if err != nil {
				return err
			}
			return attach.Force(cmd.Context(), conf, version)
		},
	}
}
