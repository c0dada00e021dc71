package setup

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/detector"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/progress"
	"github.com/pgdeid/pgdeid/replicator/admin"
	"github.com/pgdeid/pgdeid/replicator/session"
)

func newKeyRotateCmd(g *command.Globals) *cobra.Command {
	var forget, asJSON bool
	cmd := &cobra.Command{
		Use:   "rotate",
		Short: "Change the key of a replica that is in use",
		Long: `rotate changes the key from which all pseudonyms, surrogates and date shifts are derived.
The configuration names the next key in key_file and the one before in old_key_file.

It is called twice. The first time, while "pgdeid run" is stopped, it moves the tables that
analysts read aside, where they stay readable as they are, and empties the vault; the "run"
that is then started copies all tables again with the next key, in the space of a second
replica. The second time, beside that run, it proves that nothing of the key before is left:
every value of the vault has to open with the next key, and every row has to be what the
next key makes of a row of the source. Then all tables change at once, and those of before
are dropped. Called in between it says what is still to be copied. Killed, call it again.

For analysts all pseudonyms, surrogates and dates become others; lists of patients that they
saved fit no more. Until the change they read the rows as of the beginning: what the source
deletes or corrects does not reach them, but patients who are purged or opt out go at once.

What people decided is sealed with the next key: rounds of review with their readings, repairs,
phrases of the site. Stop "pgdeid review serve" and "pgdeid serve" as well, and start them again
with the next key. A large replica is copied by "pgdeid snapshot --workers" and "pgdeid work" as
the first copy is, before "pgdeid run".

--forget begins it also where purges of patients are lost whom the source does not have any
more: only the key before knows them.

The exit status is 3 while something is still to be done, or the proof fails.`,
		Example: `  pgdeid key new --after /etc/pgdeid/key /etc/pgdeid/key-2
  #   then, in the configuration: key_file: key-2, old_key_file: key
  pgdeid key rotate             # with "pgdeid run" stopped: begins
  pgdeid run                    # copies everything with the next key
  pgdeid key rotate             # says what is still to be copied; then proves, and changes
  pgdeid key rotate --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var b progress.Tables
			var report *admin.RotationReport
			err := detector.OpenSession(cmd.Context(), g, func(o session.Options) (err error) {
				report, err = admin.Rotate(cmd.Context(), o, forget, b.Progress())
				return err
			})
			if err != nil {
				return err
			}
			if asJSON {
				err = json.NewEncoder(cmd.OutOrStdout()).Encode(report)
			} else {
				_, err = fmt.Fprint(cmd.OutOrStdout(), report.Summary())
			}
			if err == nil && !report.Settled() {
				err = command.Attention(nil)
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&forget, "forget", false, "begin also where purges of patients who left the source are lost")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}
