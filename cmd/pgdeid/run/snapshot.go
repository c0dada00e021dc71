package run

import (
	"os"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/detector"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/progress"
	"github.com/pgdeid/pgdeid/replicator"
	"github.com/pgdeid/pgdeid/replicator/session"
)

func newSnapshotCmd(g *command.Globals) *cobra.Command {
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
			return detector.OpenSession(cmd.Context(), g, func(o session.Options) error {
				o.ByWorkers = workers
				if term.IsTerminal(int(os.Stderr.Fd())) {
					o.Snapshot = (&progress.Tables{}).Show
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
