// Package commandtest runs commands of pgdeid as a shell would, in the process of a test.
package commandtest

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
)

// Families are the commands that a test needs.
type Families []func(*command.Globals) []*cobra.Command

// Run runs a program that has these commands, with words and standard input.
func (f Families) Run(t *testing.T, stdin string, words ...string) (stdout, stderr string, err error) {
	t.Helper()
	var out, errs bytes.Buffer
	root := command.New("dev", f...)
	root.SetArgs(withoutModels(words))
	root.SetIn(strings.NewReader(stdin))
	root.SetOut(&out)
	root.SetErr(&errs)
	err = root.ExecuteContext(t.Context())
	return out.String(), errs.String(), err
}

// Key writes a key file that is the same in every run of the tests.
func Key(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "key")
	text := "# pgdeid key, format 1\nepoch: 1\nkey: MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Gold is a note whose PHI is marked.
const Gold = `{"id":"a","text":"Seen by Dr. Quisenberry on 03/05/2020, MRN 1234567.","spans":[` +
	`{"start":12,"end":23,"label":"PERSON"},{"start":27,"end":37,"label":"DATE"},{"start":43,"end":50,"label":"MRN"}]}` + "\n"

// withoutModels has commands that detect do so without neural members, unless their
// words say which: most tests are about something else.
func withoutModels(words []string) []string {
	detects := len(words) > 0 && slices.Contains([]string{"detect", "deid", "eval"}, words[0])
	if !detects || slices.Contains(words, "--models") {
		return words
	}
	return append(slices.Clone(words), "--models", "fast")
}
