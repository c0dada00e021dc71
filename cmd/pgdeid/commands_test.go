package main

import (
	"testing"

	"github.com/spf13/cobra"
)

// Every command is there once, says what it does, and shows how it is called.
func TestCommands(t *testing.T) {
	t.Parallel()
	var visit func(*cobra.Command)
	visit = func(c *cobra.Command) {
		names := map[string]bool{}
		for _, sub := range c.Commands() {
			if names[sub.Name()] {
				t.Errorf("%s is there twice", sub.CommandPath())
			}
			names[sub.Name()] = true
			if sub.Short == "" {
				t.Errorf("%s does not say what it does", sub.CommandPath())
			}
			if sub.Runnable() && !sub.HasSubCommands() && sub.Example == "" {
				t.Errorf("%s has no example", sub.CommandPath())
			}
			visit(sub)
		}
	}
	visit(newProgram())
}
