package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/pgdeid/pgdeid/ensemble/eval"
)

// runCompare sets two saved results side by side.
func runCompare(cmd *cobra.Command, f evalFlags, paths []string) error {
	if len(paths) != 2 {
		return usageError("--compare: want two files that 'pgdeid eval --json' wrote, the earlier one first")
	}
	if f.tolerance < 0 {
		return usageError("--tolerance: want 0 or more")
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
	if fell := c.Fell(); len(fell) > 0 {
		return &exitError{exitAttention, fmt.Errorf("%s fell, for one %s", plural(len(fell), "rate"), fell[0])}
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
