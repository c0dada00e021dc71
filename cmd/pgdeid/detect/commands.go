// Package detect has the commands that find and replace PHI in files: detect and deid.
package detect

import (
	"github.com/spf13/cobra"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
)

// Commands returns the commands that work on files.
func Commands(_ *command.Globals) []*cobra.Command {
	return []*cobra.Command{newDetectCmd(), newDeidCmd()}
}
