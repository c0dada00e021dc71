package session

import (
	"errors"
	"io"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/metrics"
	"github.com/pgdeid/pgdeid/replicator/source"
)

func TestRefusalSaysWhatAPersonLooksAt(t *testing.T) {
	t.Parallel()
	cause := fault.New("use slot pgdeid", errors.New("it is lost"), "make another")
	for _, c := range []struct {
		err  error
		want metrics.Refusal
	}{
		{Refuse(metrics.BrokenSlot, cause), metrics.BrokenSlot},
		{fault.New("start", Refuse(metrics.WrongKey, cause), ""), metrics.WrongKey},
		{Refuse(metrics.OtherMapping, ensemble.Recovered("a detector", "Quarkstein")), metrics.Fault},
		{cause, metrics.OtherRefusal},
		{io.EOF, metrics.OtherRefusal},
	} {
		if got := Refusal(c.err); got != c.want {
			t.Errorf("%v: %s, want %s", c.err, got, c.want)
		}
	}
	refused := Refuse(metrics.BrokenSlot, cause)
	if refused.Error() != cause.Error() || fault.Hint(refused) != "make another" || Transient(refused) {
		t.Errorf("another error: %v, hint %q", refused, fault.Hint(refused))
	}
	if Refuse(metrics.WrongKey, nil) != nil {
		t.Error("nothing went wrong, and it is refused")
	}
}

// A check that could not be made, because the server went away, needs no person.
func TestLostConnectionIsNoRefusal(t *testing.T) {
	t.Parallel()
	if !Transient(Refuse(metrics.WrongKey, fault.New("check the key", &pgconn.PgError{Code: "57P01"}, ""))) {
		t.Error("a server that restarts needs a person")
	}
}

func TestCauseOfInterruption(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err  error
		want metrics.Cause
	}{
		{&pgconn.PgError{Code: "53100"}, metrics.Disk},
		{fault.New("write rows", &pgconn.PgError{Code: "53100"}, ""), metrics.Disk},
		{&pgconn.PgError{Code: "57P01"}, metrics.Connection},
		{&pgconn.PgError{Code: "08006"}, metrics.Connection},
		{io.ErrUnexpectedEOF, metrics.Connection},
		{source.ErrSilent, metrics.Connection},
		{&pgconn.PgError{Code: "40P01"}, metrics.OtherCause},
		{ErrNotAlone, metrics.OtherCause},
		{fault.New("compare", ErrUnpublished, ""), metrics.OtherCause},
	} {
		if got := Cause(c.err); got != c.want {
			t.Errorf("%v: %s, want %s", c.err, got, c.want)
		}
	}
}
