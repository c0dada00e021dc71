package operate

import (
	"context"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/replicator/admin"
)

func newStatusCmd(g *command.Globals) *cobra.Command {
	var asJSON, watch bool
	sample := time.Second
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Show lag, rates, the first copy, the quarantine and the health of the slot",
		Long: `status asks both databases, and the running process where it answers at the
configuration's "http" address. It works whether or not a process runs.

The exit status is 3 if something needs a person. With --watch it looks every two seconds
until Ctrl-C, redraws on a terminal, and writes one below the other elsewhere (with --json:
an object a line); what goes wrong in between is shown, and the next look is tried.`,
		Example: `  pgdeid status
  pgdeid status --watch
  pgdeid status --json | jq .lag_bytes`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := g.Load()
			if err != nil {
				return err
			}
			if watch {
				w := newStatusWatch(cmd.OutOrStdout(), asJSON)
				return w.run(cmd.Context(), func(ctx context.Context) (*admin.Status, error) { return admin.ReadStatus(ctx, cfg, sample) })
			}
			s, err := admin.ReadStatus(cmd.Context(), cfg, sample)
			if err != nil {
				return err
			}
			if asJSON {
				err = command.PrintJSON(cmd.OutOrStdout(), s)
			} else {
				err = printStatus(cmd.OutOrStdout(), s)
			}
			if err == nil && len(s.Problems) > 0 {
				err = command.Attention(nil)
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().BoolVarP(&watch, "watch", "w", false, "look every two seconds, until Ctrl-C")
	cmd.Flags().DurationVar(&sample, "sample", sample, "time over which rates are measured; 0 for none")
	return cmd
}

func printStatus(out io.Writer, s *admin.Status) error {
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	line := func(name, format string, args ...any) {
		_, _ = fmt.Fprintf(w, "%s\t%s\n", name, fmt.Sprintf(format, args...)) // Flush says what went wrong
	}
	line("state", "%s", stateLine(s))
	line("lag", "%s", lagLine(s))
	if s.Rates != nil {
		line("rate", "%.0f notes/s, %s/s of text", s.Rates.Notes, command.Size(int64(s.Rates.Bytes)))
	}
	if s.Health != nil {
		line("queue", "%s", command.Size(s.Health.QueueBytes))
	}
	line("slot", "%s", slotLine(s.Slot))
	for _, c := range s.Copies {
		done := "copying"
		if c.Done {
			done = "copied"
		}
		line("table "+c.Table, "%s, %d rows in the last full copy", done, c.Rows)
	}
	for _, q := range s.Quarantine {
		line("quarantine", "%s: %d rows, %s", q.Table, q.Rows, q.Reason)
	}
	if r := s.Rotation; r != nil {
		line("key", "epoch %d to %d: analysts read rows as of %s; %d tables are still to be copied", r.From, r.To,
			r.Begun.UTC().Format(time.RFC3339), len(r.Copying))
	}
	if s.Release != nil {
		line("release", "%s", releaseLine(s.Release))
	}
	if s.Requeued > 0 {
		line("requeued", "%d patients or encounters that changed: their notes are as they were until their turn", s.Requeued)
	}
	if s.Patients != nil {
		line("patients", "%s", patientsLine(s.Patients))
	}
	if text := directoryLine(s.Directory); text != "" {
		line("directory", "%s", text)
	}
	for _, name := range s.NewColumns {
		line("new column", "%s: not in the mapping when the databases were migrated, and not published", name)
	}
	for _, v := range s.Withheld {
		line("withheld", "%s.%s: %d values that do not fit its policy, last on %s", v.Table, v.Column, v.Times, v.Last.Format(time.DateOnly))
	}
	if r := s.Repairs; r.Hold+r.Void > 0 {
		line("repairs", "%d of single notes hold; %d have no effect any more, as the text has changed: 'pgdeid review repairs'", r.Hold, r.Void)
	}
	for _, m := range s.Maintained {
		line("maintenance", "%s", maintenanceLine(m))
	}
	for _, p := range s.Problems {
		line("attention", "%s", p)
	}
	return w.Flush()
}

// stateLine returns what a process is doing, by its own account or by the databases.
func stateLine(s *admin.Status) string {
	switch {
	case s.Health != nil:
		return string(s.Health.State)
	case !s.Running && !s.Busy:
		return "no process streams"
	}
	state := "streaming"
	if !s.Running {
		state = "starting"
	}
	if slices.ContainsFunc(s.Copies, func(c admin.CopyStatus) bool { return !c.Done }) {
		state = "copying"
	}
	return state + " (the process " + s.Process + ")"
}

// patientsLine returns who stays out of the replica.
func patientsLine(p *admin.PatientsStatus) string {
	text := fmt.Sprintf("%d excluded, %d purged", p.Excluded, p.Purged)
	if p.Cohort {
		text += fmt.Sprintf(", only %d are included", p.Included)
	}
	if p.Waiting > 0 {
		text += fmt.Sprintf("; %d come back and are being read again", p.Waiting)
	}
	return text
}

// directoryLine returns which notes are older than the directory of staff and sites, or "".
func directoryLine(d *admin.DirectoryStatus) string {
	switch {
	case d == nil:
		return ""
	case d.PassTable != "":
		return "all notes are gone through since " + d.PassBegun.Format(time.DateTime) + ", now those of " + d.PassTable
	case d.StaleSince != nil:
		return "staff or sites were added since " + d.StaleSince.Format(time.DateTime) +
			"; older notes are gone through when limits.directory_interval is over"
	}
	return ""
}

func releaseLine(r *admin.ReleaseStatus) string {
	text := fmt.Sprintf("%s, %d versions of rows wait", r.Mode, r.Waiting)
	if r.Last != nil {
		text += ", last " + r.Last.UTC().Format(time.RFC3339)
	}
	if r.Next != nil {
		text += ", next from " + r.Next.UTC().Format(time.RFC3339)
	}
	if r.Blocked != "" {
		text += "; " + r.Blocked
	}
	return text
}

func maintenanceLine(m admin.MaintenanceStatus) string {
	if m.Last == nil {
		return m.Task + ": never done"
	}
	return m.Task + ": last done " + m.Last.Format(time.DateOnly)
}

// lagLine returns the replica's lag, if it can still catch up.
func lagLine(s *admin.Status) string {
	switch {
	case s.Position == "":
		return "nothing was replicated yet"
	case !s.Slot.Exists || s.Slot.WAL == "lost":
		return "changes are missing: the slot is " + map[bool]string{true: "lost", false: "gone"}[s.Slot.Exists]
	}
	return fmt.Sprintf("%s, %.1f s", command.Size(s.LagBytes), s.LagSeconds)
}

func slotLine(s admin.SlotStatus) string {
	if !s.Exists {
		return s.Name + ": does not exist"
	}
	if s.WAL == "lost" {
		return s.Name + ": lost, the source threw away WAL that it needs"
	}
	text := fmt.Sprintf("%s: %s, holds back %s of WAL", s.Name, s.WAL, command.Size(s.Retained))
	if s.SafeWAL != nil {
		text += fmt.Sprintf(", lost after %s more", command.Size(*s.SafeWAL))
	}
	return text
}
