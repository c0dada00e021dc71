package operate

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/user"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/detector"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/admin"
	"github.com/pgdeid/pgdeid/replicator/session"
)

func newPurgeCmd(g *command.Globals) *cobra.Command {
	var file string
	var undo, asJSON bool
	cmd := &cobra.Command{
		Use:   "purge",
		Short: "Delete patients from the replica and its vault, for good, with a report",
		Long: `purge removes everything of patients from every table of the replica and from the
vault, in one transaction, and remembers by a keyed hash that they stay out: rows of
theirs that arrive later are not published. Then it counts again, and prints for each
table how much was removed and how much is left, which is 0.

Keys of patients are those of the source, one on a line, and come from standard input or
from --patient-file. They are no arguments, since other users of this machine could read
these in the list of processes. Neither keys nor pseudonyms are in the report or the log.

--undo lets the patients come back: "pgdeid run" reads their rows again. Either may be used
beside "pgdeid run", which begins a new session then. What the source has of the patients
stays there, and what was exported from the replica, or is in its backups and its WAL, is not
reached. Of patients whose rows another patient has taken over (a merge), keyed hashes of their names
stay, since these are to be found in that patient's notes; the report counts them.

The exit status is 3 if something is left.`,
		Example: `  pgdeid purge < patients.txt
  pgdeid purge --patient-file patients.txt --json > report.json
  pgdeid purge --undo --patient-file patients.txt`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			keys, err := patientKeys(cmd.InOrStdin(), file)
			if err != nil {
				return err
			}
			by := "unknown"
			if u, err := user.Current(); err == nil {
				by = u.Username
			}
			slog.Info("patients are purged", "patients", len(keys), "undo", undo, "by", by)
			var report *admin.PurgeReport
			err = detector.OpenSession(cmd.Context(), g, func(o session.Options) (err error) {
				report, err = admin.Purge(cmd.Context(), o, keys, undo)
				return err
			})
			if err != nil {
				return err
			}
			if asJSON {
				err = command.PrintJSON(cmd.OutOrStdout(), report)
			} else {
				err = printPurge(cmd.OutOrStdout(), report)
			}
			if err == nil && report.Left() > 0 {
				err = command.Attention(nil)
			}
			return err
		},
	}
	cmd.Flags().StringVar(&file, "patient-file", "", "`file` with the patients' keys, instead of standard input")
	cmd.Flags().BoolVar(&undo, "undo", false, "let patients come back who were purged")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// patientKeys reads keys, one on a line.
func patientKeys(in io.Reader, file string) ([]string, error) {
	const op = "read the patients to purge"
	if file != "" {
		f, err := os.Open(file)
		if err != nil {
			return nil, fault.New(op, err, "name a file with the patients' keys, one on a line")
		}
		defer func() { _ = f.Close() }()
		in = f
	}
	var keys []string
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		if key := strings.TrimSpace(lines.Text()); key != "" {
			keys = append(keys, key)
		}
	}
	err := lines.Err()
	if err == nil && len(keys) == 0 {
		err = errors.New("there is no key")
	}
	return keys, fault.New(op, err, "give the keys of the source, one on a line, by standard input or --patient-file")
}

func printPurge(out io.Writer, r *admin.PurgeReport) error {
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	line := func(format string, args ...any) { _, _ = fmt.Fprintf(w, format+"\n", args...) } // Flush says what went wrong
	if r.Undo {
		line("%s: %d of %d patients were purged and come back: 'pgdeid run' reads their rows again",
			r.At.Format(time.RFC3339), r.Known, r.Patients)
		return w.Flush()
	}
	line("%s: %d patients, of whom the replica had something of %d", r.At.Format(time.RFC3339), r.Patients, r.Known)
	line("table\tremoved\tleft")
	for _, p := range r.Places {
		line("%s\t%d\t%d", p.Table, p.Removed, p.Left)
	}
	if r.Kept > 0 {
		line("keyed hashes of names that stay, since another patient has taken over rows: %d", r.Kept)
	}
	return w.Flush()
}
