// Command pgdeid de-identifies clinical notes on their way from an EHR in
// PostgreSQL to a research replica.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/bench"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/detect"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/eval"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/evidence"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/harvest"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/models"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/operate"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/review"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/run"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/setup"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/train"
)

// version is set by the Makefile (-ldflags -X).
var version = "dev"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := newProgram().ExecuteContext(ctx)
	stop()
	if err != nil {
		command.PrintError(os.Stderr, err)
	}
	os.Exit(command.ExitCode(err))
}

// newProgram puts the families of commands together, each in a package of its own.
func newProgram() *cobra.Command {
	return command.New(version,
		setup.Commands, detect.Commands, eval.Commands, train.Commands, models.Commands, harvest.Commands, run.Commands, review.Commands,
		operate.Commands, evidence.Commands, bench.Commands, versionCommands)
}
