package operate

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/detector"
	"github.com/pgdeid/pgdeid/replicator/admin"
	"github.com/pgdeid/pgdeid/replicator/session"
)

func newMaintainCmd(g *command.Globals) *cobra.Command {
	var tasks []string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "maintain",
		Short: "Do what the passing of time makes necessary in the replica, best every night",
		Long: `maintain changes rows of the replica that were correct when they were written and no
longer are. Run it from cron or a systemd timer, best every night:

  cap    birth years, shifted dates and ages next to them that by now show an age over 89
  order  tables to which the stream added rows are written anew in the order of
         their published keys: the order of arrival would identify people. Readers of
         a table wait meanwhile; one that a long query reads is left for next time

It may run alongside "pgdeid run" and be stopped and started again. "pgdeid status" says
when a task is due.`,
		Example: `  pgdeid maintain
  pgdeid maintain --task cap --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var done []admin.Maintained
			err := detector.OpenSession(cmd.Context(), g, func(o session.Options) (err error) {
				done, err = admin.Maintain(cmd.Context(), o, tasks)
				return err
			})
			if err != nil {
				return err
			}
			if asJSON {
				return json.NewEncoder(cmd.OutOrStdout()).Encode(done)
			}
			for _, d := range done {
				if _, err := fmt.Fprintf(cmd.OutOrStdout(), "%s: %s: %d rows\n", d.Task, d.Place, d.Rows); err != nil {
					return err
				}
			}
			return nil
		},
	}
	cmd.Flags().StringSliceVar(&tasks, "task", nil, "do only this `task`: "+strings.Join(admin.MaintenanceTasks(), ", "))
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}
