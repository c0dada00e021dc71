package bench

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/ensemble/onnx"
	"github.com/pgdeid/pgdeid/internal/plan"
	"github.com/pgdeid/pgdeid/replicator/bench"
)

func newPlanCmd(g *command.Globals) *cobra.Command {
	var h plan.Hospital
	var f plan.Fleet
	var file string
	var networks, asJSON bool
	var walMB float64
	cmd := &cobra.Command{
		Use:   "plan",
		Short: "Say what a hospital's first copy takes: machines, hours, disk, money",
		Long: `plan estimates the first copy by 'pgdeid work' processes, and the stream's catching up afterwards, from
rates that were measured and a few numbers about the hospital: how many machines it needs to keep to
--hours, what bounds it, how much WAL the source keeps for the slot meanwhile, how large the replica and its vault
become, and what that costs. It says how fast the one stream is, and how many machines that run its networks
('pgdeid work --detect') would make it faster or are needed for what comes in. A simulation, page by page, says what waiting costs besides.

The rates are those of --bench, a file of 'pgdeid bench --out' on a machine like those that will work; without
it, plan measures this one for a minute. What a note costs is taken to grow with its bytes. Defaults are the
hospital of the paper that pgdeid follows: 104 million notes, 3.1 billion sentences, 700 million different ones.`,
		Example: `  pgdeid bench --out out/bench && pgdeid plan --bench out/bench/bench.json
  pgdeid plan --bench bench.json --notes 20e6 --patients 150e3 --bytes-per-note 4200 --hours 48 --cores 32
  pgdeid plan --bench bench.json --machines 4 --wal-rate 3 --price-machine-hour 0.8 --price-gb-month 0.1 --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			h.WALRate = walMB * 1e6
			if err := h.Check(); err != nil {
				return command.UsageError("%w", err)
			}
			if f.Cores < 1 || f.Machines < 0 || f.Cache < 1 || f.Detection < 0 {
				return command.UsageError("--cores and --cache have to be above 0, --machines and --detection-workers not below")
			}
			measured, err := ratesFor(cmd.Context(), g.Version, file, networks, cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			r, err := plan.Make(h, measured.Rates(), f)
			if err != nil {
				return err
			}
			if asJSON {
				return r.WriteJSON(cmd.OutOrStdout())
			}
			return r.WriteText(cmd.OutOrStdout())
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&file, "bench", "", "`file` of rates, bench.json of 'pgdeid bench --out' (default: this machine is measured)")
	flags.BoolVar(&networks, "networks", onnx.Built, "without --bench: measure the default ensemble, not rules and record alone")
	flags.Float64Var(&h.Notes, "notes", 104e6, "how many notes the hospital has")
	flags.Float64Var(&h.BytesPerNote, "bytes-per-note", 3000, "how long they are on average")
	flags.Float64Var(&h.SentencesPerNote, "sentences-per-note", 30, "how many sentences they have on average")
	flags.Float64Var(&h.Patients, "patients", 477e3, "how many patients they are of")
	flags.Float64Var(&h.DistinctShare, "distinct-share", 0.226, "share of sentences that are different ones")
	flags.Float64Var(&h.NotesPerDay, "notes-per-day", 30e3, "how many notes come in each day")
	flags.Float64Var(&walMB, "wal-rate", 0, "MB of WAL that the source writes each second, all databases (default: that of the notes)")
	flags.Float64Var(&h.Hours, "hours", 24, "how long the copy may take")
	flags.IntVar(&h.SourceCores, "source-cores", 4, "cores of the source's server that reading may keep busy")
	flags.IntVar(&f.Machines, "machines", 0, "how many machines work (default: as few as keep to --hours)")
	flags.IntVar(&f.Cores, "cores", 16, "cores of each")
	flags.IntVar(&f.Detection, "detection-workers", 0, "how many more machines run networks for the stream: detect.workers")
	flags.Float64Var(&f.Cache, "cache", onnx.DefaultCache, "sentences that each network of a machine's process remembers: limits.cached_sentences")
	flags.Float64Var(&h.Prices.MachineHour, "price-machine-hour", 0, "price of a machine for an hour")
	flags.Float64Var(&h.Prices.GBMonth, "price-gb-month", 0, "price of a GB of disk for a month")
	flags.BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// ratesFor reads a report of bench, or measures this machine for a while.
func ratesFor(ctx context.Context, version, file string, networks bool, said io.Writer) (*bench.Report, error) {
	if file != "" {
		in, err := os.Open(file) // #nosec G304 -- the user names the file
		if err != nil {
			return nil, command.UsageError("--bench: %w", err)
		}
		defer in.Close()
		r, err := bench.ReadReport(in)
		if err != nil {
			return nil, command.UsageError("--bench: %w", err)
		}
		return r, nil
	}
	o := bench.Options{
		Version: version, Notes: 1500, NetworkNotes: 100, Rounds: 1,
		Only: []string{bench.Reading, bench.Writing, bench.StreamRules, bench.NetworksCold},
		Said: func(line string) { fmt.Fprintln(said, line) },
	}
	if networks {
		o.Networks = openNetworks
	}
	return bench.Run(ctx, o)
}
