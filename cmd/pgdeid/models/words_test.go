package models

import (
	"testing"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/detect"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/eval"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/commandtest"
)

// runWords runs these commands with words and standard input.
func runWords(t *testing.T, stdin string, words ...string) (stdout, stderr string, err error) {
	t.Helper()
	return commandtest.Families{Commands, detect.Commands, eval.Commands}.Run(t, stdin, words...)
}
