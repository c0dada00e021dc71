package setup

import (
	"fmt"
	"log/slog"

	"github.com/spf13/cobra"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/sql"
	"github.com/pgdeid/pgdeid/sql/migrations"
	"github.com/pgdeid/pgdeid/sql/publication"
)

func newPublicationCmd(g *command.Globals) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "publication",
		Short: "Let an upgrade of the EHR change published columns",
		Long: `The publication lists the mapped columns, and PostgreSQL refuses to drop or retype a
column that such a list names. "pause" takes the lists away while the EHR is upgraded,
and "resume" puts them back. Every change stays in the stream, and "run" may go on: no
row is lost. In between whole rows travel to pgdeid, which drops what is not mapped.

The order of steps is in sql/README.md.`,
		Example: `  pgdeid publication pause
  pgdeid publication resume`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return command.UsageError("say what to do: pause or resume (see '%s --help')", cmd.CommandPath())
		},
	}
	cmd.AddCommand(newPublicationPauseCmd(g), newPublicationResumeCmd(g))
	return cmd
}

func newPublicationPauseCmd(g *command.Globals) *cobra.Command {
	return &cobra.Command{
		Use:     "pause",
		Short:   "Take the lists of columns out of the publication, before an upgrade of the EHR",
		Example: "  pgdeid publication pause",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := g.Load()
			if err != nil {
				return err
			}
			paused, err := publication.Pause(cmd.Context(), cfg)
			if err != nil {
				return err
			}
			text := "source: publication paused; columns can be dropped and retyped. Then: pgdeid publication resume"
			if !paused {
				text = "source: nothing to pause, as this server's publications have no lists of columns"
			}
			_, err = fmt.Fprintln(cmd.OutOrStdout(), text)
			return err
		},
	}
}

func newPublicationResumeCmd(g *command.Globals) *cobra.Command {
	return &cobra.Command{
		Use:   "resume",
		Short: "Compare the mapping with the source and put the lists of columns back",
		Long: `resume does at the source what "pgdeid migrate up" does there. A mapping that does not fit
the source any more is refused, with all that has to be corrected; the publication then
stays paused.`,
		Example: "  pgdeid publication resume",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := g.Load()
			if err != nil {
				return err
			}
			if err := sql.Up(cmd.Context(), cfg, migrations.Source, sql.Options{Log: slog.With("database", string(migrations.Source))}); err != nil {
				return err
			}
			_, err = fmt.Fprintln(cmd.OutOrStdout(), "source: publication resumed; where the mapping changed, 'pgdeid migrate up' follows")
			return err
		},
	}
}
