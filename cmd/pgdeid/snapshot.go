package main

import (
	"os"

	"github.com/pgdeid/pgdeid/replicator/session"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/pgdeid/pgdeid/replicator"
)

func newSnapshotCmd(g *globals) *cobra.Command {
	var resync, workers bool
	var tables []string
	var control copyControl
	cmd := &cobra.Command{
		Use:   "snapshot",
		Short: "Make the first copy, or start over after a lost slot",
		Long: `snapshot makes the replication slot and copies the mapped tables as they are at that
moment; "pgdeid run" then follows the stream from exactly there. If it is stopped, it
goes on with the row where it stopped. "pgdeid run" does the same by itself, without
the progress bar.

--resync is the way back when the slot is lost, was made anew, or the mapping changed:
the slot is dropped and made again, everything is copied, and rows that the source
does not have any more are deleted. Notes whose text, patient and configuration did
not change and that are in the replica as they were written are not de-identified
again.

--table copies one table again, and keeps the slot: rows that are missing in the
replica or differ come back, and those that the source does not have are deleted.
Where "pgdeid run" follows the stream, that process does it.

--workers plans parts of the tables and has any number of "pgdeid work" processes, on any
machines, copy them. It keeps the snapshot that all read in, gives the parts of a process
that died to others, and ends when all is copied. The source keeps rows and WAL that the
snapshot needs until then. From any machine that reaches the replica, --status says how
far it is, --pause and --resume stop and go on, --rate bounds how many rows all processes
together read from the source each second (0: no bound).`,
		Example: `  pgdeid snapshot
  pgdeid snapshot --resync
  pgdeid snapshot --table ehr.note --table ehr.patient
  pgdeid snapshot --workers          # and "pgdeid work" on each machine
  pgdeid snapshot --status
  pgdeid snapshot --rate 500
  pgdeid snapshot --pause`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if control.asked(cmd) {
				return control.run(cmd, g)
			}
			return g.replicate(cmd.Context(), func(o session.Options) error {
				o.ByWorkers = workers
				if term.IsTerminal(int(os.Stderr.Fd())) {
					o.Snapshot = (&copyBar{}).show
				}
				if len(tables) > 0 {
					return replicator.CopyAgain(cmd.Context(), o, tables)
				}
				return replicator.Snapshot(cmd.Context(), o, resync)
			})
		},
	}
	cmd.Flags().BoolVar(&resync, "resync", false, "drop the slot and copy everything again")
	cmd.Flags().StringArrayVar(&tables, "table", nil, "copy this table again, schema.table; may be given several times")
	cmd.Flags().BoolVar(&workers, "workers", false, "have \"pgdeid work\" processes copy")
	control.register(cmd.Flags())
	cmd.MarkFlagsMutuallyExclusive("resync", "table", "status", "pause", "resume")
	for _, name := range []string{"status", "pause", "resume", "rate"} {
		cmd.MarkFlagsMutuallyExclusive("workers", name)
	}
	return cmd
}

// copyBar draws a progress bar for each table.
type copyBar struct {
	table string
	bar   *progressbar.ProgressBar
}

func (b *copyBar) show(p session.SnapshotProgress) {
	if b.table != p.Table {
		total := p.Estimate
		if total == 0 {
			total = -1 // a spinner
		}
		b.table = p.Table
		b.bar = progressbar.NewOptions64(total, progressbar.OptionSetWriter(os.Stderr), progressbar.OptionSetDescription(p.Table),
			progressbar.OptionShowCount(), progressbar.OptionShowIts(), progressbar.OptionSetItsString("rows"),
			progressbar.OptionOnCompletion(func() { _, _ = os.Stderr.WriteString("\n") }))
	}
	if p.Rows > b.bar.GetMax64() && b.bar.GetMax64() >= 0 {
		b.bar.ChangeMax64(p.Rows) // the estimate was too low
	}
	_ = b.bar.Set64(p.Rows) // errors of the display are ignored
	if p.Done {
		_ = b.bar.Finish()
	}
}

// progress returns a function that draws the bars, or nil without a terminal.
func (b *copyBar) progress() func(table string, read, total int64) {
	if !term.IsTerminal(int(os.Stderr.Fd())) {
		return nil
	}
	return func(table string, read, total int64) {
		b.show(session.SnapshotProgress{Table: table, Rows: read, Estimate: total})
	}
}
