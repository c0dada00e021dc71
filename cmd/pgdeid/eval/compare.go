package eval

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/ensemble/eval"
)

// runCompare compares two saved results.
func runCompare(cmd *cobra.Command, f evalFlags, paths []string) error {
	if len(paths) != 2 {
		return command.UsageError("--compare: want two files that 'pgdeid eval --json' wrote, the earlier one first")
	}
	if f.tolerance < 0 {
		return command.UsageError("--tolerance: want 0 or more")
	}
	var runs [2]eval.Result
	for i, path := range paths {
		var err error
		if runs[i], err = readResult(path); err != nil {
			return err
		}
	}
	c, err := eval.Compare(runs[0], runs[1], f.tolerance/100)
	if err != nil {
		return err
	}
	if err := c.WriteTable(cmd.OutOrStdout()); err != nil {
		return err
	}
	var cases *eval.CaseChanges
	if changes, ok := eval.CompareCases(runs[0], runs[1]); ok {
		cases = &changes
	}
	if f.show > 0 {
		if cases == nil {
			return command.UsageError("--show: %s or %s was saved without its misses and false alarms: save both with --json --show 1", paths[0], paths[1])
		}
		cases.WriteTable(cmd.OutOrStdout(), f.show)
	}
	if f.html != "" {
		title := fmt.Sprintf("pgdeid eval: %s, then %s", filepath.Base(paths[0]), filepath.Base(paths[1]))
		if err := writePage(f.html, func(w io.Writer) error { return c.WriteHTML(w, title, cases, f.show) }); err != nil {
			return err
		}
	}
	if fell := c.Fell(); len(fell) > 0 {
		return command.Attention(fmt.Errorf("%s fell, for one %s", command.Plural(len(fell), "rate"), fell[0]))
	}
	return nil
}

func readResult(path string) (eval.Result, error) {
	file, err := os.Open(path)
	if err != nil {
		return eval.Result{}, err
	}
	defer file.Close()
	result, err := eval.ReadResult(file)
	if err != nil {
		return result, fmt.Errorf("%s: %w", path, err)
	}
	return result, nil
}

// writePage writes a report to a file.
func writePage(path string, write func(io.Writer) error) error {
	file, err := os.Create(path)
	if err != nil {
		return command.UsageError("--html: %w", err)
	}
	if err := write(file); err != nil {
		file.Close()
		return err
	}
	return file.Close()
}
