package setup

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strconv"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/sql"
	"github.com/pgdeid/pgdeid/sql/migrations"
)

func newMigrateCmd(g *command.Globals) *cobra.Command {
	target := "both"
	cmd := &cobra.Command{
		Use:   "migrate",
		Short: "Set up source and replica for the mapping, or take pgdeid out of them",
		Long: `migrate makes what pgdeid needs in both databases, with the roles of source.admin_dsn
and replica.admin_dsn: roles, grants and the publication in the source; the vault,
the research tables and the foreign server in the replica.

Run "migrate up" again after each change of the mapping and after each upgrade of
pgdeid. What the mapping no longer publishes is taken out of the replica, and a table whose
primary key or whose policy of a key column changed is made anew; "pgdeid run" must not run
then. Before it changes
anything, "up" looks at both databases and names every obstacle.

Exit status: 0 when done, 1 after an error; "version" ends with 3 if a database is not where
this pgdeid wants it.`,
		Example: `  pgdeid migrate up
  pgdeid migrate version --json
  pgdeid migrate down --target replica`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return command.UsageError("say what to do: up, down, version, force or engine (see '%s --help')", cmd.CommandPath())
		},
	}
	cmd.PersistentFlags().StringVar(&target, "target", target, "`database`: source, replica or both")
	cmd.AddCommand(newMigrateUpCmd(g, &target), newMigrateDownCmd(g, &target), newMigrateVersionCmd(g, &target),
		newMigrateForceCmd(g, &target), newMigrateEngineCmd())
	return cmd
}

// targets returns the databases of --target. Up goes to the source first, so that
// the publication is there before anything could follow it.
func targets(name string) ([]migrations.Target, error) {
	switch name {
	case "both":
		return []migrations.Target{migrations.Source, migrations.Replica}, nil
	case string(migrations.Source), string(migrations.Replica):
		return []migrations.Target{migrations.Target(name)}, nil
	}
	return nil, command.UsageError("--target: want source, replica or both, not %q", name)
}

// loadFor returns the configuration and the databases that --target names.
func loadFor(g *command.Globals, target string) (*config.Config, []migrations.Target, error) {
	list, err := targets(target)
	if err != nil {
		return nil, nil, err
	}
	cfg, err := g.Load()
	return cfg, list, err
}

// eachTarget loads the configuration and calls do for each database.
func eachTarget(g *command.Globals, target string, do func(*config.Config, migrations.Target) error) error {
	cfg, list, err := loadFor(g, target)
	if err != nil {
		return err
	}
	for _, t := range list {
		if err := do(cfg, t); err != nil {
			return err
		}
	}
	return nil
}

func newMigrateUpCmd(g *command.Globals, target *string) *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:   "up",
		Short: "Bring the databases to this version of pgdeid and to the mapping",
		Example: `  pgdeid migrate up
  pgdeid migrate up --target replica --yes`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return migrateUp(cmd, g, *target, yes)
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "drop research tables and columns that the mapping no longer publishes, "+
		"and make tables with another key anew, also if they hold rows")
	return cmd
}

// migrateUp looks at all databases before it changes the first.
func migrateUp(cmd *cobra.Command, g *command.Globals, target string, yes bool) error {
	cfg, list, err := loadFor(g, target)
	if err != nil {
		return err
	}
	if err := sql.Refuse(cmd.Context(), cfg, list); err != nil {
		return err
	}
	for _, t := range list {
		if err := migrateStep(cmd, t, "up", sql.Up, cfg, yes); err != nil {
			return err
		}
	}
	return nil
}

func newMigrateDownCmd(g *command.Globals, target *string) *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:   "down",
		Short: "Take pgdeid out of the databases: research tables and vault included",
		Example: `  pgdeid migrate down --target source
  pgdeid migrate down --yes`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return eachTarget(g, *target, func(cfg *config.Config, t migrations.Target) error {
				return migrateStep(cmd, t, "down", sql.Down, cfg, yes)
			})
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "go on if the replica holds rows")
	return cmd
}

// migrateStep runs one migration and says so.
func migrateStep(cmd *cobra.Command, t migrations.Target, word string,
	do func(context.Context, *config.Config, migrations.Target, sql.Options) error, cfg *config.Config, yes bool,
) error {
	if err := do(cmd.Context(), cfg, t, sql.Options{DropData: yes, Log: slog.With("database", string(t))}); err != nil {
		return err
	}
	_, err := fmt.Fprintf(cmd.OutOrStdout(), "%s: migrated %s\n", t, word)
	return err
}

func newMigrateVersionCmd(g *command.Globals, target *string) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "version",
		Short:   "Print how far the databases are migrated; exit 3 if they are not where this pgdeid wants them",
		Example: "  pgdeid migrate version --json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			states := map[migrations.Target]migrations.State{}
			err := eachTarget(g, *target, func(cfg *config.Config, t migrations.Target) error {
				s, err := sql.Version(cmd.Context(), cfg, t)
				states[t] = s
				return err
			})
			if err != nil {
				return err
			}
			return printStates(cmd, states, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func printStates(cmd *cobra.Command, states map[migrations.Target]migrations.State, asJSON bool) error {
	behind := false
	w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
	for _, t := range []migrations.Target{migrations.Source, migrations.Replica, migrations.Engine} {
		s, ok := states[t]
		if !ok {
			continue
		}
		behind = behind || s.Dirty || s.Version != s.Latest
		if !asJSON {
			fmt.Fprintf(w, "%s\tversion %d\tthis pgdeid wants %d\t%s\n", t, s.Version, s.Latest, map[bool]string{true: "half-way"}[s.Dirty])
		}
	}
	if asJSON {
		if err := json.NewEncoder(cmd.OutOrStdout()).Encode(states); err != nil {
			return err
		}
	} else if err := w.Flush(); err != nil {
		return err
	}
	if behind {
		return command.Attention(nil)
	}
	return nil
}

func newMigrateForceCmd(g *command.Globals, target *string) *cobra.Command {
	return &cobra.Command{
		Use:     "force VERSION",
		Short:   "Set the version without running anything, after a failed migration was repaired by hand",
		Example: "  pgdeid migrate force 2 --target replica",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return command.UsageError("say which version: pgdeid migrate force VERSION --target source|replica")
			}
			version, err := strconv.Atoi(args[0])
			if err != nil || version < 0 {
				return command.UsageError("want a version, a whole number, not %q", args[0])
			}
			if *target == "both" {
				return command.UsageError("say which database: --target source or --target replica")
			}
			return eachTarget(g, *target, func(cfg *config.Config, t migrations.Target) error {
				return sql.Force(cmd.Context(), cfg, t, version)
			})
		},
	}
}
