// Package command has what all commands of pgdeid share: the flags that each of them has, the configuration that these
// name, exit codes, and how results and errors are printed.
package command

import (
	"log/slog"
	"os"

	"github.com/spf13/cobra"
)

// Globals are what every command is told: the version of the program, and the flags that all commands have.
type Globals struct {
	Version   string
	Config    string
	logLevel  string
	logFormat string
}

// New returns the program, of a version, with the commands of all families.
func New(version string, families ...func(*Globals) []*cobra.Command) *cobra.Command {
	g := &Globals{Version: version}
	root := &cobra.Command{
		Use:   "pgdeid",
		Short: "De-identify clinical notes between an EHR in PostgreSQL and a research replica",
		Long: `pgdeid follows an EHR's PostgreSQL database by logical replication, finds protected
health information in every note, puts realistic surrogates in its place and writes
the notes to a research replica: exactly once and without loss.

Try it:             pgdeid demo
Point it at an EHR: pgdeid init > pgdeid.yaml, pgdeid key new, pgdeid check, pgdeid migrate up, pgdeid run

Exit status: 0 if all went well, 1 after an error, 2 if the call is wrong, 3 if the command did its work
and something needs a person.`,
		SilenceUsage:      true,
		SilenceErrors:     true,
		PersistentPreRunE: func(*cobra.Command, []string) error { return g.setUpLogging() },
	}
	f := root.PersistentFlags()
	f.StringVarP(&g.Config, "config", "c", EnvOr("PGDEID_CONFIG", "pgdeid.yaml"), "configuration `file` (or PGDEID_CONFIG)")
	f.StringVar(&g.logLevel, "log-level", EnvOr("PGDEID_LOG_LEVEL", "info"), "debug, info, warn or error (or PGDEID_LOG_LEVEL)")
	f.StringVar(&g.logFormat, "log-format", EnvOr("PGDEID_LOG_FORMAT", "text"), "text or json (or PGDEID_LOG_FORMAT)")
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return UsageError("%w (see '%s --help')", err, c.CommandPath())
	})
	for _, family := range families {
		root.AddCommand(family(g)...)
	}
	return root
}

// EnvOr returns an environment variable or, where it is not set, the fallback.
func EnvOr(name, fallback string) string {
	if v, ok := os.LookupEnv(name); ok {
		return v
	}
	return fallback
}

// setUpLogging makes the default logger: to standard error, never with PHI.
func (g *Globals) setUpLogging() error {
	var level slog.Level
	if err := level.UnmarshalText([]byte(g.logLevel)); err != nil {
		return UsageError("--log-level: want debug, info, warn or error, not %q", g.logLevel)
	}
	opts := &slog.HandlerOptions{Level: level}
	switch g.logFormat {
	case "text":
		slog.SetDefault(slog.New(slog.NewTextHandler(os.Stderr, opts)))
	case "json":
		slog.SetDefault(slog.New(slog.NewJSONHandler(os.Stderr, opts)))
	default:
		return UsageError("--log-format: want text or json, not %q", g.logFormat)
	}
	return nil
}
