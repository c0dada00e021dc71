package command

import (
	"errors"
	"fmt"
	"io"

	"github.com/pgdeid/pgdeid/internal/fault"
)

// Exit codes.
const (
	ExitOK        = 0
	ExitFailure   = 1
	ExitUsage     = 2
	ExitAttention = 3 // finished, but something needs a person: see what was printed
)

// exitError is an error with an exit code of its own. It is nothing to print where err is nil.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

// UsageError returns an error about the command line.
func UsageError(format string, args ...any) error {
	return &exitError{ExitUsage, fmt.Errorf(format, args...)}
}

// Attention ends a command that did its work and found something that needs a person.
// What that is was printed already where err is nil.
func Attention(err error) error {
	return &exitError{ExitAttention, err}
}

// ExitCode returns the exit code of a command that ended with err.
func ExitCode(err error) int {
	var exit *exitError
	switch {
	case err == nil:
		return ExitOK
	case errors.As(err, &exit):
		return exit.code
	default:
		return ExitFailure
	}
}

// PrintError prints an error with its hint.
func PrintError(w io.Writer, err error) {
	text := err.Error()
	if text == "" {
		return
	}
	fmt.Fprintln(w, "pgdeid: "+text)
	if hint := fault.Hint(err); hint != "" {
		fmt.Fprintln(w, "hint: "+hint)
	}
}
