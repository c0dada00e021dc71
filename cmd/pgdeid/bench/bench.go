package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/ensemble/onnx"
	"github.com/pgdeid/pgdeid/replicator/bench"
)

func newBenchCmd(g *command.Globals) *cobra.Command {
	o := bench.Options{Version: g.Version}
	var networks bool
	var out string
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure this machine: each stage, and its share of what bounds it",
		Long: `bench starts two PostgreSQL servers in a temporary folder, as demo does, fills one with a made-up
hospital and measures every stage on the way of a note: receiving and decoding the stream, searching,
writing, and end to end, with the caches of the networks empty (cold) and full (warm). Each stage is
shown with its share of what bounds it: the same WAL received and thrown away, COPY of the same rows, a
native subscription to the same tables, the networks' graphs alone.

Stages take turns in rounds, and a share is the median over the rounds, so that other work on the
machine changes shares little; its load is printed. Servers and pgdeid share the machine's cores.

--workers measures the first copy by that many worker processes of a core each (GOMAXPROCS=1), with rules and
record. They share this machine's cores with the servers and each other, so it is what each used of a core that
counts: that many notes they copy each second where each has a core of its own.

--out writes the report as JSON (for pgdeid plan) and in the format of Go's benchmarks:
'benchstat old/bench.txt new/bench.txt' compares two runs.`,
		Example: `  pgdeid bench
  pgdeid bench --rounds 9 --notes 10000 --out out/bench
  pgdeid bench --networks=false --only replica/,stream/   # these stages and their limits
  pgdeid bench --networks=false --only replica/write --rounds 1 --notes 20000 --workers 1,2,4`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if networks {
				o.Networks = openNetworks
			}
			if slices.ContainsFunc(o.Workers, func(n int) bool { return n < 1 || n > mostWorkers }) {
				return command.UsageError("--workers are numbers from 1 to %d", mostWorkers)
			}
			o.Program = thisProgram
			o.Said = func(line string) { fmt.Fprintln(cmd.ErrOrStderr(), line) }
			r, err := bench.Run(cmd.Context(), o)
			if err != nil {
				return err
			}
			if err := writeBench(out, r); err != nil {
				return err
			}
			return r.WriteTable(cmd.OutOrStdout())
		},
	}
	f := cmd.Flags()
	f.IntVar(&o.Rounds, "rounds", 5, "how often each stage is run")
	f.IntVar(&o.Notes, "notes", 4000, "how many notes a run takes")
	f.IntVar(&o.NetworkNotes, "network-notes", 300, "how many a run with neural networks takes")
	f.BoolVar(&networks, "networks", onnx.Built, "measure the default ensemble with its neural networks too")
	f.StringSliceVar(&o.Only, "only", nil, "only stages whose `names` begin so, and their limits")
	f.IntSliceVar(&o.Workers, "workers", nil, "measure a first copy by these `numbers` of worker processes")
	f.StringVar(&out, "out", "", "write bench.json and bench.txt into this `folder`")
	return cmd
}

// mostWorkers is how many processes a machine is asked to run at most.
const mostWorkers = 64

// thisProgram is a call of this program.
func thisProgram(ctx context.Context, args ...string) *exec.Cmd {
	path, err := os.Executable()
	if err != nil {
		path = os.Args[0]
	}
	return exec.CommandContext(ctx, path, args...) // #nosec G204 G702 -- itself
}

// writeBench writes a report into a folder, if one is named.
func writeBench(folder string, r *bench.Report) error {
	if folder == "" {
		return nil
	}
	if err := os.MkdirAll(folder, 0o750); err != nil {
		return err
	}
	return errors.Join(
		writeFile(filepath.Join(folder, "bench.json"), r.WriteJSON),
		writeFile(filepath.Join(folder, "bench.txt"), r.WriteGo),
	)
}

func writeFile(path string, write func(io.Writer) error) error {
	file, err := os.Create(path) // #nosec G304 -- the user names the folder
	if err != nil {
		return err
	}
	return errors.Join(write(file), file.Close())
}
