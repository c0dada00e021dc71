// Package eval has the commands for notes whose PHI is marked: eval scores detection on them, convert changes their format.
package eval

import (
	"github.com/spf13/cobra"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
)

// Commands returns the commands that work on marked notes.
func Commands(_ *command.Globals) []*cobra.Command {
	return []*cobra.Command{newEvalCmd(), newConvertCmd()}
}
