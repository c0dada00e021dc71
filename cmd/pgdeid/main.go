// Command pgdeid de-identifies clinical notes on their way from an EHR in
// PostgreSQL to a research replica.
package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/pgdeid/pgdeid/internal/fault"
)

// Exit codes.
const (
	exitOK        = 0
	exitFailure   = 1
	exitUsage     = 2
	exitAttention = 3 // finished, but something needs a person: see what was printed
)

// exitError is an error with an exit code; its message, if any, is printed first.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}
func (e *exitError) Unwrap() error { return e.err }

// usageError returns an error about the command line.
func usageError(format string, args ...any) error {
	return &exitError{exitUsage, fmt.Errorf(format, args...)}
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := report(newRoot().ExecuteContext(ctx))
	stop()
	os.Exit(code)
}

// report prints err with its hint and returns the exit code.
func report(err error) int {
	if err == nil {
		return exitOK
	}
	code := exitFailure
	var exit *exitError
	if errors.As(err, &exit) {
		code = exit.code
	}
	if text := err.Error(); text != "" {
		fmt.Fprintln(os.Stderr, "pgdeid: "+text)
		if hint := fault.Hint(err); hint != "" {
			fmt.Fprintln(os.Stderr, "hint: "+hint)
		}
	}
	return code
}

// globals are the flags that every command has.
type globals struct {
	config    string
	logLevel  string
	logFormat string
}

func newRoot() *cobra.Command {
	g := &globals{}
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
	f.StringVarP(&g.config, "config", "c", envOr("PGDEID_CONFIG", "pgdeid.yaml"), "configuration `file` (or PGDEID_CONFIG)")
	f.StringVar(&g.logLevel, "log-level", envOr("PGDEID_LOG_LEVEL", "info"), "debug, info, warn or error (or PGDEID_LOG_LEVEL)")
	f.StringVar(&g.logFormat, "log-format", envOr("PGDEID_LOG_FORMAT", "text"), "text or json (or PGDEID_LOG_FORMAT)")
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usageError("%w (see '%s --help')", err, c.CommandPath())
	})
	root.AddCommand(commands(g)...)
	return root
}

func envOr(name, fallback string) string {
	if v, ok := os.LookupEnv(name); ok {
		return v
	}
	return fallback
}

// setUpLogging makes the default logger: to standard error, never with PHI.
func (g *globals) setUpLogging() error {
	var level slog.Level
	if err := level.UnmarshalText([]byte(g.logLevel)); err != nil {
		return usageError("--log-level: want debug, info, warn or error, not %q", g.logLevel)
	}
	opts := &slog.HandlerOptions{Level: level}
	switch g.logFormat {
	case "text":
		slog.SetDefault(slog.New(slog.NewTextHandler(os.Stderr, opts)))
	case "json":
		slog.SetDefault(slog.New(slog.NewJSONHandler(os.Stderr, opts)))
	default:
		return usageError("--log-format: want text or json, not %q", g.logFormat)
	}
	return nil
}
