package bench

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/ensemble/synth"
	"github.com/pgdeid/pgdeid/replicator/demo"
)

func newDemoCmd(g *command.Globals) *cobra.Command {
	o := demo.Options{Version: g.Version}
	var corpusFile string
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Show the whole way on a made-up hospital, with two PostgreSQL servers of its own",
		Long: `demo starts two PostgreSQL servers in a temporary folder, reachable from this machine
only, fills one with a made-up hospital, sets everything up as a DBA would, copies,
follows live changes, shows notes before and after, and measures: rows, speed, leaks
of any patient's identifiers in the whole replica, recall and precision. Then it attaches
the engine to a database and asks it in SQL. Everything it made is gone afterwards.

It prints notes on purpose: all people in them are made up. PostgreSQL 14 or newer has to be
installed ('make demo' sees to it).`,
		Example: `  pgdeid demo
  pgdeid demo --patients 2000 --notes 20000
  pgdeid demo --keep                          # look around with psql, ask the engine
  pgdeid demo --write-corpus notes.jsonl --notes 50000`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if corpusFile != "" {
				return writeCorpus(corpusFile, o)
			}
			return runDemo(cmd, o)
		},
	}
	f := cmd.Flags()
	f.IntVar(&o.Patients, "patients", 300, "how many patients")
	f.IntVar(&o.Notes, "notes", 1500, "how many notes the first copy finds")
	f.IntVar(&o.Live, "live", 50, "how many notes come in while it runs")
	f.IntVar(&o.Show, "show", 3, "how many notes to show before and after")
	f.Uint64Var(&o.Seed, "seed", 1, "of the made-up hospital")
	f.BoolVar(&o.Keep, "keep", false, "leave the servers running until Ctrl-C, and the files behind")
	f.StringVar(&corpusFile, "write-corpus", "", "write the notes with gold spans as JSON Lines to `file`, and do nothing else")
	return cmd
}

func runDemo(cmd *cobra.Command, o demo.Options) error {
	// "pgdeid demo | head" must not end the program before it has cleaned up.
	signal.Ignore(syscall.SIGPIPE)
	o.Out = cmd.OutOrStdout()
	if o.Show == 0 {
		o.Show = -1 // zero would mean the default
	}
	if term.IsTerminal(int(os.Stderr.Fd())) {
		o.Bars = os.Stderr
	}
	if width, _, err := term.GetSize(int(os.Stdout.Fd())); err == nil {
		o.Width = width
	}
	detector, set, plan, err := openShipped()
	if err != nil {
		return err
	}
	o.Detector, o.Models = detector, plan.Digest()
	res, err := demo.Run(cmd.Context(), o)
	err = command.JoinClose(err, set)
	switch {
	case cmd.Context().Err() != nil && (err == nil || errors.Is(err, context.Canceled)):
		if o.Keep && err == nil {
			return nil
		}
		return errors.New("interrupted: the demo's servers are stopped")
	case err == nil && !res.OK():
		return command.Attention(nil)
	}
	return err
}

func writeCorpus(path string, o demo.Options) error {
	h, err := synth.NewHospital(o.Seed, synth.Options{Patients: o.Patients, Notes: o.Notes})
	if err != nil {
		return err
	}
	file, err := os.Create(path)
	if err != nil {
		return command.UsageError("--write-corpus: %w", err)
	}
	if err := synth.Export(file, h.Notes()); err != nil {
		file.Close()
		return err
	}
	return file.Close()
}
