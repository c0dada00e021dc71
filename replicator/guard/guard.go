package guard

import (
	"errors"
	"log/slog"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/internal/fault"
)

// A panic is a fault of the program. Where a row or a note causes it, that one is set
// aside. Elsewhere it ends the session as an error, like any other; the process is never
// left to die of it, since the same row would kill it again at every start. What a panic
// says may quote a value: the log has only where it was.

// Report logs where an error comes from that a panic has caused, and reports whether
// it is one.
func Report(log *slog.Logger, err error) bool {
	var b *ensemble.Broken
	if !errors.As(err, &b) {
		return false
	}
	log.Error("a fault of the program", "in", b.Part, "kind", b.Kind, "at", b.At)
	return true
}

// Func makes a function for an errgroup, in which a panic is an error.
func Func(log *slog.Logger, part string, do func() error) func() error {
	return func() error {
		err := ensemble.Guarded(part, do)
		if !Report(log, err) {
			return err
		}
		return fault.New("replicate", err, "report it, with pgdeid's version and what the log says of it")
	}
}
