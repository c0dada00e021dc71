package session

import (
	"errors"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/metrics"
)

// refused is an error with what it means to the person who is called. It reads as the
// error itself.
type refused struct {
	why metrics.Refusal
	error
}

func (r refused) Unwrap() error { return r.error }

// Refuse notes what an error means, where it is not one that goes away by itself; nil stays nil.
func Refuse(why metrics.Refusal, err error) error {
	if err == nil {
		return nil
	}
	return refused{why, err}
}

// Refusal returns what a person has to look at after an error that is not [Transient].
func Refusal(err error) metrics.Refusal {
	var r refused
	var b *ensemble.Broken
	switch {
	case errors.As(err, &b):
		return metrics.Fault
	case errors.As(err, &r):
		return r.why
	}
	return metrics.OtherRefusal
}

// Cause returns why a session was interrupted by an error that is [Transient].
func Cause(err error) metrics.Cause {
	switch state := fault.State(err); {
	case state == "53100":
		return metrics.Disk
	case state == "" && !errors.Is(err, ErrUnpublished) && !errors.Is(err, ErrCopyAgain) && !errors.Is(err, ErrNotAlone):
		return metrics.Connection
	case strings.HasPrefix(state, "08"), strings.HasPrefix(state, "57P"), errors.Is(err, connect.ErrGone):
		return metrics.Connection
	}
	return metrics.OtherCause
}
